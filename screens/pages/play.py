"""During play: scope by one tap, who has snapped, and the hand's end."""

# ruff: noqa: D103  the functions of a page are its own

import streamlit as st

from screens import navigation
from screens.parts import frame, phone, sides
from screens.words import t
from table.view import TableView


def side_box(view: TableView, side: int) -> None:
    """Draws one side: name, score, scope and their buttons, how far its pile is.

    Once the match is won there is no scopa to tap.
    """
    with st.container(key=f"side_{side}"):
        sides.panel(view, side)
        if view.match.is_over:
            return
        phone.tally(view, side)


def main() -> None:
    view = frame.require_view(for_scorers=True)
    frame.band(view)
    sides.proposals(view)
    with st.container(key="sides"):
        for side in range(len(view.names)):
            side_box(view, side)
    if view.match.is_over:
        sides.rematch(view)
        return
    started = any(not draft.is_empty for draft in view.piles)
    with st.container(key="quick"):
        navigation.link("quick", t("quick"), view.code)
    with st.bottom:
        label = t("go_on" if started else "hand_over")
        if st.button(label, key="snap", type="primary", width="stretch"):
            due = sides.next_to_snap(view)
            navigation.go("points" if due is None else "capture", view.code, side=due)


main()
