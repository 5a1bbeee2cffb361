"""Decorated aces and cards of no pack: made up anew, and never another card than their label."""

from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="fonts come with `make smoke`'s environment")

from training import printings
from training.distractors import HEIGHT_PX, oddment
from training.french_printings import SIDE_PX, decorated
from training.printings import fonts, written
from training.scenes import Material, Recipe, make_scene
from vision.reading import BACK, NOT_SCOPA


def test_a_decorated_ace_keeps_its_outline_and_is_hollow_or_drawn_in() -> None:
    y, x = np.mgrid[-1:1:60j, -1:1:50j]
    pip = ((np.abs(x) + np.abs(y)) < 0.95).astype(np.float32)
    for seed in range(30):
        shape = decorated(np.random.default_rng(seed), pip)
        assert shape.shape == (240, SIDE_PX)
        assert shape.min() >= 0
        assert shape.max() <= 1
        assert (shape[:, SIDE_PX // 2] > 0.5).argmax() < 24  # its upper tip is where it was
        assert not np.allclose(shape, decorated(np.random.default_rng(seed + 100), pip))


def test_an_oddment_is_made_again_by_its_seed_and_no_two_are_alike() -> None:
    made = [oddment(np.random.default_rng(seed), ()) for seed in range(20)]
    again = [oddment(np.random.default_rng(seed), ()) for seed in range(20)]
    assert all(np.array_equal(a, b) for a, b in zip(made, again, strict=True))
    assert all(a.shape != b.shape or (a != b).any() for a, b in pairwise(made))
    assert {max(card.shape) for card in made} == {HEIGHT_PX}
    assert all(card.std() > 0 for card in made), "something is printed on each"


@pytest.mark.parametrize("tidy", [False, True])
def test_cards_of_no_pack_lie_in_untidy_scenes_and_are_called_so(tidy: bool) -> None:
    own = {deck.name: deck for deck in printings.own_decks()}
    blue = np.full((HEIGHT_PX, 300, 3), (250, 0, 0), np.uint8)
    with_odd = Material((own["italian-own"],), oddments=((blue,),))
    without = Material((own["italian-own"],))
    recipe = Recipe(layout="scattered", size_wh=(320, 240), tidy=tidy)
    seen = [
        card.card
        for seed in range(12)
        for card in make_scene(np.random.default_rng(seed), with_odd, recipe).cards
    ]
    assert (NOT_SCOPA in seen) == (BACK in seen) == (not tidy)
    for seed in range(12):
        scene = make_scene(np.random.default_rng(seed), without, recipe)
        assert NOT_SCOPA not in {card.card for card in scene.cards}


def test_numbers_are_set_in_fonts_whose_one_has_a_foot_and_in_those_without() -> None:
    ones = [(written("1", font, 60) > 0.5).sum(1) for font in fonts()]
    is_plain = [rows[-3] < 1.3 * rows[30] for rows in ones]
    assert 0.25 < np.mean(is_plain) < 0.75
