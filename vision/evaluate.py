"""`python -m vision.evaluate [--json] FOLDER...`: measure how well labelled photos are read.

A folder holds its photos and a file labels.json (or expected.json, as samples/ does):

    {"photos": {
        "pile.jpg": {
            "cards": ["7d", "8?", "x"],
            "boxes": [{"xyxy": [12, 30, 96, 170], "card": "7d"}],
            "deck": "napoletane", "layout": "fan", "light": "lamp", "tilt_deg": 35
        }
    }}

Only `cards` is needed. A card is a code; `8?` is a card of known rank and unknown suit, `x` a card
that no Scopa deck holds, `back` a face-down card. `boxes` are in photo pixels. A photo of one card
may have `"outline": [[12, 30], [96, 30], [96, 170], [12, 170]]` instead.

An error is silent if the user is not asked about it: a wrong card that is not doubtful, or a lost
card to which nothing on the screen points.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.command_line import Parser, run_command
from vision.advice import FAULTS
from vision.answers import ANSWERS_HELP, answers_kept
from vision.errors import LabelError, VisionError
from vision.networks import MODELS
from vision.photo import open_photo
from vision.reader import Reader
from vision.reading import BACK, NOT_SCOPA, Area, CardReading, PhotoProblemKind, Reading, Status

LABEL_FILES = ("labels.json", "expected.json")
"""Names of the file with the labels; the first one found is used."""
SPLITS = ("deck", "layout", "light", "tilt_deg")
"""Keys of a photo's label by which the figures are split."""
TILT_STEP_DEG = 15
"""Width of the groups of tilts."""
RETAKE = frozenset(
    {
        PhotoProblemKind.NOTHING_FOUND,
        PhotoProblemKind.DARK,
        PhotoProblemKind.BLURRED,
        PhotoProblemKind.STRIPED,
        PhotoProblemKind.TINTED,
    }
)
"""If a whole photo has one of these problems, the user retakes it, so none of its cards is lost
silently."""
MOST_CONFUSIONS = 12
"""Maximum number of confusions to list."""


@dataclass(frozen=True)
class Labelled:
    """A photo and its labels."""

    path: Path
    """The photo's file."""
    cards: tuple[str, ...]
    """Labels of all its cards."""
    groups: tuple[str, ...]
    """Groups of the photo, such as `layout fan`."""
    boxes: tuple[tuple[Area, str], ...] = ()
    """Position and label of each card whose position is known."""


def read_labels(folder: Path) -> tuple[Labelled, ...]:
    """Return the labelled photos of a folder, sorted by name.

    Raises:
        LabelError: There are no labels, or they have another form.
    """
    files = [folder / name for name in LABEL_FILES]
    path = next((file for file in files if file.is_file()), files[0])
    try:
        photos = json.loads(path.read_text(encoding="utf-8"))["photos"]
        return tuple(
            Labelled(folder / name, tuple(label["cards"]), _groups(label), _boxes(label))
            for name, label in sorted(photos.items())
        )
    except OSError as error:
        raise LabelError(path, "no such file") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LabelError(path, "something else") from error


def _groups(label: Mapping[str, Any]) -> tuple[str, ...]:
    named = [(key, label[key]) for key in SPLITS if label.get(key) is not None]
    return tuple(f"{key} {_step(value) if key == 'tilt_deg' else value}" for key, value in named)


def _boxes(label: Mapping[str, Any]) -> tuple[tuple[Area, str], ...]:
    if outline := label.get("outline"):
        (card,), (x, y) = label["cards"], zip(*outline, strict=True)
        return (((min(x), min(y), max(x), max(y)), card),)
    return tuple((_area(box["xyxy"]), box["card"]) for box in label.get("boxes", ()))


def _area(xyxy: Sequence[float]) -> Area:
    x0, y0, x1, y1 = xyxy
    return x0, y0, x1, y1


def _step(tilt_deg: float) -> str:
    low = int(tilt_deg // TILT_STEP_DEG) * TILT_STEP_DEG
    return f"{low:02}-{low + TILT_STEP_DEG}"


@dataclass(frozen=True)
class Marks:
    """Figures of one photo. Only Scopa cards count, not `back` and `x`."""

    truth: int
    """Number of Scopa cards in the photo."""
    right: int
    """Number of cards read with the right code, doubtful or not."""
    right_unasked: int
    """Number of those that are not doubtful."""
    wrong: tuple[tuple[str, str], ...]
    """Cards read that are not there: (label of the card there or `nothing`, card read)."""
    wrong_silent: int
    """Number of those that are not doubtful."""
    lost: tuple[str, ...]
    """Labels of cards that are there and were not read."""
    lost_silent: int
    """Number of lost cards to which nothing on the screen points: they are in no area of a fault,
    and no wrong, foreign or face-down card was read for them."""
    asked: int
    """Number of doubtful cards."""
    confidences: tuple[tuple[float, bool], ...]
    """(confidence, right) of every Scopa card read."""

    @property
    def exact(self) -> bool:
        """Whether the codes read are those of the labels."""
        return not self.wrong and not self.lost

    @property
    def surplus(self) -> int:
        """Number of cards read minus the number there; negative if cards are missing."""
        return len(self.wrong) - len(self.lost)

    @property
    def silent(self) -> int:
        """Number of silent errors."""
        return self.wrong_silent + self.lost_silent


def mark_reading(
    reading: Reading, truth: Sequence[str], *, boxes: Sequence[tuple[Area, str]] = ()
) -> Marks:
    """Compare a reading with the labels of its photo.

    Sure answers are compared first. So if one card is read twice, the doubtful reading counts as
    wrong.

    Args:
        reading: What was read.
        truth: Labels of the photo's cards (`8?`: known rank, unknown suit).
        boxes: Position and label of each card whose position is known.

    >>> mark_reading(Reading("p.jpg", (2, 3), (), ()), ["7d", "x"]).lost
    ('7d',)
    """
    left = Counter(code for code in truth if code not in (BACK, NOT_SCOPA))
    odd = Counter(code for code in truth if code in (BACK, NOT_SCOPA))
    order = sorted(_scopa_cards(reading), key=lambda found: (_doubtful(found), -found.confidence))
    hits = [_take(left, found.card) for found in order]
    misses = [found for found, hit in zip(order, hits, strict=True) if not hit]
    lost = tuple(sorted(left.elements()))
    return Marks(
        truth=len(truth) - odd.total(),
        right=sum(hits),
        right_unasked=sum(
            hit and not _doubtful(found) for found, hit in zip(order, hits, strict=True)
        ),
        wrong=_confusions(misses, lost=lost, odd=odd),
        wrong_silent=sum(not _doubtful(found) for found in misses),
        lost=lost,
        lost_silent=_silently_lost(
            reading, misses, lost=len(_outside_faults(reading, lost, boxes=boxes)), odd=odd
        ),
        asked=len(reading.doubts),
        confidences=tuple((found.confidence, hit) for found, hit in zip(order, hits, strict=True)),
    )


def calibration_error(confidences: Sequence[tuple[float, bool]], bins: int = 15) -> float:
    """Expected calibration error: mean gap between confidence and share right, over equal bins.

    >>> calibration_error([]), calibration_error([(0.75, True), (0.75, False)])
    (0.0, 0.25)
    """
    total = 0.0
    for low in range(bins):
        inside = [pair for pair in confidences if low == min(int(pair[0] * bins), bins - 1)]
        gap = sum(confidence - right for confidence, right in inside)
        total += abs(gap)
    return total / max(len(confidences), 1)


def summary(marks: Sequence[Marks]) -> dict[str, Any]:
    """Figures of several photos.

    Shares are shares of the cards in the photos; `silent_per_1000` is the number of silent errors
    for 1,000 cards. `wrong` counts all cards read that are not there, `wrong_unasked` ("slipped" in
    the table) those that are not doubtful. `too_many` and `missing` sum the surplus and the missing
    cards of each photo. `ece` is the expected calibration error.

    >>> summary([])["photos"]
    0
    """
    cards = sum(one.truth for one in marks)
    confidences = [pair for one in marks for pair in one.confidences]
    confusions = Counter(pair for one in marks for pair in one.wrong)
    return {
        "photos": len(marks),
        "cards": cards,
        "right": _share(sum(one.right for one in marks), cards),
        "right_unasked": _share(sum(one.right_unasked for one in marks), cards),
        "wrong": _share(sum(len(one.wrong) for one in marks), cards),
        "wrong_unasked": _share(sum(one.wrong_silent for one in marks), cards),
        "too_many": _share(sum(max(0, one.surplus) for one in marks), cards),
        "missing": _share(sum(max(0, -one.surplus) for one in marks), cards),
        "exact": _share(sum(one.exact for one in marks), len(marks)),
        "silent_lost": sum(one.lost_silent for one in marks),
        "silent_per_1000": 1000 * _share(sum(one.silent for one in marks), cards),
        "asked_per_40": 40 * _share(sum(one.asked for one in marks), cards),
        "ece": calibration_error(confidences),
        "lost": dict(Counter(code for one in marks for code in one.lost).most_common()),
        "confusions": [
            {"there": there, "read": read, "times": times}
            for (there, read), times in confusions.most_common(MOST_CONFUSIONS)
        ],
    }


def _scopa_cards(reading: Reading) -> list[CardReading]:
    return [found for found in reading.cards if found.card not in (BACK, NOT_SCOPA)]


def _doubtful(found: CardReading) -> bool:
    return found.status is Status.DOUBTFUL


def _take(left: "Counter[str]", code: str) -> bool:
    """Remove a code, or its rank (`8?`), from those left. Return whether it was there."""
    for name in (code, f"{code[:-1]}?"):
        if left[name] > 0:
            left[name] -= 1
            return True
    return False


def _confusions(
    misses: Sequence[CardReading], *, lost: Sequence[str], odd: "Counter[str]"
) -> tuple[tuple[str, str], ...]:
    """Return each wrong card with the label that was probably misread: (label, card)."""
    if len(misses) == len(lost) == 1:
        return ((lost[0], misses[0].card),)
    there = "/".join(sorted({*lost, *odd})) if len(lost) + odd.total() < 4 else "several"
    return tuple((there or "nothing", found.card) for found in misses)


def _outside_faults(
    reading: Reading, lost: Sequence[str], *, boxes: Sequence[tuple[Area, str]]
) -> list[str]:
    """Return the lost cards whose centre is outside of all areas of faults."""
    faults = [problem.area for problem in reading.problems if problem.kind in FAULTS]
    areas = [area for area in faults if area is not None]
    left = list(lost)
    for (x0, y0, x1, y1), code in boxes:
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        marked = any(a <= x <= c and b <= y <= d for a, b, c, d in areas)
        if marked and code in left:
            left.remove(code)
    return left


def _silently_lost(
    reading: Reading, misses: Sequence[CardReading], *, lost: int, odd: "Counter[str]"
) -> int:
    """Number of lost cards to which nothing on the screen points.

    A lost card whose box has a wrong name is not silent: it already counts as wrong. Neither is one
    that was read as foreign or face down, because the screen points at it.

    Args:
        reading: What was read.
        misses: The wrong cards of the reading.
        lost: Number of the lost cards.
        odd: The `back` and `x` of the labels.
    """
    if any(problem.kind in RETAKE and problem.area is None for problem in reading.problems):
        return 0
    pointed_at = sum(found.card in (BACK, NOT_SCOPA) for found in reading.cards)
    return max(0, lost - len(misses) - max(0, pointed_at - odd.total()))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def evaluate(reader: Reader, photos: Iterable[Labelled]) -> list[tuple[Labelled, Marks]]:
    """Read every photo by itself and compare it with its labels."""
    read = ((photo, reader.read(open_photo(photo.path))) for photo in photos)
    return [
        (photo, mark_reading(reading, photo.cards, boxes=photo.boxes)) for photo, reading in read
    ]


def report(folders: Sequence[Path], reader: Reader, *, every: int = 1) -> dict[str, dict[str, Any]]:
    """Figures of each folder, of all folders, and of each group of photos.

    Only every Nth photo of a folder is read.
    """
    # refuse a bad folder before reading
    labelled = {folder.name: read_labels(folder)[::every] for folder in folders}
    marked = {name: evaluate(reader, photos) for name, photos in labelled.items()}
    result = {name: summary([one for _, one in pairs]) for name, pairs in marked.items()}
    everything = [pair for pairs in marked.values() for pair in pairs]
    if len(folders) > 1:
        result["together"] = summary([one for _, one in everything])
    for group in sorted({group for photo, _ in everything for group in photo.groups}):
        result[group] = summary([one for photo, one in everything if group in photo.groups])
    return result


def as_text(result: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a report as a table, followed by the cards that were confused.

    >>> print(as_text({}).splitlines()[0][:40])
    set                            photos  c
    """
    head = (
        f"{'set':30} photos  cards   right unasked  wrong slipped too many missing   exact "
        "silent/1000 asked/40    ECE"
    )
    rows = [
        f"{name[:30]:30} {row['photos']:6} {row['cards']:6} {row['right']:7.2%} "
        f"{row['right_unasked']:7.2%} {row['wrong']:6.2%} {row['wrong_unasked']:7.2%} "
        f"{row['too_many']:8.2%} {row['missing']:7.2%} {row['exact']:7.2%} "
        f"{row['silent_per_1000']:11.2f} {row['asked_per_40']:8.2f} {row['ece']:6.4f}"
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
    """Evaluate the folders named on the command line; return 0, or 2 for bad input."""
    parser = Parser(prog="python -m vision.evaluate", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    parser.add_argument("--models", type=Path, default=MODELS, metavar="DIR")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth photo")
    parser.add_argument("--answers", type=Path, metavar="FILE", help=ANSWERS_HELP)
    return run_command(parser, _answer, arguments=arguments, refused=(VisionError, OSError))


def _answer(options: argparse.Namespace) -> str:
    with answers_kept(options.answers):
        result = report(options.folders, Reader(options.models), every=max(1, options.every))
    return json.dumps(result, indent=1) if options.json else as_text(result)


if __name__ == "__main__":
    sys.exit(main())
