"""The board of an evening: the round's tables live, who sits where, the standings; in turn."""

# ruff: noqa: D103  the functions of a page are its own

import streamlit as st

from screens import components
from screens.parts import evening, frame


def main() -> None:
    view = frame.require_evening(is_live=True)
    with st.container(key="tonight"):
        st.html(evening.board(view))
        components.show("evening", key="evening")
    frame.menu(evening=view.code)


main()
