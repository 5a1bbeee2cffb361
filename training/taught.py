"""Decks laid out to be taught, and piles of the same decks to see what that is good for.

`python -m training.taught data/taught` writes them for the printings kept out of
training: a folder of labelled piles, and in it a folder `teaching` with four photos of each deck, a
suit a photo. Both are read by `python -m vision.decks.evaluate`.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from scoring.cards import CODES
from training.heldout import SIZE_WH, kept, pile
from training.paint import Rng
from training.printings import HELD_OUT, Deck, backgrounds, load_named
from training.scenes import SPREAD, Material, Recipe, Scene, make_scene
from vision.decks.evaluate import TEACHING

CHOSEN_ON = (
    "bergamasche__aaaasmile__CuperativaSoloRuby",
    "napoletane__norciaand__BRISCOLATA",
    "piacentine__SamuLeo__JBriscola",
    "romagnole__enricogobbi__Progetto-Maraffa",
    "spanish-vector__urzino__Briscola-AndroidAPP",
    "french-anglopoker__GNOME__aisleriot",
    "french-bassi__bassiriccardo97__Scopone3.0",
    "trevisane__AleVanz01__Briscola-Game",
    "triestine__dm002314473__tressette-game",
    "napoletane-vector__FCBTruong__tressette",
)
"""Printings that the weights of `vision.decks.embeddings` were chosen on: they judge nothing."""
SUIT = 10
"""Cards in a photo of a deck that is laid out."""
APART = 0.97
"""The least share of a card that can be seen: the cards lie beside one another."""
LEAST_HEIGHT_PX = 170
"""The least height of a card: the cards fill the picture."""
MOST_TILT_DEG = 20.0
"""Whoever teaches a deck is told to hold the phone straight above it."""


def write(folder: Path, decks: Sequence[Deck], *, piles: int, seed: int) -> None:
    """Writes so many piles of each deck, whose layouts take turns, and the deck laid out."""
    tables = tuple(backgrounds())
    (folder / TEACHING).mkdir(parents=True, exist_ok=True)
    shown: dict[str, object] = {}
    laid: dict[str, object] = {}
    for number, deck in enumerate(decks):
        material = Material((deck,), tables=tables)
        laid |= _laid_out(folder / TEACHING, material, number=number, seed=seed)
        for k in range(piles):
            layout = list(SPREAD)[(number + k) % len(SPREAD)]
            scene = pile(np.random.default_rng([seed, number, k]), material, layout)
            name = f"pile-{number:02d}-{k:02d}.jpg"
            shown[name] = kept(folder / name, scene)
    about = "Generated piles of printings kept out of training, and those decks laid out."
    for place, photos in ((folder, shown), (folder / TEACHING, laid)):
        labels = {"about": about, "photos": photos}
        (place / "labels.json").write_text(json.dumps(labels, indent=1))


def _laid_out(folder: Path, material: Material, *, number: int, seed: int) -> dict[str, object]:
    """Writes four photos of a deck, a suit each, and gives their labels by name."""
    photos: dict[str, object] = {}
    for start in range(0, len(CODES), SUIT):
        rng = np.random.default_rng([seed, number, start, 1])
        scene = _apart(rng, material, CODES[start : start + SUIT])
        name = f"deck-{number:02d}-{start // SUIT}.jpg"
        photos[name] = kept(folder / name, scene)
    return photos


def _apart(rng: Rng, material: Material, codes: Sequence[str]) -> Scene:
    """Cards laid out as whoever teaches a deck is asked to: apart, near, in even light."""
    while True:
        recipe = Recipe(
            layout="grid",
            cards=tuple(codes),
            tilt_deg=float(rng.uniform(0, MOST_TILT_DEG)),
            size_wh=SIZE_WH,
            tidy=True,
        )
        scene = make_scene(rng, material, recipe)
        heights = [float(np.linalg.norm(card.corners[1] - card.corners[2])) for card in scene.cards]
        is_apart = min(card.visible for card in scene.cards) >= APART
        if is_apart and min(heights) >= LEAST_HEIGHT_PX and scene.light == "even":
            return scene


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="training.taught", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--piles", type=int, default=7, help="piles of each deck")
    parser.add_argument("--seed", type=int, default=32001)
    parser.add_argument(
        "--decks", nargs="+", metavar="NAME", help="folders in ../shared/data/decks", default=None
    )
    parser.add_argument("--chosen-on", action="store_true", help="those that judge nothing")
    args = parser.parse_args(argv)
    judging = sorted(HELD_OUT.difference(CHOSEN_ON))
    decks = load_named(args.decks or (CHOSEN_ON if args.chosen_on else judging))
    write(args.out, decks, piles=args.piles, seed=args.seed)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
