"""Photos of confirmed hands, labelled with what was read and answered, to teach the networks.

Only photos of tables that lend them (`Store.lenders`: none until its scorers say so). A pile counts
once its hand is confirmed, if the camera saw each of its cards: then the name of every box is
known. The folder that is written is read by `vision.evaluate` and trained on by
`training.learn`. It names no table and no player.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.errors import ScoringError
from store import PhotoGoneError, Store
from table.draft import Draft
from table.seen import NOT_HERE, Seen
from vision.evaluate import LABEL_FILES
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


def write(store: Store, folder: Path) -> Lent:
    """Writes the photos of all tables that lend them into a folder, with labels.json.

    A photo that lies there goes on to do so when the store deletes its own; it goes when its table
    takes its word back, or its hand is mended so that not every card is known any more.

    Raises:
        LentFolderError: The folder cannot be written, or holds other labels.
        StoreError: The database does not answer.
    """
    labels: dict[str, Any] = {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _check(folder)
        for draft in _known_piles(store):
            for number in draft.photos:
                file = folder / NAME.format(number)
                with suppress(PhotoGoneError):
                    file.write_bytes(store.photo(number))
                if file.exists():
                    own = [seen for seen in draft.seen if seen.photo == number]
                    labels[file.name] = _label(own, file)
        for file in folder.glob(NAME.format("*")):
            if file.name not in labels:
                file.unlink()
        told = json.dumps({"photos": labels}, indent=1)
        (folder / LABEL_FILES[0]).write_text(told, encoding="utf-8")
    except OSError as error:
        raise LentFolderError(folder, error.strerror or "it cannot be written") from error
    boxes = [box for label in labels.values() for box in label["boxes"]]
    corrected = sum(box["corrected"] for box in boxes)
    return Lent(photos=len(labels), cards=len(boxes), corrected=corrected)


def _check(folder: Path) -> None:
    """Refuses a folder that holds other labels."""
    file = folder / LABEL_FILES[0]
    if not file.exists():
        return
    try:
        labels = json.loads(file.read_text(encoding="utf-8"))["photos"].values()
        is_ours = all(label["layout"] == LENT for label in labels)
    except (ValueError, KeyError, TypeError, AttributeError):
        is_ours = False
    if not is_ours:
        raise LentFolderError(folder, "it holds other labels than those of lent photos")


def _known_piles(store: Store) -> Iterator[Draft]:
    """The piles of all confirmed hands of the tables that lend, of which every card was seen."""
    for code in store.lenders():
        for match in store.matches_of(code):
            for hand in match.hands:
                rows = store.drafts(code, match_no=match.match_no, hand_no=hand.hand_no)
                for row in rows:
                    draft = Draft.from_dict(row.draft)
                    pile = hand.facts.sides[row.side].pile
                    if _is_known(draft, {card.code for card in pile}):
                        yield draft


def _is_known(draft: Draft, confirmed: set[str]) -> bool:
    """Whether the camera saw just the cards that were confirmed.

    A card that was read for certain and taken out of the pile may lie on the photo all the same.
    """
    seen = {one.code for one in draft.seen if one.code is not None}
    taken_out = (one for one in draft.seen if one.answer == NOT_HERE and not one.doubtful)
    return seen == confirmed and not any(taken_out) and not any(one.is_unread for one in draft.seen)


def _label(seen: Sequence[Seen], file: Path) -> dict[str, Any]:
    """What labels.json says of a photo."""
    width, height = open_photo(file).size_wh
    boxes = []
    for one in seen:
        card = one.code or (one.guess if one.answer is None else None)
        if card is not None:
            x, y = zip(*one.corners, strict=True)
            xyxy = (width * min(x), height * min(y), width * max(x), height * max(y))
            boxes.append({"xyxy": xyxy, "card": card, "corrected": one.answer is not None})
    return {"cards": [box["card"] for box in boxes], "boxes": boxes, "layout": LENT}
