"""Who may do what at a table, and at an evening.

A viewer knows the table's code. A scorer holds its link: 128 random bits, of which the store keeps
a hash only. The organiser of the club knows a passphrase. The link of an evening makes its holder a
scorer at each of its tables too.
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


@unique
class Role(StrEnum):
    """What somebody may do at a table."""

    VIEWER = "viewer"
    """Looks at the board and at the hands."""
    SUSPENDED = "suspended scorer"
    """A scorer of a table that the organiser has closed: looks only, until it is opened again."""
    SCORER = "scorer"
    """Writes: scope, photos, cards, confirmed hands; of an evening: players, rounds, results."""
    ORGANISER = "organiser"
    """Writes at every table of the club, and sees all of them."""

    @property
    def may_write(self) -> bool:
        """Whether this role changes anything of a table."""
        return self in SCORERS


SCORERS = frozenset({Role.SCORER, Role.ORGANISER})
"""The roles that may change a table."""

ORGANISERS = frozenset({Role.ORGANISER})
"""The role that may close a table."""


@dataclass(eq=False)
class NotAllowedError(ScoringError):
    """Somebody who may only look tried to write at the table `code`."""

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
    """Somebody else tried what only the organiser of the club may do."""

    message = (
        "expected the organiser of the club, got a {role} of table {code}: "
        "give the passphrase first"
    )
    code: str
    role: Role


@dataclass(eq=False)
class WrongLinkError(ScoringError):
    """A scorers' link that does not hold: renewed since, or never given out."""

    message = "expected the scorers' link of table {code}, got another: ask for a new one"
    code: str


def new_link() -> str:
    """A random secret for a scorers' link, fit for an address.

    >>> len(new_link()), new_link() == new_link()
    (22, False)
    """
    return secrets.token_urlsafe(LINK_BYTES)


def hash_link(link: str) -> str:
    """What the store keeps of a link: SHA-256 in hexadecimal.

    A link is random and long, so it needs neither salt nor a slow hash.

    >>> hash_link("a")[:12]
    'ca978112ca1b'
    """
    return sha256(link.encode()).hexdigest()


@dataclass(frozen=True)
class Credentials:
    """What a phone proves: the scorers' links it holds, and whether the organiser is logged in."""

    links: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    """The link of each table by its code, the latest first, as the phone says: it may be wrong."""
    is_organiser: bool = False
    seen: tuple[str, ...] = ()
    """Codes of tables that the phone was at, the latest first, as the server knows."""

    def role_at(self, place: Place) -> Role:
        """Return the role at a table or an evening. Links are compared in constant time.

        A table without a link has no scorer.
        """
        if self.is_organiser:
            return Role.ORGANISER
        holds_link = self._holds(place.code, [place.link_hash or ""])
        if not isinstance(place, Table):
            return Role.SCORER if holds_link else Role.VIEWER
        evening = place.evening_code
        if not (holds_link or (evening and self._holds(evening, place.player_hashes))):
            return Role.VIEWER
        return Role.SUSPENDED if place.is_closed else Role.SCORER

    def _holds(self, code: str, hashes: Iterable[str]) -> bool:
        """Whether the phone shows a link of `code` whose hash is among `hashes`."""
        link = self.links.get(code, "")
        return bool(link) and any(compare_digest(hash_link(link), one) for one in hashes)

    def knows(self, place: Place) -> bool:
        """Whether the phone was at the table or the evening before, or has a right to it."""
        return place.code in self.seen or self.role_at(place) is not Role.VIEWER


def known_tables(store: Store, credentials: Credentials) -> tuple[str, ...]:
    """Codes of the tables that a phone knows: those it was at, and those whose link it holds."""
    linked: tuple[Table, ...] = ()
    if credentials.links:
        with store.reading() as session:
            linked = tables.newest(session, codes=[*credentials.links])
    holds = {table.code for table in linked if credentials.knows(table)}
    codes = (*credentials.seen, *(code for code in credentials.links if code in holds))
    return tuple(dict.fromkeys(codes))


ANONYMOUS = Credentials()
"""A phone that was at no table."""

SYSTEM = Credentials(is_organiser=True)
"""The server itself, when it goes on with what a scorer sent."""


def authorize(code: str, role: Role, *, by: frozenset[Role] = SCORERS) -> None:
    """Refuses a role that is not among `by`.

    Raises:
        NotAllowedError: It may only look.
        TableClosedError: It scored there until the table was closed.
        NotOrganiserError: Only the organiser may do this.
    """
    if role in by:
        return
    if by == ORGANISERS:
        raise NotOrganiserError(code, role)
    if role is Role.SUSPENDED:
        raise TableClosedError(code)
    raise NotAllowedError(code, role)
