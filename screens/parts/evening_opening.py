"""The form that opens an evening: its name, how it is drawn, its rules, how long a match is."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from enum import StrEnum
from random import SystemRandom
from typing import TypeVar

import streamlit as st

from scoring.errors import ScoringError
from scoring.presets import DEFAULT
from scoring.rules import Rules
from screens import navigation, render, state, times
from screens.parts import phone, rules
from screens.words import error_text, t
from table.evening import MAX_PLACE, SYSTEMS, TEAMS, Plan
from table.evening_view import EveningView, open_evening

LENGTHS = ("target", "hands", "minutes")
"""How a match ends: at a target, after so many hands, with the hand in which the bell rings."""


def form() -> None:
    """Asks for an evening, and opens it."""
    with st.container(key="evening_plan"):
        plan = ask(Plan(name="", rules=rules.rule_sets(2)[DEFAULT]))
    with st.bottom:
        note = st.container()
        if st.button(t("evening_open"), key="evening_open", type="primary", width="stretch"):
            name = plan.name or t("evening_usual_name")
            with note:
                _open(replace(plan, name=name, seed=SystemRandom().randrange(2**31)))


def ask(now: Plan, view: EveningView | None = None) -> Plan:
    """Asks for the plan of an evening, at first as it is now; of an open one, for what is left."""
    end = f"_{view.log.revision}" if view else ""
    name = st.text_input(t("evening_name"), now.name, key=f"evening_name{end}", max_chars=24)
    system = _choice("system", SYSTEMS, now.system, end)
    teams = now.teams if view else _choice("teams", TEAMS, now.teams, end)
    more = st.container() if view else st.expander(t("evening_more"), key="evening_more")
    with more:
        day = date.fromisoformat(now.day) if now.day else datetime.now(times.zone()).date()
        day = st.date_input(t("evening_day"), day, key=f"day{end}")
        place = st.text_input(
            t("evening_where"), now.place, key=f"evening_where{end}", max_chars=MAX_PLACE
        )
        tables = st.number_input(t("evening_tables"), 1, 64, now.tables, key=f"evening_tables{end}")
        played, minutes = _length(_rules(now, end), now, end)
        key = f"evening_best_of{end}"
        best_of = rules.best_of(now.best_of, key=key)
    return replace(
        now,
        name=name or now.name,
        day=day.isoformat(),
        place=place or "",
        system=system,
        teams=teams,
        tables=int(tables),
        rules=played,
        minutes=minutes,
        best_of=best_of,
    )


E = TypeVar("E", bound=StrEnum)


def _choice(name: str, values: Sequence[E], now: E, end: str) -> E:
    words = {t(f"{name}_{value}"): value for value in values}
    label = st.pills(
        t(f"evening_{name}"),
        list(words),
        default=t(f"{name}_{now}"),
        required=True,
        key=state.choice_key(f"evening_{name}{end}"),
    )
    return words.get(label or "", now)


def _rules(now: Plan, end: str) -> Rules:
    kept = now.rules.changed(hands=0, bell=False, draw=False)
    sets = {kept.name: kept, **rules.rule_sets(2)}
    called = {name: rules.called(name) for name in sets}
    chosen = st.selectbox(
        t("rules"),
        [*sets],
        index=[*sets].index(now.rules.name),
        key=f"evening_rules{end}",
        format_func=called.__getitem__,
    )
    return sets[chosen or now.rules.name]


def _length(chosen: Rules, now: Plan, end: str) -> tuple[Rules, int]:
    """Asks how long a match is; gives the rules with it, and the minutes of a round."""
    words = {t(f"evening_to_{length}"): length for length in LENGTHS}
    usual = "minutes" if now.minutes else "hands" if now.rules.hands else "target"
    label = st.pills(
        t("evening_length"),
        [*words],
        default=t(f"evening_to_{usual}"),
        required=True,
        key=state.choice_key(f"evening_length{end}"),
    )
    length = words.get(label or "", usual)
    if length == "hands":
        hands = st.number_input(
            t("evening_hands"), 1, 50, now.rules.hands or 4, key=f"evening_hands{end}"
        )
        return chosen.changed(hands=int(hands), draw=True), 0
    if length == "minutes":
        minutes = st.number_input(
            t("evening_minutes"), 5, 240, now.minutes or 45, key=f"evening_minutes{end}"
        )
        return chosen.changed(bell=True, draw=True), int(minutes)
    kept = str(now.rules.target) if chosen.name == now.rules.name else ""
    target = rules.target(chosen, key=f"evening_target_{chosen.name}{end}", kept=kept)
    return chosen.changed(target=target), 0


def _open(plan: Plan) -> None:
    """Opens the evening, once, and leads this device to it as its organiser's."""
    link = state.pending_link()
    try:
        state.auth().limiter.count_opening(state.network_address())
        table = open_evening(state.store(), plan, link=link)
    except ScoringError as error:
        render.note(error_text(error), kind="stop")
        return
    state.forget_link()
    phone.enter(navigation.join_path(table.code, link, screen="evening"))
