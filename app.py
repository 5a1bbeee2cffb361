"""The door of the app: page settings, the look, the screens."""

import streamlit as st

from app_pages import screens, theme


def main() -> None:
    """Sets the page up and runs the screen the address asks for."""
    st.set_page_config(
        page_title="Settebello",
        page_icon="🪙",
        layout="centered",
        initial_sidebar_state="collapsed",
    )
    theme.dress()
    st.navigation(list(screens.SCREENS.values()), position="hidden").run()


main()
