"""A card in a hand: where it is said to be, and what the thumb hides of it."""

import numpy as np
import pytest

from training import clutter as hands
from training import printings
from training.rendering import Style, stock
from vision.reading import CLASSES

FLAT = np.array([[200, 150], [260, 150], [260, 250], [200, 250]], np.float32)


@pytest.mark.parametrize("seed", range(20))
def test_a_raised_card_stays_near_and_goes_round_clockwise(seed: int) -> None:
    held = hands.raised(np.random.default_rng(seed), FLAT)
    a, b, _, d = held
    across, down = b - a, d - a
    assert across[0] * down[1] - across[1] * down[0] > 0
    assert np.linalg.norm(across) < np.linalg.norm(down) < 1.6 * 100
    assert np.linalg.norm(held.mean(0) - FLAT.mean(0)) < 1.5 * 100


def drawn(monkeypatch: pytest.MonkeyPatch, *, motion: float) -> tuple[np.ndarray, np.ndarray]:
    """A grey table with one card held over it, and whose pixels are the card's."""
    monkeypatch.setattr(hands, "MOVING", float(motion > 0))
    monkeypatch.setattr(hands, "MOTION", motion)
    rng = np.random.default_rng(4)
    style = Style(np.random.default_rng(1))
    cut = stock(np.random.default_rng(2), style, printings.own_decks()[0].face(CLASSES[0], 100))
    canvas = np.full((400, 460, 3), 90, np.float32)
    owner = np.full(canvas.shape[:2], 7, np.int16)
    hands.hold_card(rng, canvas, owner, 0, cut=cut, corners=FLAT, style=style)
    return canvas, owner


def test_the_thumb_hides_a_part_of_the_card_and_the_rest_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    still, owner = drawn(monkeypatch, motion=0)
    seen = (owner == 0).sum() / (60 * 100)
    assert 0.4 < seen < 0.97
    assert set(np.unique(owner)) == {-1, 0, 7}
    assert (owner[(still == 90).all(2)] == 7).all()
    assert (owner[:140] != 0).all()


def test_a_moving_card_is_smeared_and_the_table_around_it_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (still, at), (moving, where) = drawn(monkeypatch, motion=0), drawn(monkeypatch, motion=0.9)
    assert np.array_equal(at, where)
    assert np.abs(np.diff(moving, axis=1)).max() < np.abs(np.diff(still, axis=1)).max()
    assert (moving[:40] == 90).all()
