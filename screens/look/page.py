"""What every screen gives the browser: its language, and the sentence of a lost connection."""

import re
from pathlib import Path

import streamlit as st
from markupsafe import Markup

from screens import state
from screens.look import theme
from screens.words import say

PAGE_JS = Path(__file__).with_name("page.js")
"""Script that tells the browser the page's language and which words it must not translate."""

_page = st.components.v2.component("settebello_page", js=PAGE_JS.read_text(encoding="utf-8"))


def inline_scripts() -> list[str]:
    """Gives the scripts that stand in Streamlit's page itself; all others are files."""
    html = Path(st.__file__).with_name("static") / "index.html"
    return re.findall(r"<script>(.*?)</script>", html.read_text(encoding="utf-8"), re.DOTALL)


def set_up() -> None:
    """Puts into the page what is the same on every screen.

    The style sheet shows the sentence of a lost connection only while there is none.
    """
    theme.dress(state.chosen_theme(), state.drawing(anew=True))
    with st.container(key="page"):
        st.html(Markup('<div class="lost" role="alert">{}</div>').format(say("lost_connection")))
        _page(key="page_script", data={"language": state.language()})
