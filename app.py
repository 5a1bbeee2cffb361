"""The door of the app: page settings, the look, the screens."""

from contextlib import suppress

import streamlit as st

from app_pages import frame, screens, state, theme


def main() -> None:
    """Sets the page up and runs the screen the address asks for."""
    st.set_page_config(
        page_title="Settebello",
        page_icon="🪙",
        layout="centered",
        initial_sidebar_state="collapsed",
    )
    theme.dress()
    ear = st.container()  # at the same place on every screen: a late look must still find it
    screen = st.navigation(list(screens.SCREENS.values()), position="hidden")
    with suppress(frame.OutOfReachError):
        screen.run()
    if state.address().table:  # after the screen: one that gives way to another is not listened to
        with ear:
            frame.listen(screen.url_path, state.page())


main()
