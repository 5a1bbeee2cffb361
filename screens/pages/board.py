"""The board: names and scores to be read from three metres. It refreshes by itself."""

import streamlit as st

from screens import navigation
from screens.parts import board_view, frame, sides
from screens.words import say


def main() -> None:
    """Draws the board."""
    sitting = frame.seated()
    frame.sentences()
    with st.container(key="board"):
        st.html(board_view.board(sitting))
    sides.proposals(sitting)
    if sitting.match.winner is not None:
        sides.rematch(sitting)
        sides.ways(sitting, with_language=True)
        return
    with st.container(key="board_steps"):
        label = say("next_hand", hand=sitting.hand_no)
        if st.button(label, key="next", type="primary", width="stretch"):
            navigation.go("play", sitting.code)
    sides.ways(sitting, with_language=True)


main()
