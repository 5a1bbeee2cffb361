"""The inbox: what phones sent, each thing once, and the photos that wait to be read."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from store import notify, queue, tables, uploads
from store.database import Store as Database
from store.queue import SharedQueue
from store.rows import UploadRow, UploadState
from store.tables import TableRef


class Inbox:
    """The part of the store that takes in what phones send."""

    def __init__(self, transactions: Database) -> None:
        self._in = transactions

    @contextmanager
    def once(self, table: TableRef, key: str, *, device: str = "") -> Iterator[bool]:
        """Makes all that happens inside one transaction, with a note of its key.

        Gives False where something with this key was taken in before: then nothing should be done.
        What is raised inside leaves no trace, the note neither.

        >>> from store import Store
        >>> from scoring.rules import Rules
        >>> store = Store("sqlite://")
        >>> table = store.open_table(("Anna", "Bruno"), Rules())
        >>> for _ in range(2):
        ...     with store.once(table, "a key made on the phone") as new:
        ...         if new:
        ...             _ = store.add_scope(table, 0)
        >>> store.scope_counts(table)
        (1, 0)
        """
        with self._in.write(table) as record:
            yield tables.idempotent(record, key, device=device)

    def revisions(self, codes: Sequence[str] | None = None) -> dict[str, int]:
        """The revision of each of these tables that there is, or of all: one question."""
        with self._in.reading() as session:
            return tables.revisions_of(session, codes)

    def put_upload(
        self,
        table: TableRef,
        data: bytes,
        *,
        key: str,
        name: str,
        match_no: int,
        hand_no: int,
        side: int,
        is_mending: bool = False,
        device: str = "",
    ) -> int:
        """Keeps a file until a reader has read it, once, and gives its number."""
        with self._in.write(table) as record:
            return uploads.put(
                record, data, key=key, name=name, match_no=match_no, hand_no=hand_no, side=side,
                is_mending=is_mending, device=device,
            )  # fmt: skip

    def uploads(
        self, table: TableRef, *, hand_no: int, match_no: int | None = None
    ) -> tuple[UploadRow, ...]:
        """The files of a hand that wait or were refused, and all of the table that came late."""
        with self._in.read(table) as record:
            match = tables.match_numbered(record, match_no)
            return uploads.rows(record, match, hand_no=hand_no)

    def waiting_upload(self, upload: int) -> tuple[str, UploadRow, bytes] | None:
        """A file that waits, with its table's code and its bytes; None where it waits no more."""
        with self._in.reading() as session:
            if not uploads.does_wait(session, upload):
                return None
            code, row = uploads.row_of(session, upload)
            return code, row, uploads.data_of(session, upload)

    def put_lost_jobs(self) -> int:
        """Lets photos be read that wait and that no reader will hear of; gives how many.

        On PostgreSQL each has a job, which may be lost; on SQLite none has one.
        """
        with self._in.writing() as session:
            return queue.put_lost(session)

    def shared_queue(self, read: Callable[[int], None], *, at_once: int) -> SharedQueue | None:
        """The queue that several processes work off together; None on SQLite, which has none.

        Args:
            read: Reads the photo with a number, unless it waits no more.
            at_once: How many photos this process reads at the same time.
        """
        if not self._in.is_shared:
            return None
        put_lost = self.put_lost_jobs
        return SharedQueue(self._in.address, read, at_once=at_once, put_lost=put_lost)

    def tell_stage(self, code: str, upload: int, /, *, stage: str | None) -> None:
        """Tells all processes how far the reading of a photo is; nothing on SQLite."""
        with self._in.writing() as session:
            notify.tell(session, notify.Notice(code=code, upload=upload, stage=stage))

    def listener(self, hear: Callable[[notify.Notice | None], None]) -> notify.Listener | None:
        """What hears of changes by all processes; None on SQLite, where nobody tells of them.

        Args:
            hear: Hears each notice, in a thread; None where some may have been missed.
        """
        return notify.Listener(self._in.address, hear) if self._in.is_shared else None

    def next_upload(self, *, besides: Collection[str] = ()) -> tuple[str, UploadRow, bytes] | None:
        """The file that has waited longest, with its table's code and its bytes, or None.

        Tables with the codes `besides` are passed over.
        """
        with self._in.reading() as session:
            number = uploads.next_waiting(session, besides=besides)
            if number is None:
                return None
            code, row = uploads.row_of(session, number)
            return code, row, uploads.data_of(session, number)

    def waiting_before(self, upload: int) -> int:
        """How many files of all tables are read before one."""
        with self._in.reading() as session:
            return uploads.waiting_before(session, upload)

    def upload_counts(self) -> dict[UploadState, int]:
        """How many files that phones sent are in each state; proves that the database answers."""
        with self._in.reading() as session:
            return uploads.counts(session)

    def settle_upload(
        self,
        table: TableRef,
        upload: int,
        *,
        state: UploadState,
        refusal: Mapping[str, Any] | None = None,
    ) -> None:
        """Takes a file out of the queue: read, late, or refused for a reason given as data."""
        with self._in.write(table) as record:
            uploads.settle(record, upload, state=state, refusal=refusal)

    def take_up_upload(
        self,
        table: TableRef,
        upload: int,
        *,
        match_no: int,
        hand_no: int,
        side: int,
        is_mending: bool = False,
    ) -> None:
        """Lets a file that came late be read into a pile; one that is not late stays as it is."""
        with self._in.write(table) as record:
            uploads.take_up(
                record, upload, match_no=match_no, hand_no=hand_no, side=side,
                is_mending=is_mending,
            )  # fmt: skip

    def forget_upload(self, table: TableRef, upload: int) -> None:
        """Says no more of a file that was refused or came late."""
        with self._in.write(table) as record:
            uploads.forget(record, upload)
