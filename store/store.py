"""The store: one object a process, safe to share between threads and with other processes."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from scoring.record import HandRecord
from scoring.rules import Rules
from store import live, log, proposals, season, tables
from store.club import Club
from store.database import Store as Database
from store.decks import Decks
from store.hands import Change, apply, stood
from store.inbox import Inbox
from store.models import EntryRecord
from store.retention import Evidence
from store.rows import (
    DraftRow,
    Drawing,
    HandRow,
    LogRow,
    MatchRow,
    PhotoRow,
    PlayedRow,
    ProposalRow,
    ResultRow,
    Step,
    TableRow,
)
from store.tables import TableRef


class Store(Database, Club, Inbox):
    """The database with a method for each thing that is stored or queried.

    These methods are replaced step by step by `read`, `write`, `reading` and `writing` of
    `store.database.Store` and functions of the modules of this package.
    """

    def __init__(self, url: str | None = None) -> None:
        super().__init__(url)
        self._in = self
        self.evidence = Evidence(self)
        """The pictures that are kept, and their end."""
        self.decks = Decks(self)
        """The decks that tables have taught."""

    @contextmanager
    def one_state(self) -> Iterator[None]:
        """All that is asked inside sees one state of the database; nothing may be changed there."""
        with self.reading():
            yield

    # Tables and matches

    def open_table(
        self,
        side_names: Sequence[str],
        rules: Rules,
        *,
        link_hash: str | None = None,
        first_dealer: int | None = None,
        drawing: Drawing = Drawing.ITALIAN,
        device: str = "",
    ) -> TableRow:
        """Opens a table with a new code, and its first match by these rules.

        Asked twice with the same hash of a scorers' link, it is opened once. Where no side is told
        to deal first, the first one does.
        """
        with self._in.writing() as session:
            return tables.open_table(
                session, side_names, rules=rules, link_hash=link_hash, first_dealer=first_dealer,
                drawing=drawing, device=device,
            )  # fmt: skip

    def put_link(self, table: TableRef, link_hash: str, *, expected: str | None) -> None:
        """Changes the hash of the scorers' link of a table.

        Raises:
            LinkTakenError: The link is not the expected one: somebody else changed it first.
        """
        with self._in.write(table) as record:
            tables.put_link(record, link_hash, expected=expected)

    def find_table(self, code: str) -> TableRow:
        """The table with this code, typed in any case; raises TableNotFoundError."""
        with self._in.read(code) as record:
            return tables.row(record)

    def list_tables(
        self,
        *,
        codes: Sequence[str] | None = None,
        before: TableRef | None = None,
        since: datetime | None = None,
        most: int | None = None,
    ) -> tuple[TableRow, ...]:
        """Tables with how they stand, the newest first.

        Args:
            codes: Only these, as far as there are such tables; None asks for all.
            before: Only those opened before this one: the last of the list before.
            since: Only those opened at this moment or later.
            most: At most so many.
        """
        with self._in.reading() as session:
            return tables.newest_first(session, codes=codes, before=before, since=since, most=most)

    def rematch(
        self,
        table: TableRef,
        *,
        after: int,
        expected: int | None = None,
        side_names: Sequence[str] | None = None,
        rules: Rules | None = None,
        device: str = "",
    ) -> TableRow:
        """Opens the match that follows match `after`; asked twice, it is opened once.

        Sides and rules are those of the match before where they are not given. With `expected`
        (the `MatchRow.revision` seen) a match that moved on raises ConflictError.
        """
        with self._in.write(table) as record:
            return tables.rematch(
                record, after=after, expected=expected, side_names=side_names, rules=rules,
                device=device,
            )  # fmt: skip

    def leave_match(
        self, table: TableRef, *, match_no: int, expected: int, device: str = ""
    ) -> TableRow:
        """Takes back that a match was opened: the one before it is played on; asked twice, once.

        Raises:
            ConflictError: The match has moved on.
            MatchBegunError: Hands stand in it, or there is no match before it.
        """
        with self._in.write(table) as record:
            return tables.leave_match(record, match_no=match_no, expected=expected, device=device)

    def matches_of(self, table: TableRef) -> tuple[MatchRow, ...]:
        """All matches of a table replayed, the first one first; none that was left."""
        with self._in.read(table) as record:
            return log.match_rows(record, log.standing_matches(record))

    def results_of(
        self, table: TableRef, *, before: int | None = None, most: int | None = None
    ) -> tuple[ResultRow, ...]:
        """How the matches of a table stand, the newest first; none is replayed, none was left.

        With `before` those with a lower number, with `most` at most so many.
        """
        with self._in.read(table) as record:
            found = log.standing_matches(record, before=before, most=most)
            return tuple(log.result_row(match) for match in reversed(found))

    def played(
        self, codes: Sequence[str] | None = None, *, match_no: int | None = None
    ) -> tuple[PlayedRow, ...]:
        """The matches of some tables or of all, the oldest first: two questions to the database.

        With `match_no` only the matches with that number.
        """
        with self._in.reading() as session:
            return season.played(session, codes=codes, match_no=match_no)

    def take_in(self, matches: Sequence[PlayedRow], *, device: str = "") -> tuple[TableRow, ...]:
        """Keeps matches of a file, those of one table at one new table, none twice.

        A match that is kept already, also under another code, is left out.
        """
        with self._in.writing() as session:
            return season.take_in(session, matches, device=device)

    def revision(self, table: TableRef) -> int:
        """A number that grows with every change to anything of the table: cheap to poll."""
        with self._in.reading() as session:
            return tables.revision_of(session, table)

    def match_of(self, table: TableRef, *, match_no: int | None = None) -> MatchRow:
        """A match replayed, the current one or another of this table."""
        with self._in.read(table) as record:
            match = tables.match_numbered(record, match_no)
            return log.match_rows(record, [match])[0]

    def log_of(self, table: TableRef, *, match_no: int | None = None) -> tuple[LogRow, ...]:
        """Every step of a match ever taken, with who and when: edits and undos hide nothing."""
        with self._in.read(table) as record:
            return log.log_rows(tables.match_numbered(record, match_no))

    # Hands

    def record_hand(
        self, table: TableRef, facts: HandRecord, *, key: str, expected: int, device: str = ""
    ) -> HandRow:
        """Adds a hand to the match.

        Args:
            table: The table.
            facts: The hand.
            key: Made by the client once for this hand; the same key again gives the same hand.
            expected: The `MatchRow.revision` the sender had on the screen.
            device: Who sends it, to be shown to others.

        Raises:
            ConflictError: The match has moved on; the hand is kept as a proposal. A hand equal to
                the one that stands is no conflict.
            ScoringError: The match refuses the hand.
        """
        change = Change(step=Step.RECORD, key=key, expected=expected, device=device, facts=facts)
        return log.hand_row(self._apply(table, change))

    def edit_hand(
        self,
        table: TableRef,
        facts: HandRecord,
        *,
        hand_no: int,
        key: str,
        expected: int,
        match_no: int | None = None,
        device: str = "",
    ) -> HandRow:
        """Replaces a hand, counted from 1; the version before stays in the log.

        The hand is one of the match being played, or of the match `match_no`.

        Raises:
            ConflictError, ScoringError: As `record_hand`.
        """
        change = Change(
            step=Step.EDIT,
            key=key,
            expected=expected,
            device=device,
            hand_no=hand_no,
            facts=facts,
            match_no=match_no,
        )
        return log.hand_row(self._apply(table, change))

    def undo_hand(self, table: TableRef, *, key: str, expected: int, device: str = "") -> MatchRow:
        """Takes the newest step back, a recorded hand or an edit, and gives the match after it.

        Raises:
            ConflictError: The match has moved on.
            NothingToUndoError: No step is left.
        """
        self._apply(table, Change(step=Step.UNDO, key=key, expected=expected, device=device))
        return self.match_of(table)

    def redo_hand(self, table: TableRef, *, key: str, expected: int, device: str = "") -> MatchRow:
        """Takes the step again that was taken back last; raises as `undo_hand`."""
        self._apply(table, Change(step=Step.REDO, key=key, expected=expected, device=device))
        return self.match_of(table)

    def proposals(self, table: TableRef) -> tuple[ProposalRow, ...]:
        """Hands that came too late to stand and wait to be compared, oldest first."""
        with self._in.read(table) as record:
            return proposals.open_proposals(record)

    def accept_proposal(
        self, table: TableRef, proposal_id: int, *, expected: int, device: str = ""
    ) -> HandRow:
        """Puts a proposal in the place of the hand that stands, which stays in the log."""
        with self._in.write(table) as record:
            done = proposals.accept(record, proposal_id, expected=expected, device=device)
        return log.hand_row(stood(done))

    def dismiss_proposal(self, table: TableRef, proposal_id: int) -> None:
        """Lets the standing hand stand; the proposal is no longer asked about."""
        with self._in.write(table) as record:
            proposals.dismiss(record, proposal_id)

    # The hand being played

    def add_scope(
        self,
        table: TableRef,
        side: int,
        *,
        delta: int = 1,
        match_no: int | None = None,
        hand_no: int | None = None,
        device: str = "",
    ) -> tuple[int, ...]:
        """Adds scope to a side (a `delta` below zero takes back) and gives the counts after it.

        With `match_no` and `hand_no`, a tap meant for a match or a hand that is over raises
        MatchClosedError or HandClosedError.
        """
        with self._in.write(table) as record:
            return live.add_scope(
                record, side, delta=delta, match_no=match_no, hand_no=hand_no, device=device
            )

    def scope_counts(self, table: TableRef) -> tuple[int, ...]:
        """The scope tapped in the hand being played, by side."""
        with self._in.read(table) as record:
            return live.scope_counts(log.current_match(record))

    def put_drafts(
        self,
        table: TableRef,
        drafts: Mapping[int, Mapping[str, Any]],
        *,
        hand_no: int,
        match_no: int | None = None,
        expected: Mapping[int, int] | None = None,
        device: str = "",
    ) -> tuple[DraftRow, ...]:
        """Shares piles that are not confirmed, by side: any JSON objects; all of them or none.

        With `expected` (the versions seen; none: 0 or left out) another device's newer draft
        raises StaleDraftError; with `match_no` piles of a match that is over MatchClosedError.
        """
        with self._in.write(table) as record:
            return tuple(
                live.put_draft(
                    record,
                    draft,
                    match_no=match_no,
                    hand_no=hand_no,
                    side=side,
                    expected=None if expected is None else expected.get(side, 0),
                    device=device,
                )
                for side, draft in drafts.items()
            )

    def drafts(
        self, table: TableRef, *, match_no: int | None = None, hand_no: int | None = None
    ) -> tuple[DraftRow, ...]:
        """The drafts of the hand being played, or of another hand or match, by side."""
        with self._in.read(table) as record:
            return live.drafts(tables.match_numbered(record, match_no), hand_no=hand_no)

    def put_photo(
        self,
        table: TableRef,
        jpeg: bytes,
        *,
        hand_no: int,
        side: int,
        match_no: int | None = None,
        device: str = "",
    ) -> int:
        """Keeps a small JPEG, once, and gives its number; `match_no` as in `put_drafts`."""
        with self._in.write(table) as record:
            return live.put_photo(
                record, jpeg, match_no=match_no, hand_no=hand_no, side=side, device=device
            )

    def photo(self, photo_id: int, *, table: TableRef | None = None) -> bytes:
        """The JPEG with this number; with `table` only if it is one of that table's."""
        with self._in.reading() as session:
            of = None if table is None else tables.find(session, table).id
            return live.photo(session, photo_id, table_id=of)

    def photos(
        self, table: TableRef, *, match_no: int | None = None, hand_no: int | None = None
    ) -> tuple[PhotoRow, ...]:
        """The photos of a match, or of one of its hands, without their bytes."""
        with self._in.read(table) as record:
            match = tables.match_numbered(record, match_no)
            return live.photos(match, hand_no=hand_no)

    def _apply(self, table: TableRef, change: Change) -> EntryRecord:
        with self._in.write(table) as record:
            done = apply(record, change)
        return stood(done)
