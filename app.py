"""The script that Streamlit runs: page settings, style, and the screen that the URL names."""

import streamlit as st

from scoring.errors import ScoringError
from screens import navigation, state
from screens.look import page, theme
from screens.parts import frame
from screens.words import why


def main() -> None:
    """Sets the page up and runs the screen that the URL names."""
    st.set_page_config(
        page_title="Settebello",
        page_icon="🪙",
        layout="centered",
        initial_sidebar_state="collapsed",
    )
    page.set_up()
    # The fragment that checks for changes stands at the same place on every screen: a run of it
    # that the browser asked for on the screen before must still find its container.
    listening = st.container()
    screen = st.navigation(navigation.pages(), position="hidden")
    try:
        screen.run()
    except frame.OutOfReachError:
        pass  # the screen says so already
    except ScoringError as error:  # the store stopped answering while the screen was drawn
        theme.note(why(error), kind="stop")
    if state.address().table:  # not reached where the screen has switched to another page
        with listening:
            frame.listen(screen.url_path, state.page())


main()
