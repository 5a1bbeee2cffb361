"""Photos of a pile in, a draft of it out. The only module of the app that asks the reader."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from store import Store
from table.commands import change
from table.decks import faces_at, learn
from table.draft import Draft
from table.piles import Piles, given, with_none_absent
from table.roles import by_scorers
from table.sitting import Sitting
from vision.decks.embeddings import Embedder, TaughtDeck
from vision.errors import ModelError, PhotoError
from vision.photo import Photo, open_photo, stored_photo
from vision.reading import Reading, Stage, report_stage


class ReadsTogether(Embedder, Protocol):
    """What reads photos: `vision.reader.Reader`, or a stand-in."""

    def read_together(
        self, photos: Sequence[Photo], piles: Sequence[int], *, deck: TaughtDeck | None = None
    ) -> Sequence[Reading]:
        """One reading a photo; `piles` says which side's pile each shows, `deck` the deck."""
        ...


GivesReader = Callable[[], ReadsTogether]
"""Gives the reader. Loading its networks may raise ModelError, as reading may."""


@dataclass(frozen=True)
class Upload:
    """A file as a phone sent it."""

    name: str
    data: bytes


@dataclass(frozen=True, kw_only=True)
class TakenIn:
    """What became of some uploads."""

    refused: tuple[PhotoError, ...] = ()
    """Why each file that is no photo was refused; the others were kept."""
    no_reader: ModelError | None = None
    """Why nothing could be read, where the networks do not work; the photos were kept."""
    came_again: bool = False
    """A photo was sent again: it was read anew and counts once."""


@dataclass(frozen=True)
class _NewPhoto:
    """A photo that came now."""

    photo: Photo
    jpeg: bytes
    """The small JPEG that is kept of it."""


@by_scorers
def take_in(
    store: Store, sitting: Sitting, *, uploads: Sequence[Upload], reader: GivesReader
) -> TakenIn:
    """Reads photos of the pile on the screen into its draft.

    The photos already there are looked at again together with these: a deck holds each card once,
    so each pile tells something of the others.

    Raises:
        StoreError: The draft or a photo could not be kept.
    """
    photos, refused = _opened(uploads)
    if not photos:
        return TakenIn(refused=refused)
    learn(store, sitting)
    together = _read(store, sitting, photos=photos, reader=reader)
    numbers = [_keep(store, sitting, jpeg=new.jpeg) for new in photos]
    came_again = not set(numbers).isdisjoint(sitting.piles[sitting.side].photos)

    def with_photos(piles: Piles) -> Piles:
        piles = tuple(_reread(draft, together.known) for draft in with_none_absent(piles))
        draft = piles[sitting.side]
        for reading, number in zip(together.new, numbers, strict=True):
            draft = draft.with_reading(reading, number)
        return given(piles, sitting.side, draft=draft)

    change(store, sitting, how=with_photos)
    return TakenIn(refused=refused, no_reader=together.no_reader, came_again=came_again)


@by_scorers
def read_again(store: Store, sitting: Sitting, *, reader: GivesReader) -> TakenIn:
    """Reads all photos of a hand anew, since one that told something of the others is gone.

    Raises:
        StoreError: The drafts could not be kept.
    """
    together = _read(store, sitting, photos=(), reader=reader)

    def anew(piles: Piles) -> Piles:
        return tuple(_reread(draft, together.known) for draft in piles)

    change(store, sitting, how=anew)
    return TakenIn(no_reader=together.no_reader)


def _opened(uploads: Sequence[Upload]) -> tuple[list[_NewPhoto], tuple[PhotoError, ...]]:
    """The uploads that are photos, and why the others are none."""
    photos, refused = [], []
    report_stage(Stage.OPENING)
    for upload in uploads:
        try:
            photo = open_photo(upload.data, name=upload.name)
        except PhotoError as error:
            refused.append(error)
        else:
            photos.append(_NewPhoto(photo, stored_photo(photo.working_bgr)))
    return photos, tuple(refused)


@dataclass(frozen=True, kw_only=True)
class _Readings:
    """New and known photos of a hand, read together."""

    new: Sequence[Reading] = ()
    """One for each new photo, in their order."""
    known: Mapping[int, Reading]
    """For each photo that was there already, by its number."""
    no_reader: ModelError | None = None


def _read(
    store: Store,
    sitting: Sitting,
    *,
    photos: Sequence[_NewPhoto],
    reader: GivesReader,
) -> _Readings:
    """The readings of new photos, and anew of those already there.

    A photo sent again is new: read beside itself it would say everything twice. Without networks
    that work the new ones show nothing, and no other is read. What was seen on a photo that
    was deleted stands as it is.
    """
    sent = {new.jpeg for new in photos}
    kept = [
        (side, number, store.photo(number))
        for side, draft in enumerate(sitting.piles)
        for number in draft.photos
        if store.evidence.is_kept(number)
    ]
    known = [(s, open_photo(jpeg, name=str(n))) for s, n, jpeg in kept if jpeg not in sent]
    together = [*(new.photo for new in photos), *(photo for _, photo in known)]
    piles = [*[sitting.side] * len(photos), *(side for side, _ in known)]
    try:
        deck = faces_at(store, sitting.table, reader=reader)
        readings = reader().read_together(together, piles, deck=deck)
    except ModelError as error:
        nothing = [Reading(new.photo.name, new.photo.size_wh, (), ()) for new in photos]
        return _Readings(new=nothing, known={}, no_reader=error)
    numbers = (int(photo.name) for _, photo in known)
    again = dict(zip(numbers, readings[len(photos) :], strict=True))
    return _Readings(new=readings[: len(photos)], known=again)


def _reread(draft: Draft, readings: Mapping[int, Reading]) -> Draft:
    """The draft with those of its photos read anew of which there is a reading."""
    for photo in draft.photos:
        if photo in readings:
            draft = draft.reread(readings[photo], photo)
    return draft


def _keep(store: Store, sitting: Sitting, *, jpeg: bytes) -> int:
    """Keeps the JPEG of a photo of the pile on the screen and gives its number."""
    return store.put_photo(
        sitting.table,
        jpeg,
        match_no=sitting.row.match_no,
        hand_no=sitting.hand_no,
        side=sitting.side,
        device=sitting.device,
    )
