"""The screens by name, and the way from one to the next. The address alone says where one is."""

from typing import NoReturn

import streamlit as st

from screens import state

SCREENS = {
    name: st.Page(f"screens/pages/{name}.py", title=title, url_path=name, default=name == "home")
    for name, title in (
        ("home", "Settebello"),
        ("play", "Play"),
        ("capture", "Snap"),
        ("review", "Piles"),
        ("points", "Points"),
        ("board", "Board"),
        ("history", "Hands"),
        ("compare", "Compare"),
    )
}
"""Every screen of the app; the first is the front door."""


def way(table: str, *, side: int | None = None, hand: int | None = None) -> dict[str, str]:
    """Gives the query parameters of a screen of this table; who holds the device stays."""
    me = state.address().me
    named = {state.TABLE: table, state.SIDE: side, state.HAND: hand, state.ME: me}
    return {name: str(value) for name, value in named.items() if value is not None}


def go(screen: str, table: str, *, side: int | None = None, hand: int | None = None) -> NoReturn:
    """Opens a screen of a table; the URL then says it all, so that a reload stays here."""
    st.switch_page(SCREENS[screen], query_params=way(table, side=side, hand=hand))
