"""Who a phone is: cookies, the routes that set them, and how often an address may guess.

    GET    /join/CODE/LINK    keeps the scorers' link as a cookie and goes on to the table
    POST   /door/organiser    logs the club's organiser in by a passphrase, the body of the request
    DELETE /door/organiser    logs the organiser out

One cookie holds the scorers' links that the phone joined by, one the tables that it was at, and one
is signed and proves for some hours that somebody gave the organiser's passphrase. Scripts read none
of them. Only joining writes the cookie of links: a late answer to a page that was left cannot take
one away. A table's code has four letters and could be guessed: after a few wrong ones an address
has to wait.
"""

import hashlib
import math
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from hmac import compare_digest
from http import HTTPStatus
from urllib.parse import urlencode

from anyio import to_thread
from itsdangerous import BadSignature, TimestampSigner
from limits import parse_many
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from scoring.errors import ScoringError
from store import Store, Table, TableNotFoundError
from table.access import Credentials, Role, WrongLinkError

LINKS_COOKIE = "settebello_links"
"""The cookie of the scorers' links: `K7QF.link~H3XQ.link`, the latest first."""

TABLES_COOKIE = "settebello_tables"
"""The cookie of the tables that the phone was at: `K7QF~H3XQ`, the latest first."""

ORGANISER_COOKIE = "settebello_organiser"
"""The cookie of the organiser: a signed word."""

MAX_TABLES = 40
"""Tables that a phone remembers; more would not fit into a header."""

TABLES_MAX_AGE_S = 400 * 86_400
"""Seconds a phone keeps its tables: the longest that browsers allow."""

ORGANISER_MAX_AGE_S = 12 * 3600
"""Seconds for which the passphrase holds: an evening."""

PASSPHRASE = "SETTEBELLO_PASSPHRASE"
"""Environment variable in which the owner of the server sets the organiser's passphrase."""

MIN_PASSPHRASE = 8
"""Characters that a passphrase has at least."""

MAX_PASSPHRASE_BYTES = 1000
"""Bytes of a request that gives a passphrase."""

WRONG_GUESSES = "10/minute;60/hour"
"""Wrong codes, links and passphrases of one address before it has to wait."""

OPENED_TABLES = "30/hour"
"""Tables that one address may open."""

_ENTRY = re.compile(r"([A-Z0-9]{1,8})\.([A-Za-z0-9_-]{1,64})")
_CODE = re.compile(r"[A-Z0-9]{1,8}")
_SCREEN = re.compile(r"[a-z]{0,20}")
_KEPT_PARAMETERS = {"me": re.compile(r"\d{1,2}"), "lang": re.compile(r"[a-z]{2}")}
_SIGNED_WORD = "organiser"


class PassphraseError(ScoringError):
    """The organiser's passphrase is too short to keep anybody out."""

    def __init__(self, length: int) -> None:
        self.length = length
        super().__init__(
            f"expected a passphrase of {MIN_PASSPHRASE} characters or more, got {length}: "
            f"set a longer {PASSPHRASE}"
        )


class WrongPassphraseError(ScoringError):
    """Somebody typed a passphrase that is not the organiser's."""

    def __init__(self) -> None:
        super().__init__("expected the organiser's passphrase, got another: type it again")


class TooManyTriesError(ScoringError):
    """An address tried too often; it may try again after some `minutes`."""

    def __init__(self, seconds: float) -> None:
        self.minutes = max(1, math.ceil(seconds / 60))
        super().__init__(
            f"expected fewer tries from this address: wait for {self.minutes} min and try again"
        )


WRONG = (TableNotFoundError, WrongLinkError, WrongPassphraseError)
"""The errors that count as a wrong guess."""


def read_links(cookie: str) -> dict[str, str]:
    """The scorers' link of each table by its code.

    >>> read_links("K7QF.abc~H3XQ.~what?")
    {'K7QF': 'abc'}
    """
    entries = (_ENTRY.fullmatch(entry) for entry in cookie.split("~")[:MAX_TABLES])
    return {entry[1]: entry[2] for entry in entries if entry}


def with_link(cookie: str, code: str, *, link: str) -> str:
    """The cookie with a link as the latest.

    >>> with_link("H3XQ.uvw~K7QF.abc", "K7QF", link="xyz")
    'K7QF.xyz~H3XQ.uvw'
    """
    links = {code: link} | {key: value for key, value in read_links(cookie).items() if key != code}
    return "~".join(f"{code}.{link}" for code, link in [*links.items()][:MAX_TABLES])


def read_tables(cookie: str) -> tuple[str, ...]:
    """The codes of the tables that a phone was at.

    >>> read_tables("K7QF~H3XQ~what?~K7QF")
    ('K7QF', 'H3XQ')
    """
    return tuple(dict.fromkeys(filter(_CODE.fullmatch, cookie.split("~")[:MAX_TABLES])))


def with_table(cookie: str, code: str) -> str:
    """The cookie with a table as the latest.

    >>> with_table("H3XQ~K7QF", "K7QF")
    'K7QF~H3XQ'
    """
    return "~".join([*dict.fromkeys((code, *read_tables(cookie)))][:MAX_TABLES])


class Organiser:
    """The organiser of the club: whoever gave the passphrase, for some hours."""

    def __init__(self, passphrase: str = "") -> None:
        """Takes the passphrase; with an empty one there is no organiser.

        Raises:
            PassphraseError: It is too short.
        """
        if passphrase and len(passphrase) < MIN_PASSPHRASE:
            raise PassphraseError(len(passphrase))
        self._passphrase = passphrase

    @property
    def exists(self) -> bool:
        """Whether anybody can be the organiser."""
        return bool(self._passphrase)

    @cached_property
    def _signer(self) -> TimestampSigner:
        """Signs with a key that is slow to make: a cookie does not betray the passphrase."""
        salt = b"settebello organiser"
        key = hashlib.scrypt(self._passphrase.encode(), salt=salt, n=2**14, r=8, p=1)
        return TimestampSigner(key, digest_method=hashlib.sha256)

    def log_in(self, typed: str) -> str:
        """The cookie of somebody who typed the passphrase.

        Raises:
            WrongPassphraseError: It is another, or there is none.
        """
        if not (compare_digest(typed.encode(), self._passphrase.encode()) and self.exists):
            raise WrongPassphraseError
        return self._signer.sign(_SIGNED_WORD).decode()

    def is_logged_in(self, cookie: str) -> bool:
        """Whether `log_in` gave out this cookie, with this passphrase and not long ago."""
        if not (self.exists and cookie):
            return False
        try:
            word = self._signer.unsign(cookie, max_age=ORGANISER_MAX_AGE_S)
        except BadSignature:
            return False
        return word == _SIGNED_WORD.encode()


class RateLimiter:
    """How often the addresses of one process may guess wrong, and open tables."""

    def __init__(self) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    @contextmanager
    def guess(self, address: str) -> Iterator[None]:
        """Counts a code, a link or a passphrase that turns out to be wrong inside.

        Raises:
            TooManyTriesError: The address gave too many wrong ones; nothing is done inside.
        """
        self._check(WRONG_GUESSES, "wrong", address)
        try:
            yield
        except WRONG:
            self._count(WRONG_GUESSES, "wrong", address)
            raise

    def count_opening(self, address: str) -> None:
        """Counts a table that is opened.

        Raises:
            TooManyTriesError: The address opened too many.
        """
        self._check(OPENED_TABLES, "opened", address)
        self._count(OPENED_TABLES, "opened", address)

    def _check(self, limits: str, what: str, address: str) -> None:
        for limit in parse_many(limits):
            if not self._limiter.test(limit, what, address):
                window = self._limiter.get_window_stats(limit, what, address)
                raise TooManyTriesError(window.reset_time - time.time())

    def _count(self, limits: str, what: str, address: str) -> None:
        for limit in parse_many(limits):
            self._limiter.hit(limit, what, address)


class Auth:
    """Who may come in, for one process: the organiser's passphrase and the rate limiter."""

    def __init__(self, organiser: Organiser) -> None:
        self.organiser = organiser
        self.limiter = RateLimiter()

    def credentials(self, cookies: Mapping[str, str]) -> Credentials:
        """The credentials that a phone's cookies prove."""
        links = read_links(cookies.get(LINKS_COOKIE, ""))
        codes = dict.fromkeys((*read_tables(cookies.get(TABLES_COOKIE, "")), *links))
        return Credentials(
            {code: links.get(code, "") for code in codes},
            is_organiser=self.organiser.is_logged_in(cookies.get(ORGANISER_COOKIE, "")),
        )

    def find_table(
        self, store: Store, code: str, *, credentials: Credentials, address: str
    ) -> Table:
        """Finds a table by its code. Its scorers never wait, whatever others at an address guessed.

        Raises:
            TableNotFoundError: There is none.
            TooManyTriesError: The address gave too many wrong codes.
        """
        try:
            with store.read(code) as found:
                table: Table | None = found
        except TableNotFoundError:
            table = None
        if table is not None and credentials.role_at(table).may_write:
            return table
        with self.limiter.guess(address):
            if table is None:
                raise TableNotFoundError(code)
        return table

    def routes(self, store: Callable[[], Store]) -> list[Route]:
        """The routes that set cookies."""

        def check_link(code: str, link: str) -> None:
            with store().read(code) as table:
                pass
            if Credentials({table.code: link}).role_at(table) is Role.VIEWER:
                raise WrongLinkError(table.code)

        async def join(request: Request) -> Response:
            code, link = request.path_params["code"].upper(), request.path_params["link"]
            query = {"table": code} | {
                name: value
                for name, value in request.query_params.items()
                if name in _KEPT_PARAMETERS and _KEPT_PARAMETERS[name].fullmatch(value)
            }
            screen = request.query_params.get("screen", "")
            error = None
            try:
                with self.limiter.guess(address_of(request)):
                    await to_thread.run_sync(check_link, code, link)
            except ScoringError as raised:
                error, screen = raised, ""
                query["refused"] = type(raised).__name__
            path = screen if _SCREEN.fullmatch(screen) else ""
            answer = RedirectResponse(f"/{path}?{urlencode(query)}", HTTPStatus.SEE_OTHER)
            answer.headers["cache-control"] = "no-store"
            if error is None:
                links = with_link(request.cookies.get(LINKS_COOKIE, ""), code, link=link)
                set_cookie(answer, request, LINKS_COOKIE, links, max_age=TABLES_MAX_AGE_S)
            return answer

        async def log_in(request: Request) -> Response:
            with self.limiter.guess(address_of(request)):
                typed = await _read_passphrase(request)
                cookie = await to_thread.run_sync(self.organiser.log_in, typed)
            answer = JSONResponse({"is": "done"})
            set_cookie(answer, request, ORGANISER_COOKIE, cookie, max_age=ORGANISER_MAX_AGE_S)
            return answer

        async def log_out(_request: Request) -> Response:
            answer = JSONResponse({"is": "done"})
            answer.delete_cookie(ORGANISER_COOKIE, httponly=True, samesite="lax")
            return answer

        return [
            Route("/join/{code}/{link}", join, methods=["GET"]),
            Route("/door/organiser", log_in, methods=["POST"]),
            Route("/door/organiser", log_out, methods=["DELETE"]),
        ]


async def _read_passphrase(request: Request) -> str:
    """The passphrase in a request; one that is too long counts as wrong."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_PASSPHRASE_BYTES:
            raise WrongPassphraseError
    return body.decode("utf-8", "replace")


def address_of(request: Request) -> str:
    """The network address that a request came from."""
    return request.client.host if request.client else ""


def remember_table(answer: Response, request: Request, *, code: str) -> None:
    """Notes on the phone that it was at a table."""
    before = request.cookies.get(TABLES_COOKIE, "")
    after = with_table(before, code)
    if after != before:
        set_cookie(answer, request, TABLES_COOKIE, after, max_age=TABLES_MAX_AGE_S)


def set_cookie(answer: Response, request: Request, name: str, value: str, *, max_age: int) -> None:
    """Sets a cookie that no script reads and no other site sends."""
    is_https = request.url.scheme == "https"
    answer.set_cookie(name, value, max_age=max_age, httponly=True, samesite="lax", secure=is_https)
