"""Tables, their codes and the matches opened at them."""

import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import uuid4

from sqlalchemy import func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, aliased

from scoring.match import Match
from scoring.presets import read_rules
from scoring.rules import Rules
from store import notify
from store.errors import (
    ConflictError,
    LinkTakenError,
    MatchBegunError,
    TableNotFoundError,
    UnknownPlaceError,
)
from store.log import (
    current_match,
    forget_current,
    last_revision,
    standing_matches,
)
from store.models import (
    DeliveryRecord,
    EntryRecord,
    MatchRecord,
    SideRecord,
    TableRecord,
    session_of,
)
from store.rows import Drawing, Step, TableRow

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Letters and digits without those taken for another: O and 0, I, 1 and L."""

LENGTH = 4
"""Characters of a code: 923,521 codes."""

_FOUND = "tables found"
"""What the information of a session keeps: tables by their codes."""

_TAKEN = "tables taken"
"""What the information of a session keeps: codes of the tables that it writes."""

TableRef = TableRow | str
"""A table, or its code as somebody typed it."""


def make_code() -> str:
    """A new random code; the database refuses one that stands already."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def clean_code(typed: str) -> str:
    """The code in what somebody typed: any case, with spaces or hyphens.

    >>> clean_code(" k7-qf ")
    'K7QF'
    """
    return "".join(letter for letter in typed.upper() if letter.isalnum())


def code_of(table: TableRef) -> str:
    """The code of a table, cleaned.

    >>> code_of("k7 qf")
    'K7QF'
    """
    return table.code if isinstance(table, TableRow) else clean_code(table)


def find(session: Session, table: TableRef) -> TableRecord:
    """The table with this code, to read: asked for once a transaction."""
    code = code_of(table)
    known: dict[str, TableRecord] = session.info.setdefault(_FOUND, {})
    if code not in known:
        asked = select(TableRecord).where(TableRecord.code == code)
        record = session.scalars(asked).one_or_none()
        if record is None:
            raise TableNotFoundError(code)
        known[code] = record
    return known[code]


def newest_first(
    session: Session,
    *,
    codes: Sequence[str] | None,
    before: TableRef | None,
    since: datetime | None,
    most: int | None,
) -> tuple[TableRow, ...]:
    """Tables as the screens see them, in two questions to the database however many there are."""
    current = (
        select(MatchRecord.id)
        .where(MatchRecord.table_id == TableRecord.id, ~MatchRecord.is_left)
        .order_by(MatchRecord.number.desc())
        .limit(1)
        .correlate(TableRecord)
        .scalar_subquery()
    )
    match = aliased(MatchRecord)
    asked = select(TableRecord, match).join(match, match.id == current)
    if codes is not None:
        asked = asked.where(TableRecord.code.in_(map(clean_code, codes)))
    if since is not None:
        asked = asked.where(TableRecord.opened_at >= since)
    if before is not None:
        asked = asked.where(TableRecord.id < find(session, before).id)
    found = session.execute(asked.order_by(TableRecord.id.desc()).limit(most))
    return tuple(_row(table, its_match) for table, its_match in found)


def revision_of(session: Session, table: TableRef) -> int:
    """The number that grows with every change to a table."""
    code = code_of(table)
    found = session.scalar(select(TableRecord.revision).where(TableRecord.code == code))
    if found is None:
        raise TableNotFoundError(code)
    return found


def revisions_of(session: Session, codes: Iterable[str] | None) -> dict[str, int]:
    """The revision of each of these tables that there is, or of all tables."""
    asked = select(TableRecord.code, TableRecord.revision)
    if codes is not None:
        asked = asked.where(TableRecord.code.in_(codes))
    return {row.code: row.revision for row in session.execute(asked)}


def take(session: Session, table: TableRef) -> TableRecord:
    """The table with this code, to write: bumped, and held until the transaction ends.

    The update comes before any reading, so that on every database the writers of one table queue
    here and each reads what the one before it wrote. Within a transaction a table is taken once.
    """
    code = code_of(table)
    taken: set[str] = session.info.setdefault(_TAKEN, set())
    if code in taken:
        return find(session, code)
    asked = (
        update(TableRecord)
        .where(TableRecord.code == code)
        .values(revision=TableRecord.revision + 1)
        .returning(TableRecord)
        .execution_options(synchronize_session=False, populate_existing=True)
    )
    record = session.scalars(asked).one_or_none()
    if record is None:
        raise TableNotFoundError(code)
    session.info.setdefault(_FOUND, {})[code] = record
    taken.add(code)
    forget_current(record)  # in a joined transaction it may have been read before the update
    notify.tell(session, notify.Notice(code=code))
    return record


def idempotent(table: TableRecord, key: str, *, device: str = "") -> bool:
    """Record the key of a command in the running transaction; False if it was executed before.

    The key is committed or rolled back together with what the command changes.

    >>> from store import Store
    >>> from scoring.rules import Rules
    >>> store = Store("sqlite://")
    >>> code = store.open_table(("Anna", "Bruno"), Rules()).code
    >>> for _ in range(2):
    ...     with store.write(code) as table:
    ...         idempotent(table, "a key made on the phone")
    True
    False
    """
    session = session_of(table)
    if session.get(DeliveryRecord, (table.id, key)) is not None:
        return False
    session.add(DeliveryRecord(table_id=table.id, key=key, device=device))
    session.flush()
    return True


def open_table(
    session: Session,
    side_names: Sequence[str],
    *,
    rules: Rules,
    link_hash: str | None,
    first_dealer: int | None,
    drawing: Drawing,
    device: str,
) -> TableRow:
    """A new table with its first match; with a link that opened one before, that one."""
    if link_hash is not None:
        asked = select(TableRecord).where(TableRecord.link_hash == link_hash)
        if (known := session.scalars(asked).one_or_none()) is not None:
            return row(known)
    table = with_new_code(session)
    table.link_hash, table.drawing = link_hash, drawing
    open_match(
        table,
        side_names=side_names,
        rules=rules,
        number=1,
        first_dealer=first_dealer,
        device=device,
    )
    return row(table)


def with_new_code(session: Session) -> TableRecord:
    """A new table without a match, under a code that no other table has."""
    while True:
        table = TableRecord(code=make_code())
        try:
            with session.begin_nested():
                session.add(table)
        except IntegrityError:
            continue  # taken: one chance in 923,521 for each open table
        return table


def open_match(
    table: TableRecord,
    *,
    side_names: Sequence[str],
    rules: Rules,
    number: int,
    device: str,
    first_dealer: int | None = None,
) -> None:
    """Opens a match at a table and writes so in the log.

    Raises:
        MatchError: The names do not make a match.
        UnknownPlaceError: None of them is the first dealer's.
    """
    Match(rules, tuple(side_names))
    if first_dealer is not None and not 0 <= first_dealer < len(side_names):
        raise UnknownPlaceError("side", first_dealer, known=len(side_names))
    match = MatchRecord(
        table_id=table.id, number=number, rules=rules.to_dict(), first_dealer=first_dealer
    )
    match.sides = [SideRecord(side=i, name=name) for i, name in enumerate(side_names)]
    session_of(table).add(match)
    session_of(table).flush()
    forget_current(table)
    _write(table, match, step=Step.OPEN, device=device)


def row(table: TableRecord) -> TableRow:
    """A table as the screens see it."""
    return _row(table, current_match(table))


def _row(table: TableRecord, match: MatchRecord) -> TableRow:
    return TableRow(
        code=table.code,
        opened_at=table.opened_at,
        revision=table.revision,
        match_no=match.number,
        side_names=tuple(side.name for side in match.sides),
        rules=read_rules(match.rules),
        link_hash=table.link_hash,
        hands=match.hands,
        totals=tuple(side.total for side in match.sides),
        winner=match.winner,
        drawing=Drawing(table.drawing),
        closed_at=table.closed_at,
        lends_photos=table.lends_photos,
    )


def put_link(table: TableRecord, link_hash: str, *, expected: str | None) -> None:
    """Changes the scorers' link of a table.

    Raises:
        LinkTakenError: It is not the expected one: somebody else changed it first.
    """
    if table.link_hash not in {expected, link_hash}:
        raise LinkTakenError(table.code)
    table.link_hash = link_hash
    session_of(table).flush()


def match_numbered(table: TableRecord, match_no: int | None) -> MatchRecord:
    """A match of a table by its number; None asks for the current one."""
    current = current_match(table)
    if match_no is None or match_no == current.number:
        return current
    found = (
        session_of(table)
        .scalars(
            select(MatchRecord).where(
                MatchRecord.table_id == table.id, MatchRecord.number == match_no
            )
        )
        .one_or_none()
    )
    if found is None:
        raise UnknownPlaceError("match", match_no, known=current.number)
    return found


def check_side(match: MatchRecord, side: int) -> None:
    """Raises UnknownPlaceError unless the match has this side."""
    if not 0 <= side < len(match.sides):
        raise UnknownPlaceError("side", side, known=len(match.sides))


def rematch(
    table: TableRecord,
    *,
    after: int,
    expected: int | None,
    side_names: Sequence[str] | None,
    rules: Rules | None,
    device: str,
) -> TableRow:
    """Opens the match that follows match `after`, unless somebody opened it already."""
    match, revision = current_match(table), last_revision(table)
    if match.number == after:
        if expected not in {None, revision}:
            raise ConflictError(expected or 0, revision, standing=None, proposal=None)
        open_match(
            table,
            side_names=side_names or [side.name for side in match.sides],
            rules=rules or read_rules(match.rules),
            number=_newest_number(table) + 1,
            device=device,
        )
    return row(table)


def leave_match(table: TableRecord, *, match_no: int, expected: int, device: str) -> TableRow:
    """Leaves a match without hands for the one before it, unless somebody left it already."""
    match, revision = current_match(table), last_revision(table)
    if match.number == match_no:
        if expected != revision:
            raise ConflictError(expected, revision, standing=None, proposal=None)
        if match.hands or len(standing_matches(table, most=2)) == 1:
            raise MatchBegunError(match_no, hands=match.hands)
        match.is_left = True
        forget_current(table)
        _write(table, match, step=Step.LEAVE, device=device)
    return row(table)


def _newest_number(table: TableRecord) -> int:
    """The number of the match opened last, left or not."""
    numbers = select(func.max(MatchRecord.number)).where(MatchRecord.table_id == table.id)
    return session_of(table).scalars(numbers).one()


def _write(table: TableRecord, match: MatchRecord, *, step: Step, device: str) -> None:
    """Writes a step that carries no hand at the end of the log."""
    session_of(table).add(
        EntryRecord(
            table_id=table.id,
            revision=last_revision(table) + 1,
            match_id=match.id,
            step=step,
            key=f"{step}-{uuid4()}",
            device=device,
        )
    )
    session_of(table).flush()
