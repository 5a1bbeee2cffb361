"""Photos of confirmed hands, labelled with what was read and answered, to train the networks.

Only photos of tables whose scorers consented (`actions.share_photos`). A pile counts
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
from store import PhotoGoneError, Store, club, log, piles
from table.pile import NOT_A_CARD, Pile, PileCard
from vision.evaluate import LABEL_FILES
from vision.photo import open_photo

LENT = "lent"
"""The `layout` in the label of each photo: a folder whose labels say something else is no folder
of shared photos, and is left alone."""
NAME = "photo-{}.jpg"
"""The name of a photo's file, by its number in the store."""


@dataclass(eq=False)
class SharedFolderError(ScoringError):
    """A folder that shared photos cannot be written to."""

    message = "{folder}: {why}; name another folder."
    folder: Path
    why: str


@dataclass(frozen=True, kw_only=True)
class Exported:
    """What a folder of shared photos holds."""

    photos: int
    cards: int
    """Cards that are named on them."""
    corrected: int
    """Names that somebody gave or set right."""


def export(store: Store, folder: Path) -> Exported:
    """Writes the photos of all tables that consented into a folder, with labels.json.

    A photo in the folder stays when the store deletes its own; it is deleted when its table
    withdraws the consent, or its hand is edited so that not every card is known any more.

    Raises:
        SharedFolderError: The folder cannot be written, or holds other labels.
        StoreError: The database does not answer.
    """
    labels: dict[str, Any] = {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _check(folder)
        for pile in _known_piles(store):
            for number in pile.photos:
                file = folder / NAME.format(number)
                with suppress(PhotoGoneError), store.reading() as session:
                    file.write_bytes(piles.photo(session, number))
                if file.exists():
                    cards = [card for card in pile.detected if card.photo == number]
                    labels[file.name] = _label(cards, file)
        for file in folder.glob(NAME.format("*")):
            if file.name not in labels:
                file.unlink()
        text = json.dumps({"photos": labels}, indent=1)
        (folder / LABEL_FILES[0]).write_text(text, encoding="utf-8")
    except OSError as error:
        raise SharedFolderError(folder, error.strerror or "it cannot be written") from error
    boxes = [box for label in labels.values() for box in label["boxes"]]
    corrected = sum(box["corrected"] for box in boxes)
    return Exported(photos=len(labels), cards=len(boxes), corrected=corrected)


def _check(folder: Path) -> None:
    file = folder / LABEL_FILES[0]
    if not file.exists():
        return
    try:
        labels = json.loads(file.read_text(encoding="utf-8"))["photos"].values()
        is_ours = all(label["layout"] == LENT for label in labels)
    except (ValueError, KeyError, TypeError, AttributeError):
        is_ours = False
    if not is_ours:
        raise SharedFolderError(folder, "it holds other labels than those of shared photos")


def _known_piles(store: Store) -> Iterator[Pile]:
    """The piles of all confirmed hands of tables that consented, of which every card was read."""
    with store.reading() as session:
        codes = club.sharing_codes(session)
    for code in codes:
        with store.read(code) as table:
            hands = [
                (hand, piles.drafts(table, match_no=state.match_no, hand_no=hand.hand_no))
                for state in log.match_states(table)
                for hand in state.hands
            ]
        for hand, drafts in hands:
            if any(side.counted for side in hand.facts.sides):
                continue  # nobody has seen that the cards add up
            for draft in drafts:
                pile = Pile.from_dict(draft.draft)
                confirmed = hand.facts.sides[draft.side].pile
                if _is_known(pile, {card.code for card in confirmed}):
                    yield pile


def _is_known(pile: Pile, confirmed: set[str]) -> bool:
    """Whether just the cards were read that were confirmed.

    A card that was read for certain and taken out of the pile may lie on the photo all the same.
    """
    read = {card.code for card in pile.detected if card.code is not None}
    taken_out = any(card.answer == NOT_A_CARD and not card.doubtful for card in pile.detected)
    return read == confirmed and not taken_out and not pile.unread


def _label(cards: Sequence[PileCard], file: Path) -> dict[str, Any]:
    width, height = open_photo(file).size_wh
    boxes = []
    for card in cards:
        name = card.code or (card.guess if card.answer is None else None)
        if name is not None:
            x, y = zip(*card.corners, strict=True)
            xyxy = (width * min(x), height * min(y), width * max(x), height * max(y))
            boxes.append({"xyxy": xyxy, "card": name, "corrected": card.answer is not None})
    return {"cards": [box["card"] for box in boxes], "boxes": boxes, "layout": LENT}
