"""Identify phones: their cookies, and the routes that set them.

    GET    /join/CODE/LINK    stores the scorers' link in a cookie and redirects to the table
    POST   /door/organiser    logs the organiser of the club in; the body is the passphrase
    DELETE /door/organiser    logs the organiser out

A phone has up to three cookies, which no script can read:

- its scorers' links. Only the join route writes it, so that a late response to a page that the user
  has left cannot remove a link.
- the tables that it was at. It is signed, so a phone cannot add codes that it has guessed.
- the organiser's session. It is signed with the passphrase, and expires after some hours.

A table's code has four characters and could be guessed: after a few wrong codes an address has to
wait (`web.limits`).
"""

import hashlib
import os
import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from hmac import compare_digest
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlencode

from anyio import to_thread
from itsdangerous import BadSignature, Signer, TimestampSigner
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from scoring.errors import ScoringError
from store import Place, Store, TableNotFoundError, sessions, tables
from table.access import LINK_LENGTH, Credentials, Role, WrongLinkError
from web.limits import Purpose, RateLimiter

LINKS_COOKIE = "settebello_links"
"""The cookie of the scorers' links: `K7QF.link~H3XQ.link`, the latest first."""

TABLES_COOKIE = "settebello_tables"
"""The cookie of the tables that the phone was at: `K7QF~H3XQ.signature`, the latest first."""

ORGANISER_COOKIE = "settebello_organiser"
"""The cookie of the organiser: a signed text with the name of the session."""

MAX_TABLES = 40
"""Maximum number of tables that a phone remembers. More would not fit into a header."""

TABLES_MAX_AGE_S = 400 * 86_400
"""Seconds a phone keeps its tables: the maximum that browsers allow."""

ORGANISER_MAX_AGE_S = 12 * 3600
"""Seconds until the organiser has to type the passphrase again: an evening."""

PASSPHRASE = "SETTEBELLO_PASSPHRASE"
"""Environment variable with the organiser's passphrase, set by the owner of the server."""

MIN_PASSPHRASE = 8
"""Minimum length of a passphrase, in characters."""

MAX_PASSPHRASE_BYTES = 1000
"""Maximum size of a request with a passphrase, in bytes."""

SECRET_FILE = "cookies.key"
"""The file in the home folder with the secret that signs cookies."""

SECRET_BYTES = 32

_ENTRY = re.compile(rf"([A-Z0-9]{{1,8}})\.([A-Za-z0-9_-]{{{LINK_LENGTH},64}})")
_CODE = re.compile(r"[A-Z0-9]{1,8}")
_SCREEN = re.compile(r"[a-z]{0,20}")
_KEPT_PARAMETERS = {"me": re.compile(r"\d{1,2}"), "lang": re.compile(r"[a-z]{2}")}
_SIGNED_WORD = "organiser"


@dataclass(eq=False)
class PassphraseError(ScoringError):
    """The organiser's passphrase is too short."""

    message = (
        f"expected a passphrase of {MIN_PASSPHRASE} characters or more, got {{length}}: "
        f"set a longer {PASSPHRASE}"
    )
    length: int


@dataclass(eq=False)
class WrongPassphraseError(ScoringError):
    """The passphrase in the request is wrong."""

    message = "expected the organiser's passphrase, got another: type it again"


def load_secret(folder: Path) -> bytes:
    """Return the secret that signs cookies, from a file that only this user may read.

    If there is no file, create it. If that fails, phones forget after a restart which tables they
    watched.
    """
    file = folder / SECRET_FILE
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with suppress(FileExistsError), os.fdopen(os.open(file, flags, 0o600), "wb") as new:
            new.write(secrets.token_bytes(SECRET_BYTES))
        if len(found := file.read_bytes()) == SECRET_BYTES:
            return found
    return secrets.token_bytes(SECRET_BYTES)


def read_links(cookie: str) -> dict[str, str]:
    """Return the scorers' link of each table by its code.

    >>> read_links("K7QF.a-link-of-22-characters~H3XQ.short~what?")
    {'K7QF': 'a-link-of-22-characters'}
    """
    entries = (_ENTRY.fullmatch(entry) for entry in cookie.split("~")[:MAX_TABLES])
    return {entry[1]: entry[2] for entry in entries if entry}


def with_link(cookie: str, code: str, *, link: str) -> str:
    """Return the cookie with a link as the latest.

    >>> before = "H3XQ.a-link-of-22-characters~K7QF.the-former-link-of-k7qf"
    >>> with_link(before, "K7QF", link="the-newest-link-of-k7qf")
    'K7QF.the-newest-link-of-k7qf~H3XQ.a-link-of-22-characters'
    """
    links = {code: link} | {key: value for key, value in read_links(cookie).items() if key != code}
    return "~".join(f"{code}.{link}" for code, link in [*links.items()][:MAX_TABLES])


class Organiser:
    """The organiser of the club, who is logged in for some hours after typing the passphrase."""

    def __init__(self, passphrase: str = "") -> None:
        """Set the passphrase. If it is empty, there is no organiser.

        Raises:
            PassphraseError: It is too short.
        """
        if passphrase and len(passphrase) < MIN_PASSPHRASE:
            raise PassphraseError(len(passphrase))
        self._passphrase = passphrase
        self._ended: frozenset[str] = frozenset()

    @property
    def exists(self) -> bool:
        """Whether there is an organiser."""
        return bool(self._passphrase)

    @cached_property
    def _signer(self) -> TimestampSigner:
        """The signer of cookies. Its key is slow to compute, to protect the passphrase."""
        salt = b"settebello organiser"
        key = hashlib.scrypt(self._passphrase.encode(), salt=salt, n=2**14, r=8, p=1)
        return TimestampSigner(key, digest_method=hashlib.sha256)

    def has_passphrase(self, typed: str) -> bool:
        """Return whether this is the passphrase."""
        return compare_digest(typed.encode(), self._passphrase.encode()) and self.exists

    def log_in(self, typed: str) -> str:
        """Return the cookie of a new session.

        Raises:
            WrongPassphraseError: The passphrase is wrong, or there is no organiser.
        """
        if not self.has_passphrase(typed):
            raise WrongPassphraseError
        return self._signer.sign(f"{_SIGNED_WORD}-{secrets.token_hex(8)}").decode()

    def is_logged_in(self, cookie: str) -> bool:
        """Return whether this is the cookie of a session that has neither ended nor expired."""
        return self._session_of(cookie) is not None

    def _session_of(self, cookie: str) -> tuple[str, datetime] | None:
        """Return the digest and the start of the session of a cookie, or None if it is not valid.

        The digest is of the signed text, because a signature can be written in several ways.
        """
        if not (self.exists and cookie):
            return None
        try:
            word, begun_at = self._signer.unsign(
                cookie, max_age=ORGANISER_MAX_AGE_S, return_timestamp=True
            )
        except BadSignature:
            return None
        digest = hashlib.sha256(word + begun_at.isoformat().encode()).hexdigest()
        is_valid = word.startswith(_SIGNED_WORD.encode()) and digest not in self._ended
        return (digest, begun_at) if is_valid else None

    def log_out(self, store: Store, cookie: str) -> None:
        """End the session of a cookie, so that no copy of it is valid, also after a restart.

        Raises:
            StoreError: The store does not answer; the session has ended in this process only.
        """
        found = self._session_of(cookie)
        if found is None:
            return
        digest, begun_at = found
        self._ended |= {digest}
        with store.writing() as session:
            expires_at = begun_at + timedelta(seconds=ORGANISER_MAX_AGE_S)
            sessions.end(session, digest, expires_at=expires_at)

    def read_ended(self, store: Store) -> None:
        """Read the sessions that have ended, here or at another server.

        Raises:
            StoreError: The store does not answer; those known so far stay ended.
        """
        if self.exists:
            with store.reading() as session:
                self._ended |= sessions.ended(session)


class Auth:
    """The passphrase, the secret and the rate limiter of one process."""

    def __init__(self, organiser: Organiser, *, secret: bytes = b"") -> None:
        """Set the organiser. By default cookies of tables are valid as long as this object."""
        self.organiser, self.limiter = organiser, RateLimiter()
        secret = secret or secrets.token_bytes(SECRET_BYTES)
        self._signer = Signer(secret, salt=TABLES_COOKIE, digest_method=hashlib.sha256)

    def credentials(self, cookies: Mapping[str, str]) -> Credentials:
        """Return the credentials in the cookies of a phone."""
        return Credentials(
            read_links(cookies.get(LINKS_COOKIE, "")),
            seen=self.read_tables(cookies.get(TABLES_COOKIE, "")),
            is_organiser=self.organiser.is_logged_in(cookies.get(ORGANISER_COOKIE, "")),
        )

    def read_tables(self, cookie: str) -> tuple[str, ...]:
        """Return the codes of the tables that a phone was at, or none if the signature is wrong."""
        try:
            text = self._signer.unsign(cookie).decode()
        except (BadSignature, UnicodeError):
            return ()
        return tuple(dict.fromkeys(filter(_CODE.fullmatch, text.split("~"))))

    def with_table(self, cookie: str, code: str) -> str:
        """Return the signed cookie with a table as the latest."""
        codes = dict.fromkeys((code, *self.read_tables(cookie)))
        return self._signer.sign("~".join([*codes][:MAX_TABLES])).decode()

    def remember_table(self, answer: Response, request: Request, *, code: str) -> None:
        """Set a cookie that says that the phone was at a table."""
        before = request.cookies.get(TABLES_COOKIE, "")
        if self.read_tables(before)[:1] != (code,):
            after = self.with_table(before, code)
            set_cookie(answer, request, TABLES_COOKIE, after, max_age=TABLES_MAX_AGE_S)

    def find_table(
        self, store: Store, code: str, *, credentials: Credentials, address: str
    ) -> Place:
        """Find a table or an evening by its code.

        A phone that was there before, or scores there, never waits, whatever other phones at its
        address tried.

        Raises:
            TableNotFoundError: There is no such table or evening.
            TooManyTriesError: The address sent too many wrong codes.
        """
        try:
            with store.reading() as session:
                place: Place | None = tables.find_place(session, code)
        except TableNotFoundError:
            place = None
        if place is not None and credentials.knows(place):
            return place
        self.limiter.check(Purpose.CODE, address, is_right=place is not None)
        if place is None:
            raise TableNotFoundError(code)
        return place

    def routes(self, store: Callable[[], Store]) -> list[Route]:
        """Return the routes that set cookies."""

        def check_link(code: str, link: str, address: str) -> None:
            """Raise if the link is wrong, without revealing whether there is such a code."""
            with suppress(TableNotFoundError), store().reading() as session:
                place = tables.find_place(session, code)
                if Credentials({place.code: link}).role_at(place) is not Role.VIEWER:
                    return
            self.limiter.check(Purpose.LINK, address, is_right=False)
            raise WrongLinkError(code)

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
                await to_thread.run_sync(check_link, code, link, address_of(request))
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

        def check_passphrase(typed: str | None, address: str) -> str:
            """Return the cookie of the organiser."""
            is_right = typed is not None and self.organiser.has_passphrase(typed)
            self.limiter.check(Purpose.PASSPHRASE, address, is_right=is_right)
            return self.organiser.log_in(typed or "")

        async def log_in(request: Request) -> Response:
            typed = await _read_passphrase(request)
            cookie = await to_thread.run_sync(check_passphrase, typed, address_of(request))
            answer = JSONResponse({"is": "done"})
            set_cookie(answer, request, ORGANISER_COOKIE, cookie, max_age=ORGANISER_MAX_AGE_S)
            return answer

        async def log_out(request: Request) -> Response:
            cookie = request.cookies.get(ORGANISER_COOKIE, "")
            await to_thread.run_sync(self.organiser.log_out, store(), cookie)
            answer = JSONResponse({"is": "done"})
            answer.delete_cookie(ORGANISER_COOKIE, httponly=True, samesite="lax")
            return answer

        return [
            Route("/join/{code}/{link}", join, methods=["GET"]),
            Route("/door/organiser", log_in, methods=["POST"]),
            Route("/door/organiser", log_out, methods=["DELETE"]),
        ]


async def _read_passphrase(request: Request) -> str | None:
    """Return the passphrase in a request, or None if it is too long."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_PASSPHRASE_BYTES:
            return None
    return body.decode("utf-8", "replace")


def address_of(request: Request) -> str:
    """Return the network address that a request came from."""
    return request.client.host if request.client else ""


def set_cookie(answer: Response, request: Request, name: str, value: str, *, max_age: int) -> None:
    """Set a cookie that no script reads and no other site sends."""
    is_https = request.url.scheme == "https"
    answer.set_cookie(name, value, max_age=max_age, httponly=True, samesite="lax", secure=is_https)
