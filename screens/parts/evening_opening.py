"""The form that opens an evening: its name, the draw, the rules, the length of a match."""

from collections.abc import Sequence
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
from screens.parts.switch import switch
from screens.words import error_text, t
from table.evening.replay import MAX_PLACE, SYSTEMS, TEAMS, Plan
from table.evening.view import open_evening

TABLES = 6
"""Tables of a new evening, unless the organiser changes the number."""

LENGTHS = ("target", "hands", "minutes")
"""How a match ends: at a target, after a number of hands, or with the hand when the bell rings."""


def form() -> None:
    """Ask for an evening and open it."""
    with st.container(key="evening_plan"):
        plan = ask()
    with st.bottom:
        note = st.container()
        if st.button(t("evening_open"), key="evening_open", type="primary", width="stretch"):
            with note:
                _open(plan)


def ask() -> Plan:
    """Draw the fields of a new evening, and return its plan."""
    name = st.text_input(t("evening_name"), key="evening_name", max_chars=24)
    system = _choice("system", SYSTEMS)
    teams = _choice("teams", TEAMS)
    with st.expander(t("evening_more"), key="evening_more"):
        day = st.date_input(t("evening_day"), datetime.now(times.zone()).date(), key="day")
        place = st.text_input(t("evening_where"), key="evening_where", max_chars=MAX_PLACE)
        tables = st.number_input(t("evening_tables"), 1, 64, TABLES, key="evening_tables")
        played, minutes = _length(_rules())
        best_of = rules.best_of(1, key="evening_best_of")
    return Plan(
        name=name or t("evening_usual_name"),
        day=day.isoformat(),
        place=place or "",
        system=system,
        teams=teams,
        tables=int(tables),
        rules=played,
        minutes=minutes,
        best_of=best_of,
        seed=SystemRandom().randrange(2**31),
    )


E = TypeVar("E", bound=StrEnum)


def _choice(name: str, values: Sequence[E]) -> E:
    """Draw the values of a setting, the first as the default, and return the chosen one."""
    words = {t(f"{name}_{value}"): value for value in values}
    label = switch(
        t(f"evening_{name}"),
        list(words),
        default=next(iter(words)),
        key=state.choice_key(f"evening_{name}"),
    )
    return words.get(label, values[0])


def _rules() -> Rules:
    sets = rules.rule_sets(2)
    called = {name: rules.called(name) for name in sets}
    chosen = st.selectbox(
        t("rules"),
        [*sets],
        index=[*sets].index(DEFAULT),
        key="evening_rules",
        format_func=called.__getitem__,
    )
    return sets[chosen or DEFAULT]


def _length(chosen: Rules) -> tuple[Rules, int]:
    """Ask how a match ends; return the rules with it, and the minutes of a round."""
    words = {t(f"evening_to_{length}"): length for length in LENGTHS}
    label = switch(
        t("evening_length"),
        [*words],
        default=t("evening_to_target"),
        key=state.choice_key("evening_length"),
    )
    length = words.get(label, "target")
    if length == "hands":
        hands = st.number_input(t("evening_hands"), 1, 50, 4, key="evening_hands")
        return chosen.changed(hands=int(hands), draw=True), 0
    if length == "minutes":
        minutes = st.number_input(t("evening_minutes"), 5, 240, 45, key="evening_minutes")
        return chosen.changed(bell=True, draw=True), int(minutes)
    target = rules.target(chosen, key=f"evening_target_{chosen.name}")
    return chosen.changed(target=target), 0


def _open(plan: Plan) -> None:
    """Open the evening once, and lead this device to it as the organiser's."""
    link = state.session().link
    try:
        state.auth().limiter.count_opening(state.network_address())
        row = open_evening(state.store(), plan, link=link)
    except ScoringError as error:
        render.note(error_text(error), kind="stop")
        return
    state.session().open_another()
    phone.enter(navigation.join_path(row.code, link, screen="evening"))
