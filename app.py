"""The door of the app: page settings, the look, the screens."""

import streamlit as st

from scoring.errors import ScoringError
from screens import navigation, state
from screens.look import theme
from screens.parts import frame
from screens.words import why


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
    screen = st.navigation(navigation.pages(), position="hidden")
    try:
        screen.run()
    except frame.OutOfReachError:
        pass  # which is said already
    except ScoringError as error:  # of a store that stopped answering while the screen was drawn
        theme.note(why(error), kind="stop")
    if state.address().table:  # after the screen: one that gives way to another is not listened to
        with ear:
            frame.listen(screen.url_path, state.page())


main()
