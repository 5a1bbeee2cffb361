"""`python -m vision.evaluate [--json] FOLDER...`: how well labelled photos are read.

The form of the labels is described in `vision.measuring.labels`.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scoring.command_line import Parser, run_command
from vision.decks.file import deck_of
from vision.errors import VisionError
from vision.measuring.labels import Labelled, read_labels
from vision.measuring.marking import Marks, mark_reading, summary
from vision.networks.identify import KnowsDeck
from vision.photo import open_photo
from vision.reader import MODELS, Reader


def evaluate(
    reader: Reader, photos: Iterable[Labelled], *, deck: KnowsDeck | None = None
) -> list[tuple[Labelled, Marks]]:
    """Every photo, read by itself and marked; with `deck` as photos of that taught deck."""
    read = ((photo, reader.read(open_photo(photo.path), deck=deck)) for photo in photos)
    return [
        (photo, mark_reading(reading, photo.cards, boxes=photo.boxes)) for photo, reading in read
    ]


def report(
    folders: Sequence[Path], reader: Reader, *, deck: KnowsDeck | None = None
) -> dict[str, dict[str, Any]]:
    """The figures of each folder, of all together, and of each group of labelled values."""
    labelled = {folder.name: read_labels(folder) for folder in folders}  # a bad one is refused now
    marked = {name: evaluate(reader, photos, deck=deck) for name, photos in labelled.items()}
    result = {name: summary([one for _, one in pairs]) for name, pairs in marked.items()}
    everything = [pair for pairs in marked.values() for pair in pairs]
    if len(folders) > 1:
        result["together"] = summary([one for _, one in everything])
    for group in sorted({group for photo, _ in everything for group in photo.groups}):
        result[group] = summary([one for photo, one in everything if group in photo.groups])
    return result


def as_text(result: Mapping[str, Mapping[str, Any]]) -> str:
    """A report as a table, and below it which cards were confused.

    >>> print(as_text({}).splitlines()[0][:40])
    set                        photos  cards
    """
    head = (
        f"{'set':26} photos  cards   right unasked  wrong slipped   exact "
        "silent/1000 asked/40    ECE"
    )
    rows = [
        f"{name[:26]:26} {row['photos']:6} {row['cards']:6} {row['right']:7.2%} "
        f"{row['right_unasked']:7.2%} {row['wrong']:6.2%} {row['wrong_unasked']:7.2%} "
        f"{row['exact']:7.2%} {row['silent_per_1000']:11.2f} {row['asked_per_40']:8.2f} "
        f"{row['ece']:6.4f}"
        for name, row in result.items()
    ]
    confused = [
        f"  {name}: {one['there']} read as {one['read']}" + f" x {one['times']}"
        for name, row in result.items()
        if " " not in name and name != "together"
        for one in row["confusions"]
    ]
    return "\n".join([head, *rows, *(["confusions:", *confused] if confused else [])])


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluate the folders named on the command line; 0 when it worked, 2 on bad input."""
    parser = Parser(prog="python -m vision.evaluate", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    parser.add_argument("--models", type=Path, default=MODELS, metavar="DIR")
    parser.add_argument(
        "--deck", type=Path, metavar="FILE", help="the taught deck that all photos show"
    )
    return run_command(parser, _answer, arguments=arguments, refused=(VisionError, OSError))


def _answer(options: argparse.Namespace) -> str:
    reader = Reader(options.models)
    result = report(options.folders, reader, deck=deck_of(options.deck, reader))
    return json.dumps(result, indent=1) if options.json else as_text(result)


if __name__ == "__main__":
    sys.exit(main())
