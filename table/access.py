"""The roles at a table and at an evening, and what each may do.

A viewer knows the table's code. A scorer holds its link: 128 random bits, of which the store keeps
only a hash. The organiser of the club knows a passphrase. The holder of an evening's link is also a
scorer at each of its tables.
"""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum, unique
from hashlib import sha256
from hmac import compare_digest
from types import MappingProxyType

from scoring.errors import ScoringError
from store import Place, Store, Table, tables

LINK_BYTES = 16
"""Random bytes of a scorers' link: 128 bits cannot be guessed."""

LINK_LENGTH = 22
"""Characters of a scorers' link. A shorter text is no link, and is compared with none."""


@unique
class Role(StrEnum):
    """What a phone may do at a table."""

    VIEWER = "viewer"
    """Sees the board and the hands."""
    SUSPENDED = "suspended scorer"
    """A scorer of a table that the organiser has closed: may only read it until it is reopened."""
    SCORER = "scorer"
    """Changes the hands of a table; at an evening its players, rounds and results."""
    ORGANISER = "organiser"
    """Writes at every table of the club and sees all of them."""

    @property
    def may_write(self) -> bool:
        """Whether this role may change a table."""
        return self in SCORERS


SCORERS = frozenset({Role.SCORER, Role.ORGANISER})
"""The roles that may change a table."""

ORGANISERS = frozenset({Role.ORGANISER})
"""The role that may close a table."""


@dataclass(eq=False)
class NotAllowedError(ScoringError):
    """A viewer tried to write at the table `code`."""

    message = (
        "expected a scorer of table {code}, got a {role}: scan the scorers' code on the phone "
        "that opened the table"
    )
    code: str
    role: Role


@dataclass(eq=False)
class TableClosedError(ScoringError):
    """A scorer tried to write at a table that the organiser has closed."""

    message = "expected an open table, but {code} is closed: ask the organiser to open it again"
    code: str


@dataclass(eq=False)
class NotOrganiserError(ScoringError):
    """Another role tried what only the organiser of the club may do."""

    message = (
        "expected the organiser of the club, got a {role} of table {code}: "
        "give the passphrase first"
    )
    code: str
    role: Role


@dataclass(eq=False)
class WrongLinkError(ScoringError):
    """The scorers' link is wrong: it was renewed, or never existed."""

    message = "expected the scorers' link of table {code}, got another: ask for a new one"
    code: str


def new_link() -> str:
    """Return a random secret for a scorers' link, made of letters that an address may hold.

    >>> len(new_link()), new_link() == new_link()
    (22, False)
    """
    return secrets.token_urlsafe(LINK_BYTES)


def hash_link(link: str) -> str:
    """Return what the store keeps of a link: its SHA-256 in hexadecimal.

    A link is random and long, so it needs neither salt nor a slow hash.

    Raises:
        ValueError: It is shorter than a link.

    >>> hash_link("a" * 22)[:12]
    'ec7c494df6d2'
    >>> hash_link("")
    Traceback (most recent call last):
    ValueError: expected a link of 22 characters or more, got 0
    """
    if len(link) < LINK_LENGTH:
        raise ValueError(f"expected a link of {LINK_LENGTH} characters or more, got {len(link)}")
    return sha256(link.encode()).hexdigest()


@dataclass(frozen=True)
class Credentials:
    """What a phone proves: its scorers' links, and whether the organiser is logged in."""

    links: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    """The link of each table by its code, the latest first. The phone may send wrong ones."""
    is_organiser: bool = False
    seen: tuple[str, ...] = ()
    """Codes of the tables that the phone was at, the latest first, from a signed cookie."""

    def role_at(self, place: Place) -> Role:
        """Return the role at a table or an evening. Links are compared in constant time.

        A table without a link has no scorer.
        """
        if self.is_organiser:
            return Role.ORGANISER
        holds_link = self._holds(place.code, [place.link_hash])
        if not isinstance(place, Table):
            return Role.SCORER if holds_link else Role.VIEWER
        evening = place.evening_code
        if not (holds_link or (evening and self._holds(evening, place.player_hashes))):
            return Role.VIEWER
        return Role.SUSPENDED if place.is_closed else Role.SCORER

    def link_of(self, place: Place) -> str | None:
        """Return the link of a table or an evening, if the phone shows the right one."""
        return self.links[place.code] if self._holds(place.code, [place.link_hash]) else None

    def _holds(self, code: str, hashes: Iterable[str | None]) -> bool:
        """Return whether the phone shows a link of `code` whose hash is among `hashes`."""
        link = self.links.get(code, "")
        if len(link) < LINK_LENGTH:
            return False
        return any(compare_digest(hash_link(link), one) for one in hashes if one)

    def knows(self, place: Place) -> bool:
        """Return whether the phone was at the table or evening before, or more than a viewer."""
        return place.code in self.seen or self.role_at(place) is not Role.VIEWER


def known_tables(store: Store, credentials: Credentials) -> tuple[str, ...]:
    """Return the codes of the tables that a phone was at, and of those whose link it holds."""
    linked: tuple[Table, ...] = ()
    if credentials.links:
        with store.reading() as session:
            linked = tables.newest(session, codes=[*credentials.links])
    holds = {table.code for table in linked if credentials.knows(table)}
    codes = (*credentials.seen, *(code for code in credentials.links if code in holds))
    return tuple(dict.fromkeys(codes))


ANONYMOUS = Credentials()
"""A phone that was at no table and holds no link."""

SYSTEM = Credentials(is_organiser=True)
"""The server itself, for example when it reads a photo that a scorer sent."""


def authorize(code: str, role: Role, *, by: frozenset[Role] = SCORERS) -> None:
    """Refuse a role that is not among `by`.

    Raises:
        NotAllowedError: The role may only read.
        TableClosedError: It is a scorer, and the table is closed.
        NotOrganiserError: Only the organiser may do this.
    """
    if role in by:
        return
    if by == ORGANISERS:
        raise NotOrganiserError(code, role)
    if role is Role.SUSPENDED:
        raise TableClosedError(code)
    raise NotAllowedError(code, role)
