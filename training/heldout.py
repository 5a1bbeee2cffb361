"""Piles of printings kept out of training: `python -m training.heldout data/heldout`.

The folder is read by `python -m vision.evaluate`: photos and a labels.json that also names deck,
layout, light and tilt. At least `MIN_VISIBLE` of every card is seen, or of a French one an
index. `--hands` writes whole hands, played legally and at random, for `python -m table.evaluate`.
`--crowded` writes cards with an index in ladders, where a fifth of each is seen, and in squared
tricks with an offset.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import cv2
import numpy as np

from scoring.play import random_hand
from scoring.presets import PRESETS
from training.paint import Rng
from training.printings import backgrounds, deck_names, load_decks
from training.scenes import CROWDED, SPREAD, Material, Recipe, Scene, make_scene
from vision.reading import CLASSES

MIN_VISIBLE = 0.35
"""The least share of a card that is seen."""
MIN_INDEX = 0.85
"""The least share of a French card's index that is seen: nothing else tells the card."""
WIDTH = 1600
"""Width of a picture in pixels; its height is three quarters of it."""
MOST_IN_ONE = 20
"""A pile of more cards than this is photographed in two parts."""
CROWD = {"ladders": 10, "pairs": 16}
"""Cards of a crowded pile; forty would be smaller than in players' photos."""
RULES = "silver-lake"
"""The rules of whole hands."""
TRIES = 200
Label = Mapping[str, object]


def pile(rng: Rng, material: Material, layout: str, *, width: int = WIDTH) -> Scene:
    """Return a pile of 15 to 25 cards in this layout, each of which is seen well enough."""
    for attempt in range(TRIES):
        count = CROWD.get(layout) or max(4, int(rng.integers(15, 26)) - attempt // 20)
        codes = [str(code) for code in rng.permutation(np.array(CLASSES[:40]))[:count]]
        scene = _scene(rng, material, layout, codes=codes, width=width)
        if scene is not None:
            return scene
    raise RuntimeError(f"no pile laid as {layout} shows every card after {TRIES} tries")


def photos_of(
    rng: Rng, material: Material, codes: Sequence[str], *, width: int = WIDTH
) -> list[Scene]:
    """Return the photos of a pile of these cards: two if it is large."""
    parts = [codes] if len(codes) <= MOST_IN_ONE else [codes[::2], codes[1::2]]
    scenes = []
    for part in parts:
        found = None
        while found is None:
            layout = str(rng.choice(list(SPREAD)))
            found = _scene(rng, material, layout, codes=part, width=width)
        scenes.append(found)
    return scenes


def _scene(
    rng: Rng, material: Material, layout: str, *, codes: Sequence[str], width: int
) -> Scene | None:
    """Return these cards in this layout, or None if one is hidden too far."""
    recipe = Recipe(layout=layout, cards=tuple(codes), size_wh=(width, 3 * width // 4), tidy=True)
    scene = make_scene(rng, material, recipe)
    french = next(deck.is_french for deck in material.decks if deck.name == scene.deck)
    shown = all(
        max(card.indices_seen) >= MIN_INDEX if french else card.visible >= MIN_VISIBLE
        for card in scene.cards
    )
    return scene if shown else None


def write_piles(
    folder: Path, *, count: int, hands: int, crowded: int, seed: int, width: int = WIDTH
) -> None:
    """Write piles, whole hands and crowded piles, their layouts in turn, with labels.

    Raises:
        SystemExit: No printing can be kept out, as the shared material is missing.
    """
    decks = load_decks(deck_names(held_out=True))
    if not decks:
        raise SystemExit("../shared/data/decks is missing: no printing can be kept out")
    material = Material(tuple(decks), tables=tuple(backgrounds()))
    indexed = Material(tuple(deck for deck in decks if deck.is_indexed), tables=material.tables)
    photos: dict[str, Label] = {}
    for name, number, from_decks, layouts, key in (
        ("pile", count, material, list(SPREAD), ()),
        ("crowd", crowded, indexed, list(CROWDED), (2,)),
    ):
        for k in range(number):
            rng = np.random.default_rng([seed, k, *key])
            scene = pile(rng, from_decks, layouts[k % len(layouts)], width=width)
            photos[f"{name}-{k:04d}.jpg"] = kept(folder / f"{name}-{k:04d}.jpg", scene)
    played = []
    for k in range(hands):
        rng = np.random.default_rng([seed, k, 1])
        one_deck = Material((decks[int(rng.integers(len(decks)))],), tables=material.tables)
        facts = random_hand(PRESETS[RULES], Random(f"{seed} {k}"), names=("Anna", "Bruno"))
        sides = facts.to_dict()["sides"]
        for side in sides:
            scenes = photos_of(rng, one_deck, side["pile"], width=width)
            side["photos"] = [f"hand-{k:04d}-{side['name']}-{n}.jpg" for n in range(len(scenes))]
            for name, scene in zip(side["photos"], scenes, strict=True):
                photos[name] = kept(folder / name, scene)
        played.append({"rules": RULES, "sides": sides})
    write_labels(folder, photos, hands=played)


def kept(path: Path, scene: Scene) -> Label:
    """Write a photo and return its label."""
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 90])
    boxes = [(card.card, [*card.corners.min(0), *card.corners.max(0)]) for card in scene.cards]
    return {
        "cards": sorted(card.card for card in scene.cards),
        "boxes": [{"xyxy": [round(float(v)) for v in box], "card": card} for card, box in boxes],
        "layout": scene.layout,
        "deck": scene.deck,
        "light": scene.light,
        "tilt_deg": round(scene.tilt_deg, 1),
    }


def write_labels(folder: Path, photos: Mapping[str, Label], **more: object) -> None:
    """Write the labels of a folder."""
    about = "Generated piles of printings kept out of training."
    labels = {"about": about, "photos": photos, **more}
    (folder / "labels.json").write_text(json.dumps(labels, indent=1))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="training.heldout", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=140, help="piles by themselves")
    parser.add_argument("--hands", type=int, default=0, help="whole hands of two sides")
    parser.add_argument("--crowded", type=int, default=0, help="ladders and tricks squared up")
    parser.add_argument("--width", type=int, default=WIDTH, help="of a picture, in pixels")
    parser.add_argument("--seed", type=int, default=90001)
    args = parser.parse_args(argv)
    numbers = {"count": args.count, "hands": args.hands, "crowded": args.crowded}
    write_piles(args.out, **numbers, seed=args.seed, width=args.width)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
