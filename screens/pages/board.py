"""The board: names and scores to be read from three metres. It refreshes by itself."""

import streamlit as st
from markupsafe import Markup

from screens import navigation, state
from screens.parts import board_view, frame, phone, sides
from screens.words import say
from table import commands
from table.sitting import Sitting


def watching(sitting: Sitting) -> None:
    """Says how whoever watches could score.

    A table of an early release has no scorers' link: the first who wants it takes it over.
    """
    if sitting.table.link_hash is not None:
        st.html(Markup('<p class="quiet">{}</p>').format(say("watching")))
    elif st.button(say("take_over"), key="take_over", width="stretch"):
        with frame.spoken():
            commands.take_over(state.store(), sitting.code, link=state.pending_link())
            link = state.pending_link()
            state.forget_link()
            phone.enter(navigation.join_path(sitting.code, link))
        st.rerun()


def main() -> None:
    """Draws the board."""
    sitting = frame.seated()
    frame.sentences()
    with st.container(key="board"):
        st.html(board_view.board(sitting))
    if not sitting.role.may_write:
        watching(sitting)
        sides.ways(sitting, with_language=True)
        return
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
