"""The screens and the links between them. The URL alone decides which screen is open."""

from collections.abc import Mapping
from copy import copy
from functools import cache
from typing import NoReturn
from urllib.parse import quote, urlencode

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from screens import render, state
from screens.words import t

HOME = "home"
"""The start page."""

SCREENS = (
    HOME,
    "sample",
    "club",
    "play",
    "invite",
    "settle",
    "points",
    "quick",
    "match",
    "history",
    "season",
    "referee",
    "house",
    "trust",
    "rules",
    "evening",
)
"""All screens: each is a script in screens/pages and the path of its address."""


def script(screen: str) -> str:
    """Return the path of a screen's script, relative to app.py.

    >>> script("play")
    'screens/pages/play.py'
    """
    return f"screens/pages/{screen}.py"


def pages() -> list[StreamlitPage]:
    """Return the screens as Streamlit's pages, with titles in the language of the run.

    Creating a page costs Streamlit a look at the disk, so pages are created once per language.
    Streamlit marks a page as the current one, so each run gets copies.
    """
    return [copy(page) for page in _pages(state.language())]


@cache
def _pages(language: str) -> tuple[StreamlitPage, ...]:  # noqa: ARG001  the cache key
    return tuple(
        st.Page(script(name), title=t(f"page_{name}"), url_path=name, default=name == HOME)
        for name in SCREENS
    )


def way(
    table: str | None = None,
    *,
    side: int | None = None,
    hand: int | None = None,
    match: int | None = None,
    by_hand: bool | None = None,
) -> dict[str, str]:
    """Return the query parameters of a screen: of a table, or of the start page if there is none.

    The chosen language is kept, at a table also the device's holder, and with a hand its match.
    """
    here = state.address()
    me = (state.NOBODY_HERE if here.is_board else here.me) if table else None
    match = here.match if match is None and hand is not None else match
    named = {
        state.TABLE: table,
        state.MATCH: match,
        state.SIDE: side,
        state.HAND: hand,
        state.ME: me,
        state.BY: {True: state.HAND_MADE, False: state.PHOTOGRAPHED, None: None}[by_hand],
    }
    parameters = named | {state.LANGUAGE: state.chosen_language()}
    return {name: str(value) for name, value in parameters.items() if value is not None}


def go(
    screen: str,
    table: str,
    *,
    side: int | None = None,
    hand: int | None = None,
    match: int | None = None,
    by_hand: bool | None = None,
) -> NoReturn:
    """Open a screen of a table. The URL has its whole state, so that a reload stays there."""
    st.switch_page(
        script(screen), query_params=way(table, side=side, hand=hand, match=match, by_hand=by_hand)
    )


def link(
    screen: str,
    label: str,
    table: str | None = None,
    *,
    side: int | None = None,
    hand: int | None = None,
    match: int | None = None,
    by_hand: bool | None = None,
) -> None:
    """Draw a link to a screen. The label is plain text: names in it are shown as they are."""
    parameters = way(table, side=side, hand=hand, match=match, by_hand=by_hand)
    st.page_link(script(screen), label=render.plain(label), query_params=parameters)


def path(screen: str, parameters: Mapping[str, str]) -> str:
    """Return the address of a screen, for the browser to open.

    >>> path("play", {"table": "K7QF"}), path("home", {})
    ('/play?table=K7QF', '/')
    """
    query = f"?{urlencode(parameters)}" if parameters else ""
    return f"/{'' if screen == HOME else screen}{query}"


def board_path(code: str, *, language: str | None = None, **query: str) -> str:
    """Return the address of the board of a table or an evening, which Streamlit does not serve.

    >>> board_path("K7QF"), board_path("K7QF", language="it")
    ('/board/K7QF', '/board/K7QF?lang=it')
    """
    query |= {state.LANGUAGE: language} if language else {}
    return f"/board/{quote(code, safe='')}" + (f"?{urlencode(query)}" if query else "")


def board_link(code: str, label: str = "") -> None:
    """Draw a link to the board, which is a separate page."""
    to = board_path(code, language=state.chosen_language())
    st.html(render.piece("way", to, label or t("board")))


def join_path(code: str, link: str, *, screen: str = HOME, me: int | None = None) -> str:
    """Return the path that makes a phone a scorer of a table and leads to one of its screens.

    >>> join_path("K7QF", "abc", screen="play", me=1)
    '/join/K7QF/abc?screen=play&me=1'
    """
    named = {"screen": screen, state.ME: me, state.LANGUAGE: state.chosen_language()}
    parameters = {name: value for name, value in named.items() if value not in {None, HOME}}
    return f"/join/{code}/{link}" + (f"?{urlencode(parameters)}" if parameters else "")


def go_home() -> NoReturn:
    """Open the start page."""
    st.switch_page(script(HOME), query_params=way())
