"""Golden readings of the samples: each card with its status, as the shipped networks read it.

After a change of weights or thresholds `python -m tests.vision.test_reader_golden` writes the file
again; look at its difference. Confidences and corners are left out: they differ between processors.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from vision.photo import open_photo
from vision.reader import Reader
from vision.reading import Reading

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
GOLDEN = Path(__file__).with_name("golden_samples.json")

pytestmark = [pytest.mark.models, pytest.mark.xdist_group("readings")]  # one worker reads


def as_text(readings: Mapping[str, Reading]) -> dict[str, str]:
    """Return the cards of each photo, and its problems."""
    return {
        name: ", ".join(
            [*sorted(f"{card.card} {card.status}" for card in reading.cards)]
            + [f"problem: {problem.kind}" for problem in reading.problems]
        )
        for name, reading in readings.items()
    }


def test_samples_are_read_as_in_the_golden_file(readings: dict[str, Reading]) -> None:
    assert as_text(readings) == json.loads(GOLDEN.read_text(encoding="utf-8"))


if __name__ == "__main__":
    reader = Reader()
    photos = {path.name: open_photo(path) for path in sorted(SAMPLES.glob("*.jpg"))}
    found = as_text({name: reader.read(photo) for name, photo in photos.items()})
    GOLDEN.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
