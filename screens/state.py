"""What a run of a screen knows: the URL's parameters, its session, and what the process holds.

No other module names a query parameter or a cache. What belongs to a session is in `Session`; only
the values of widgets are next to it in `st.session_state`.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
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
    Place,
    PlayedMatch,
    Store,
    default_url,
    home,
    season,
    tables,
)
from table import actions
from table.access import ANONYMOUS, Credentials, known_tables, new_link
from table.evening.view import EveningView, load_evening
from table.requests import Request
from vision.isolated import IsolatedReader
from vision.networks import MODELS, missing_networks
from web.auth import PASSPHRASE, Auth, Organiser, load_secret
from web.worker import worker_count

SAMPLES = Path(__file__).parents[1] / "samples"
"""The folder of photos to try the app with."""

TABLE, SIDE, HAND, ME, LANGUAGE = "table", "side", "hand", "me", "lang"
"""Query parameters: the table's code, the side whose pile is shown, the hand being edited, the side
that holds the device, the chosen language."""

BY, HAND_MADE, PHOTOGRAPHED = "by", "hand", "photo"
"""Query parameter and its values: the screen of a pile shows cards to tap, or photos."""

NOBODY_HERE, ASK = "nobody", "ask"
"""Values of `ME` other than a side: no side holds the device; ask again who does."""

HOLDER = "settebello_me_"
"""Start of the cookie in which a device keeps who holds it at a table; the table's code follows."""

RULES, TARGET, CARDS, BEST_OF = "rules", "target", "cards", "best_of"
"""Query parameters: choices for a new table. `RULES` is a rule set's name or its JSON."""

REFUSED = "refused"
"""Query parameter by which the join route says that it refused the link."""

THEME = "settebello_theme"
"""The cookie in which a device keeps its chosen theme."""

THEMES = ("light", "dark", "sunlight")
"""The themes that there are: a file each in screens/static/themes."""

MATCH = "match"
"""Query parameter: the number of a match of the table, where it is not the one being played."""

UNDO_S = 10.0
"""Seconds for which undoing is offered where something was just done."""

_ACCEPTED = re.compile(r"(?P<language>[a-z]{2,3})(-[\w-]+)?(;q=(?P<q>[01](\.\d{0,3})?))?")


@dataclass(frozen=True, kw_only=True)
class Address:
    """What the URL says: enough to draw any screen again after a reload.

    A number that is malformed counts as absent.
    """

    table: str = ""
    side: int = 0
    """Whose pile is on the screen."""
    hand: int | None = None
    """The confirmed hand being edited, counted from 1; None for the hand being played."""
    me: int | None = None
    """The side that holds this device; None if no side does, or the user did not say."""
    is_board: bool = False
    """No side holds this device: it shows the board."""
    match: int | None = None
    """The match on the screen, counted from 1; None for the match being played."""
    by_hand: bool | None = None
    """Whether the pile's cards are tapped (True) or photographed; None: as it began."""
    rules: str = ""
    target: str = ""
    cards: str = ""
    best_of: str = ""
    """Choices for a new table; empty where the default is chosen."""


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
    """Fingerprint of an evening (`table.evening.view.fingerprint`): only a change reruns its
    screen. None on screens of a table, which every new revision reruns."""


@dataclass(frozen=True, kw_only=True)
class HandShown:
    """The hand that a screen showed when it was last drawn."""

    page: str
    """Streamlit's name of the screen."""
    code: str
    match_no: int
    hand_no: int
    revision: int
    """The match's."""


@dataclass(kw_only=True)
class Session:
    """What the app remembers of one browser tab, until it is closed or reloaded."""

    rendered: Rendered = Rendered()
    """What the screen was last rendered from."""
    hand_shown: HandShown | None = None
    card_style: CardStyle = CardStyle.ITALIAN
    """The table's, as `card_style` last read it."""
    link: str = field(default_factory=new_link)
    """The link of the next table: two taps on *Open* open one table."""
    visited: tuple[str, ...] = ()
    """Codes of the tables it showed, the latest first; for browsers that keep no cookies."""
    taken: int | None = None
    """The side whose pile was just photographed, until its screen is there."""
    table_seen: Mapping[str, Any] | None = None
    """What was read on the last photo of table cards."""
    unfolded: frozenset[str] = frozenset()
    """Keys of the lines that are unfolded."""
    questions_open: tuple[tuple[str, int, int], int] = (("", 0, 0), 0)
    """A hand (table, match, number), and the most questions that were open in it at once."""
    saved: tuple[str, float, bool] = ("", -UNDO_S, False)
    """What was just saved or undone, in words; when (seconds of `monotonic`); whether *Undo* is
    offered."""
    flashes: tuple[tuple[str, str], ...] = ()
    """Sentences for the top of the next screen, each with its kind."""
    flashes_shown: tuple[tuple[str, str], ...] = ()
    """Those of them that this run has shown."""
    page_and_query: tuple[str, dict[str, str]] | None = None
    """The screen and the query parameters of the last run."""

    def open_another(self) -> None:
        """Take a new link: a table was opened with the one before."""
        self.link = new_link()

    def visit(self, code: str) -> None:
        """Put a table first among those this tab showed."""
        self.visited = (code, *(one for one in self.visited if one != code))

    def turn_fold(self, key: str) -> None:
        """Unfold the content of a line, or fold it."""
        self.unfolded ^= {key}

    def save(self, sentence: str, *, offers_undo: bool = True) -> None:
        """Remember what was just saved, to offer its undoing, or what was undone."""
        self.saved = (sentence, monotonic(), offers_undo)

    @property
    def just_saved(self) -> str:
        """What was saved or undone within the last `UNDO_S`; empty if nothing was."""
        sentence, at, _ = self.saved
        return sentence if monotonic() - at < UNDO_S else ""

    @property
    def offers_undo(self) -> bool:
        """Whether something was just saved that can be undone where it was saved."""
        return bool(self.just_saved) and self.saved[2]

    def take_flashes(self) -> tuple[tuple[str, str], ...]:
        """Return the sentences that this run has not shown yet, calm ones first."""
        left = [one for one in self.flashes if one not in self.flashes_shown]
        self.flashes_shown += tuple(left)
        return tuple(sorted(left, key=lambda one: one[1]))


def session() -> Session:
    """Return the session of this run."""
    found: Session = st.session_state.setdefault("session", Session())
    return found


def flash(sentence: str, kind: str = "") -> None:
    """Keep a sentence for the top of the next screen.

    Args:
        sentence: The sentence.
        kind: As `render.note` takes it. Of calm sentences only the last is shown.
    """
    kept = [one for one in session().flashes if kind or one[1]]
    session().flashes = tuple(dict.fromkeys((*kept, (sentence, kind))))


@contextmanager
def one_run() -> Iterator[None]:
    """Forget, at the end of a run, the sentences that it showed.

    If a run is cut off by the next one, or opens another screen, the browser may not have shown
    its sentences. Then the next run shows them again.
    """
    now = session()
    now.flashes_shown = ()
    yield
    now.flashes = tuple(one for one in now.flashes if one not in now.flashes_shown)


@dataclass(frozen=True, kw_only=True)
class PlainPage:
    """The request for which a page outside Streamlit is rendered."""

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
    """Return the process's store, which the environment names."""
    return _store(default_url())


@cache
def auth() -> Auth:
    """Return the process's `Auth`: the organiser's passphrase and the rate limiter."""
    return Auth(Organiser(os.environ.get(PASSPHRASE, "")), secret=load_secret(home()))


def credentials() -> Credentials:
    """Return what this phone's cookies prove: the tables it was at and what it may do there."""
    if get_script_run_ctx() is None:
        return ANONYMOUS
    return auth().credentials(dict(st.context.cookies.items()))


def find_table(code: str) -> Place:
    """Return the table or the evening with a code that came from outside.

    Raises:
        StoreError: There is none, or the store cannot be read.
        TooManyTriesError: This network address gave too many wrong codes.
    """
    return auth().find_table(store(), code, credentials=_known(), address=network_address())


def evening(code: str) -> EveningView:
    """Return the evening with a code that came from outside; raises as `find_table`."""
    return load_evening(store(), find_table(code).code, credentials=credentials())


def _known() -> Credentials:
    """The credentials with the tables that this session showed: browsers may keep no cookies."""
    held = credentials()
    return replace(held, seen=(*session().visited, *held.seen))


def execute(code: str, do: str, /, **payload: Any) -> None:
    """Do an action of `table.actions` at a table, as the holder of this phone.

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
    """Return the network address of this device; empty for the server's own computer."""
    return st.context.ip_address or ""


@lru_cache(maxsize=8)
def _matches(store: Store, *, revisions: frozenset[tuple[str, int]]) -> tuple[PlayedMatch, ...]:
    with store.reading() as reading:
        return season.played(reading, [code for code, _ in revisions])


def matches(codes: Sequence[str] | None = None) -> tuple[PlayedMatch, ...]:
    """Return the matches of some tables or of all, without those of sample tables.

    They are read again when one of the tables has changed.
    """
    with store().reading() as reading:
        revisions = tables.revisions(reading, codes)
    rows = _matches(store(), revisions=frozenset(revisions.items()))
    return tuple(row for row in rows if row.match.rules.name != SAMPLE)


@cache
def reader() -> IsolatedReader:
    """Return the process's reader."""
    return IsolatedReader(MODELS, at_once=max(1, worker_count()))


def has_networks() -> bool:
    """Return whether the networks that read photos are installed."""
    return not missing_networks(MODELS)


def address() -> Address:
    """Return what the URL of this run says.

    If the URL does not say who holds the device, the device's cookie does.
    """
    query = st.query_params
    table = query.get(TABLE, "").strip().upper()
    holder = query.get(ME) or str(st.context.cookies.get(HOLDER + table, ""))
    return Address(
        table=table,
        side=_number(query.get(SIDE, "")) or 0,
        hand=_number(query.get(HAND, "")),
        me=_number(holder),
        is_board=holder == NOBODY_HERE,
        match=_number(query.get(MATCH, "")),
        by_hand={HAND_MADE: True, PHOTOGRAPHED: False}.get(query.get(BY, "")),
        rules=query.get(RULES, ""),
        target=query.get(TARGET, ""),
        cards=query.get(CARDS, ""),
        best_of=query.get(BEST_OF, ""),
    )


def put(name: str, value: str | None) -> None:
    """Change a query parameter of the URL; None removes it."""
    if value is None:
        st.query_params.pop(name, None)
    elif st.query_params.get(name) != value:
        st.query_params[name] = value


def keep_address() -> None:
    """Put the address of this run into the browser if a link led to the same screen.

    Streamlit does so only if the link leads to another screen. Otherwise the next change, or a
    reload, would draw the screen as it was before the link.
    """
    here, before = (page(), st.query_params.to_dict()), session().page_and_query
    session().page_and_query = here
    if before is not None and before[0] == here[0] and before != here:
        st.query_params.from_dict(here[1])


def take_refusal() -> bool:
    """Return, once, whether the join route refused the link that brought this device here."""
    return bool(st.query_params.pop(REFUSED, None))


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else None


def chosen_language() -> str | None:
    """Return the language that the URL names; None if it names none."""
    if get_script_run_ctx() is None:  # outside a run, as in a test of a sentence
        return None
    chosen = st.query_params.get(LANGUAGE, "")
    return chosen if chosen in LANGUAGES else None


def language() -> str:
    """Return the language of the screen: the chosen one, else the browser's, else English."""
    page = _PLAIN_PAGE.get()
    return page.language if page else chosen_language() or best_language(_of_browser())


def _of_browser() -> Iterator[str]:
    """Yield the languages that the browser asks for: its own, then the others it accepts."""
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
    """Return the languages of an `Accept-Language` header without their regions, best first.

    >>> accepted_languages("pt-BR, de;q=0.5, fr-CH;q=0.8, en;q=0")
    ['pt', 'fr', 'de']
    """
    ranges = map(_ACCEPTED.fullmatch, header.lower().replace(" ", "").split(","))
    found = [(float(one["q"] or 1), one["language"]) for one in ranges if one]
    return [language for q, language in sorted(found, key=lambda one: -one[0]) if q]


def chosen_theme() -> str | None:
    """Return the theme chosen on this device; None if none is."""
    chosen = st.context.cookies.get(THEME) if get_script_run_ctx() else None
    return chosen if chosen in THEMES else None


def card_style(*, refresh: bool = False) -> CardStyle:
    """Return the cards that the screen shows, Italian or French; `refresh` asks the store."""
    page = _PLAIN_PAGE.get()
    if page:
        return page.card_style
    if get_script_run_ctx() is None:
        return CardStyle.ITALIAN
    now = session()
    if refresh:
        now.card_style = CardStyle.ITALIAN
        # the screen says itself that the store cannot be read
        with suppress(ScoringError), store().reading() as reading:
            place = tables.find_place(reading, address().table)
            if _known().knows(place):  # a page reveals nothing about other tables
                now.card_style = place.drawing
    return now.card_style


def my_tables() -> tuple[str, ...]:
    """Return the codes of the tables that this device was at, the latest first."""
    return known_tables(store(), _known())


def page() -> str:
    """Return Streamlit's name of the screen; empty outside a run."""
    context = get_script_run_ctx()
    return context.page_script_hash if context else ""


def choice_key(name: str) -> str:
    """Return the key of a widget that offers choices by their names in the screen's language.

    The browser identifies a choice by its name only, so each language has its own widget.
    """
    return f"{name}_{language()}"
