"""Rules of a house's own: every setting with a sentence of what it does, kept under a name."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import streamlit as st
from markupsafe import Markup

from scoring.explain import GROUPS
from scoring.presets import PRESETS
from scoring.rules import SEATINGS, Rules, contradictions, range_of
from screens import state
from screens.look import theme
from screens.parts import rules_view
from screens.words import say


def offered(sides: int | None = None) -> Mapping[str, Rules]:
    """Gives the rule sets to choose from by name, own ones last; for so many sides, if told."""
    everything = {**PRESETS, **state.store().house_rules()}
    if sides is None:
        return everything
    played = {name: rules.for_sides(sides) for name, rules in everything.items()}
    return {name: rules for name, rules in played.items() if rules is not None}


def called(name: str) -> str:
    """Gives what people call a rule set: own ones bear the name that somebody typed."""
    return say(f"rules_{name}") if name in PRESETS else name


def settings(start: Rules) -> dict[str, Any]:
    """Draws a widget for every setting, by what they are about, and gives what they say."""
    told: dict[str, Any] = {"name": start.name}
    for group, names in GROUPS.items():
        with st.expander(say(f"group_{group}"), key=f"group_{group}"):
            for name in names:
                told[name] = _setting(name, start)
                st.html(Markup('<div class="does">{}</div>').format(say(f"told_{name}")))
    return told


def _setting(name: str, start: Rules) -> Any:
    """Draws the widget of one setting."""
    value, label = getattr(start, name), theme.plain(say(f"setting_{name}"))
    key = f"set_{start.name}_{name}"
    if name == "seatings":
        return _seatings(label, start, key=key)
    if isinstance(value, StrEnum):
        return _choice(label, name, value=value, key=key)
    if isinstance(value, bool):
        return st.toggle(label, value=value, key=key)
    low, high = range_of(name)
    return int(st.number_input(label, low, high, value=value, step=1, key=key))


def _seatings(label: str, start: Rules, *, key: str) -> tuple[tuple[int, int], ...]:
    ways = {rules_view.seating(way): way for way in (*SEATINGS, *start.seatings)}
    usual = [rules_view.seating(way) for way in start.seatings]
    chosen = st.pills(
        label, list(ways), selection_mode="multi", default=usual, key=state.choice_key(key)
    )
    return tuple(ways[one] for one in chosen)


def _choice(label: str, name: str, *, value: StrEnum, key: str) -> StrEnum:
    words = {say(f"choice_{name}_{member.value}"): member for member in type(value)}
    before = state.chosen_before(key)
    usual = say(f"choice_{name}_{value.value}")
    index = list(words).index(str(before) if before in words else usual)
    chosen = st.radio(label, list(words), index=index, key=state.choice_key(key))
    return words[chosen or usual]


def clashes(told: Mapping[str, Any]) -> list[str]:
    """Gives a sentence for everything in the settings that does not fit together."""
    if not told["seatings"]:
        return [say("house_no_seats")]
    return [say(f"clash_{name}") for name, _ in contradictions(told)]
