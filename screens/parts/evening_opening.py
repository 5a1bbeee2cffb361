"""The form that opens an evening: its name, how it is drawn, its rules, how long a match is."""

from datetime import datetime
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
from table import series
from table.evening import MAX_PLACE, Plan, System, Teams
from table.evening_view import open_evening

LENGTHS = ("target", "hands", "minutes")
"""How a match ends: at a target, after so many hands, with the hand in which the bell rings."""


def form() -> None:
    """Asks for an evening, and opens it."""
    with st.container(key="evening_plan"):
        name = st.text_input(t("evening_name"), key="evening_name", max_chars=24)
        system = _choice("system", System)
        teams = _choice("teams", Teams)
        with st.expander(t("evening_more"), key="evening_more"):
            day = st.date_input(t("evening_day"), datetime.now(times.zone()).date(), key="day")
            place = st.text_input(t("evening_where"), key="evening_where", max_chars=MAX_PLACE)
            tables = st.number_input(t("evening_tables"), 1, 64, 6, key="evening_tables")
            played, minutes = _length(_rules())
            best_of = st.pills(
                t("evening_best_of"),
                series.LENGTHS,
                default=1,
                required=True,
                key="evening_best_of",
            )
    with st.bottom:
        note = st.container()
        if st.button(t("evening_open"), key="evening_open", type="primary", width="stretch"):
            plan = Plan(
                name=name or t("evening_usual_name"),
                day=day.isoformat(),
                place=place or "",
                system=system,
                teams=teams,
                tables=int(tables),
                rules=played,
                minutes=minutes,
                best_of=best_of or 1,
                seed=SystemRandom().randrange(2**31),
            )
            with note:
                _open(plan)


E = TypeVar("E", bound=StrEnum)


def _choice(name: str, values: type[E]) -> E:
    words = {t(f"{name}_{value}"): value for value in values}
    label = st.pills(
        t(f"evening_{name}"),
        list(words),
        default=next(iter(words)),
        required=True,
        key=state.choice_key(f"evening_{name}"),
    )
    return words.get(label or "", next(iter(values)))


def _rules() -> Rules:
    sets = rules.rule_sets(2)
    called = {name: rules.called(name) for name in sets}
    usual = [*sets].index(DEFAULT) if DEFAULT in sets else 0
    chosen = st.selectbox(
        t("rules"), [*sets], index=usual, key="evening_rules", format_func=called.__getitem__
    )
    return sets[chosen or DEFAULT]


def _length(chosen: Rules) -> tuple[Rules, int]:
    """Asks how long a match is; gives the rules with it, and the minutes of a round."""
    words = {t(f"evening_to_{length}"): length for length in LENGTHS}
    label = st.pills(
        t("evening_length"),
        [*words],
        default=next(iter(words)),
        required=True,
        key=state.choice_key("evening_length"),
    )
    length = words.get(label or "", LENGTHS[0])
    if length == "hands":
        hands = st.number_input(t("evening_hands"), 1, 50, 4, key="evening_hands")
        return chosen.changed(hands=int(hands), draw=True), 0
    if length == "minutes":
        minutes = st.number_input(t("evening_minutes"), 5, 240, 45, key="evening_minutes")
        return chosen.changed(bell=True, draw=True), int(minutes)
    return chosen.changed(target=rules.target(chosen, key=f"evening_target_{chosen.name}")), 0


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
