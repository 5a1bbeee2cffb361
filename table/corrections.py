"""Photos of confirmed hands, labelled with what was read and answered, to teach the networks.

Only photos of tables that lend them (`Store.lenders`: none until its scorers say so). A pile counts
once its hand is confirmed, if the camera saw each of its cards: then the name of every box is
known. The folder that is written is read by `vision.evaluate` and trained on by
`vision.training.learn`. It names no table and no player.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.errors import ScoringError
from table.draft import Draft
from table.seen import NOT_HERE, Seen
from table.store import HandRow, PhotoGoneError, Store
from vision.measuring.labels import LABEL_FILES
from vision.photo import open_photo

LENT = "lent"
"""The `layout` in the label of each photo: a folder whose labels say something else is no folder
of lent photos, and is left alone."""
NAME = "photo-{}.jpg"
"""The name of a photo's file, by its number in the store."""


class LentFolderError(ScoringError):
    """A folder that lent photos cannot be written to."""

    def __init__(self, folder: Path, why: str) -> None:
        super().__init__(f"{folder}: {why}; name another folder.")
        self.folder = folder
        """The folder."""
        self.why = why
        """What is wrong with it."""


@dataclass(frozen=True, kw_only=True)
class Lent:
    """What a folder of lent photos holds."""

    photos: int
    """How many photos."""
    cards: int
    """How many cards are named on them."""
    corrected: int
    """How many of these names somebody gave or set right."""


@dataclass(frozen=True, kw_only=True)
class _Pile:
    """The photos of a pile of which every card was seen."""

    jpegs: Mapping[int, bytes]
    """Those whose pictures the store keeps, by number."""
    seen: Sequence[Seen]
    """The cards on them."""


def write(store: Store, folder: Path) -> Lent:
    """Writes the photos of all tables that lend them into a folder, with labels.json.

    What an earlier call wrote stays, though the store may have deleted the picture since, until the
    table takes its word back.

    Raises:
        LentFolderError: The folder cannot be written, or holds other labels.
        StoreError: The database does not answer.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        labels = _labels(folder)
        lent = {NAME.format(number) for number in _numbers(store)}
        for name in labels.keys() - lent:
            (folder / name).unlink(missing_ok=True)
            del labels[name]
        for pile in _piles(store):
            for number, jpeg in pile.jpegs.items():
                (folder / NAME.format(number)).write_bytes(jpeg)
                own = [seen for seen in pile.seen if seen.photo == number]
                labels[NAME.format(number)] = _label(own, jpeg)
        told = json.dumps({"photos": labels}, indent=1)
        (folder / LABEL_FILES[0]).write_text(told, encoding="utf-8")
    except OSError as error:
        raise LentFolderError(folder, error.strerror or "it cannot be written") from error
    boxes = [box for label in labels.values() for box in label["boxes"]]
    corrected = sum(box["corrected"] for box in boxes)
    return Lent(photos=len(labels), cards=len(boxes), corrected=corrected)


def _labels(folder: Path) -> dict[str, Any]:
    """What an earlier call said of the photos in a folder."""
    file = folder / LABEL_FILES[0]
    if not file.exists():
        return {}
    try:
        labels: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))["photos"]
        if all(label["layout"] == LENT for label in labels.values()):
            return labels
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise LentFolderError(folder, "it holds other labels than those of lent photos")


def _numbers(store: Store) -> Iterator[int]:
    """The numbers of all photos of the tables that lend them."""
    for code in store.lenders():
        for match in store.matches_of(code):
            yield from (photo.id for photo in store.photos(code, match_no=match.match_no))


def _piles(store: Store) -> Iterator[_Pile]:
    """The piles of all confirmed hands of these tables of which every card was seen."""
    for code in store.lenders():
        for match in store.matches_of(code):
            for hand in match.hands:
                yield from _piles_of(store, code, match_no=match.match_no, hand=hand)


def _piles_of(store: Store, code: str, *, match_no: int, hand: HandRow) -> Iterator[_Pile]:
    """The piles of one hand of which every card was seen."""
    for row in store.drafts(code, match_no=match_no, hand_no=hand.hand_no):
        draft = Draft.from_dict(row.draft)
        confirmed = {card.code for card in hand.facts.sides[row.side].pile}
        if _is_known(draft, confirmed):
            yield _Pile(jpegs=dict(_pictures(store, draft.photos)), seen=draft.seen)


def _pictures(store: Store, numbers: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """Those of some photos that the store still keeps."""
    for number in numbers:
        with suppress(PhotoGoneError):
            yield number, store.photo(number)


def _is_known(draft: Draft, confirmed: set[str]) -> bool:
    """Whether the camera saw just the cards that were confirmed.

    A card that was read for certain and taken out of the pile may lie on the photo all the same.
    """
    seen = {one.code for one in draft.seen if one.code is not None}
    taken_out = (one for one in draft.seen if one.answer == NOT_HERE and not one.doubtful)
    return seen == confirmed and not any(taken_out) and not any(one.is_unread for one in draft.seen)


def _label(seen: Sequence[Seen], jpeg: bytes) -> dict[str, Any]:
    """What labels.json says of a photo."""
    width, height = open_photo(jpeg).size_wh
    boxes = []
    for one in seen:
        card = one.code or (one.guess if one.answer is None else None)
        if card is not None:
            x, y = zip(*one.corners, strict=True)
            xyxy = (width * min(x), height * min(y), width * max(x), height * max(y))
            boxes.append({"xyxy": xyxy, "card": card, "corrected": one.answer is not None})
    return {"cards": [box["card"] for box in boxes], "boxes": boxes, "layout": LENT}
