"""What a device keeps for itself, whatever table it shows: its theme; a board that stays awake."""

import streamlit as st

from screens import navigation, state
from screens.look import theme
from screens.words import say

_themes = st.components.v2.component(
    "settebello_themes",
    html='<div class="themes" role="group"></div>',
    css=theme.PHONE_CSS.read_text(encoding="utf-8"),
    js=theme.file_text("themes.js"),
    isolate_styles=False,
)

_board = st.components.v2.component("settebello_board", js=theme.file_text("board.js"))


def themes() -> None:
    """Lets somebody choose the theme of this device, for every screen."""
    data = {
        "label": say("themes"),
        "cookie": state.THEME,
        "chosen": state.chosen_theme(),
        "pages": navigation.SCREENS,
        "themes": [{"name": name, "label": say(f"theme_{name}")} for name in state.THEMES],
    }
    _themes(key="themes", data=data)


def awake() -> None:
    """Keeps this screen awake where the browser allows it, and opens it anew after a sleep."""
    _board(key="awake")
