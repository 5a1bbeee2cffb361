"""`python -m vision.evaluate [--json] FOLDER...`: how well photos with labels.json are read.

A folder's labels.json holds `{"photos": {file: {"cards": [codes], ...}}}`; further plain values
of a photo (layout, deck, light, tilt_deg) split the result.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.errors import VisionError
from vision.judge import Judgement, calibration_error, judge
from vision.photo import open_photo
from vision.reader import MODELS, Reader

FILES = ("labels.json", "expected.json")
"""Where the labels of a folder stand; samples/ has the second."""
SPLITS = ("deck", "layout", "light", "tilt_deg")
"""Values of a photo's label that the result is told apart by."""
TILT_STEP = 15
"""Tilts are grouped in steps of so many degrees."""
MOST_CONFUSIONS = 12
"""No more confusions than this are listed."""


@dataclass(frozen=True)
class Labelled:
    """A photo and what it shows."""

    path: Path
    """Where it is."""
    cards: tuple[str, ...]
    """The codes it shows."""
    groups: tuple[str, ...]
    """The groups it belongs to, such as `layout fan`."""
    boxes: tuple[tuple[tuple[float, ...], str], ...] = ()
    """Where known, the cards with their boxes x0, y0, x1, y1 in photo pixels."""


def read_labels(folder: Path) -> tuple[Labelled, ...]:
    """The labelled photos of a folder, by name.

    Raises:
        LabelError: There is no labels.json of the expected form.
    """
    path = next((folder / name for name in FILES if (folder / name).is_file()), folder / FILES[0])
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


class LabelError(VisionError):
    """A folder without a labels.json that can be used."""

    def __init__(self, path: Path, got: str) -> None:
        super().__init__(
            f'{path}: expected {{"photos": {{file: {{"cards": [codes]}}}}}}, got {got}; '
            "name folders that hold labelled photos."
        )
        self.path = path
        """Where the labels were looked for."""
        self.got = got
        """What was there."""


def evaluate(reader: Reader, photos: Iterable[Labelled]) -> list[tuple[Labelled, Judgement]]:
    """Every photo, read by itself and judged."""
    return [
        (photo, judge(reader.read(open_photo(photo.path)), photo.cards, boxes=photo.boxes))
        for photo in photos
    ]


def summary(judgements: Sequence[Judgement]) -> dict[str, Any]:
    """The figures of some photos. Shares are of the cards there, silent errors per thousand.

    `wrong` counts every card read that is not there, `wrong_unasked` (in the table: slipped) those
    that nobody is asked about.

    >>> summary([])["photos"]
    0
    """
    cards = sum(one.truth for one in judgements)
    confidences = [pair for one in judgements for pair in one.confidences]
    confusions = Counter(pair for one in judgements for pair in one.wrong)
    return {
        "photos": len(judgements),
        "cards": cards,
        "right": _share(sum(one.right for one in judgements), cards),
        "right_unasked": _share(sum(one.right_unasked for one in judgements), cards),
        "wrong": _share(sum(len(one.wrong) for one in judgements), cards),
        "wrong_unasked": _share(sum(one.wrong_silent for one in judgements), cards),
        "exact": _share(sum(one.exact for one in judgements), len(judgements)),
        "silent_lost": sum(one.lost_silent for one in judgements),
        "silent_per_1000": 1000 * _share(sum(one.silent for one in judgements), cards),
        "asked_per_40": 40 * _share(sum(one.asked for one in judgements), cards),
        "ece": calibration_error(confidences),
        "lost": dict(Counter(code for one in judgements for code in one.lost).most_common()),
        "confusions": [
            {"there": there, "read": read, "times": times}
            for (there, read), times in confusions.most_common(MOST_CONFUSIONS)
        ],
    }


def report(folders: Sequence[Path], reader: Reader) -> dict[str, dict[str, Any]]:
    """The figures of each folder, of all together, and of each group of labelled values."""
    judged = {folder.name: evaluate(reader, read_labels(folder)) for folder in folders}
    result = {name: summary([one for _, one in pairs]) for name, pairs in judged.items()}
    everything = [pair for pairs in judged.values() for pair in pairs]
    if len(folders) > 1:
        result["together"] = summary([one for _, one in everything])
    for group in sorted({group for photo, _ in everything for group in photo.groups}):
        result[group] = summary([one for photo, one in everything if group in photo.groups])
    return result


def as_text(result: Mapping[str, Mapping[str, Any]]) -> str:
    """A report as a table, then what was confused.

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
    parser = argparse.ArgumentParser(prog="python -m vision.evaluate", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    parser.add_argument("--models", type=Path, default=MODELS, metavar="DIR")
    options = parser.parse_args(arguments)
    try:
        result = report(options.folders, Reader(options.models))
    except VisionError as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(result, indent=1) if options.json else as_text(result))
    return 0


def _groups(label: Mapping[str, Any]) -> tuple[str, ...]:
    named = [(key, label[key]) for key in SPLITS if label.get(key) is not None]
    return tuple(f"{key} {_band(value) if key == 'tilt_deg' else value}" for key, value in named)


def _boxes(label: Mapping[str, Any]) -> tuple[tuple[tuple[float, ...], str], ...]:
    return tuple((tuple(box["xyxy"]), box["card"]) for box in label.get("boxes", ()))


def _band(tilt_deg: float) -> str:
    low = int(tilt_deg // TILT_STEP) * TILT_STEP
    return f"{low:02}-{low + TILT_STEP}"


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


if __name__ == "__main__":
    sys.exit(main())
