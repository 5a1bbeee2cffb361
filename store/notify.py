"""Notifications of changes between the processes that share a PostgreSQL database."""

import json
import logging
import socket
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from store.server import connection_string

CHANNEL = "settebello_notices"
"""PostgreSQL's channel for notifications."""

WORKER = "settebello worker"
"""Application name, in `pg_stat_activity`, of a process that reads photos."""

RECONNECT_S = 1.0
"""Seconds until a lost connection is opened again, and between checks for `stop`."""

CHECK_EVERY = 5
"""Seconds without a notification until the connection is checked."""

ANSWER_S = 3.0
"""Seconds that the database has to answer the check."""

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Notification:
    """A table changed, or one of its photos reached a stage of being read."""

    code: str
    """The table's code."""
    upload: int | None = None
    """The upload that is read; None if the table changed."""
    stage: str | None = None
    """The stage of the upload; None after it was read."""


def notify(session: Session, notification: Notification) -> None:
    """Send a notification with the commit of the transaction; do nothing on SQLite.

    PostgreSQL delivers equal notifications of one transaction once.
    """
    if session.connection().dialect.name == "postgresql":
        session.execute(select(func.pg_notify(CHANNEL, json.dumps(asdict(notification)))))


class Listener:
    """Receives the notifications of all processes, including this one, in a thread."""

    def __init__(
        self,
        address: str,
        hear: Callable[[Notification | None], None],
        *,
        application: str = "settebello",
    ) -> None:
        """Create the listener without starting it.

        Args:
            address: SQLAlchemy address of the database.
            hear: Called with each notification, and with None if some may have been missed.
            application: Application name of the connection in `pg_stat_activity`.
        """
        self._address = connection_string(address)
        self._hear, self._application = hear, application
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)
        self.is_listening = False
        """Whether the connection is open."""

    def start(self) -> None:
        """Start to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Stop within about a second."""
        self._ending.set()

    def _run(self) -> None:
        from psycopg import Error, connect

        while not self._ending.is_set():
            try:
                with connect(
                    self._address, autocommit=True, application_name=self._application
                ) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self.is_listening = True
                    self._hear(None)
                    self._listen(connection)
            except Error:
                if self.is_listening:
                    LOG.warning("the database hung up; changes of others are looked for meanwhile")
            finally:
                self.is_listening = False
            self._ending.wait(RECONNECT_S)

    def _listen(self, connection: Any) -> None:
        """Call `hear` with each notification until stopped, or until the connection fails."""
        quiet = 0
        while not self._ending.is_set():
            quiet += 1
            for heard in connection.notifies(timeout=RECONNECT_S, stop_after=1):
                quiet = 0
                self._hear(Notification(**json.loads(heard.payload)))
            if quiet >= CHECK_EVERY:
                quiet = 0
                _check(connection)


def _check(connection: Any) -> None:
    """Raise psycopg.Error if the database does not answer: a dead connection may look open."""
    giving_up = threading.Timer(ANSWER_S, _hang_up, [connection.fileno()])
    giving_up.start()
    try:
        connection.execute("SELECT 1")
    finally:
        giving_up.cancel()


def _hang_up(fileno: int) -> None:
    """Shut a connection down while another thread waits for its answer."""
    line = socket.socket(fileno=fileno)
    try:
        line.shutdown(socket.SHUT_RDWR)
    finally:
        line.detach()  # psycopg closes it
