"""Write training scenes: `python -m training.data.generate OUT --shards 40`.

Every shard is made from its own seed, so that a run stopped half-way goes on where it was and
somebody else gets the same pictures. Shards already there are kept.
"""

import argparse
import multiprocessing
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from training.data.crops import crops_of, indices_of
from training.data.shards import Crop, Sample, encode, write_shard
from training.packs.decks import backgrounds, load_decks, not_scopa_faces, pyramid
from training.packs.french_printings import printing
from training.packs.oddments import oddment
from training.packs.redrawn_printings import crossed, reprint
from training.scenes.printed_matter import page
from training.scenes.scene import Material, Recipe, Scene, make_scene
from vision.photo import open_photo
from vision.reader import Reader

SCENES_PER_SHARD = 200
"""Scenes in one file."""
MIN_SCORE = 0.3
"""A box fainter than this is hardly ever believed, so nothing is cut out there."""
TIDY_WH = (1600, 1200)
"""Size of a tidy picture: cards that can be read are seen as finely as in a photo."""
ODDMENTS = 40
"""Cards of no pack made up for each shard."""
PRINTS = 60
"""Pages and covers made up for each shard."""
PRINTINGS = 10
"""French printings made up for each shard."""
REPRINTS = 30
"""Known packs without French suits drawn anew for each shard: few of the known ones bear numbers,
and what stands in a corner is only learnt from many that do."""
CROSSED = 40
"""Printings of a crossed shard, which shows no others."""


@dataclass(frozen=True)
class Job:
    """A shard to make."""

    path: Path
    """Where it goes."""
    seed: int
    """What chance starts from."""
    models: Path | None
    """Where the networks lie that crops are cut with, if any."""
    recipe: Recipe
    """What its scenes are asked to show."""
    is_crossed: bool
    """Whether only numbers tell ranks: then no crops of whole cards are kept."""


def sample_of(scene: Scene) -> Sample:
    """A scene as locate and refine learn from it: as fine as a photo is looked at."""
    height, width = scene.image.shape[:2]
    corners = np.array([c.corners for c in scene.cards], np.float32)
    corners /= np.array([width, height], np.float32)
    visible = np.array([c.visible for c in scene.cards], np.float32)
    indices_seen = np.array([c.indices_seen for c in scene.cards], np.float32)
    return Sample(encode(scene.image, quality=90), corners, visible, indices_seen)


@cache
def _material() -> Material:
    """Decks and tables, loaded once a process."""
    cv2.setNumThreads(1)
    return Material(tuple(load_decks()), tuple(not_scopa_faces()), tuple(backgrounds()))


@cache
def _reader(models: Path) -> Reader:
    """The networks that find cards, loaded once a process."""
    return Reader(models)


def _make_shard(job: Job) -> str:
    samples: list[Sample] = []
    crops: list[Crop] = []
    indices: list[Crop] = []
    known = _material()
    made_up = (
        [crossed] * CROSSED if job.is_crossed else [printing] * PRINTINGS + [reprint] * REPRINTS
    )
    printed = [
        make(np.random.default_rng([job.seed, SCENES_PER_SHARD, k]), list(known.decks))
        for k, make in enumerate(made_up)
    ]
    odd_rng = np.random.default_rng([job.seed, SCENES_PER_SHARD, len(printed)])
    odd = tuple(pyramid(oddment(odd_rng, known.tables)) for _ in range(ODDMENTS))
    pages = tuple(page(odd_rng, known.tables) for _ in range(PRINTS))
    decks = (*(() if job.is_crossed else known.decks), *printed)
    material = replace(known, decks=decks, oddments=odd, prints=pages)
    for k in range(SCENES_PER_SHARD):
        rng = np.random.default_rng([job.seed, k])
        scene = make_scene(rng, material, job.recipe)
        samples.append(sample_of(scene))
        if not job.is_crossed:
            found = _found(_reader(job.models), scene) if job.models else None
            crops.extend(crops_of(rng, scene, found))
        indices.extend(indices_of(rng, scene))
    write_shard(job.path, samples, crops, indices)
    return f"{job.path.name}: {len(samples)} scenes, {len(crops)} crops, {len(indices)} corners"


def _found(reader: Reader, scene: Scene) -> np.ndarray:
    """Where the reader sees cards in a scene, (n, 4, 2) in its pixels."""
    found = reader.find(open_photo(encode(scene.image, quality=95)))
    quads = [one.quad for one in found if one.score >= MIN_SCORE]
    return np.array(quads, np.float32).reshape(-1, 4, 2)


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="training.data.generate", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--shards", type=int, default=40, help=f"of {SCENES_PER_SHARD} scenes")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--models", type=Path, help="crops as these locate and refine cut them")
    parser.add_argument("--tidy", action="store_true", help="piles alone, not cut off")
    parser.add_argument("--crossed", action="store_true", help="only numbers tell ranks")
    args = parser.parse_args(argv)
    recipe = Recipe(tidy=args.tidy, size_wh=TIDY_WH if args.tidy else None)
    args.out.mkdir(parents=True, exist_ok=True)
    seeds = range(args.first_seed, args.first_seed + args.shards)
    jobs = [
        Job(args.out / f"shard-{seed:05d}.npz", seed, args.models, recipe, args.crossed)
        for seed in seeds
    ]
    jobs = [job for job in jobs if not job.path.exists()]
    with multiprocessing.Pool(args.workers) as pool:
        for line in pool.imap_unordered(_make_shard, jobs):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
