"""Where the app keeps things: the address, the session's keys, and what a process holds once.

No other module names a session key, a query parameter or a cache.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from scoring.locale import LANGUAGES
from screens.crops import Corners, crop
from table.store import Store, default_url
from vision.reader import MODELS, Reader

SAMPLES = Path(__file__).parents[1] / "samples"
"""The folder of photos to try the app with."""

TABLE, SIDE, HAND, ME, LANGUAGE = "table", "side", "hand", "me", "lang"
"""Query parameters: code of the table, whose pile, the hand being mended, who holds the device, the
language that somebody chose."""

_SEEN = "seen"
_AT = "at"
_TROUBLE = "trouble"
_NEWS = "news"
_ROUND = "upload_round"
_LEAVE = "leave"


@st.cache_resource(show_spinner=False)
def _store(address: str) -> Store:
    return Store(address)


def store() -> Store:
    """Gives the process's store, at the place the environment names."""
    return _store(default_url())


@lru_cache(maxsize=24)
def _photo(store: Store, number: int) -> bytes:
    return store.photo(number)


def photo(number: int) -> bytes:
    """Gives a photo as it was kept; photos never change."""
    return _photo(store(), number)


@lru_cache(maxsize=512)
def _card_cut(store: Store, number: int, *, corners: Corners) -> bytes:
    return crop(_photo(store, number), corners)


def card_cut(number: int, corners: Corners) -> bytes:
    """Gives one card cut out of a kept photo."""
    return _card_cut(store(), number, corners=corners)


@st.cache_resource(show_spinner=False)
def reader() -> Reader:
    """Gives the process's reader, its networks loaded once."""
    return Reader(MODELS)


@dataclass(frozen=True, kw_only=True)
class Address:
    """What the URL says: enough to draw any screen again after a reload."""

    table: str = ""
    """Code of the table, empty on the front door."""
    side: int = 0
    """Whose pile is on the screen."""
    hand: int | None = None
    """The hand being mended, counted from 1; None for the hand being played."""
    me: int | None = None
    """The side that holds this device, None when nobody said."""


def address() -> Address:
    """Gives the address of this run; what cannot be read counts as not given."""
    return Address(
        table=st.query_params.get(TABLE, "").strip().upper(),
        side=_number(SIDE) or 0,
        hand=_number(HAND),
        me=_number(ME),
    )


def _number(name: str) -> int | None:
    text = st.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else None


def chosen_language() -> str | None:
    """Gives the language that somebody chose on this device; None where nobody did."""
    if get_script_run_ctx() is None:  # outside a run, as in a test of a sentence
        return None
    chosen = st.query_params.get(LANGUAGE, "")
    return chosen if chosen in LANGUAGES else None


def language() -> str:
    """Gives the language of the screen: the one chosen, else the browser's, else English."""
    browsers = (st.context.locale or "")[:2].lower() if get_script_run_ctx() else ""
    return chosen_language() or (browsers if browsers in LANGUAGES else LANGUAGES[0])


def speak(language: str) -> None:
    """Draws this screen and those after it in a language."""
    st.query_params[LANGUAGE] = language


def page() -> str:
    """Gives the page the browser asked this run for, as Streamlit calls it."""
    context = get_script_run_ctx()
    return context.page_script_hash if context else ""


def turn_to(side: int) -> None:
    """Turns the same screen to another side's pile."""
    st.query_params[SIDE] = str(side)


def seen() -> tuple[int | None, Address]:
    """Gives the table's revision and the address that are on the screen."""
    found: tuple[int | None, Address] = st.session_state.get(_SEEN, (None, Address()))
    return found


def see(revision: int | None, drawn: Address) -> None:
    """Notes the table's revision and the address that are being drawn."""
    st.session_state[_SEEN] = (revision, drawn)


def at_hand(place: tuple[str, int, int]) -> tuple[str, int, int] | None:
    """Notes the hand that a screen shows: a table's code, the numbers of match and hand.

    Gives the one it showed in the run before, None where another screen was open then.
    """
    before: tuple[str, tuple[str, int, int] | None] = st.session_state.get(_AT, ("", None))
    st.session_state[_AT] = (page(), place)
    return before[1] if before[0] == page() else None


def tell(news: str) -> None:
    """Keeps a sentence for the top of the next screen: something went well."""
    st.session_state[_NEWS] = news


def complain(trouble: str) -> None:
    """Keeps a sentence for the top of the next screen: something is wrong."""
    kept = st.session_state.get(_TROUBLE, ())
    st.session_state[_TROUBLE] = tuple(dict.fromkeys((*kept, trouble)))


def take_sentences() -> tuple[str | None, tuple[str, ...]]:
    """Gives what was kept by `tell` and `complain`, once."""
    return st.session_state.pop(_NEWS, None), st.session_state.pop(_TROUBLE, ())


def leave_for(screen: str, *, side: int | None = None, hand: int | None = None) -> None:
    """Notes the screen to open next: callbacks and fragments cannot switch by themselves."""
    st.session_state[_LEAVE] = (screen, side, hand)


def take_leave() -> tuple[str, int | None, int | None] | None:
    """Gives, once, what was noted by `leave_for`: the screen, the side, the hand."""
    noted: tuple[str, int | None, int | None] | None = st.session_state.pop(_LEAVE, None)
    return noted


def upload_key(name: str, *, match_no: int, hand_no: int, side: int) -> str:
    """Gives the key of an upload widget of a pile; a new one after each `clear_uploads`."""
    return f"{name}_{match_no}_{hand_no}_{side}_{st.session_state.get(_ROUND, 0)}"


def clear_uploads() -> None:
    """Empties the upload widgets: their files are read and kept."""
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
