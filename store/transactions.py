"""Transactions: every method of the store is one, and writers of a table follow each other."""

import threading
import weakref
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.engine import make_url
from sqlalchemy.orm import Session

from store import opening
from store.errors import StoreUnavailableError
from store.opening import open_engine, place_of, speaking
from store.schema import TableRecord, session_of
from store.tables import TableRef, find, take

_JOINED: ContextVar[Session | None] = ContextVar("_JOINED", default=None)
"""The session of the transaction that all work of this context joins, where there is one."""


class _Turns:
    """Lets the threads of this process write to a file one after another.

    SQLite has whoever finds it locked sleep and try again, which leaves it idle for most of the
    time when many write. Other processes are still waited for in that way.
    """

    def __init__(self, place: str) -> None:
        self._place = place
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        if not self._lock.acquire(timeout=opening.BUSY_MS / 1000):
            raise StoreUnavailableError(self._place, why="too many write to it")

    def __exit__(self, *_raised: object) -> None:
        self._lock.release()


class Transactions:
    """An open database, from which sessions are taken."""

    def __init__(self, url: str) -> None:
        """Opens the database; raises the leaves of StoreError that `open_engine` raises."""
        self._engine = open_engine(url)
        weakref.finalize(self, self._engine.dispose)  # else Python warns of open connections
        self._reader = self._engine
        if self._engine.dialect.name != "sqlite":  # SQLite's readers see one state anyway
            self._reader = self._engine.execution_options(isolation_level="REPEATABLE READ")
        self._writer = self._engine.execution_options(writes=True)
        self.place = place_of(make_url(url))
        """Where the data lies, fit to be shown."""
        self.address = url
        """The database's address, password and all."""
        self.is_shared = self._engine.dialect.name == "postgresql"
        """Whether processes on several machines may share it."""
        self.troubles: Counter[str] = Counter()
        """How often the database failed, by the name of the error."""
        is_file = self._engine.dialect.name == "sqlite"
        self._turns = _Turns(self.place) if is_file else nullcontext()

    def close(self) -> None:
        """Gives the connections back."""
        self._engine.dispose()

    @contextmanager
    def outside(self) -> Iterator[Connection]:
        """A connection outside of transactions, for what a database does only there."""
        way: dict[str, Any] = {"outside": True}
        if self._engine.dialect.name != "sqlite":  # whose connections are in no transaction anyway
            way = {"isolation_level": "AUTOCOMMIT"}
        with (
            speaking(self.place, troubles=self.troubles),
            self._engine.connect().execution_options(**way) as connection,
        ):
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one state of the database throughout."""
        if (joined := _JOINED.get()) is not None:
            yield joined
            return
        with (
            speaking(self.place, troubles=self.troubles),
            Session(self._reader) as session,
            session.begin(),
        ):
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session that is committed at its end, or leaves no trace when something is raised."""
        if (joined := _JOINED.get()) is not None:
            if joined.bind is not self._writer:
                raise RuntimeError("expected only questions inside of one_state, got a change")
            yield joined
            return
        with (
            speaking(self.place, troubles=self.troubles),
            self._turns,
            Session(self._writer, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    @contextmanager
    def one_state(self) -> Iterator[None]:
        """All that is read inside sees one state of the database, over one line."""
        with self.reading() as session:
            token = _JOINED.set(session)
            try:
                yield
            finally:
                _JOINED.reset(token)

    @contextmanager
    def looking(self, table: TableRef) -> Iterator[TableRecord]:
        """A table to read."""
        with self.reading() as session:
            yield find(session, table)

    @contextmanager
    def taking(self, table: TableRef) -> Iterator[TableRecord]:
        """A table to write: bumped, and held until the end."""
        with self.writing() as session:
            yield take(session, table)

    @contextmanager
    def joining(self, table: TableRef) -> Iterator[TableRecord]:
        """A table to write; all that is read or written inside is part of this transaction."""
        with self.taking(table) as record:
            token = _JOINED.set(session_of(record))
            try:
                yield record
            finally:
                _JOINED.reset(token)
