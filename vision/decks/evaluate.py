"""`python -m vision.decks.evaluate FOLDER...`: what a taught deck is good for.

A folder holds labelled photos of piles (`vision.evaluate`) whose labels name the deck, and
a folder `teaching` with labelled photos of those decks laid out, boxes included. Each deck is
taught as a person would teach it: what a photo's cards are taken for is mended by the labels, and
the cards mended are counted as taps. Then every pile is read without the deck and with it, in turn,
so that the two times can be compared.

Of each deck and of all are printed: cards right, asked about, wrong, and wrong without being asked
about, without the deck and with it.
"""

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from scoring.command_line import Parser, run_command
from vision.decks.embeddings import TaughtDeck
from vision.decks.enrol import laid_out
from vision.decks.references import Reference
from vision.errors import LabelError, VisionError
from vision.evaluate import Labelled, Marks, mark_reading, read_labels, summary
from vision.photo import Photo, open_photo
from vision.reader import MODELS, Reader
from vision.reading import CLASSES, DECK_SIZE, Corners

TEACHING = "teaching"
"""The folder with the decks laid out."""
NEAR = 0.5
"""A laid card is the labelled one whose middle is no farther than this from its own, in short sides
of its box."""


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A deck that was taught for an evaluation."""

    views: tuple[Reference, ...]
    deck: TaughtDeck
    """The deck of these views."""
    taps: int
    """Cards whose name had to be mended or confirmed."""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """One photo read without a deck and with it."""

    without: Marks
    taught: Marks
    seconds: tuple[float, float]
    """How long it took without, and with."""


def lesson(photos: Sequence[Labelled], reader: Reader) -> Lesson:
    """Teaches a deck by labelled photos of it."""
    views: list[Reference] = []
    taps = 0
    for labelled in photos:
        for card in laid_out(open_photo(labelled.path), reader):
            truth = _truth(card.corners, labelled)
            if truth in CLASSES[:DECK_SIZE] and not card.is_covered:
                views.append((truth, card.view))
                taps += not card.is_sure or card.guess != truth
    return Lesson(views=tuple(views), deck=TaughtDeck.from_references(views, reader), taps=taps)


def compare(labelled: Labelled, reader: Reader, *, deck: TaughtDeck) -> Compared:
    """Reads one photo without a deck and with it."""
    marks, seconds = [], []
    for known in (None, deck):
        photo = open_photo(labelled.path)  # again: a photo keeps what was decoded and made smaller
        began = time.perf_counter()
        reading = reader.read(_with_whole(photo), deck=known)
        seconds.append(time.perf_counter() - began)
        marks.append(mark_reading(reading, labelled.cards, boxes=labelled.boxes))
    return Compared(without=marks[0], taught=marks[1], seconds=(seconds[0], seconds[1]))


def report(folder: Path, reader: Reader) -> dict[str, dict[str, Any]]:
    """The figures of each deck of a folder and of all together."""
    piles = _by_deck(read_labels(folder))
    laid = _by_deck(read_labels(folder / TEACHING))
    rows: dict[str, dict[str, Any]] = {}
    compared: list[Compared] = []
    taps = 0
    for name, photos in piles.items():
        if name not in laid:
            raise LabelError(folder / TEACHING, f"no photo of {name}")
        learnt = lesson(laid[name], reader)
        own = [compare(one, reader, deck=learnt.deck) for one in photos]
        rows[name] = _row(own, taps=learnt.taps) | {"missing": len(learnt.deck.missing)}
        compared += own
        taps += learnt.taps
    rows["together"] = _row(compared, taps=taps)
    return rows


def as_text(rows: dict[str, dict[str, Any]]) -> str:
    """The figures as a table; a pair of numbers stands for without the deck, and with it."""
    head = f"{'deck':34} cards  right          asked        wrong      unasked  time  taps"
    lines = [head]
    for name, row in rows.items():
        one, other = row["without"], row["taught"]
        pairs = [f"{one[key]:6.2%} {other[key]:6.2%}" for key in ("right", "asked")]
        counts = [f"{one[key]:4} {other[key]:4}" for key in ("wrong", "slipped")]
        lines.append(
            f"{name[:34]:34} {one['cards']:5}  {pairs[0]}  {pairs[1]}  {counts[0]}  {counts[1]}"
            f"  x{row['times']:.2f}  {row['taps']:4}"
        )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluate the folders named on the command line; 0 when it worked, 2 on bad input."""
    parser = Parser(prog="python -m vision.decks.evaluate", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    parser.add_argument("--models", type=Path, default=MODELS, metavar="DIR")
    return run_command(parser, _answer, arguments=arguments, refused=(VisionError, OSError))


def _answer(options: argparse.Namespace) -> str:
    reader = Reader(options.models)
    reader.load()
    reports = {one.name: report(one, reader) for one in options.folders}
    if options.json:
        return json.dumps(reports, indent=1)
    return "\n\n".join(f"{name}\n{as_text(rows)}" for name, rows in reports.items())


def _row(compared: Sequence[Compared], *, taps: int) -> dict[str, Any]:
    without, known = (sum(one.seconds[at] for one in compared) for at in (0, 1))
    return {
        "without": _figures([one.without for one in compared]),
        "taught": _figures([one.taught for one in compared]),
        "times": known / without if without else 1.0,
        "taps": taps,
    }


def _figures(marks: Sequence[Marks]) -> dict[str, Any]:
    found = summary(marks)
    cards = max(found["cards"], 1)
    return {
        "cards": found["cards"],
        "right": found["right"],
        "asked": sum(one.asked for one in marks) / cards,
        "wrong": sum(len(one.wrong) for one in marks),
        "slipped": sum(one.wrong_silent for one in marks),
        "exact": found["exact"],
        "ece": found["ece"],
    }


def _by_deck(photos: Sequence[Labelled]) -> dict[str, list[Labelled]]:
    found = defaultdict(list)
    for photo in photos:
        for group in photo.groups:
            if group.startswith("deck "):
                found[group.removeprefix("deck ")].append(photo)
    return dict(found)


def _with_whole(photo: Photo) -> Photo:
    """The photo with all its pixels decoded, so that no time goes into that."""
    photo.image_bgr  # noqa: B018 - it decodes
    return photo


def _truth(corners: Corners, labelled: Labelled) -> str:
    """The label of the card that lies at these corners; empty where none lies there."""
    middle = np.mean(corners, axis=0)
    near: list[tuple[float, str]] = []
    for (x0, y0, x1, y1), code in labelled.boxes:
        away = float(np.abs(middle - ((x0 + x1) / 2, (y0 + y1) / 2)).max())
        if away < NEAR * min(x1 - x0, y1 - y0):
            near.append((away, code))
    return min(near, default=(0.0, ""))[1]


if __name__ == "__main__":
    sys.exit(main())
