"""`python -m vision [--json] [--together] PHOTO...`: what lies on some photos."""

import argparse
import io
import json
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import cv2

from vision.errors import VisionError
from vision.locale import sentence
from vision.outline import label_of, outlined
from vision.photo import Photo, open_photo
from vision.reader import MODELS, Reader
from vision.reading import HandReading, Problem, Reading


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the photos named on the command line; 0 when it worked, 2 on bad input."""
    options = _parser().parse_args(arguments)
    warnings.filterwarnings(
        "ignore", module="PIL"
    )  # what is wrong with a photo is said in one line
    try:
        with _libraries_silent():
            hand = _read(options, Reader(options.models))
    except (VisionError, OSError) as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 2
    if options.json:
        answer = json.dumps([as_data(reading) for reading in hand.readings], indent=1)
    else:
        answer = "\n".join(_lines(hand, together=options.together))
    if isinstance(sys.stdout, io.TextIOWrapper):  # a photo's name may be in no alphabet
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        print(answer, flush=True)
    except BrokenPipeError:  # whoever reads has enough, as `head` does; closing must not say so
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


@contextmanager
def _libraries_silent() -> Iterator[None]:
    """Keeps what the decoders' C libraries write about bad photos off stderr: one line says it."""
    if sys.stderr is None:  # closed by whoever started this
        yield
        return
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


class _Parser(argparse.ArgumentParser):
    """A parser whose refusals are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{' '.join(message.split())}: see {self.prog} --help\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m vision", description=__doc__)
    parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    parser.add_argument("--json", action="store_true", help="a JSON list, one object a photo")
    parser.add_argument(
        "--together", action="store_true", help="the photos are the piles of one hand"
    )
    parser.add_argument("--models", type=Path, default=MODELS, metavar="DIR")
    parser.add_argument(
        "--save-outlines", type=Path, metavar="DIR", help="write the photos with cards outlined"
    )
    return parser


def _read(options: argparse.Namespace, reader: Reader) -> HandReading:
    """Reads the photos one after the other, so that many need no more memory than one."""
    paths: list[Path] = options.photos
    if options.together:
        photos = [open_photo(path) for path in paths]
        hand = reader.read_hand(photos)
        _save_outlines(photos, hand.readings, names=_names(paths), folder=options.save_outlines)
        return hand
    for path in paths[1:]:  # a bad one is said before the others took their time
        if path.is_file():
            open_photo(path)
    readings = []
    for path, name in zip(paths, _names(paths), strict=True):
        photo = open_photo(path)
        readings.append(reader.read(photo))
        _save_outlines([photo], readings[-1:], names=[name], folder=options.save_outlines)
    return HandReading(tuple(readings), ())


def _names(paths: Sequence[Path]) -> list[str]:
    """The photos' own names without their endings, with a number where another has that name.

    >>> _names([Path("a/pile.jpg"), Path("b/pile.jpg")])
    ['pile', 'pile-2']
    """
    stems = [path.stem for path in paths]
    before = [stems[:at].count(stem) for at, stem in enumerate(stems)]
    return [f"{s}-{n + 1}" if n else s for s, n in zip(stems, before, strict=True)]


def as_data(reading: Reading) -> dict[str, Any]:
    """A reading as plain data, its problems with their sentences.

    >>> as_data(Reading("p.jpg", (2, 3), (), ()))
    {'photo': 'p.jpg', 'cards': [], 'problems': []}
    """
    return {
        "photo": reading.photo,
        "cards": [found.to_dict() for found in reading.cards],
        "problems": [
            {"kind": problem.kind, "message": sentence(problem)} | _area(problem)
            for problem in reading.problems
        ],
    }


def _area(problem: Problem) -> dict[str, Any]:
    return {} if problem.area is None else {"area": [round(side, 1) for side in problem.area]}


def _lines(hand: HandReading, *, together: bool) -> list[str]:
    """The readings as text: the cards (`?` in doubt), then what to do."""
    lines = [line for reading in hand.readings for line in _text(reading)]
    if together and hand.missing:
        lines.append(f"on no photo: {' '.join(hand.missing)}")
    return lines


def _text(reading: Reading) -> list[str]:
    cards = " ".join(label_of(found) for found in reading.cards)
    lines = [f"{reading.photo}: {len(reading.cards)} cards: {cards}".rstrip(": ")]
    for found in reading.doubts:
        others = ", ".join(f"{code} {share:.0%}" for code, share in found.alternatives.items())
        lines.append(f"  {label_of(found)} {found.confidence:.0%}{', or ' * bool(others)}{others}")
    return lines + [f"  {sentence(problem)}" for problem in reading.problems]


def _save_outlines(
    photos: Sequence[Photo],
    readings: Sequence[Reading],
    *,
    names: Sequence[str],
    folder: Path | None,
) -> None:
    """Writes each photo with its cards outlined as a JPEG, where a folder is given."""
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for photo, reading, name in zip(photos, readings, names, strict=True):
        _, jpeg = cv2.imencode(".jpg", outlined(photo, reading))
        (folder / f"{name}.jpg").write_bytes(jpeg.tobytes())


if __name__ == "__main__":
    sys.exit(main())
