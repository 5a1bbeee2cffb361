"""Write piles of printings kept out of training: `python -m vision.training.heldout data/heldout`.

The folder is read by `python -m vision.evaluate`: photos and a labels.json that also names deck,
layout and tilt. Every card shows at least `MIN_VISIBLE` of itself.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.training.decks import backgrounds, load_decks
from vision.training.layouts import LAYOUTS, Rng
from vision.training.scenes import Material, Recipe, Scene, make_scene

MIN_VISIBLE = 0.35
"""The least share of a card that can be seen."""
SIZE_WH = (1600, 1200)
"""Size of a picture in pixels."""
_TRIES = 200


def pile(rng: Rng, material: Material, layout: str) -> Scene:
    """A pile of 15 to 25 cards laid in the named way, each of them seen well enough."""
    for attempt in range(_TRIES):
        codes = _codes(rng, count=max(4, int(rng.integers(15, 26)) - attempt // 20))
        scene = make_scene(
            rng, material, Recipe(layout=layout, cards=codes, size_wh=SIZE_WH, tidy=True)
        )
        if all(card.visible >= MIN_VISIBLE for card in scene.cards):
            return scene
    raise RuntimeError(f"no pile laid as {layout} shows every card after {_TRIES} tries")


def _codes(rng: Rng, *, count: int) -> tuple[str, ...]:
    from vision.classes import CLASSES

    return tuple(str(code) for code in rng.permutation(np.array(CLASSES[:40]))[:count])


def write(folder: Path, *, count: int, seed: int) -> None:
    """Writes `count` photos and labels.json; layouts take turns."""
    decks = load_decks(held_out=True)
    if not decks:
        raise SystemExit("../shared/data/decks is missing: no printing can be kept out")
    material = Material(tuple(decks), tables=tuple(backgrounds()))
    folder.mkdir(parents=True, exist_ok=True)
    photos = {}
    for k in range(count):
        layout = list(LAYOUTS)[k % len(LAYOUTS)]
        scene = pile(np.random.default_rng([seed, k]), material, layout)
        name = f"pile-{k:04d}.jpg"
        cv2.imwrite(str(folder / name), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 90])
        photos[name] = {
            "cards": sorted(card.card for card in scene.cards),
            "boxes": [_box(card.card, card.corners) for card in scene.cards],
            "layout": scene.layout,
            "deck": scene.deck,
            "tilt_deg": round(scene.tilt_deg, 1),
        }
    about = "Generated piles of printings kept out of training."
    (folder / "labels.json").write_text(json.dumps({"about": about, "photos": photos}, indent=1))


def _box(card: str, corners: np.ndarray) -> dict[str, object]:
    low, high = corners.min(0), corners.max(0)
    return {"xyxy": [round(float(v)) for v in (*low, *high)], "card": card}


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="vision.training.heldout", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=140)
    parser.add_argument("--seed", type=int, default=90001)
    args = parser.parse_args(argv)
    write(args.out, count=args.count, seed=args.seed)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
