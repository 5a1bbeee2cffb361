"""Photos of a pile in, a draft of it out. The only module that asks the reader."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2

from screens import state
from screens.words import say, why
from table.draft import Draft
from table.piles import given, with_none_absent
from table.sitting import Piles, Sitting, change
from vision.errors import ModelError, PhotoError
from vision.photo import Photo, Pixels, open_photo
from vision.reading import Reading

EVIDENCE_PX = 1600
"""Long side of the photo that is kept: enough to look at each card again, small for the disk."""

EVIDENCE_QUALITY = 82
"""JPEG quality of the photo that is kept."""


@dataclass(frozen=True)
class Upload:
    """A file as a phone sent it."""

    name: str
    """Its name."""
    data: bytes
    """Its bytes."""


def take_in(sitting: Sitting, uploads: Sequence[Upload]) -> tuple[str, ...]:
    """Reads photos of the pile on the screen into its draft; gives a sentence for each that failed.

    The photos already there are looked at again together with these: a deck holds each card once,
    so each pile tells something of the others.

    Raises:
        StoreError: The draft or a photo could not be kept.
    """
    photos, troubles = _opened(uploads)
    if not photos:
        return troubles
    readings, again = _read(sitting, photos)
    kept = [_keep(sitting, photo) for photo in photos]
    if not set(kept).isdisjoint(sitting.piles[sitting.side].photos):
        state.tell(say("photo_again"))

    def told(piles: Piles) -> Piles:
        piles = tuple(_reread(draft, again) for draft in with_none_absent(piles))
        return given(
            piles, sitting.side, draft=_with_readings(piles[sitting.side], readings, kept=kept)
        )

    change(sitting, told)
    return troubles


def drop(sitting: Sitting, photo: int) -> None:
    """Takes a photo of the pile on the screen out of its draft, and what was seen on it.

    What it told of the other photos goes with it: they are looked at again without it.

    Raises:
        StoreError: The drafts could not be kept.
    """
    _, again = _read(sitting, (), without=photo)

    def left(piles: Piles) -> Piles:
        fewer = piles[sitting.side].without_photo(photo)
        return tuple(_reread(one, again) for one in given(piles, sitting.side, draft=fewer))

    change(sitting, left)


def _opened(uploads: Sequence[Upload]) -> tuple[list[Photo], tuple[str, ...]]:
    photos, troubles = [], []
    for upload in uploads:
        try:
            photos.append(open_photo(upload.data, name=upload.name))
        except PhotoError as error:
            troubles.append(say("photo_failed", why=why(error)))
    return photos, tuple(troubles)


def _read(
    sitting: Sitting, photos: Sequence[Photo], *, without: int | None = None
) -> tuple[list[Reading], dict[int, Reading]]:
    """The readings of new photos, and of those already there by their numbers.

    A photo sent again is new: read beside itself it would say everything twice. Without networks
    that work, which is said, the new ones show nothing and no other is read.
    """
    sent = {evidence(photo.working_bgr) for photo in photos}
    kept = [
        (side, number, state.store().photo(number))
        for side, draft in enumerate(sitting.piles)
        for number in draft.photos
        if number != without
    ]
    known = [(s, open_photo(jpeg, name=str(n))) for s, n, jpeg in kept if jpeg not in sent]
    together = [*photos, *(photo for _, photo in known)]
    piles = [*[sitting.side] * len(photos), *(side for side, _ in known)]
    try:
        readings = state.reader().read_together(together, piles)
    except ModelError as error:
        state.complain(say("no_reader", why=why(error)))
        return [Reading(photo.name, photo.size_wh, (), ()) for photo in photos], {}
    numbers = (int(photo.name) for _, photo in known)
    return readings[: len(photos)], dict(zip(numbers, readings[len(photos) :], strict=True))


def _reread(draft: Draft, readings: Mapping[int, Reading]) -> Draft:
    for photo in draft.photos:
        if photo in readings:
            draft = draft.reread(readings[photo], photo)
    return draft


def _keep(sitting: Sitting, photo: Photo) -> int:
    jpeg = evidence(photo.working_bgr)
    return state.store().put_photo(
        sitting.table,
        jpeg,
        match_no=sitting.row.match_no,
        hand_no=sitting.hand_no,
        side=sitting.side,
        device=sitting.device,
    )


def _with_readings(draft: Draft, readings: Sequence[Reading], *, kept: Sequence[int]) -> Draft:
    for reading, photo in zip(readings, kept, strict=True):
        draft = draft.with_reading(reading, photo)
    return draft


def evidence(image_bgr: Pixels) -> bytes:
    """Gives a picture as the small JPEG that is kept and shown."""
    height, width = image_bgr.shape[:2]
    scale = min(1.0, EVIDENCE_PX / max(height, width))
    if scale < 1.0:
        size_wh = (math.ceil(width * scale), math.ceil(height * scale))
        image_bgr = cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    _, coded = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, EVIDENCE_QUALITY])
    return coded.tobytes()
