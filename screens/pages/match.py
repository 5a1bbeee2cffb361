"""Names and target of the match being played and, before its first hand, its rules."""

# ruff: noqa: D103  the functions of a page are its own

import streamlit as st

from scoring.rules import Rules
from screens import navigation, render, state
from screens.parts import frame, rules
from screens.words import t
from table.names import MAX_LETTERS
from table.series import LENGTHS
from table.view import TableView


def names(view: TableView) -> list[str]:
    with st.container(key="match_names"):
        return [
            st.text_input(t("name", number=side + 1), name, key=f"match_name_{side}_{name}")
            for side, name in enumerate(view.names)
        ]


def played(view: TableView) -> Rules:
    now, sets = view.match.rules, rules.rule_sets(len(view.names))
    chosen = now
    if view.match.hands:
        render.quiet(t("match_rules_fixed"))
    else:
        called = {now.name: now} | {name: one for name, one in sets.items() if name != now.name}
        picked = st.selectbox(
            t("rules"), list(called), key=f"match_rules_{now.name}", format_func=rules.called
        )
        chosen = called[picked or now.name]
    target = rules.target(chosen, key=f"match_target_{chosen.name}_{now.target}")
    return chosen.changed(target=target)


def best_of(view: TableView) -> int:
    """How many matches are played at most, where no evening says so."""
    now = view.table.match.best_of
    if view.table.evening_code:
        return now
    key = f"match_best_of_{now}"
    return st.pills(t("evening_best_of"), LENGTHS, default=now, required=True, key=key) or now


def place(view: TableView) -> None:
    """Lets somebody take a player's place from the hand being played on."""
    with st.expander(t("seat_head"), key="seat"):
        people = [one for team in view.people for one in team]
        key = f"seat_leaves_{view.row.revision}"
        leaves = st.selectbox(t("seat_leaves"), people, key=key, format_func=render.plain)
        comes = st.text_input(t("seat_comes"), key="seat_comes", max_chars=MAX_LETTERS)
        render.quiet(t("seat_rule", hand=view.hand_no))
        if st.button(t("seat_save"), key="seat_save", width="stretch"):
            with frame.flash_errors():
                seen = view.row.revision
                state.execute(view.code, "seat", shown=seen, leaves=leaves, comes=comes or "")
                navigation.go("play", view.code)
            st.rerun()


def main() -> None:
    view = frame.require_view(for_scorers=True)
    frame.band(view, back="play")
    st.header(t("page_match"))
    typed, chosen, series = names(view), played(view), best_of(view)
    place(view)
    with st.bottom:
        if st.button(t("match_save"), key="match_save", type="primary", width="stretch"):
            with frame.flash_errors():
                match = {"names": typed, "rules": chosen, "best_of": series}
                state.execute(view.code, "change_match", **match)
                state.flash(t("match_saved"))
                navigation.go("play", view.code)
            st.rerun()


main()
