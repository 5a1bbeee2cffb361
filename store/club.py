"""What a club keeps beside the matches: rules of its own, who played there, how tables look."""

from collections.abc import Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from scoring.presets import read_rules
from scoring.rules import Rules
from store.database import Store as Database
from store.models import HouseRulesRecord, MatchRecord, SideRecord, TableRecord, now
from store.rows import SAMPLE, Drawing
from store.season import of_tables
from store.tables import TableRef, clean_code


class Club:
    """The part of the store that knows the club."""

    def __init__(self, transactions: Database) -> None:
        self._in = transactions

    def house_rules(self) -> dict[str, Rules]:
        """The rules of the house's own by name, oldest first."""
        asked = select(HouseRulesRecord).order_by(HouseRulesRecord.made_at)
        with self._in.reading() as session:
            return {record.name: read_rules(record.rules) for record in session.scalars(asked)}

    def keep_rules(self, rules: Rules) -> None:
        """Keeps rules of the house's own by their name, in place of those of that name."""
        with self._in.writing() as session:
            _forget_rules(session, rules.name)
            session.add(HouseRulesRecord(name=rules.name, rules=rules.to_dict()))

    def forget_rules(self, name: str) -> None:
        """Offers such rules no more; matches opened with them keep them."""
        with self._in.writing() as session:
            _forget_rules(session, name)

    def names(self, codes: Sequence[str] | None = None, *, most: int) -> tuple[str, ...]:
        """The names of sides at some tables or at all, those that played last first.

        Tables to try the app with are left out.

        >>> from store import Store
        >>> store = Store("sqlite://")
        >>> for names in (("Anna", "Bruno"), ("Carla", "Anna")):
        ...     _ = store.open_table(names, Rules())
        >>> store.names(most=2)
        ('Anna', 'Carla')
        """
        asked = (
            select(SideRecord.name)
            .join(MatchRecord, MatchRecord.id == SideRecord.match_id)
            .join(TableRecord, TableRecord.id == MatchRecord.table_id)
            .where(of_tables(codes), MatchRecord.rules["name"].as_string() != SAMPLE)
            .group_by(SideRecord.name)
            .order_by(func.max(MatchRecord.id).desc(), SideRecord.name)
            .limit(most)
        )
        with self._in.reading() as session:
            return tuple(session.scalars(asked))

    def drawing_of(self, code: str) -> Drawing:
        """The cards that the screens of a table show; the Italian ones where there is no such."""
        asked = select(TableRecord.drawing).where(TableRecord.code == clean_code(code))
        with self._in.reading() as session:
            return Drawing(session.scalar(asked) or Drawing.ITALIAN)

    def put_drawing(self, table: TableRef, drawing: Drawing) -> None:
        """Shows other cards on the screens of a table."""
        with self._in.write(table) as record:
            record.drawing = drawing

    def put_lending(self, table: TableRef, *, lends: bool) -> None:
        """Says whether the photos of a table may teach the networks."""
        with self._in.write(table) as record:
            record.lends_photos = lends

    def lenders(self) -> tuple[str, ...]:
        """The codes of the tables whose photos may teach the networks, oldest first."""
        asked = select(TableRecord.code).where(TableRecord.lends_photos).order_by(TableRecord.id)
        with self._in.reading() as session:
            return tuple(session.scalars(asked))

    def close_table(self, table: TableRef) -> None:
        """Closes a table; one that is closed stays as it is."""
        with self._in.write(table) as record:
            record.closed_at = record.closed_at or now()

    def open_again(self, table: TableRef) -> None:
        """Opens a closed table again."""
        with self._in.write(table) as record:
            record.closed_at = None


def _forget_rules(session: Session, name: str) -> None:
    session.execute(delete(HouseRulesRecord).where(HouseRulesRecord.name == name))
