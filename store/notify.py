"""Notifications: what one process changes is heard at once by all on the same PostgreSQL."""

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
"""How the connection of a process that reads photos is named in PostgreSQL's list of sessions."""

RECONNECT_S = 1.0
"""Seconds until a database that hung up is connected to again, and between looks at the end."""

CHECK_EVERY = 5
"""Seconds without a notification after which the connection is checked."""

ANSWER_S = 3.0
"""Seconds after which a connection that does not answer the check is given up."""

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Notification:
    """A table changed, or the reading of one of its photos reached a stage."""

    code: str
    """The table's code."""
    upload: int | None = None
    """The upload that is read; None where the table has changed."""
    stage: str | None = None
    """The stage of its reading; None once it is read."""


def notify(session: Session, notification: Notification) -> None:
    """Send a notification when the transaction is committed; nothing on SQLite.

    The same notification sent twice in a transaction is heard once.
    """
    if session.connection().dialect.name == "postgresql":
        session.execute(select(func.pg_notify(CHANNEL, json.dumps(asdict(notification)))))


class Listener:
    """Hears the notifications of all processes, its own too, in a thread."""

    def __init__(
        self,
        address: str,
        hear: Callable[[Notification | None], None],
        *,
        application: str = "settebello",
    ) -> None:
        """Prepare to listen.

        Args:
            address: The database, as an SQLAlchemy address.
            hear: Called with each notification; with None where some may have been missed.
            application: Name of the connection in the database's list of sessions.
        """
        self._address = connection_string(address)
        self._hear, self._application = hear, application
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)
        self.is_listening = False
        """Whether every notification is heard just now."""

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """End within a second or so."""
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
        """Pass notifications on until the end, or until the connection breaks."""
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
    """Raise psycopg.Error unless the database answers in time: a line may die without a word."""
    giving_up = threading.Timer(ANSWER_S, _hang_up, [connection.fileno()])
    giving_up.start()
    try:
        connection.execute("SELECT 1")
    finally:
        giving_up.cancel()


def _hang_up(fileno: int) -> None:
    """End a connection while another thread waits for its answer."""
    line = socket.socket(fileno=fileno)
    try:
        line.shutdown(socket.SHUT_RDWR)
    finally:
        line.detach()  # psycopg closes it
