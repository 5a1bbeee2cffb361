"""Learn from photos that tables lend: `python -m training.learn data/lent`.

The folder is one that `settebello corrections` writes, or any of labelled photos with boxes. The
networks that name cards, identify and index, go on from the shipped weights, on these photos among
generated scenes. Every third photo is kept aside. Where the photos kept aside are then read better,
and the samples no worse, the new networks take the place of those before; else nothing changes.
`--undo` puts those before back.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.command_line import Parser, run_command
from training import data, export, photos
from training.data import shard_paths
from vision.errors import VisionError
from vision.evaluate import Labelled, as_text, evaluate, read_labels, summary
from vision.reader import MODELS, Reader

SAMPLES = MODELS.parent / "samples"
"""Photos that must not be read worse."""
KINDS = ("identify", "index")
"""The networks that learn. Where cards lie is learnt from far more pictures than tables lend."""
SHARD = "shard-photos-lent.npz"
"""The lent photos, among the shards of scenes while the networks learn."""
SHARDS = 12
"""So many shards of scenes are made where there are none: from lent photos alone the networks would
forget all other decks."""
LEAST_ASIDE = 40
"""With fewer cards on the photos kept aside nobody can tell whether the networks are better."""
BEFORE = "before"
"""The folder, among the networks, that holds those before."""
RATE = "0.0004"
"""The learning rate of networks that are good already."""

Figures = Mapping[str, Mapping[str, Any]]
"""How well the photos kept aside and the samples are read: a `vision.evaluate.summary` of each."""


@dataclass(eq=False)
class TooFewLentError(VisionError):
    """A folder with too few labelled cards to learn from."""

    message = (
        "{e.folder}: expected at least {e.least} cards with boxes on the photos kept aside "
        "(every third one), got {e.cards}; collect more photos first."
    )
    folder: Path
    cards: int
    least: int


@dataclass(eq=False)
class NothingBeforeError(VisionError):
    """No networks to put back."""

    message = "{e.models}: nothing was learnt here, so there is nothing to take back."
    models: Path


def learn(
    folder: Path, *, scenes: Path, models: Path, hours: float, batch: int | None = None
) -> Iterator[str]:
    """Lets the networks in `models` learn from lent photos, and says what comes of it.

    Args:
        folder: The lent photos.
        scenes: The folder of the shards of generated scenes; where there are none, some are made.
        models: The networks, which are replaced by better ones only.
        hours: How long each network learns.
        batch: How many pictures it learns from at a time, for machines with little memory; None is
            what the network was made with.

    Raises:
        LabelError: The folder holds no labelled photos.
        TooFewLentError: There are too few photos to tell whether anything is better.
    """
    aside = kept_aside(folder)
    scenes.mkdir(parents=True, exist_ok=True)
    if not shard_paths(scenes):
        data.main([str(scenes), "--shards", str(SHARDS)])
    with tempfile.TemporaryDirectory() as place:
        trial = Path(place) / models.name
        shutil.copytree(models, trial, ignore=shutil.ignore_patterns(BEFORE))
        try:
            yield photos.write(scenes / SHARD, [folder])
            for kind in KINDS:
                _train(kind, scenes, trial=trial, hours=hours, batch=batch)
        finally:
            (scenes / SHARD).unlink(missing_ok=True)  # it holds pictures of somebody's cards
        before, after = (_figures(Reader(one), aside) for one in (models, trial))
        for when, figures in (("before", before), ("after", after)):
            yield as_text({f"{name}, {when}": row for name, row in figures.items()})
        if not is_better(before, after):
            yield "not better: nothing was changed"
            return
        for kind in KINDS:
            for name in (f"{kind}.onnx", f"checkpoints/{kind}.pt"):
                kept = models / BEFORE / name
                kept.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(models / name, kept)
                part = Path(shutil.copy2(trial / name, models / f"{name}.part"))
                part.replace(models / name)  # whoever loads it meanwhile gets the whole of one
        yield f"better: {models} holds the new networks; --undo puts those before back"


def kept_aside(folder: Path) -> list[Labelled]:
    """The photos of a folder that are not learnt from.

    Raises:
        LabelError: The folder holds no labelled photos.
        TooFewLentError: They show too few cards.
    """
    learnt = set(photos.learnt_from(folder))
    aside = [photo for photo in read_labels(folder) if photo.path not in learnt]
    cards = sum(len(photo.boxes) for photo in aside)
    if cards < LEAST_ASIDE:
        raise TooFewLentError(folder, cards, LEAST_ASIDE)
    return aside


def is_better(before: Figures, after: Figures) -> bool:
    """Whether nothing is read worse, and more cards of the photos kept aside are right unasked."""
    worse = any(
        after[name]["right"] < old["right"]
        or after[name]["wrong_unasked"] > old["wrong_unasked"]
        or after[name]["silent_per_1000"] > old["silent_per_1000"]
        for name, old in before.items()
    )
    return not worse and after["aside"]["right_unasked"] > before["aside"]["right_unasked"]


def undo(models: Path) -> str:
    """Puts the networks back that were there before the last learning.

    Raises:
        NothingBeforeError: Nothing was learnt.
    """
    before = models / BEFORE
    if not before.is_dir():
        raise NothingBeforeError(models)
    shutil.copytree(before, models, dirs_exist_ok=True)
    shutil.rmtree(before)
    return f"{models} holds the networks that were there before"


def _train(kind: str, scenes: Path, *, trial: Path, hours: float, batch: int | None) -> None:
    """Trains a network on and writes it among those on trial."""
    weights, out = trial / "checkpoints" / f"{kind}.pt", trial / "runs"
    given = ["--weights", str(weights), "--out", str(out), "--hours", str(hours), "--lr", RATE]
    if batch is not None:
        given += ["--batch", str(batch)]
    # a process of its own: ultralytics and the reader set OpenCV's threads as each needs them
    subprocess.run([sys.executable, "-m", "training.train", kind, str(scenes), *given], check=True)
    export.export(kind, export.averaged([out / f"{kind}.pt"]), trial / f"{kind}.onnx")


def _figures(reader: Reader, aside: Sequence[Labelled]) -> Figures:
    """How well a reader reads the photos kept aside, and the samples."""
    sets = {"aside": aside, "samples": read_labels(SAMPLES)}
    return {
        name: summary([marks for _, marks in evaluate(reader, labelled)])
        for name, labelled in sets.items()
    }


def main(argv: Sequence[str] | None = None) -> int:
    """The command line: 0 when it worked, better or not, 2 on bad input."""
    parser = Parser(prog="python -m training.learn", description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("folder", type=Path, nargs="?", help="lent photos, with labels.json")
    what.add_argument("--undo", action="store_true", help="put the networks before back")
    parser.add_argument("--scenes", type=Path, default=Path("data/scenes"), metavar="DIR")
    parser.add_argument("--models", type=Path, default=MODELS, metavar="DIR")
    parser.add_argument("--hours", type=float, default=0.3, help="for each network")
    parser.add_argument("--batch", type=int, help="pictures at a time, where memory is short")
    return run_command(parser, _answer, arguments=argv, refused=(VisionError,))


def _answer(options: argparse.Namespace) -> str | Iterator[str]:
    if options.undo:
        return undo(options.models)
    return learn(
        options.folder,
        scenes=options.scenes,
        models=options.models,
        hours=options.hours,
        batch=options.batch,
    )


if __name__ == "__main__":
    raise SystemExit(main())
