"""Who may do what at a table.

A viewer knows the table's code. A scorer holds its link: 128 random bits, of which the store keeps
a hash only. The organiser of the club knows a passphrase.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum, unique
from functools import wraps
from hashlib import sha256
from hmac import compare_digest
from types import MappingProxyType
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from scoring.errors import ScoringError
from store import Store, Table

LINK_BYTES = 16
"""Random bytes of a scorer's link: 128 bits cannot be found by trying."""


@unique
class Role(StrEnum):
    """What somebody may do at a table."""

    VIEWER = "viewer"
    """Looks at the board and at the hands."""
    RETIRED = "retired scorer"
    """Scored at a table that the organiser has closed: looks only, until it is opened again."""
    SCORER = "scorer"
    """Writes: scope, photos, cards, confirmed hands."""
    ORGANISER = "organiser"
    """Writes at every table of the club, and sees all of them."""

    @property
    def may_write(self) -> bool:
        """Whether this role changes anything of a table."""
        return self in {Role.SCORER, Role.ORGANISER}


class NotAllowedError(ScoringError):
    """Somebody who may only look tried to write.

    Attributes:
        code: The table's code.
        role: The role they have there.
    """

    def __init__(self, code: str, *, role: Role) -> None:
        self.code, self.role = code, role
        super().__init__(
            f"expected a scorer of table {code}, got a {role}: scan the scorers' code on the phone "
            "that opened the table"
        )


class TableClosedError(ScoringError):
    """A scorer tried to write at a table that the organiser has closed.

    Attributes:
        code: The table's code.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(
            f"expected an open table, but {code} is closed: ask the organiser to open it again"
        )


class NotOrganiserError(ScoringError):
    """Somebody else tried what only the organiser of the club may do.

    Attributes:
        code: The table's code.
        role: The role they have there.
    """

    def __init__(self, code: str, *, role: Role) -> None:
        self.code, self.role = code, role
        super().__init__(
            f"expected the organiser of the club, got a {role} of table {code}: "
            "give the passphrase first"
        )


class WrongLinkError(ScoringError):
    """A scorer's link that does not hold: renewed since, or never given out.

    Attributes:
        code: The table's code.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(
            f"expected the scorers' link of table {code}, got another: ask for it anew"
        )


def new_link() -> str:
    """Makes the secret part of a scorer's link, fit for an address.

    >>> len(new_link()), new_link() == new_link()
    (22, False)
    """
    return secrets.token_urlsafe(LINK_BYTES)


def hash_of(link: str) -> str:
    """Gives what the store keeps of a link: SHA-256 in hexadecimal.

    A link is random and long, so it needs neither salt nor a slow hash.

    >>> hash_of("a")[:12]
    'ca978112ca1b'
    """
    return sha256(link.encode()).hexdigest()


@dataclass(frozen=True)
class Pass:
    """What a phone shows of itself: the tables it was at and what proves that it may write."""

    links: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    """The scorer's link of each table by its code, the latest first; empty where it only looked."""
    is_organiser: bool = False

    def role_at(self, table: Table) -> Role:
        """Gives the role of whoever holds this phone at a table.

        The link is compared in constant time. Nobody is scorer of a table that has no link.
        """
        if self.is_organiser:
            return Role.ORGANISER
        shown = hash_of(self.links.get(table.code, ""))
        if not compare_digest(shown, table.link_hash or ""):
            return Role.VIEWER
        return Role.RETIRED if table.is_closed else Role.SCORER


NOBODY = Pass()
"""A phone that was at no table."""

HOUSE = Pass(is_organiser=True)
"""The app itself, when it goes on with something that a scorer gave it."""


class HasRole(Protocol):
    """A table as somebody with a role sees it: a `Sitting`."""

    @property
    def code(self) -> str:
        """The table's code."""
        ...

    @property
    def role(self) -> Role:
        """The role."""
        ...


def check_writes(code: str, *, role: Role) -> None:
    """Refuses whoever may only look at a table.

    Raises:
        NotAllowedError: They know its code and no more.
        TableClosedError: They scored there until it was closed.
    """
    if role is Role.RETIRED:
        raise TableClosedError(code)
    if not role.may_write:
        raise NotAllowedError(code, role=role)


def check_role(sitting: HasRole) -> None:
    """Refuses whoever may only look; raises as `check_writes`."""
    check_writes(sitting.code, role=sitting.role)


S = TypeVar("S", bound=HasRole)
P = ParamSpec("P")
R = TypeVar("R")


def by_scorers(
    command: Callable[Concatenate[Store, S, P], R],
) -> Callable[Concatenate[Store, S, P], R]:
    """Makes a command refuse whoever may only look, as `check_writes` does."""

    @wraps(command)
    def checked(store: Store, sitting: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        check_role(sitting)
        return command(store, sitting, *args, **kwargs)

    return checked


def by_organisers(
    command: Callable[Concatenate[Store, S, P], R],
) -> Callable[Concatenate[Store, S, P], R]:
    """Makes a command refuse everybody but the organiser, with NotOrganiserError."""

    @wraps(command)
    def checked(store: Store, sitting: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if sitting.role is not Role.ORGANISER:
            raise NotOrganiserError(sitting.code, role=sitting.role)
        return command(store, sitting, *args, **kwargs)

    return checked
