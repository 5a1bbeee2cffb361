"""Write training scenes: `python -m vision.training.generate OUT --shards 40`.

Every shard is made from its own seed, so that a run stopped half-way goes on where it was and
somebody else gets the same pictures. Shards already there are kept.
"""

import argparse
import multiprocessing
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from vision.classes import CLASSES, NOT_SCOPA
from vision.straighten import straighten
from vision.training.decks import backgrounds, load_decks, not_scopa_faces
from vision.training.layouts import Rng
from vision.training.printer import printing
from vision.training.reprint import reprint
from vision.training.scenes import Material, Scene, make_scene
from vision.training.shards import Crop, Sample, encode, write_shard

SCENES_PER_SHARD = 200
"""Scenes in one file."""
LOCATE_PX = 800
"""Longer side of the pictures kept for the locate network."""
MIN_VISIBLE = 0.15
"""A card is worth a crop when at least this share of it can be seen."""
OFF, OFF_COVERED = (0.01, 0.025, 0.05), (0.02, 0.04, 0.08)
"""How far the corners of a crop may be off, in card heights: a clear card's, a covered one's."""
CLEAR = 0.8
"""A card of which more than this share can be seen is clear."""
PRINTINGS = 14
"""Printings of either kind made up for each shard: French ones, and known packs drawn anew."""
CROPS_PER_SCENE = 24
"""At most so many crops a scene, so that big piles do not drown the rest."""


def jittered(rng: Rng, corners: np.ndarray, visible: float = 1.0) -> np.ndarray:
    """Corners as the networks would give them: off a little, either end first."""
    size = np.linalg.norm(corners[1] - corners[2])
    rough = float(rng.choice(OFF if visible > CLEAR else OFF_COVERED))
    middle = corners.mean(0)
    grown = middle + (corners - middle) * np.exp(rng.normal(0, rough))
    moved = grown + rng.normal(0, rough, 2) * size + rng.normal(0, rough * 0.6, (4, 2)) * size
    return np.roll(moved, 2, axis=0) if rng.random() < 0.5 else moved


def crops_of(rng: Rng, scene: Scene) -> list[Crop]:
    """Straightened cards of a scene, and one piece of table that is no card."""
    seen = [c for c in scene.cards if c.visible >= MIN_VISIBLE]
    chosen = [seen[i] for i in rng.permutation(len(seen))[:CROPS_PER_SCENE]]
    crops = [
        Crop(
            encode(straighten(scene.image, jittered(rng, c.corners, c.visible)), quality=92),
            CLASSES.index(c.card),
        )
        for c in chosen
    ]
    bare = _bare_table(rng, scene)
    if bare is not None and rng.random() < 0.5:
        jpeg = encode(straighten(scene.image, bare), quality=92)
        crops.append(Crop(jpeg, CLASSES.index(NOT_SCOPA)))
    return crops


def _bare_table(rng: Rng, scene: Scene) -> np.ndarray | None:
    """Corners of a card-sized piece of the picture where no card is, or None if none was found."""
    height, width = scene.image.shape[:2]
    covered = np.zeros((height, width), np.uint8)
    for card in scene.cards:
        cv2.fillConvexPoly(covered, card.corners.astype(np.int32), 1)
    size = float(np.median([np.linalg.norm(c.corners[1] - c.corners[2]) for c in scene.cards]))
    for _ in range(5):
        centre = rng.uniform(0.1, 0.9, 2) * [width, height]
        box = cv2.boxPoints(
            ((centre[0], centre[1]), (size * 0.6, size), float(rng.uniform(0, 180)))
        )
        mask = np.zeros_like(covered)
        cv2.fillConvexPoly(mask, box.astype(np.int32), 1)
        if (covered & mask).sum() < 0.02 * max(1, mask.sum()):
            return np.asarray(box, np.float32)
    return None


def sample_of(scene: Scene) -> Sample:
    """A scene as the locate network learns from it."""
    height, width = scene.image.shape[:2]
    scale = LOCATE_PX / max(height, width)
    small = cv2.resize(scene.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    corners = np.array([c.corners for c in scene.cards], np.float32)
    corners /= np.array([width, height], np.float32)
    visible = np.array([c.visible for c in scene.cards], np.float32)
    return Sample(encode(np.asarray(small, np.uint8), quality=90), corners, visible)


@cache
def _material() -> Material:
    """Decks and tables, loaded once a process."""
    cv2.setNumThreads(1)
    return Material(tuple(load_decks()), tuple(not_scopa_faces()), tuple(backgrounds()))


def _make_shard(job: tuple[Path, int]) -> str:
    path, seed = job
    samples: list[Sample] = []
    crops: list[Crop] = []
    known = _material()
    printed = [
        made_up(np.random.default_rng([seed, SCENES_PER_SHARD, k]), list(known.decks))
        for k, made_up in enumerate([*[printing] * PRINTINGS, *[reprint] * PRINTINGS])
    ]
    material = replace(known, decks=(*known.decks, *printed))
    for k in range(SCENES_PER_SHARD):
        rng = np.random.default_rng([seed, k])
        scene = make_scene(rng, material)
        samples.append(sample_of(scene))
        crops.extend(crops_of(rng, scene))
    write_shard(path, samples, crops)
    return f"{path.name}: {len(samples)} scenes, {len(crops)} crops"


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="vision.training.generate", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--shards", type=int, default=40, help=f"of {SCENES_PER_SHARD} scenes")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args(argv)
    args.out.mkdir(parents=True, exist_ok=True)
    seeds = range(args.first_seed, args.first_seed + args.shards)
    jobs = [(args.out / f"shard-{seed:05d}.npz", seed) for seed in seeds]
    jobs = [job for job in jobs if not job[0].exists()]
    with multiprocessing.Pool(args.workers) as pool:
        for line in pool.imap_unordered(_make_shard, jobs):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
