"""`python -m vision [--json] [--together] PHOTO...`: print the cards on photos."""

import argparse
import json
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import cv2

from scoring.command_line import Parser, run_command
from scoring.locale import LANGUAGES
from vision.decide import missing_cards
from vision.errors import VisionError
from vision.isolated import IsolatedReader
from vision.locale import SENTENCES, sentence
from vision.networks import MODELS
from vision.reader import TWO, Reader
from vision.reading import Problem, Reading
from vision.render import caption, outlined


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the photos named on the command line; return 0, or 2 for bad input."""
    return run_command(_parser(), _answer, arguments=arguments, refused=(VisionError, OSError))


def _answer(options: argparse.Namespace) -> str:
    # Pillow warns of some bad photos in several lines; the error needs one.
    warnings.filterwarnings("ignore", module="PIL")
    with _libraries_silent():
        at_once = TWO if options.together else 1
        with closing(IsolatedReader(options.models, at_once=at_once)) as reader:
            readings = _read(options, reader)
            _save_outlines(options, readings, reader)
    if options.json:
        return json.dumps([as_data(one, language=options.language) for one in readings], indent=1)
    return "\n".join(_lines(readings, options))


@contextmanager
def _libraries_silent() -> Iterator[None]:
    """Discard what the decoders' C libraries write to stderr about bad photos.

    The error that the command prints says it in one line.
    """
    if sys.stderr is None:  # the caller closed it
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


def _parser() -> Parser:
    parser = Parser(prog="python -m vision", description=__doc__)
    parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    parser.add_argument("--json", action="store_true", help="a JSON list, one object a photo")
    parser.add_argument(
        "--together", action="store_true", help="the photos are the piles of one hand"
    )
    parser.add_argument(
        "--language", choices=LANGUAGES, default=LANGUAGES[0], help="of the sentences"
    )
    parser.add_argument("--models", type=Path, default=MODELS, metavar="DIR")
    parser.add_argument(
        "--save-outlines", type=Path, metavar="DIR", help="write the photos with cards outlined"
    )
    return parser


def _read(options: argparse.Namespace, reader: Reader) -> Sequence[Reading]:
    """Return the readings. Photos of separate hands are opened one by one, to save memory."""
    paths: list[Path] = options.photos
    if options.together:
        return reader.read_together(map(reader.open_photo, paths))
    for path in paths[1:]:  # refuse a bad photo before spending time on the others
        if path.is_file():
            reader.open_photo(path)
    return [reader.read(reader.open_photo(path)) for path in paths]


def _names(paths: Sequence[Path]) -> list[str]:
    """Return the photos' names without extensions; a repeated name gets a number.

    >>> _names([Path("a/pile.jpg"), Path("b/pile.jpg")])
    ['pile', 'pile-2']
    """
    stems = [path.stem for path in paths]
    before = [stems[:at].count(stem) for at, stem in enumerate(stems)]
    return [f"{s}-{n + 1}" if n else s for s, n in zip(stems, before, strict=True)]


def as_data(reading: Reading, *, language: str = LANGUAGES[0]) -> dict[str, Any]:
    """Return a reading as plain data, its problems with their sentences.

    >>> as_data(Reading("p.jpg", (2, 3), (), ()))
    {'photo': 'p.jpg', 'cards': [], 'problems': []}
    """
    return {
        "photo": reading.photo,
        "cards": [found.to_dict() for found in reading.cards],
        "problems": [
            {"kind": problem.kind, "message": sentence(problem, language=language)} | _area(problem)
            for problem in reading.problems
        ],
    }


def _area(problem: Problem) -> dict[str, Any]:
    return {} if problem.area is None else {"area": [round(side, 1) for side in problem.area]}


def _lines(readings: Sequence[Reading], options: argparse.Namespace) -> list[str]:
    """Return the readings as text: the cards (`?` if doubtful), then the problems."""
    lines = [line for reading in readings for line in _text(reading, language=options.language)]
    missing = missing_cards([one for reading in readings for one in reading.cards])
    if options.together and missing:
        lines.append(SENTENCES.say("on-no-photo", options.language, cards=" ".join(missing)))
    return lines


def _text(reading: Reading, *, language: str) -> list[str]:
    cards = " ".join(caption(found) for found in reading.cards)
    head = SENTENCES.say("read", language, photo=reading.photo, n=len(reading.cards))
    lines = [f"{head}: {cards}".rstrip(": ")]
    for found in reading.doubts:
        first = f"{caption(found)} {found.confidence:.0%}"
        others = ", ".join(f"{code} {share:.0%}" for code, share in found.alternatives.items())
        any_of = SENTENCES.say("or", language, first=first, others=others) if others else first
        lines.append(f"  {any_of}")
    return lines + [f"  {sentence(problem, language=language)}" for problem in reading.problems]


def _save_outlines(
    options: argparse.Namespace, readings: Sequence[Reading], reader: Reader
) -> None:
    """If a folder is given, write each photo with its cards outlined, as a JPEG."""
    if options.save_outlines is None:
        return
    options.save_outlines.mkdir(parents=True, exist_ok=True)
    pairs = zip(options.photos, _names(options.photos), readings, strict=True)
    for path, name, reading in pairs:
        _, jpeg = cv2.imencode(".jpg", outlined(reader.open_photo(path), reading))
        (options.save_outlines / f"{name}.jpg").write_bytes(jpeg.tobytes())


if __name__ == "__main__":
    sys.exit(main())
