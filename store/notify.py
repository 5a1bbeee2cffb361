"""Notices: what one process does at a table is heard at once by all on the same PostgreSQL."""

import json
import logging
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.engine import make_url
from sqlalchemy.orm import Session

CHANNEL = "settebello_notices"
"""Where notices are said in the database."""

AGAIN_S = 1.0
"""Seconds until a database that hung up is listened to again, and between looks at the end."""

CHECK_EVERY = 10
"""Looks without a word after which it is proved that the line is not dead."""

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Notification:
    """What is told: that a table changed, or how far the reading of one of its photos is."""

    code: str
    """The table's code."""
    upload: int | None = None
    """The photo that is read; None where the table has changed."""
    stage: str | None = None
    """How far it is; None once it is read."""


def notify(session: Session, notification: Notification) -> None:
    """Tells a notice to all who listen once the transaction stands; nothing on SQLite.

    The same notice told twice in a transaction is heard once.
    """
    if session.connection().dialect.name == "postgresql":
        session.execute(select(func.pg_notify(CHANNEL, json.dumps(asdict(notification)))))


class Listener:
    """Hears the notices of all processes, its own too, in a thread."""

    def __init__(self, address: str, hear: Callable[[Notification | None], None]) -> None:
        """Prepares to listen.

        Args:
            address: The database, as an SQLAlchemy address.
            hear: Hears each notice; None where some may have been missed.
        """
        told = make_url(address).set(drivername="postgresql")
        self._address, self._hear = told.render_as_string(hide_password=False), hear
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)
        self.is_listening = False
        """Whether every notice is heard just now."""

    def start(self) -> None:
        """Begins to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Ends within a second or so."""
        self._ending.set()

    def _run(self) -> None:
        from psycopg import Error, connect

        while not self._ending.is_set():
            try:
                with connect(self._address, autocommit=True) as line:
                    line.execute(f"LISTEN {CHANNEL}")
                    self.is_listening = True
                    self._hear(None)
                    self._listen(line)
            except Error:
                if self.is_listening:
                    LOG.warning("the database hung up; changes of others are looked for meanwhile")
            finally:
                self.is_listening = False
            self._ending.wait(AGAIN_S)

    def _listen(self, line: Any) -> None:
        """Hears what is told, until the end or until the line breaks."""
        quiet = 0
        while not self._ending.is_set():
            quiet += 1
            for said in line.notifies(timeout=AGAIN_S, stop_after=1):
                quiet = 0
                self._hear(Notification(**json.loads(said.payload)))
            if quiet >= CHECK_EVERY:
                quiet = 0
                line.execute("SELECT 1")
