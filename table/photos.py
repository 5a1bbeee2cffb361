"""Photos of a pile in, cards of the pile out. The only module of the table that asks the reader."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from scoring.errors import ScoringError
from store import HandClosedError, MatchClosedError, Store, Upload, log
from store import piles as stored
from table.access import SYSTEM
from table.actions import READ_AGAIN, update_piles
from table.decks import deck_of, learn_cards
from table.pile import Pile
from table.piles import Piles, with_none_absent, with_pile
from table.view import TableView, load_view
from vision.decks.embeddings import Embedder, TaughtDeck
from vision.errors import ModelError
from vision.photo import Photo, open_photo, stored_photo
from vision.reading import Reading, Stage, report_stage


class ReadsPhotos(Embedder, Protocol):
    """What reads photos: `vision.reader.Reader`, or a stand-in."""

    def read_together(
        self, photos: Sequence[Photo], piles: Sequence[int], *, deck: TaughtDeck | None = None
    ) -> Sequence[Reading]:
        """One reading a photo; `piles` says which side's pile each shows."""
        ...


GivesReader = Callable[[], ReadsPhotos]
"""Gives the reader. Loading its networks may raise ModelError, as reading may."""


class NoReaderError(ScoringError):
    """A photo was kept but not read: the networks do not work."""

    def __init__(self, name: str, *, file: str) -> None:
        self.name, self.file = name, file
        super().__init__(f"{name}: expected networks that work, got none from {file}")


class PhotoAgainError(ScoringError):
    """A photo was sent again: it was read again and counts once."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"{name}: expected a new photo, got one that is in the pile already")


def read_upload(
    store: Store, code: str, upload: Upload, *, data: bytes, reader: GivesReader
) -> None:
    """Reads a photo that waited in the queue into its pile.

    Raises:
        HandClosedError, MatchClosedError: Its hand is over.
        PhotoError: The file is no photo.
        NoReaderError: The networks do not work; the photo is in the pile all the same.
        PhotoAgainError: It was in the pile already.
        StoreError: The piles or the photo could not be stored.
    """
    edited = upload.hand_no if upload.is_mending else None
    view = load_view(
        store,
        code,
        credentials=SYSTEM,
        side=upload.side,
        match_no=upload.match_no if upload.is_mending else None,
        hand_no=edited,
    )
    if view.row.match_no != upload.match_no:
        raise MatchClosedError(upload.match_no, current=view.row.match_no)
    if view.hand_no != upload.hand_no:
        raise HandClosedError(upload.hand_no, current=view.hand_no)
    if upload.name == READ_AGAIN:
        reread_photos(store, view, reader=reader)
    else:
        add_photo(store, view, name=upload.name, data=data, reader=reader)


def add_photo(
    store: Store, view: TableView, *, name: str, data: bytes, reader: GivesReader
) -> None:
    """Reads a photo of the pile on the screen into it; raises as `read_upload`.

    The photos already there are read again together with it: a deck holds each card once, so each
    pile tells something of the others.
    """
    report_stage(Stage.OPENING)
    photo = open_photo(data, name=name)
    jpeg = stored_photo(photo.working_bgr)
    learn_cards(store, view)
    readings = _read_together(store, view, reader=reader, photo=photo, jpeg=jpeg)

    with store.write(view.code) as table:
        number = stored.add_photo(
            table,
            jpeg,
            match_no=view.row.match_no,
            hand_no=view.hand_no,
            side=view.side,
            device=view.device,
        )

        def with_photo(piles: Piles) -> Piles:
            piles = tuple(_reread(pile, readings.known) for pile in with_none_absent(piles))
            pile = piles[view.side].add(readings.new or _nothing_read(photo), number)
            return with_pile(piles, view.side, pile)

        match = log.match_numbered(table, view.row.match_no)
        update_piles(table, match, view.hand_no, with_photo, device=view.device)
    if readings.error is not None:
        raise NoReaderError(name, file=readings.error.path.name)
    if number in view.piles[view.side].photos:
        raise PhotoAgainError(name)


def reread_photos(store: Store, view: TableView, *, reader: GivesReader) -> None:
    """Reads all photos of a hand again, since one that told something of the others is gone.

    Raises:
        NoReaderError: The networks do not work.
        StoreError: The piles could not be stored.
    """
    readings = _read_together(store, view, reader=reader)
    with store.write(view.code) as table:
        match = log.match_numbered(table, view.row.match_no)
        update_piles(
            table,
            match,
            view.hand_no,
            lambda piles: tuple(_reread(pile, readings.known) for pile in piles),
        )
    if readings.error is not None:
        raise NoReaderError(READ_AGAIN, file=readings.error.path.name)


@dataclass(frozen=True, kw_only=True)
class _Readings:
    """A new photo and the known photos of a hand, read together."""

    new: Reading | None = None
    known: Mapping[int, Reading]
    """For each photo that was there already, by its number."""
    error: ModelError | None = None


def _read_together(
    store: Store,
    view: TableView,
    *,
    reader: GivesReader,
    photo: Photo | None = None,
    jpeg: bytes = b"",
) -> _Readings:
    """Reads a new photo, where there is one, and again those of the hand that are still stored.

    A photo that is sent again is left out of the known ones: read beside itself it would say
    everything twice.
    """
    with store.reading() as session:
        kept = [
            (side, number, stored.photo(session, number))
            for side, pile in enumerate(view.piles)
            for number in pile.photos
            if stored.is_kept(session, number)
        ]
    known = [(side, number, open_photo(data, name=str(number)))
             for side, number, data in kept if data != jpeg]  # fmt: skip
    photos = [*([] if photo is None else [photo]), *(one for *_, one in known)]
    piles = [*([] if photo is None else [view.side]), *(side for side, *_ in known)]
    try:
        deck = deck_of(store, view.table, reader=reader)
        readings = list(reader().read_together(photos, piles, deck=deck))
    except ModelError as error:
        return _Readings(known={}, error=error)
    new = None if photo is None else readings.pop(0)
    numbers = (number for _, number, _ in known)
    return _Readings(new=new, known=dict(zip(numbers, readings, strict=True)))


def _nothing_read(photo: Photo) -> Reading:
    return Reading(photo.name, photo.size_wh, (), ())


def _reread(pile: Pile, readings: Mapping[int, Reading]) -> Pile:
    for photo in pile.photos:
        if photo in readings:
            pile = pile.reread(readings[photo], photo)
    return pile
