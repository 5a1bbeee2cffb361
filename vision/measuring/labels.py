"""Folders of photos with labels: what each photo shows.

A folder holds its photos and a file labels.json (or expected.json, as samples/ does):

    {"photos": {
        "pile.jpg": {
            "cards": ["7d", "8?", "x"],
            "boxes": [{"xyxy": [12, 30, 96, 170], "card": "7d"}],
            "deck": "napoletane", "layout": "fan", "light": "lamp", "tilt_deg": 35
        }
    }}

Only `cards` is needed. A card is a code; `8?` is a card whose rank is known and whose suit is not,
`x` a card that no Scopa deck holds, `back` one that lies face down. `boxes` are in photo pixels.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.errors import VisionError
from vision.reading import Area

LABEL_FILES = ("labels.json", "expected.json")
"""Names of the file with the labels; the first that is there counts."""
SPLITS = ("deck", "layout", "light", "tilt_deg")
"""Values of a photo's label by which the figures of an evaluation are split."""
TILT_STEP_DEG = 15
"""Tilts are grouped in steps of so many degrees."""


@dataclass(frozen=True)
class Labelled:
    """A photo and what it shows."""

    path: Path
    """The photo's file."""
    cards: tuple[str, ...]
    """The labels of all its cards."""
    groups: tuple[str, ...]
    """The groups it belongs to, such as `layout fan`."""
    boxes: tuple[tuple[Area, str], ...] = ()
    """The cards whose place is known: where each lies, and its label."""


class LabelError(VisionError):
    """A folder without labels that can be used."""

    def __init__(self, path: Path, got: str) -> None:
        super().__init__(
            f'{path}: expected {{"photos": {{file: {{"cards": [codes]}}}}}}, got {got}; '
            "name folders that hold labelled photos."
        )
        self.path = path
        """Where the labels were looked for."""
        self.got = got
        """What was there."""


def read_labels(folder: Path) -> tuple[Labelled, ...]:
    """The labelled photos of a folder, by name.

    Raises:
        LabelError: There are no labels, or not of the expected form.
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
    return tuple((_area(box["xyxy"]), box["card"]) for box in label.get("boxes", ()))


def _area(xyxy: Sequence[float]) -> Area:
    x0, y0, x1, y1 = xyxy
    return x0, y0, x1, y1


def _step(tilt_deg: float) -> str:
    low = int(tilt_deg // TILT_STEP_DEG) * TILT_STEP_DEG
    return f"{low:02}-{low + TILT_STEP_DEG}"
