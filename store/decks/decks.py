"""The decks of a house, one method for each thing that is kept or asked for."""

from collections.abc import Mapping, Sequence
from typing import Any

from store.decks import keeping
from store.decks.rows import DeckPhotoRow, DeckRow, Seat, TaughtCard, ViewRow
from store.schema import session_of
from store.tables import TableRef
from store.transactions import Transactions


class Decks:
    """The decks that tables have taught. Each method is one transaction, as those of `Store`.

    What changes a deck names the table that does so, whose screens then hear of it.
    """

    def __init__(self, transactions: Transactions) -> None:
        self._in = transactions

    def begin(self, table: TableRef, *, key: str, device: str = "") -> DeckRow:
        """Begins a deck of a table; the same key again gives the same deck."""
        with self._in.taking(table) as record:
            return keeping.begin(record, key=key, device=device)

    def deck(self, deck: int) -> DeckRow:
        """A deck, without its cards; raises UnknownPlaceError."""
        with self._in.reading() as session:
            return keeping.row(session, deck)

    def offered(self) -> tuple[DeckRow, ...]:
        """The decks that every table may choose, oldest first."""
        with self._in.reading() as session:
            return keeping.offered(session)

    def unfinished(self, table: TableRef) -> DeckRow | None:
        """The deck that a table is teaching."""
        with self._in.looking(table) as record:
            return keeping.unfinished(record)

    def put_photo(self, table: TableRef, data: bytes, *, deck: int, key: str, name: str) -> int:
        """Keeps a photo of a deck until it is read, once, and gives its number."""
        with self._in.taking(table) as record:
            session = session_of(record)
            return keeping.put_photo(session, data, deck=deck, key=key, name=name)

    def waiting(self, deck: int) -> tuple[DeckPhotoRow, bytes] | None:
        """The photo of a deck that has waited longest, with its bytes."""
        with self._in.reading() as session:
            return keeping.waiting(session, deck)

    def settle_photo(
        self,
        table: TableRef,
        photo: int,
        *,
        cards: Sequence[TaughtCard] = (),
        refusal: Mapping[str, Any] | None = None,
    ) -> None:
        """Keeps the cards that a photo shows, or why it was refused; its bytes are deleted."""
        with self._in.taking(table) as record:
            session = session_of(record)
            keeping.settle(session, photo, cards=cards, refusal=refusal)

    def add_views(self, table: TableRef, cards: Sequence[TaughtCard], *, deck: int) -> None:
        """Keeps cards of a deck that come from no photo of it, each once."""
        with self._in.taking(table) as record:
            keeping.add_views(session_of(record), cards, deck=deck)

    def photos(self, deck: int) -> tuple[DeckPhotoRow, ...]:
        """The photos of a deck, as they came."""
        with self._in.reading() as session:
            return keeping.photos(session, deck)

    def views(self, deck: int) -> tuple[ViewRow, ...]:
        """The cards of a deck as they were seen, photo by photo, row by row."""
        with self._in.reading() as session:
            return keeping.views(session, deck)

    def name_view(self, table: TableRef, view: int, *, deck: int, code: str | None) -> None:
        """Says which card a view shows; None takes it out, a card brings it back."""
        with self._in.taking(table) as record:
            keeping.name_view(session_of(record), view, deck=deck, code=code)

    def drop_photo(self, table: TableRef, photo: int, *, deck: int) -> None:
        """Takes a photo out of a deck, and all cards that it shows."""
        with self._in.taking(table) as record:
            keeping.drop_photo(session_of(record), photo, deck=deck)

    def drop_learnt(self, table: TableRef, *, deck: int, start: str) -> int:
        """Takes out the cards of a deck whose key begins so; gives how many it were."""
        with self._in.taking(table) as record:
            return keeping.drop_learnt(session_of(record), deck, start=start)

    def keep(self, table: TableRef, *, deck: int, name: str) -> None:
        """Gives a deck its name, or another one: from then on it is offered."""
        with self._in.taking(table) as record:
            keeping.keep(session_of(record), deck, name=name)

    def forget(self, table: TableRef, *, deck: int) -> None:
        """Offers a deck no more and deletes its pictures; tables that chose it have none."""
        with self._in.taking(table) as record:
            keeping.forget(session_of(record), deck)

    def sit_down(self, table: TableRef, deck: int | None, *, learns: bool = False) -> None:
        """Says which deck a table plays with, and whether it learns; None: none that was taught."""
        with self._in.taking(table) as record:
            keeping.sit_down(record, deck, learns=learns)

    def seat(self, table: TableRef) -> Seat | None:
        """The deck that a table plays with."""
        with self._in.looking(table) as record:
            return keeping.seat(record)
