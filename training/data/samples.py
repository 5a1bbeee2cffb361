"""Draws the sample photos, two whole hands of our own decks.

`python -m training.data.samples` writes them.

Every photo is a generated scene: table, light and camera come from chance, the cards and how
they are laid from the list below. Chance is tried again until a person could read every card.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from training.packs.decks import Deck, own_decks
from training.paint import Image
from training.scenes.scene import Material, Recipe, Scene, make_scene

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
"""Where the photos are committed."""
MAX_BYTES = 350_000
"""A sample is at most this large."""
MIN_CARD_PX = 170
"""The height below which a card is hard to read in a photo."""
MIN_SHARPNESS = 250.0
"""Variance of the Laplacian at half size, below which a photo looks blurred."""
TRIES = 400
"""How often chance may be tried for one photo."""
LICENCE = """How these pictures were made

Every picture here is generated: `python -m training.data.samples` lays the project's own
drawn cards (assets/) on tables that code makes up, and lights and photographs them by code. No
photo, no scan and no picture of anybody else's is in them. They are part of Settebello and are
licensed like it, AGPL-3.0-or-later.

expected.json holds the truth: the cards of each photo, where they lie (four corners in pixels,
clockwise, hidden ones too, a card's upper short side first), and the two hands they make up.
"""
"""The text of SOURCE.txt."""


@dataclass(frozen=True, kw_only=True)
class Shot:
    """One photo to make."""

    file: str
    """Its name."""
    deck: str
    """Our own deck it shows."""
    layout: str
    """How the cards are laid, see `layouts.LAYOUTS`."""
    cards: str
    """The codes, lowest card first."""
    seed: int
    """Where chance starts."""
    tilt_deg: float = 8.0
    """How far the camera leans."""
    light: str = "plain"
    """`plain`, `glare` or `dim`."""
    upright: bool = False
    """Whether the photo is taller than wide."""
    min_visible: float = 0.95
    """The least share of a card that nothing may cover."""


SHOTS: tuple[Shot, ...] = (
    Shot(file="anna-1.jpg", deck="italian", layout="grid", seed=104,
         cards="7d 1c 10s 4b 2d 8c 6s 4c 9d"),
    Shot(file="anna-2.jpg", deck="italian", layout="fan", seed=245, min_visible=0.3,
         cards="5d 7s 3c 1b 10d 6c 2s 9b 4d"),
    Shot(file="bruno-1.jpg", deck="italian", layout="rows", seed=345, min_visible=0.3,
         cards="1d 7c 5s 10b 3d 8s 2c 6b 9s 3b 7b 1s"),
    Shot(file="bruno-2.jpg", deck="italian", layout="scattered", seed=407, tilt_deg=33,
         cards="8d 5c 3s 2b 6d 9c 4s 8b 10c 5b"),
    Shot(file="carla.jpg", deck="french", layout="rows", seed=512, min_visible=0.3, upright=True,
         cards="7d 6c 2s 9b 10d 3c 1s 4b 8d 5c 7s 1b 9c"),
    Shot(file="dario-1.jpg", deck="french", layout="grid", seed=621, light="glare",
         cards="1d 8c 4s 10b 5d 2c 9s"),
    Shot(file="dario-2.jpg", deck="french", layout="heap", seed=726, tilt_deg=24, min_visible=0.5,
         cards="3d 7b 6s 10c 2d 8b 5s"),
    Shot(file="elena-1.jpg", deck="french", layout="columns", seed=825, min_visible=0.25,
         cards="7c 3s 6b 9d 1c 10s 2b"),
    Shot(file="elena-2.jpg", deck="french", layout="grid", seed=919, light="dim",
         cards="4d 8s 5b 6d 4c 3b"),
)  # fmt: skip
"""The photos: together one whole hand of two sides and one of three."""


@dataclass(frozen=True, kw_only=True)
class Hand:
    """One hand that the photos make up."""

    name: str
    """What it shows."""
    deck: str
    """The deck it is played with."""
    photos: dict[str, tuple[str, ...]]
    """The photos of each side's pile, by the side's name."""
    scope: tuple[int, ...]
    """The scope of each side."""


HANDS: tuple[Hand, ...] = (
    Hand(
        name="two sides, Italian cards",
        deck="italian",
        photos={"Anna": ("anna-1.jpg", "anna-2.jpg"), "Bruno": ("bruno-1.jpg", "bruno-2.jpg")},
        scope=(2, 1),
    ),
    Hand(
        name="three sides, French cards",
        deck="french",
        photos={
            "Carla": ("carla.jpg",),
            "Dario": ("dario-1.jpg", "dario-2.jpg"),
            "Elena": ("elena-1.jpg", "elena-2.jpg"),
        },
        scope=(1, 0, 3),
    ),
)
"""The hands; each side's pile is what its photos show, scored by the default rules."""


def readable(scene: Scene, *, min_visible: float) -> bool:
    """Whether every card is inside the picture, large enough and not covered too far."""
    height, width = scene.image.shape[:2]
    for card in scene.cards:
        tall = min(
            float(np.linalg.norm(card.corners[1] - card.corners[2])),
            float(np.linalg.norm(card.corners[0] - card.corners[3])),
        )
        inside = (card.corners > 6).all() and (card.corners < [width - 6, height - 6]).all()
        if not inside or tall < MIN_CARD_PX or card.visible < min_visible:
            return False
    return True


def clear(image: Image) -> bool:
    """Whether a picture is sharp and neither too dark nor washed out."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    sharp = float(cv2.Laplacian(small, cv2.CV_64F).var())
    washed_out = float((grey > 252).mean())
    return sharp > MIN_SHARPNESS and 70 < float(grey.mean()) < 175 and washed_out < 0.12


def under(light: str, image: Image, *, seed: int) -> Image:
    """The picture in a light of its own, on top of the light that chance gave it."""
    rng = np.random.default_rng(seed)
    height, width = image.shape[:2]
    lit = image.astype(np.float64)
    if light == "dim":
        lit = lit * np.array([0.34, 0.44, 0.52]) + rng.normal(0, 3.5, lit.shape)
    elif light == "glare":
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        for _ in range(2):
            at = rng.uniform(0.25, 0.75, 2) * [width, height]
            far = ((x - at[0]) / (0.17 * width)) ** 2 + ((y - at[1]) / (0.1 * height)) ** 2
            lit += (np.exp(-far) * rng.uniform(90, 130))[..., None]
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


def scene_of(shot: Shot, deck: Deck) -> Scene:
    """The first scene that shows every card well enough."""
    size_wh = (1200, 1600) if shot.upright else (1600, 1200)
    recipe = Recipe(layout=shot.layout, cards=tuple(shot.cards.split()), tidy=True,
                    tilt_deg=shot.tilt_deg, size_wh=size_wh)  # fmt: skip
    for seed in range(shot.seed, shot.seed + TRIES):
        scene = make_scene(np.random.default_rng(seed), Material(decks=(deck,)), recipe)
        if readable(scene, min_visible=shot.min_visible) and clear(scene.image):
            return scene
    raise RuntimeError(f"{shot.file}: no readable scene in {TRIES} tries; loosen its wishes")


def jpeg(image: Image) -> bytes:
    """The picture as the best JPEG that is small enough."""
    for quality in range(90, 30, -4):
        data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        if len(data) <= MAX_BYTES:
            break
    return data


def truth_of(shot: Shot, scene: Scene) -> dict[str, object]:
    """What expected.json says of one photo."""
    return {
        "cards": [card.card for card in scene.cards],
        "layout": shot.layout,
        "light": shot.light,
        "deck": shot.deck,
        "corners": [card.corners.round().astype(int).tolist() for card in scene.cards],
    }


def facts_of(hand: Hand) -> dict[str, object]:
    """What expected.json says of one hand: what the photos of a side show is its pile."""
    shown = {shot.file: shot.cards.split() for shot in SHOTS}
    sides = [
        {
            "name": name,
            "photos": list(photos),
            "pile": [code for photo in photos for code in shown[photo]],
            "scope": scope,
        }
        for (name, photos), scope in zip(hand.photos.items(), hand.scope, strict=True)
    ]
    return {"name": hand.name, "rules": "silver-lake", "deck": hand.deck, "sides": sides}


def main() -> None:
    """Writes every photo, expected.json and SOURCE.txt."""
    parser = argparse.ArgumentParser(prog="training.data.samples", description=__doc__)
    parser.add_argument("out", type=Path, nargs="?", default=SAMPLES, help="usually samples/")
    out: Path = parser.parse_args().out
    out.mkdir(exist_ok=True)
    decks = {deck.name.removesuffix("-own"): deck for deck in own_decks()}
    photos: dict[str, object] = {}
    for shot in SHOTS:
        scene = scene_of(shot, decks[shot.deck])
        data = jpeg(under(shot.light, scene.image, seed=shot.seed))
        (out / shot.file).write_bytes(data)
        photos[shot.file] = truth_of(shot, scene)
        print(f"{shot.file}: {len(scene.cards)} cards, {len(data) // 1000} kB", flush=True)
    expected = {"hands": [facts_of(hand) for hand in HANDS], "photos": photos}
    (out / "expected.json").write_text(json.dumps(expected) + "\n", encoding="utf-8")
    (out / "SOURCE.txt").write_text(LICENCE, encoding="utf-8")


if __name__ == "__main__":
    main()
