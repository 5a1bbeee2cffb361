"""The guard: knows phones by their passes, and makes whoever tries wrong codes wait.

A code has four letters, so it could be found by trying; after a few wrong ones an address waits.
"""

import math
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from limits import RateLimitItem, parse_many
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from scoring.errors import ScoringError
from store import Store, Table, TableNotFoundError
from table.roles import Pass, WrongLinkError
from web.passes import Organiser, WrongPassphraseError, read_pass

WRONG_TRIES = "10/minute;60/hour"
"""Wrong codes, links and passphrases of one address before it has to wait."""

OPENED_TABLES = "30/hour"
"""Tables that one address may open."""

WRONG = (TableNotFoundError, WrongLinkError, WrongPassphraseError)
"""What counts as a wrong try."""


class TooManyTriesError(ScoringError):
    """An address tried too often.

    Attributes:
        minutes: After how many it may try again.
    """

    def __init__(self, seconds: float) -> None:
        self.minutes = max(1, math.ceil(seconds / 60))
        super().__init__(
            f"expected fewer tries from this address: wait for {self.minutes} min and try again"
        )


class Guard:
    """Who may come in, for one process."""

    def __init__(self, organiser: Organiser) -> None:
        self.organiser = organiser
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._wrong = parse_many(WRONG_TRIES)
        self._opened = parse_many(OPENED_TABLES)

    def held(self, cookies: Mapping[str, str]) -> Pass:
        """Gives what a phone shows of itself, from its cookies."""
        return read_pass(cookies, self.organiser)

    def find(self, store: Store, code: str, *, held: Pass, address: str) -> Table:
        """Finds a table by its code, for whoever shows a pass.

        Whoever scores there never waits, whatever others at the same address tried.

        Raises:
            TableNotFoundError: There is none.
            TooManyTriesError: The address gave too many wrong codes.
        """
        try:
            table = store.find_table(code)
        except TableNotFoundError:
            table = None
        if table is not None and held.role_at(table).may_write:
            return table
        with self.trying(address):
            if table is None:
                raise TableNotFoundError(code)
        return table

    @contextmanager
    def trying(self, address: str) -> Iterator[None]:
        """Counts a code, a link or a passphrase that turns out to be wrong inside.

        Raises:
            TooManyTriesError: The address gave too many wrong ones; nothing is done inside.
        """
        self._check(self._wrong, "wrong", address=address)
        try:
            yield
        except WRONG:
            self._count(self._wrong, "wrong", address=address)
            raise

    def opening(self, address: str) -> None:
        """Counts a table that is opened.

        Raises:
            TooManyTriesError: The address opened too many.
        """
        self._check(self._opened, "opened", address=address)
        self._count(self._opened, "opened", address=address)

    def _check(self, limits: list[RateLimitItem], what: str, *, address: str) -> None:
        for limit in limits:
            if not self._limiter.test(limit, what, address):
                window = self._limiter.get_window_stats(limit, what, address)
                raise TooManyTriesError(window.reset_time - time.time())

    def _count(self, limits: list[RateLimitItem], what: str, *, address: str) -> None:
        for limit in limits:
            self._limiter.hit(limit, what, address)
