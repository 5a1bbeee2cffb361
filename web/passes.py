"""The pass of a phone: cookies that only the server can read.

One holds the scorers' links that the phone came in by, one the tables that it was at, and one shows
for some hours that somebody gave the organiser's passphrase. Links have a cookie that only joining
writes: an answer that comes late, from a page that was left, cannot take one away.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import cached_property
from hmac import compare_digest

from itsdangerous import BadSignature, TimestampSigner

from scoring.errors import ScoringError
from table.roles import Pass

LINKS = "settebello_links"
"""The cookie of the links: `K7QF.link~H3XQ.link`, the latest first."""

SEEN = "settebello_tables"
"""The cookie of the tables that the phone was at: `K7QF~H3XQ`, the latest first."""

ORGANISER = "settebello_organiser"
"""The cookie of the organiser: a signed word."""

MOST_TABLES = 40
"""Tables that a phone remembers; more would not fit into a header."""

TABLES_LAST_S = 400 * 86_400
"""Seconds a phone keeps its tables: the longest that browsers allow."""

ORGANISER_LASTS_S = 12 * 3600
"""Seconds for which the passphrase holds: an evening."""

PASSPHRASE = "SETTEBELLO_PASSPHRASE"
"""Environment variable in which whoever runs the app gives the organiser's passphrase."""

SHORTEST_PASSPHRASE = 8
"""Characters that a passphrase has at least."""

_ENTRY = re.compile(r"([A-Z0-9]{1,8})\.([A-Za-z0-9_-]{1,64})")
_CODE = re.compile(r"[A-Z0-9]{1,8}")
_WORD = "organiser"


class PassphraseError(ScoringError):
    """The organiser's passphrase is too short to keep anybody out."""

    def __init__(self, length: int) -> None:
        self.length = length
        super().__init__(
            f"expected a passphrase of {SHORTEST_PASSPHRASE} characters or more, got {length}: "
            f"set a longer {PASSPHRASE}"
        )


class WrongPassphraseError(ScoringError):
    """Somebody typed a passphrase that is not the organiser's."""

    def __init__(self) -> None:
        super().__init__("expected the organiser's passphrase, got another: type it again")


def read_links(text: str) -> dict[str, str]:
    """Gives the scorers' link of each table by its code, from the text of the cookie.

    >>> read_links("K7QF.abc~H3XQ.~what?")
    {'K7QF': 'abc'}
    """
    found = (_ENTRY.fullmatch(entry) for entry in text.split("~")[:MOST_TABLES])
    return {entry[1]: entry[2] for entry in found if entry}


def with_link(text: str, code: str, *, link: str) -> str:
    """Gives the text of the cookie with a link as the latest.

    >>> with_link("H3XQ.uvw~K7QF.abc", "K7QF", link="xyz")
    'K7QF.xyz~H3XQ.uvw'
    """
    links = {code: link} | {other: it for other, it in read_links(text).items() if other != code}
    return "~".join(f"{code}.{link}" for code, link in [*links.items()][:MOST_TABLES])


def read_seen(text: str) -> tuple[str, ...]:
    """Gives the codes of the tables that a phone was at, from the text of the cookie.

    >>> read_seen("K7QF~H3XQ~what?~K7QF")
    ('K7QF', 'H3XQ')
    """
    return tuple(dict.fromkeys(filter(_CODE.fullmatch, text.split("~")[:MOST_TABLES])))


def with_seen(text: str, code: str) -> str:
    """Gives the text of the cookie with a table as the latest.

    >>> with_seen("H3XQ~K7QF", "K7QF")
    'K7QF~H3XQ'
    """
    return "~".join([*dict.fromkeys((code, *read_seen(text)))][:MOST_TABLES])


class Organiser:
    """Knows who is the organiser of the club: whoever gave the passphrase, for some hours."""

    def __init__(self, passphrase: str = "") -> None:
        """Takes the passphrase; with an empty one there is no organiser.

        Raises:
            PassphraseError: It is too short.
        """
        if passphrase and len(passphrase) < SHORTEST_PASSPHRASE:
            raise PassphraseError(len(passphrase))
        self._passphrase = passphrase

    @property
    def is_there(self) -> bool:
        """Whether anybody can be the organiser."""
        return bool(self._passphrase)

    @cached_property
    def _signer(self) -> TimestampSigner:
        """Signs with a key that takes long to make: a cookie does not betray the passphrase."""
        key = hashlib.scrypt(
            self._passphrase.encode(), salt=b"settebello organiser", n=2**14, r=8, p=1
        )
        return TimestampSigner(key, digest_method=hashlib.sha256)

    def admit(self, typed: str) -> str:
        """Gives the cookie of whoever typed the passphrase.

        Raises:
            WrongPassphraseError: It is another, or there is none.
        """
        same = compare_digest(typed.encode(), self._passphrase.encode())
        if not (same and self.is_there):
            raise WrongPassphraseError
        return self._signer.sign(_WORD).decode()

    def knows(self, cookie: str) -> bool:
        """Says whether a cookie was given out by `admit`, with this passphrase and not long ago."""
        if not (self.is_there and cookie):
            return False
        try:
            return self._signer.unsign(cookie, max_age=ORGANISER_LASTS_S) == _WORD.encode()
        except BadSignature:
            return False


def read_pass(cookies: Mapping[str, str], organiser: Organiser) -> Pass:
    """Gives what a phone shows of itself, from its cookies."""
    links = read_links(cookies.get(LINKS, ""))
    codes = dict.fromkeys((*read_seen(cookies.get(SEEN, "")), *links))
    held = {code: links.get(code, "") for code in codes}
    return Pass(held, is_organiser=organiser.knows(cookies.get(ORGANISER, "")))
