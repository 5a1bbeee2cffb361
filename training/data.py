"""Training scenes on disk: `python -m training.data OUT --shards 40` writes them.

A shard is one .npz of JPEGs and their labels. Each is made from its own seed, so a stopped run
continues, and another machine with the same fonts draws the same pictures. Existing shards are
kept. A training may read the folder at the same time.

`rough_box` makes boxes as the locate network draws them: a little off, far off, sideways, or around
no card.
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from training.distractors import oddment, page
from training.made_up import crossed, french, reprint
from training.paint import Image, Rng, any_installed, fonts
from training.printings import (
    Deck,
    backgrounds,
    deck_names,
    load_decks,
    not_scopa_faces,
    own_decks,
    pyramid,
)
from training.scenes import CROWDED, Material, Recipe, Scene, columns, fan, make_scene, rows
from vision.geometry import corner_distances, is_cardlike, short_sides
from vision.reading import CLASSES

UNKNOWN, CORNERS_ONLY = -1, 100
"""See `Sample.labels`."""
NEAR, FAR = 0.5, 0.65
"""Distances in short sides of a card. A box within NEAR of a card's corners belongs to that card,
a box beyond FAR from every card belongs to none; a box in between is not used."""
SEEN, HIDDEN = 0.12, 0.06
"""A card is to be found if at least SEEN of it is visible, as in a ladder; with less than HIDDEN it
counts as no card."""
SIDEWAYS = 0.12
"""Share of boxes with the long side first, as locate draws cards that are very aslant."""
STRAYED, ELSEWHERE = 0.35, 0.1
"""Shares of boxes next to a card or around a part of one, and of boxes anywhere in the picture,
as on print and cloth that look like cards."""
SCENES_PER_SHARD = 50
STRIPS, STRIP_PX, STRIP_CARDS = 3, 426, (3, 7)
"""A sheet of strips has this many small pictures in each direction, of this side in pixels, with
this many cards each: least and most."""
COVERING = (*CROWDED, *CROWDED, *(layout.__name__ for layout in (rows, columns, fan)))
"""Layouts in which cards cover most of others."""
TIDY_WH = (1600, 1200)
"""Size of a tidy picture: readable cards are as fine as in a photo."""
OFTEN = ("napoletane", "spanish", "triestine")
"""Patterns that are drawn twice as often as others: the reader misses most cards of them."""
KNOWN, ODDMENTS, PRINTS = 14, 12, 12
"""Of a shard: known decks drawn at random, cards of no pack, pages and covers."""
MADE_UP = (*[french] * 8, *[reprint] * 6, *[crossed] * 2)
"""Printings made up for each shard. Few known printings have numbers, and a network learns to read
an index only from many that have."""
NO_FONTS = ", none of them installed: with Debian's fonts-... packages indices are more varied"


@dataclass(frozen=True)
class Sample:
    """A scene or a photo."""

    jpeg: bytes
    corners: np.ndarray
    """(n, 4, 2) float32 x, y as shares of width and height; outside 0..1 where cut off."""
    visible: np.ndarray
    """(n,) float32 share of each card that can be seen."""
    indices_seen: np.ndarray
    """(n, 2) float32 shares that are seen of its corners 0 and 2, which may have an index."""
    labels: np.ndarray
    """(n,) int16 index of each card's class in `vision.reading.CLASSES`, or `UNKNOWN`. With
    `CORNERS_ONLY` added, only the index tells the card, since its drawing is another's."""


def encode(image_bgr: Image, *, quality: int) -> bytes:
    """Return a picture as JPEG bytes."""
    return bytes(cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])


def decode(jpeg: bytes) -> Image:
    """Return a BGR picture from JPEG bytes."""
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


OF_CARDS = {"corners": "f4", "visible": "f4", "indices_seen": "f4", "labels": "i2"}
"""The arrays of a shard that describe cards, one after another, and their types."""


def write_shard(path: Path, samples: Sequence[Sample]) -> None:
    """Write a shard in one step, so that a reader never sees half of it."""
    jpegs = [sample.jpeg for sample in samples]
    arrays: dict[str, np.ndarray] = {
        "scene_bytes": np.frombuffer(b"".join(jpegs), np.uint8),
        "scene_sizes": np.array([len(jpeg) for jpeg in jpegs], np.int64),
        "counts": np.array([len(sample.corners) for sample in samples], np.int32),
    }
    for name, dtype in OF_CARDS.items():
        joined = np.concatenate([getattr(sample, name) for sample in samples])
        arrays[name] = joined.astype(dtype)
    part = path.with_suffix(".part.npz")
    np.savez(part, allow_pickle=False, **arrays)
    part.rename(path)


def read_samples(path: Path) -> list[Sample]:
    """Return the scenes of a shard."""
    with np.load(path) as z:
        jpegs = np.split(z["scene_bytes"], np.cumsum(z["scene_sizes"])[:-1])
        ends = np.cumsum(z["counts"])[:-1]
        split = [np.split(z[name], ends) for name in OF_CARDS]
    return [Sample(jpeg.tobytes(), *cards) for jpeg, *cards in zip(jpegs, *split, strict=True)]


def shard_paths(folder: Path) -> list[Path]:
    """Return the finished shards of a folder, oldest seed first."""
    return sorted(p for p in folder.glob("shard-*.npz") if not p.name.endswith(".part.npz"))


@dataclass(frozen=True)
class Box:
    """A rough box and its card, if it has one."""

    rough: np.ndarray
    """(4, 2) float32 corners in picture pixels."""
    card: np.ndarray
    """(4, 2) corners of its card in the same order; without a card, those of the box."""
    is_card: bool


def rough_box(
    rng: Rng, cards: np.ndarray, visible: np.ndarray, size_wh: tuple[int, int]
) -> Box | None:
    """Return a box in a picture with these cards, or None if the random box teaches nothing.

    Args:
        rng: The source of random numbers.
        cards: (n, 4, 2) corners in picture pixels, n at least 1.
        visible: (n,) share of each card that is seen.
        size_wh: Size of the picture in pixels.
    """
    start = cards[int(rng.integers(len(cards)))]
    kind = rng.random()
    if kind < ELSEWHERE:
        start = start - start.mean(0) + rng.uniform(0, size_wh).astype(np.float32)
    rough = strayed(rng, start) if kind < ELSEWHERE + STRAYED else jittered(rng, start)
    if rng.random() < SIDEWAYS:
        rough = np.roll(rough, 1, axis=0)
    if not is_cardlike(rough):
        return None
    apart = corner_distances(rough, cards)
    nearest = int(apart.argmin())
    if apart[nearest] > FAR or visible[nearest] < HIDDEN:
        return Box(rough, rough, is_card=False)
    if apart[nearest] > NEAR or visible[nearest] < SEEN:
        return None
    both = np.stack([cards[nearest], np.roll(cards[nearest], 2, axis=0)])
    return Box(rough, both[np.linalg.norm(both - rough, axis=-1).sum(-1).argmin()], is_card=True)


def jittered(rng: Rng, quad: np.ndarray) -> np.ndarray:
    """Return a rough box of a card: shifted, scaled, sheared, turned, with its corners off."""
    amount = float(rng.choice([0.25, 0.6, 1.0, 1.6, 2.5]))
    middle, size = quad.mean(0), float(short_sides(quad))
    turn = np.radians(rng.normal(0, 4) * amount)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    along, across = (
        (quad[1] + quad[2] - quad[0] - quad[3]) / 4,
        (quad[2] + quad[3] - quad[0] - quad[1]) / 4,
    )
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    slant = quad - middle - signs @ np.stack([along, across])
    stretch = np.exp(rng.normal(0, 0.08 * amount, 2) + rng.normal(0, 0.06 * amount))
    shear = rng.normal(0, 0.06 * amount, 2)
    sides = np.stack([along + shear[0] * across, across + shear[1] * along])
    shape = (signs * stretch) @ sides + slant
    shift = rng.normal(0, 0.07 * amount, 2) * size
    corners = rng.normal(0, 0.04 * amount, (4, 2)) * size
    return np.asarray(middle + shape @ spin + shift + corners, np.float32)


def strayed(rng: Rng, quad: np.ndarray) -> np.ndarray:
    """Return a box next to a card, across it, around a part of it, or around it and a neighbour."""
    middle, size = quad.mean(0), float(short_sides(quad))
    turn = np.radians(rng.choice([0, 90, rng.uniform(0, 180)]))
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    grown = (quad - middle) * np.exp(rng.normal(0, 0.35))
    shift = rng.normal(0, rng.choice([0.3, 0.6, 1.0, 3.0]), 2) * size
    return np.asarray(middle + grown @ spin + shift, np.float32)


def sample_of(scene: Scene) -> Sample:
    """Return a scene as shards keep it."""
    height, width = scene.image.shape[:2]
    corners = np.array([c.corners for c in scene.cards], np.float32).reshape(-1, 4, 2)
    corners /= np.array([width, height], np.float32)
    visible = np.array([c.visible for c in scene.cards], np.float32)
    indices_seen = np.array([c.indices_seen for c in scene.cards], np.float32).reshape(-1, 2)
    labels = np.array([CLASSES.index(c.card) for c in scene.cards], np.int16)
    if scene.deck.endswith("-crossed"):
        labels += CORNERS_ONLY
    return Sample(encode(scene.image, quality=92), corners, visible, indices_seen, labels)


def sheet(rng: Rng, material: Material) -> Sample:
    """Return small pictures side by side, of cards of which little more than a strip is seen."""
    samples, rows_of_pictures = list[Sample](), []
    for y in range(STRIPS):
        row = []
        for x in range(STRIPS):
            count = int(rng.integers(*STRIP_CARDS, endpoint=True))
            codes = tuple(str(code) for code in rng.permutation(np.array(CLASSES[:40]))[:count])
            recipe = Recipe(
                str(rng.choice(COVERING)), codes, size_wh=(STRIP_PX, STRIP_PX), tidy=True
            )
            scene = make_scene(rng, material, recipe)
            one = sample_of(scene)
            corners = (one.corners + np.array([x, y], np.float32)) / STRIPS
            samples.append(replace(one, corners=corners))
            row.append(scene.image)
        rows_of_pictures.append(np.hstack(row))
    cards = {name: np.concatenate([getattr(one, name) for one in samples]) for name in OF_CARDS}
    return Sample(encode(np.vstack(rows_of_pictures), quality=92), **cards)


@cache
def _material() -> Material:
    """Load decks and tables, once a process.

    Without ../shared there are only our own decks, which is enough for a smoke test.
    """
    cv2.setNumThreads(1)
    decks = load_decks(deck_names()) + own_decks()
    return Material(tuple(decks), tuple(not_scopa_faces()), tuple(backgrounds()))


def drawn_decks(rng: Rng, decks: Sequence[Deck]) -> list[Deck]:
    """Return the decks of a shard, at most `KNOWN`, drawn at random."""
    weights = np.array([2.0 if deck.name.startswith(OFTEN) else 1.0 for deck in decks])
    count = min(KNOWN, len(decks))
    drawn = rng.choice(len(decks), count, replace=False, p=weights / weights.sum())
    return [decks[k] for k in drawn]


def make_shard(path: Path, recipe: Recipe | None, seed: int) -> str:
    """Write a shard of scenes, or of strips without a recipe; the seed gives all randomness."""
    known = _material()
    rng = np.random.default_rng([seed, SCENES_PER_SHARD])
    chosen = drawn_decks(rng, known.decks)
    printed = [make(rng, list(known.decks)) for make in MADE_UP]
    odd = tuple(pyramid(oddment(rng, known.tables)) for _ in range(ODDMENTS))
    pages = tuple(page(rng, known.tables) for _ in range(PRINTS))
    material = replace(known, decks=(*chosen, *printed), oddments=odd, prints=pages)
    chances = [np.random.default_rng([seed, k]) for k in range(SCENES_PER_SHARD)]
    samples = [
        sample_of(make_scene(rng, material, recipe)) if recipe else sheet(rng, material)
        for rng in chances
    ]
    write_shard(path, samples)
    return f"{path.name}: {len(samples)} scenes"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="training.data", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--shards", type=int, default=40, help=f"of {SCENES_PER_SHARD} scenes")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--tidy", action="store_true", help="piles alone, not cut off")
    parser.add_argument("--strips", action="store_true", help="cards that cover one another")
    args = parser.parse_args(argv)
    recipe = None if args.strips else Recipe(tidy=args.tidy, size_wh=TIDY_WH if args.tidy else None)
    args.out.mkdir(parents=True, exist_ok=True)
    seeds = range(args.first_seed, args.first_seed + args.shards)
    paths = {args.out / f"shard-{seed:05d}.npz": seed for seed in seeds}
    missing = {path: seed for path, seed in paths.items() if not path.exists()}
    if missing:
        print(f"fonts: {len(fonts())}" + ("" if any_installed() else NO_FONTS), flush=True)
        _material()  # loaded once for all workers
    with ProcessPoolExecutor(args.workers, get_context("fork")) as workers:
        made = [workers.submit(make_shard, path, recipe, seed) for path, seed in missing.items()]
        try:
            for shard in as_completed(made):
                print(shard.result(), flush=True)
        except BaseException:
            workers.shutdown(cancel_futures=True)
            raise
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
