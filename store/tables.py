"""Tables: their codes, opening and finding them, and commands that count once."""

import re
import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TypeVar

from sqlalchemy import ColumnElement, select, true, union_all, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from assets.deck import CardStyle
from scoring.rules import Rules
from store import notify
from store.errors import LinkTakenError, TableNotFoundError
from store.log import open_match
from store.models import Place, ProcessedCommand, StoredEvening, Table, now, session_of

ALPHABET = "ABCDFGHJKMNPQRSTUVWXYZ23456789"
"""Letters and digits without those taken for another (O and 0, I, 1 and L), and without E, which
makes a number such as 2E34."""

LENGTH = 4
"""Characters of a code: 635,536 codes."""

LATEST_KEYS = 40
"""Keys of commands that a screen gets: as many as there are cards to tap."""

P = TypeVar("P", Table, StoredEvening)

TableRef = Table | str
"""A table, or its code as a user types it."""


def make_code() -> str:
    """Return a new random code; the database refuses one that is taken."""
    while True:
        code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
        if not reads_as_number(code):
            return code


def reads_as_number(code: str) -> bool:
    """Return whether a spreadsheet may take a code for a number or a date.

    Three letters with a digit may be a month in some language.

    >>> [reads_as_number(code) for code in ("2345", "2E34", "MAR4", "4MAR", "K7QF")]
    [True, True, True, True, False]
    """
    return re.fullmatch(r"\d+(E\d+)?|[A-Z]{3}\d|\d[A-Z]{3}", code) is not None


def clean_code(typed: str) -> str:
    """Return the code in a typed text: any case, with spaces or hyphens.

    >>> clean_code(" k7-qf ")
    'K7QF'
    """
    return "".join(letter for letter in typed.upper() if letter.isalnum())


def code_of(table: TableRef) -> str:
    """Return the code of a table, cleaned."""
    return table.code if isinstance(table, Table) else clean_code(table)


def find(session: Session, table: TableRef) -> Table:
    """Return the table with this code, to read: queried once in a transaction.

    Raises:
        TableNotFoundError: There is none.
    """
    code = code_of(table)
    known: dict[str, Table] = session.info.setdefault("tables", {})
    if code not in known:
        found = session.scalars(select(Table).where(Table.code == code)).one_or_none()
        if found is None:
            raise TableNotFoundError(code)
        known[code] = found
    return known[code]


def lock(session: Session, table: TableRef) -> Table:
    """Return the table with this code, to write; in a transaction it is locked once.

    Raises:
        TableNotFoundError: There is none.
    """
    code = code_of(table)
    locked: set[str] = session.info.setdefault("locked tables", set())
    if code in locked:
        return find(session, code)
    found = raise_revision(session, Table, code)
    locked.add(code)
    session.info.setdefault("tables", {})[code] = found
    return found


def raise_revision(session: Session, kind: type[P], code: str) -> P:
    """Raise the revision of a table or an evening, and hold it until the transaction ends.

    The update comes before any reading, so that on every database the writers of one table queue
    here and each reads what the one before it wrote.

    Raises:
        TableNotFoundError: There is none.
    """
    session.execute(
        update(kind)
        .where(kind.code == code)
        .values(revision=kind.revision + 1)
        .execution_options(synchronize_session=False)
    )
    query = select(kind).where(kind.code == code).execution_options(populate_existing=True)
    found = session.scalars(query).one_or_none()
    if found is None:
        raise TableNotFoundError(code)
    notify.notify(session, notify.Notification(code=code))
    return found


def idempotent(table: Table, key: str, *, device: str = "") -> bool:
    """Record the key of a command in the running transaction; False if it was executed before.

    The key is committed or rolled back together with what the command changes.

    >>> from store import Store
    >>> store = Store("sqlite://")
    >>> with store.writing() as session:
    ...     code = open_table(session, ("Anna", "Bruno"), Rules()).code
    >>> for _ in range(2):
    ...     with store.write(code) as table:
    ...         idempotent(table, "a key made on the phone")
    True
    False
    """
    session = session_of(table)
    if session.get(ProcessedCommand, (table.id, key)) is not None:
        return False
    session.add(ProcessedCommand(table_id=table.id, key=key, device=device))
    session.flush()
    return True


def latest_keys(table: Table) -> tuple[str, ...]:
    """Return the keys of the last commands that were executed at a table."""
    query = select(ProcessedCommand.key).where(ProcessedCommand.table_id == table.id)
    query = query.order_by(ProcessedCommand.made_at.desc()).limit(LATEST_KEYS)
    return tuple(session_of(table).scalars(query))


def of_codes(codes: Sequence[str] | None) -> ColumnElement[bool]:
    """SQL condition: the table has one of these codes; None asks for all."""
    return true() if codes is None else Table.code.in_([clean_code(code) for code in codes])


def newest(
    session: Session,
    *,
    codes: Sequence[str] | None = None,
    before: TableRef | None = None,
    since: datetime | None = None,
    most: int | None = None,
) -> tuple[Table, ...]:
    """Return tables, the newest first, in two queries however many there are.

    `codes` restricts them to these codes, `before` to tables opened before that one, `since` to
    tables opened at that time or later, and `most` to a number.
    """
    query = select(Table).where(of_codes(codes))
    if since is not None:
        query = query.where(Table.opened_at >= since)
    if before is not None:
        query = query.where(Table.id < find(session, before).id)
    return tuple(session.scalars(query.order_by(Table.id.desc()).limit(most)))


def open_table(
    session: Session,
    side_names: Sequence[str],
    rules: Rules,
    *,
    link_hash: str | None = None,
    first_dealer: int | None = None,
    drawing: CardStyle = CardStyle.ITALIAN,
    members: Sequence[Sequence[str]] = (),
    best_of: int = 1,
    device: str = "",
) -> Table:
    """Open a table with a new code, and its first match.

    If a table with this hash of a scorers' link is open already, return that.

    Raises:
        MatchError: The names do not make a match.
        UnknownPlaceError: `first_dealer` is not the index of a side.
    """
    if (known := of_link(session, Table, link_hash)) is not None:
        return known
    table = with_new_code(session, Table)
    table.link_hash, table.drawing = link_hash, drawing
    open_match(
        table,
        side_names,
        rules,
        first_dealer=first_dealer,
        members=members,
        best_of=best_of,
        device=device,
    )
    return table


def of_link(session: Session, kind: type[P], link_hash: str | None) -> P | None:
    """Return the table or the evening with this hash of a scorers' link."""
    query = select(kind).where(kind.link_hash == link_hash)
    return None if link_hash is None else session.scalars(query).one_or_none()


def with_new_code(session: Session, kind: type[P]) -> P:
    """Return a new evening, or a new table without a match, under a code that no other one has."""
    while True:
        made = kind(code=make_code())
        if made.code in revisions(session, [made.code]):
            continue  # one chance in 635,536 for each table and evening
        try:
            with session.begin_nested():
                session.add(made)
        except IntegrityError:
            continue  # another server took it at the same moment
        return made


def find_place(session: Session, code: str) -> Place:
    """Return the table or the evening with this code, to read.

    Raises:
        TableNotFoundError: There is none.
    """
    try:
        return find(session, code)
    except TableNotFoundError:
        query = select(StoredEvening).where(StoredEvening.code == clean_code(code))
        found = session.scalars(query).one_or_none()
        if found is None:
            raise
        return found


def revisions(session: Session, codes: Iterable[str] | None = None) -> dict[str, int]:
    """Return the revision of each table and evening by code: of these, or of all."""
    asked = None if codes is None else [*codes]
    queries = [
        select(kind.code, kind.revision).where(true() if asked is None else kind.code.in_(asked))
        for kind in (Table, StoredEvening)
    ]
    return {row.code: row.revision for row in session.execute(union_all(*queries))}


def put_link(table: Table, link_hash: str, *, expected: str | None) -> None:
    """Change the hash of the scorers' link of a table.

    Raises:
        LinkTakenError: The link is not the expected one: another device changed it first.
    """
    if table.link_hash not in {expected, link_hash}:
        raise LinkTakenError(table.code)
    table.link_hash = link_hash


def close(table: Table) -> None:
    """Close a table to its scorers; one that is closed stays as it is."""
    table.closed_at = table.closed_at or now()
