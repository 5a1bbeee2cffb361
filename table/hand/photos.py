"""Reading photos into piles. The only module of the table that uses the reader."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from scoring.errors import ScoringError
from store import HandClosedError, MatchClosedError, Store, Upload, log
from store import piles as stored
from table.access import SYSTEM
from table.hand.pile import Pile
from table.hand.piles import Piles, with_none_absent, with_pile
from table.registry import READ_AGAIN, update_piles
from table.view import TableView, load_view
from vision.errors import ModelError
from vision.photo import Photo, open_photo, stored_photo
from vision.reading import Reading, Stage, report_stage


class ReadsPhotos(Protocol):
    """A reader of photos: `vision.reader.Reader`, or a stand-in."""

    def open_photo(self, data: bytes, name: str = "photo") -> Photo:
        """Return a file as a photo; raises as `vision.photo.open_photo`."""
        ...

    def read_together(self, photos: Sequence[Photo], piles: Sequence[int]) -> Sequence[Reading]:
        """Return a reading for each photo; `piles` has the side of each photo's pile."""
        ...


GivesReader = Callable[[], ReadsPhotos]
"""Returns the reader, which loads its networks when it first reads."""


@dataclass(eq=False)
class NoReaderError(ScoringError):
    """A photo was stored but not read: the networks do not work."""

    message = "{name}: expected networks that work, got none from {file}"
    name: str
    file: str


@dataclass(eq=False)
class PhotoAgainError(ScoringError):
    """A photo was sent again: it was read again and counts once."""

    message = "{name}: expected a new photo, got one that is in the pile already"
    name: str


def read_upload(
    store: Store, code: str, upload: Upload, *, data: bytes, reader: GivesReader
) -> None:
    """Read a photo from the queue into its pile.

    Raises:
        HandClosedError, MatchClosedError: The hand of the photo is over.
        PhotoError: The file is no photo.
        NoReaderError: The networks do not work. The photo is in the pile nevertheless.
        PhotoAgainError: The photo was in the pile already.
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
    """Read a photo into the pile on the screen; raises as `read_upload`.

    The photos of the hand are read again together with it: a deck holds each card once, so each
    pile limits the others.
    """
    report_stage(Stage.OPENING)
    photo = reader().open_photo(data, name)
    jpeg = stored_photo(photo.working_bgr)
    known = {
        number: (side, open_photo(stored_jpeg, name=str(number)))
        for number, (side, stored_jpeg) in _stored_photos(store, view).items()
        if stored_jpeg != jpeg  # the same photo sent again would show each card twice
    }
    sides = [view.side, *(side for side, _ in known.values())]
    photos = [photo, *(one for _, one in known.values())]
    error = None
    try:
        new, *again = reader().read_together(photos, sides)
    except ModelError as raised:
        error, new, again = raised, Reading(photo.name, photo.size_wh, (), ()), []
    readings = dict(zip(known, again, strict=False))

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
            piles = tuple(_reread(pile, readings) for pile in with_none_absent(piles))
            return with_pile(piles, view.side, piles[view.side].add(new, number))

        match = log.match_numbered(table, view.row.match_no)
        update_piles(table, match, view.hand_no, with_photo, device=view.device)
    if error is not None:
        raise NoReaderError(name, error.path.name)
    if number in view.piles[view.side].photos:
        raise PhotoAgainError(name)


def reread_photos(store: Store, view: TableView, *, reader: GivesReader) -> None:
    """Read all photos of a hand again, since one that was read together with them was removed.

    Raises:
        NoReaderError: The networks do not work.
        StoreError: The piles could not be stored.
    """
    known = _stored_photos(store, view)
    photos = [open_photo(jpeg, name=str(number)) for number, (_, jpeg) in known.items()]
    try:
        read = reader().read_together(photos, [side for side, _ in known.values()])
    except ModelError as error:
        raise NoReaderError(READ_AGAIN, error.path.name) from error
    readings = dict(zip(known, read, strict=True))
    with store.write(view.code) as table:
        match = log.match_numbered(table, view.row.match_no)
        update_piles(
            table,
            match,
            view.hand_no,
            lambda piles: tuple(_reread(pile, readings) for pile in piles),
        )


def _stored_photos(store: Store, view: TableView) -> dict[int, tuple[int, bytes]]:
    """Return the side and the file of each stored photo of a hand, by its number."""
    with store.reading() as session:
        return {
            number: (side, stored.photo(session, number))
            for side, pile in enumerate(view.piles)
            for number in pile.photos
            if stored.is_kept(session, number)
        }


def _reread(pile: Pile, readings: Mapping[int, Reading]) -> Pile:
    for photo in pile.photos:
        if photo in readings:
            pile = pile.reread(readings[photo], photo)
    return pile
