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
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from scoring.command_line import Parser, run_command
from vision.decks.embeddings import TaughtDeck
from vision.decks.enrol import laid_out
from vision.decks.references import Reference
from vision.errors import LabelError, VisionError
from vision.evaluate import Labelled, Marks, mark_reading, read_labels, summary
from vision.photo import open_photo
from vision.reader import MODELS, Reader
from vision.reading import CLASSES, DECK_SIZE, Corners

TEACHING = "teaching"
"""The folder with the decks laid out."""
NEAR = 0.5
"""A laid card is the labelled one whose middle is no farther than this from its own, in short sides
of its box."""
SHOWN = ("right", "asked_per_40", "wrong", "wrong_unasked")
"""The figures of `summary` that are printed."""

Compared = tuple[tuple[Marks, float], tuple[Marks, float]]
"""One photo's marks and the seconds it took, without a deck and with it."""


def teach(photos: Sequence[Labelled], reader: Reader) -> tuple[TaughtDeck, int]:
    """The deck of some labelled photos, and how many cards had to be named or confirmed."""
    views: list[Reference] = []
    taps = 0
    for labelled in photos:
        for card in laid_out(open_photo(labelled.path), reader):
            truth = _truth(card.corners, labelled)
            if truth in CLASSES[:DECK_SIZE] and not card.is_covered:
                views.append((truth, card.view))
                taps += not card.is_sure or card.guess != truth
    return TaughtDeck.from_references(views, reader), taps


def report(folder: Path, reader: Reader) -> dict[str, dict[str, Any]]:
    """The figures of each deck of a folder and of all together."""
    piles = _by_deck(read_labels(folder))
    laid = _by_deck(read_labels(folder / TEACHING))
    rows: dict[str, dict[str, Any]] = {}
    compared: list[Compared] = []
    for name, photos in piles.items():
        if name not in laid:
            raise LabelError(folder / TEACHING, f"no photo of {name}")
        deck, taps = teach(laid[name], reader)
        own = [(_read(one, reader), _read(one, reader, deck=deck)) for one in photos]
        rows[name] = _row(own, taps=taps) | {"missing": len(deck.missing)}
        compared += own
    rows["together"] = _row(compared, taps=sum(row["taps"] for row in rows.values()))
    return rows


def as_text(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """The figures as a table; a pair of numbers stands for without the deck, and with it."""
    lines = [f"{'deck':34} cards" + "".join(f"  {key:14}" for key in SHOWN) + "  time  taps"]
    for name, row in rows.items():
        one, other = row["without"], row["taught"]
        each = {key: 1 / 40 if key == "asked_per_40" else 1.0 for key in SHOWN}
        pairs = [f"{by * one[key]:6.2%} {by * other[key]:7.2%}" for key, by in each.items()]
        lines.append(
            f"{name[:34]:34} {one['cards']:5}  {'  '.join(pairs)}"
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


def _read(
    labelled: Labelled, reader: Reader, *, deck: TaughtDeck | None = None
) -> tuple[Marks, float]:
    photo = open_photo(labelled.path)  # again: a photo keeps what was decoded and made smaller
    photo.image_bgr  # noqa: B018 - decoded now, so that the time is that of the reading alone
    began = time.perf_counter()
    reading = reader.read(photo, deck=deck)
    seconds = time.perf_counter() - began
    return mark_reading(reading, labelled.cards, boxes=labelled.boxes), seconds


def _row(compared: Sequence[Compared], *, taps: int) -> dict[str, Any]:
    without, taught = zip(*compared, strict=True) if compared else ((), ())
    seconds = [sum(took for _, took in read) for read in (without, taught)]
    return {
        "without": summary([marks for marks, _ in without]),
        "taught": summary([marks for marks, _ in taught]),
        "times": seconds[1] / seconds[0] if seconds[0] else 1.0,
        "taps": taps,
    }


def _by_deck(photos: Sequence[Labelled]) -> dict[str, list[Labelled]]:
    found = defaultdict(list)
    for photo in photos:
        for group in photo.groups:
            if group.startswith("deck "):
                found[group.removeprefix("deck ")].append(photo)
    return dict(found)


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
