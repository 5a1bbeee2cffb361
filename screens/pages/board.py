"""The board: names and scores to be read from three metres. It needs no hand and stays awake."""

# ruff: noqa: D103  the functions of a page are its own

from dataclasses import replace

import streamlit as st

from screens import components, navigation, state
from screens.parts import board, frame, sides
from screens.words import t
from table.view import board_fingerprint


def main() -> None:
    with state.store().reading():  # one snapshot
        view = frame.require_view()
        fingerprint = board_fingerprint(view)
        shown = board.board(view)
    state.note_rendered(replace(state.rendered(), board=fingerprint))
    with st.container(key="board"):
        st.html(shown)
        components.show("board", key="awake", data=board.component_data(view))
    with st.container(key="board_notes"):
        frame.sample_mark(view)
        frame.flashes()
    frame.menu(view)
    if not view.role.may_write:
        return
    if view.match.is_over:
        sides.rematch(view)
        return
    with st.container(key="board_steps"):
        label = t("next_hand", hand=view.hand_no)
        if st.button(label, key="next", type="primary", width="stretch"):
            navigation.go("play", view.code)


main()
