"""During play: scope by one tap, who has snapped, and the hand's end."""

import streamlit as st

from screens import navigation
from screens.parts import frame, phone, sides
from screens.words import t
from table.view import TableView


def side_box(sitting: TableView, side: int) -> None:
    """Draws one side: name, score, scope and their buttons, how far its pile is.

    Once the match is won there is no scopa to tap.
    """
    with st.container(key=f"side_{side}"):
        sides.panel(sitting, side)
        if sitting.match.winner is not None:
            return
        phone.tally(sitting, side)


def main() -> None:
    """Draws the screen a phone shows during play."""
    sitting = frame.require_view(for_scorers=True)
    frame.band(sitting)
    sides.proposals(sitting)
    with st.container(key="sides"):
        for side in range(len(sitting.names)):
            side_box(sitting, side)
    sides.ways(sitting)
    if sitting.match.winner is not None:
        sides.rematch(sitting)
        return
    started = any(not draft.is_empty for draft in sitting.piles)
    with st.bottom:
        label = t("go_on" if started else "hand_over")
        if st.button(label, key="snap", type="primary", width="stretch"):
            due = sides.next_to_snap(sitting)
            navigation.go("points" if due is None else "capture", sitting.code, side=due)


main()
