"""The board of an evening: the round's tables live, who sits where, the standings; in turn."""

# ruff: noqa: D103  the functions of a page are its own

import streamlit as st

from screens import components, navigation
from screens.parts import evening, frame
from screens.words import t


def main() -> None:
    view = frame.require_evening(is_live=True)
    with st.container(key="tonight"):
        st.html(evening.board(view))
        components.show("evening", key="evening")
    with st.container(key="board_menu"), st.popover(t("menu")):
        with st.container(horizontal=True, vertical_alignment="center", key="ways"):
            navigation.link("evening", t("page_evening"), view.code)
            navigation.link(navigation.HOME, t(navigation.HOME))
            frame.language_button()
        frame.theme_buttons()


main()
