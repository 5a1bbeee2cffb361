"""The script that Streamlit runs: page settings, and the screen that the address names.

`streamlit run app.py` imports this file for `app`, the server with our routes and the pages. The
server then runs the file as a script for every change on a screen.
"""

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from scoring.errors import ScoringError
from screens import board, certificate, look, navigation, render, shell, state
from screens.network import given_address
from screens.parts import frame, phone
from screens.words import error_text, t
from web.limits import network_of
from web.logging import log_context, set_up
from web.middleware import middleware
from web.routes import EXCEPTION_HANDLERS, Api
from web.worker import limit_memory


@state.one_run()
def main() -> None:
    """Set the page up and run the screen that the address names."""
    st.set_page_config(
        page_title="Settebello",
        layout="centered",
        initial_sidebar_state="collapsed",
    )
    screen = st.navigation(navigation.pages(), position="hidden")
    state.keep_address()  # before the browser hears that a run has begun
    render.set_up_page([*navigation.SCREENS])
    top = st.container()  # at the same place on every screen, so that it stays in the browser
    network = network_of(state.network_address())
    try:
        with log_context(table=state.address().table), render.render_lock(network):
            screen.run()
    except frame.StoreUnreachableError:
        pass  # the screen says so already
    except ScoringError as error:  # the store stopped answering while the screen was drawn
        render.note(error_text(error), kind="stop")
    if state.address().table:  # not reached where the screen has switched to another page
        phone.messenger(top)


def excuse(error: Exception) -> bool:  # noqa: ARG001  Streamlit has logged it
    """Say in our words that a screen could not be drawn, in place of Streamlit's red box."""
    render.note(t("error_screen"), kind="stop")
    return True


if __name__ == "__main__":
    main()
else:
    limit_memory()
    set_up()
    api = Api(
        state.store,
        state.reader,
        auth=state.auth(),
        samples=state.SAMPLES,
        has_networks=state.has_networks,
    )
    app = st.App(
        "app.py",
        routes=[
            *api.routes(),
            *board.routes(),
            *certificate.routes(),
            *look.routes(),
            *shell.routes(),
        ],
        middleware=[
            *middleware(address=given_address(), scripts=shell.inline_scripts()),
            Middleware(GZipMiddleware, compresslevel=6),
        ],
        exception_handlers=EXCEPTION_HANDLERS,
        lifespan=api.lifespan,
        on_script_error=excuse,
    )
