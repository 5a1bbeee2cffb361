"""Generated scenes: what is written beside a picture is what the picture shows."""

import json
from pathlib import Path

import numpy as np
import pytest

from table.evaluate import read_hands
from training import printings as decks
from training import scenes
from training.data import read_samples, sample_of, shard_paths, write_shard
from training.distractors import marked
from training.scenes import LAYOUTS, Material, Recipe, lay, make_scene
from vision.reading import CLASSES


@pytest.fixture(scope="module")
def material() -> Material:
    return Material(tuple(decks.own_decks()))


def small(layout: str, *codes: str) -> Recipe:
    return Recipe(layout=layout, cards=codes, size_wh=(320, 240), tidy=True)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("count", [1, 7, 40])
def test_every_layout_places_as_many_cards_as_asked(layout: str, count: int) -> None:
    assert len(lay(np.random.default_rng(1), layout, count)) == count


def test_a_seed_gives_the_same_picture_again(material: Material) -> None:
    first, again = (make_scene(np.random.default_rng(5), material) for _ in range(2))
    assert np.array_equal(first.image, again.image)
    assert [c.card for c in first.cards] == [c.card for c in again.cards]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_corners_go_round_a_card_clockwise_short_side_first(
    material: Material, layout: str
) -> None:
    recipe = Recipe(layout=layout, cards=CLASSES[:6], tilt_deg=20, size_wh=(320, 240), tidy=True)
    for card in make_scene(np.random.default_rng(3), material, recipe).cards:
        a, b, _, d = card.corners
        across, down = b - a, d - a
        assert across[0] * down[1] - across[1] * down[0] > 0
        assert np.linalg.norm(across) < np.linalg.norm(down)


def test_a_card_under_others_shows_its_index_or_not(material: Material) -> None:
    apart = make_scene(np.random.default_rng(2), material, small("scattered", *CLASSES[:4]))
    assert all(max(card.indices_seen) > 0.85 for card in apart.cards)
    ladder = make_scene(np.random.default_rng(5), material, small("columns", *CLASSES[:12]))
    assert all(max(card.indices_seen) > 0.85 for card in ladder.cards)
    assert min(card.visible for card in ladder.cards) < 0.3
    heap = make_scene(np.random.default_rng(5), material, small("heap", *CLASSES[:40]))
    assert min(max(card.indices_seen) for card in heap.cards if card.visible > 0.35) < 0.5


def test_an_index_beyond_the_edge_of_the_picture_is_not_seen(material: Material) -> None:
    cut_off = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        scene = make_scene(rng, material, Recipe(layout="grid", cards=tuple(CLASSES[:20])))
        size_wh = scene.image.shape[1::-1]
        for card in scene.cards:
            toward = card.corners.mean(0) - card.corners
            middles = card.corners + 0.2 * toward  # of the indices at 0 and 2
            ends = zip(middles[[0, 2]], card.indices_seen, strict=True)
            cut_off += [seen for xy, seen in ends if (xy < 0).any() or (xy >= size_wh).any()]
    assert len(cut_off) > 5
    assert max(cut_off) < 0.6


def test_tidy_scenes_keep_every_corner_in_the_picture(material: Material) -> None:
    for seed in range(8):
        scene = make_scene(np.random.default_rng(seed), material, small("grid", *CLASSES[:5]))
        corners = np.concatenate([card.corners for card in scene.cards])
        assert (corners > 0).all()
        assert (corners < [320, 240]).all()


def test_a_card_that_nothing_covers_is_seen_whole_and_a_covered_one_less(
    material: Material,
) -> None:
    grid = make_scene(np.random.default_rng(2), material, small("grid", "7d", "6c"))
    assert min(card.visible for card in grid.cards) > 0.85
    rows = make_scene(np.random.default_rng(2), material, small("rows", "7d", "6c", "5s"))
    assert min(card.visible for card in rows.cards) < 0.7
    assert max(card.visible for card in rows.cards) > 0.85


def test_a_shard_gives_back_what_was_put_in(material: Material, tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    made = [make_scene(rng, material, small("grid", "1d", "2c", "3s")) for _ in range(2)]
    samples = [sample_of(scene) for scene in made]
    write_shard(tmp_path / "shard-00000.npz", samples)
    (path,) = shard_paths(tmp_path)
    read = read_samples(path)
    assert [s.jpeg for s in read] == [s.jpeg for s in samples]
    for name in ("corners", "visible", "indices_seen", "labels"):
        pairs = zip(read, samples, strict=True)
        assert all(np.array_equal(getattr(a, name), getattr(b, name)) for a, b in pairs)
    assert [CLASSES[label] for label in read[0].labels] == ["1d", "2c", "3s"]


def test_some_scenes_show_one_near_card_and_some_none(material: Material) -> None:
    made = [make_scene(np.random.default_rng(seed), material) for seed in range(60)]
    assert any(not scene.cards for scene in made)
    assert not sample_of(next(scene for scene in made if not scene.cards)).corners.size
    near = [
        scene
        for scene in made
        for card in scene.cards
        if np.linalg.norm(card.corners[1] - card.corners[2]) > 0.5 * max(scene.image.shape)
    ]
    assert len(near) > 5


def test_a_fine_ground_is_as_sharp_under_near_cards_as_under_far_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scenes, "FINE", 1.0)

    def sharpness(height_px: float) -> float:
        looks_down = np.array([[height_px, 0, 160], [0, height_px, 120], [0, 0, 1]])
        camera = scenes.Camera(looks_down, (320, 240), 0.0)
        grounds = [
            scenes.surface(np.random.default_rng(seed), Material(()), camera, height_px)
            for seed in range(12)
        ]
        return float(np.mean([np.abs(np.diff(one.astype(float), axis=1)) for one in grounds]))

    assert sharpness(900) > 0.9 * sharpness(80) > 2


def test_another_makers_mark_changes_the_middle_of_a_card_and_nothing_else() -> None:
    card = np.full((128, 128, 3), 230, np.uint8)
    figure = np.random.default_rng(0).integers(0, 255, (128, 128, 3)).astype(np.uint8)
    for seed in range(20):
        other = marked(np.random.default_rng(seed), card, figure)
        changed = np.argwhere((other != card).any(axis=2))
        assert len(changed) > 128
        assert (np.abs(changed - 63.5) <= (30, 46)).all()
    assert (card == 230).all()


def test_without_shared_material_only_our_own_decks_are_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(decks, "SHARED", tmp_path / "missing")
    assert {deck.name for deck in decks.load_decks()} == {"italian-own", "french-own"}
    assert decks.load_decks(held_out=True) == []
    assert decks.not_scopa_faces() == []
    assert decks.backgrounds() == []


def test_no_held_out_printing_is_trained_with(shared: Path) -> None:
    names = {path.name for path in (shared / "data" / "decks").iterdir() if path.is_dir()}
    assert names >= decks.HELD_OUT
    assert not {deck.name for deck in decks.load_decks()} & decks.HELD_OUT


@pytest.mark.usefixtures("shared")
def test_held_out_piles_are_labelled_for_the_evaluation(tmp_path: Path) -> None:
    from training.heldout import write

    write(tmp_path, count=2, hands=1, crowded=2, seed=1)
    labels = json.loads((tmp_path / "labels.json").read_text())["photos"]
    (hand,) = read_hands(tmp_path)
    assert len(labels) == 2 + 2 + sum(map(len, hand.photos))
    assert {len(labels[f"crowd-{k:04}.jpg"]["cards"]) for k in range(2)} == {10, 16}
    assert sum(len(side.pile) for side in hand.sides) == 40
    for side, paths in zip(hand.sides, hand.photos, strict=True):
        shown = [code for path in paths for code in labels[path.name]["cards"]]
        assert sorted(shown) == sorted(card.code for card in side.pile)
    for name, photo in labels.items():
        assert (tmp_path / name).stat().st_size > 10_000
        assert photo["deck"] in decks.HELD_OUT
        assert photo["layout"] in LAYOUTS
        assert len(photo["cards"]) == len(set(photo["cards"]))
