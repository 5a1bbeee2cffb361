"""What the app remembers: the URL's parameters, keys of the session, caches of the process.

No other module names a query parameter, a session key or a cache.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from time import monotonic
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from assets.deck import CardStyle
from scoring.errors import ScoringError
from scoring.locale import LANGUAGES
from store import (
    SAMPLE,
    PlayedMatch,
    Store,
    Table,
    default_url,
    home,
    season,
    tables,
)
from table import actions
from table.access import ANONYMOUS, Credentials, known_tables, new_link
from table.evening_view import EveningView, load_evening
from table.requests import Request
from vision.isolated import IsolatedReader
from vision.networks import MODELS, missing_networks
from web.auth import PASSPHRASE, Auth, Organiser, load_secret
from web.worker import worker_count

SAMPLES = Path(__file__).parents[1] / "samples"
"""The folder of photos to try the app with."""

TABLE, SIDE, HAND, ME, LANGUAGE = "table", "side", "hand", "me", "lang"
"""Query parameters: code of the table, whose pile, the hand being edited, who holds the device, the
language that somebody chose."""

BY, HAND_MADE, PHOTOGRAPHED = "by", "hand", "photo"
"""Query parameter, and what it says where a pile is tapped in or photographed: what is shown."""

NOBODY_HERE, ASK = "nobody", "ask"
"""Said in the address in place of the side that holds the device: that it is the board; that this
is to be asked anew."""

HOLDER = "settebello_me_"
"""Start of the cookie in which a device keeps who holds it at a table; the table's code follows."""

RULES = "rules"
"""Query parameter: the code of rules, or the name of a rule set, that a page shows."""

REFUSED = "refused"
"""Query parameter by which the join route says that it refused the link."""
THEME = "settebello_theme"
"""The cookie in which a device keeps the theme that somebody chose on it."""

THEMES = ("light", "dark", "sunlight")
"""The themes that there are: a file each in screens/static/themes."""

MATCH = "match"
"""Query parameter: the number of a match of the table, where it is not the one being played."""

UNDO_S = 6.0
"""Seconds for which undoing is offered where something was just done."""

_ACCEPTED = re.compile(r"(?P<language>[a-z]{2,3})(-[\w-]+)?(;q=(?P<q>[01](\.\d{0,3})?))?")
_ADDRESS = "address"
_RENDERED = "rendered"
_CARD_STYLE = "card_style"
_HAND_SHOWN = "hand_shown"
_FLASHES = "flashes"
_SHOWN = "flashes_shown"
_MOST_OPEN = "most_open"
_SAVED = "saved"
_TAKEN = "taken"
_LINK = "pending_link"
_VISITED = "visited"
_USED = "photos_used"
_TABLE_SEEN = "table_seen"
_UNFOLDED = "unfolded"


@dataclass(frozen=True, kw_only=True)
class Address:
    """What the URL says: enough to draw any screen again after a reload."""

    table: str = ""
    side: int = 0
    """Whose pile is on the screen."""
    hand: int | None = None
    """The confirmed hand being edited, counted from 1; None for the hand being played."""
    me: int | None = None
    """The side that holds this device, None when nobody said or nobody does."""
    is_board: bool = False
    """Somebody said that no side holds this device."""
    match: int | None = None
    """The match that is looked at, counted from 1; None for the match being played."""
    by_hand: bool | None = None
    """The cards of the pile are on the screen to be tapped, or its photos; None: as it began."""


@dataclass(frozen=True, kw_only=True)
class Rendered:
    """What a screen of a table was rendered from."""

    address: Address = Address()
    revision: int | None = None
    """The table's revision; None where the store did not answer."""
    names: tuple[str, ...] = ()
    """The names of the sides."""
    pile: int | None = None
    """The side whose pile the screen takes in; None on screens of no single pile."""
    evening: list[int] | None = None
    """Fingerprint of an evening (`table.evening_view.fingerprint`): only a change reruns its
    screen. None on screens of a table, which every new revision reruns."""


@dataclass(frozen=True, kw_only=True)
class HandShown:
    """The hand that a screen shows, and what it hangs on."""

    code: str
    match_no: int
    hand_no: int
    revision: int
    """The match's."""


@dataclass(frozen=True, kw_only=True)
class PlainPage:
    """What a page outside Streamlit is rendered for."""

    language: str
    card_style: CardStyle = CardStyle.ITALIAN
    url: str = ""
    """The address that the browser asked for."""


_PLAIN_PAGE: ContextVar[PlainPage | None] = ContextVar("plain_page", default=None)


@contextmanager
def plain_page(page: PlainPage) -> Iterator[None]:
    """Render for `page` instead of for a run of Streamlit."""
    token = _PLAIN_PAGE.set(page)
    try:
        yield
    finally:
        _PLAIN_PAGE.reset(token)


@cache
def _store(address: str) -> Store:
    return Store(address)


def store() -> Store:
    """Gives the process's store, at the place the environment names."""
    return _store(default_url())


@cache
def auth() -> Auth:
    """Gives the process's `Auth`: the organiser's passphrase and the rate limiter."""
    return Auth(Organiser(os.environ.get(PASSPHRASE, "")), secret=load_secret(home()))


def credentials() -> Credentials:
    """Gives what this phone shows of itself: the tables it was at, what it may do there."""
    if get_script_run_ctx() is None:
        return ANONYMOUS
    return auth().credentials(dict(st.context.cookies.items()))


def find_table(code: str) -> Table:
    """Gives the table with a code that came from outside.

    Raises:
        StoreError: There is none, or the store cannot be read.
        TooManyTriesError: This address gave too many wrong codes.
    """
    return auth().find_table(store(), code, credentials=_known(), address=network_address())


def evening(code: str) -> EveningView:
    """Gives the evening with a code that came from outside; raises as `find_table`."""
    return load_evening(store(), find_table(code).code, credentials=credentials())


def _known() -> Credentials:
    """The credentials with the tables that this session showed: browsers may keep no cookies."""
    held = credentials()
    return replace(held, seen=(*st.session_state.get(_VISITED, ()), *held.seen))


def execute(code: str, do: str, /, **payload: Any) -> None:
    """Does an action of `table.actions` at a table, as the holder of this phone.

    Raises:
        ScoringError: The table refuses it.
    """
    request = Request(do=do, payload=payload)
    actions.execute(store(), code, request, credentials=credentials())


def url() -> str:
    """Return the address that the browser asked for; empty outside a request."""
    page = _PLAIN_PAGE.get()
    return page.url if page else str(st.context.url or "")


def network_address() -> str:
    """Gives the network address of this device; empty for this computer itself."""
    return st.context.ip_address or ""


@lru_cache(maxsize=8)
def _matches(store: Store, *, revisions: frozenset[tuple[str, int]]) -> tuple[PlayedMatch, ...]:
    with store.reading() as session:
        return season.played(session, [code for code, _ in revisions])


def matches(codes: Sequence[str] | None = None) -> tuple[PlayedMatch, ...]:
    """Gives the matches of some tables or of all, read anew where one of the tables has changed.

    Tables to try the app with count in no season.
    """
    with store().reading() as session:
        revisions = tables.revisions(session, codes)
    rows = _matches(store(), revisions=frozenset(revisions.items()))
    return tuple(row for row in rows if row.match.rules.name != SAMPLE)


@cache
def reader() -> IsolatedReader:
    """Gives the process's reader: the same to all."""
    return IsolatedReader(MODELS, at_once=max(1, worker_count()))


def has_networks() -> bool:
    """Return whether the networks that read photos are installed."""
    return not missing_networks(MODELS)


def address() -> Address:
    """Gives what the URL of this run says; a parameter that is no number counts as left out.

    Who holds the device is asked once: where the URL does not say it, the device's cookie does.
    """
    table = st.query_params.get(TABLE, "").strip().upper()
    holder = st.query_params.get(ME) or str(st.context.cookies.get(HOLDER + table, ""))
    return Address(
        table=table,
        side=_number(SIDE) or 0,
        hand=_number(HAND),
        me=_number_in(holder),
        is_board=holder == NOBODY_HERE,
        match=_number(MATCH),
        by_hand={HAND_MADE: True, PHOTOGRAPHED: False}.get(st.query_params.get(BY, "")),
    )


def keep_address() -> None:
    """Has the browser keep the address of this run where a link led to the same screen.

    Streamlit itself does so for another screen only: with the next change it would draw what the
    link had left, and a reload would too.
    """
    here = (_page(), st.query_params.to_dict())
    before = st.session_state.get(_ADDRESS, here)
    st.session_state[_ADDRESS] = here
    if before[0] == here[0] and before != here:
        st.query_params.from_dict(here[1])


def take_refusal() -> bool:
    """Says, once, whether the join route sent this device here because its link is not valid."""
    return bool(st.query_params.pop(REFUSED, None))


def _number(name: str) -> int | None:
    return _number_in(st.query_params.get(name, ""))


def _number_in(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else None


def chosen_language() -> str | None:
    """Gives the language that somebody chose on this device; None where nobody did."""
    if get_script_run_ctx() is None:  # outside a run, as in a test of a sentence
        return None
    chosen = st.query_params.get(LANGUAGE, "")
    return chosen if chosen in LANGUAGES else None


def language() -> str:
    """Gives the language of the screen: the one chosen, else the browser's, else English."""
    page = _PLAIN_PAGE.get()
    return page.language if page else chosen_language() or best_language(_of_browser())


def _of_browser() -> Iterator[str]:
    """The languages that the browser asks for: its own, then the others it accepts."""
    if get_script_run_ctx() is not None:
        yield from accepted_languages(st.context.locale or "")
        yield from accepted_languages(st.context.headers.get("Accept-Language", ""))


def best_language(wanted: Iterable[str]) -> str:
    """Return the first of these languages that there is, else English.

    >>> best_language(["nl", "it", "de"]), best_language([])
    ('it', 'en')
    """
    return next((one for one in wanted if one in LANGUAGES), LANGUAGES[0])


def accepted_languages(header: str) -> list[str]:
    """Gives the languages of an `Accept-Language` header without their regions, best first.

    >>> accepted_languages("pt-BR, de;q=0.5, fr-CH;q=0.8, en;q=0")
    ['pt', 'fr', 'de']
    """
    ranges = map(_ACCEPTED.fullmatch, header.lower().replace(" ", "").split(","))
    found = [(float(one["q"] or 1), one["language"]) for one in ranges if one]
    return [language for q, language in sorted(found, key=lambda one: -one[0]) if q]


def chosen_theme() -> str | None:
    """Gives the theme that somebody chose on this device; None where nobody did."""
    chosen = st.context.cookies.get(THEME) if get_script_run_ctx() else None
    return chosen if chosen in THEMES else None


def speak(language: str) -> None:
    """Draws this screen and those after it in a language."""
    st.query_params[LANGUAGE] = language


def card_style(*, refresh: bool = False) -> CardStyle:
    """Italian or French cards, as the screen's table has it; `refresh` asks the store."""
    page = _PLAIN_PAGE.get()
    if page:
        return page.card_style
    if get_script_run_ctx() is None:
        return CardStyle.ITALIAN
    if refresh:
        st.session_state[_CARD_STYLE] = CardStyle.ITALIAN
        # the screen says itself that the store cannot be read
        with suppress(ScoringError), store().read(address().table) as table:
            if _known().knows(table):  # of others a page tells nothing
                st.session_state[_CARD_STYLE] = table.drawing
    found: CardStyle = st.session_state.get(_CARD_STYLE, CardStyle.ITALIAN)
    return found


def pending_link() -> str:
    """Gives the link of the table that is being opened, until `forget_link`: two taps open one."""
    link: str = st.session_state.setdefault(_LINK, new_link())
    return link


def forget_link() -> None:
    """Notes that a table stands with the pending link."""
    st.session_state.pop(_LINK, None)


def note_visit(code: str) -> None:
    """Notes that this device shows a table."""
    seen: tuple[str, ...] = st.session_state.get(_VISITED, ())
    st.session_state[_VISITED] = (code, *(one for one in seen if one != code))


def my_tables() -> tuple[str, ...]:
    """Gives the codes of the tables that this device was at, the latest first."""
    return known_tables(store(), _known())


def turn_to(side: int) -> None:
    """Turns the same screen to another side's pile."""
    st.query_params[SIDE] = str(side)


def hand_name(*, match_no: int, hand_no: int) -> str:
    """Names a hand of a table in the keys of its fields.

    >>> hand_name(match_no=2, hand_no=5)
    '2-5'
    """
    return f"{match_no}-{hand_no}"


def rendered() -> Rendered:
    """What the screen was rendered from last."""
    found: Rendered = st.session_state.get(_RENDERED, Rendered())
    return found


def note_rendered(rendered: Rendered) -> None:
    """Notes what the screen is being rendered from."""
    st.session_state[_RENDERED] = rendered


def hand_shown() -> HandShown | None:
    """The hand that this screen showed when it was drawn last; None if that was another screen."""
    page, hand = st.session_state.get(_HAND_SHOWN, ("", None))
    found: HandShown | None = hand if page == _page() else None
    return found


def note_hand(hand: HandShown) -> None:
    """Notes the hand that this screen shows."""
    st.session_state[_HAND_SHOWN] = (_page(), hand)


def _page() -> str:
    context = get_script_run_ctx()
    return context.page_script_hash if context else ""


def flash(sentence: str, kind: str = "") -> None:
    """Keeps a sentence for the top of the next screen.

    Args:
        sentence: What it says.
        kind: As `render.note` takes it. Of calm sentences the last one is shown, of others all.
    """
    kept = [one for one in st.session_state.get(_FLASHES, ()) if kind or one[1]]
    st.session_state[_FLASHES] = tuple(dict.fromkeys((*kept, (sentence, kind))))


def take_flashes() -> tuple[tuple[str, str], ...]:
    """The sentences kept that this run has not shown yet, each with its kind, calm ones first."""
    shown = st.session_state.get(_SHOWN, ())
    kept = [one for one in st.session_state.get(_FLASHES, ()) if one not in shown]
    st.session_state[_SHOWN] = (*shown, *kept)
    return tuple(sorted(kept, key=lambda one: one[1]))


@contextmanager
def one_run() -> Iterator[None]:
    """Forgets at the end of a run the sentences that it showed; if it is cut off, the next does.

    A run that the next one overtakes, or that opens another screen, may have reached no browser.
    """
    st.session_state[_SHOWN] = ()
    yield
    shown, kept = st.session_state[_SHOWN], st.session_state.get(_FLASHES, ())
    st.session_state[_FLASHES] = tuple(one for one in kept if one not in shown)


def choice_key(name: str) -> str:
    """Gives the key of a widget that offers choices by their names in the language of the screen.

    The browser knows a choice by its name only: in another language it is another widget.
    """
    return f"{name}_{language()}"


def chosen_before(name: str) -> object:
    """Gives what was chosen in that widget before the language was switched, else None."""
    keys = (f"{name}_{one}" for one in LANGUAGES)
    return next((st.session_state[key] for key in keys if key in st.session_state), None)


def kept_choice(name: str) -> str:
    """Gives what somebody chose on the start page before a reload; empty where nobody did."""
    return st.query_params.get(name, "")


def keep_choice(name: str, value: str | None) -> None:
    """Keeps a choice of the start page in the address; None: it is the usual one."""
    if value is None:
        forget_choice(name)
    elif kept_choice(name) != value:
        st.query_params[name] = value


def forget_choice(name: str) -> None:
    """Takes a choice out of the address."""
    st.query_params.pop(name, None)


def is_unfolded(key: str) -> bool:
    """Says whether somebody has unfolded a part of the screen, by the key of the line above it."""
    return key in st.session_state.get(_UNFOLDED, ())


def turn_fold(key: str) -> None:
    """Unfolds a part of the screen, or folds it."""
    st.session_state[_UNFOLDED] = st.session_state.get(_UNFOLDED, frozenset()) ^ {key}


def most_open(hand: tuple[str, int, int], *, count: int) -> int:
    """The most questions that were open in a hand since it was shown, `count` being open now."""
    before: tuple[tuple[str, int, int], int] = st.session_state.get(_MOST_OPEN, (hand, 0))
    most = max(count, before[1] if before[0] == hand and count else 0)
    st.session_state[_MOST_OPEN] = (hand, most)
    return most


def note_saved(sentence: str) -> None:
    """Notes what somebody at this device has just saved, in words."""
    st.session_state[_SAVED] = (sentence, monotonic())


def just_saved() -> str:
    """What was saved here within the last `UNDO_S`; empty where nothing was."""
    sentence, at = st.session_state.get(_SAVED, ("", 0.0))
    return sentence if monotonic() - at < UNDO_S else ""


def note_taken(side: int) -> None:
    """Notes that a photo of a side's pile was just taken: its screen follows."""
    st.session_state[_TAKEN] = side


def taken() -> int | None:
    """Gives the side whose pile was just photographed, until its screen is there."""
    found: int | None = st.session_state.get(_TAKEN)
    return found


def forget_taken() -> None:
    """Notes that the screen of the pile just photographed is there."""
    st.session_state[_TAKEN] = None


def use_photo(photo: int) -> None:
    """Notes that a photo is used as it is, whatever is wrong with it."""
    st.session_state[_USED] = st.session_state.get(_USED, frozenset()) | {photo}


def is_used(photo: int) -> bool:
    """Says whether somebody at this device uses a photo as it is."""
    return photo in st.session_state.get(_USED, frozenset())


def table_seen() -> Mapping[str, Any] | None:
    """Return what was read on the last photo of table cards that this device sent."""
    found: Mapping[str, Any] | None = st.session_state.get(_TABLE_SEEN)
    return found


def note_table_seen(seen: Mapping[str, Any]) -> None:
    """Keep what was read on a photo of table cards; nothing else of it is kept."""
    st.session_state[_TABLE_SEEN] = seen
