"""Generated pictures: what is written beside one is what it shows, and a seed makes it again."""

import json
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.evaluate import read_hands
from training import clutter, data, heldout, made_up, paint, printings, scenes
from training.data import (
    CORNERS_ONLY,
    FAR,
    NEAR,
    read_samples,
    rough_box,
    sample_of,
    shard_paths,
    write_shard,
)
from training.distractors import HEIGHT_PX, LONG_PX, marked, oddment, page
from training.paint import Image, fonts, written
from training.rendering import BURNT_PERCENT, EXPOSED, GAIN, WHITE, Style, illuminate, stock
from training.scenes import (
    LAYOUTS,
    NEAREST,
    Material,
    Recipe,
    Scene,
    aim,
    corners_of,
    lay,
    make_scene,
)
from vision.geometry import corner_distances
from vision.reading import BACK, CLASSES, NOT_SCOPA

needs_fonts = pytest.mark.skipif(
    find_spec("matplotlib") is None, reason="fonts come with `make smoke`'s environment"
)
SMALL = (320, 240)


def chance(*seed: int) -> np.random.Generator:
    return np.random.default_rng(list(seed))


@pytest.fixture(scope="module")
def material() -> Material:
    return Material(tuple(printings.own_decks()))


def laid(
    material: Material, layout: str, *codes: str, seed: int = 2, tilt_deg: float | None = None
) -> Scene:
    """Return a small tidy scene of these cards."""
    recipe = Recipe(layout=layout, cards=codes, tilt_deg=tilt_deg, size_wh=SMALL, tidy=True)
    return make_scene(chance(seed), material, recipe)


def across_and_down(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return corners[1] - corners[0], corners[3] - corners[0]


def goes_round_clockwise(corners: np.ndarray) -> bool:
    across, down = across_and_down(corners)
    return bool(across[0] * down[1] - across[1] * down[0] > 0)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_keep_corner_order_and_stay_in_the_picture(material: Material, layout: str) -> None:
    assert [len(lay(chance(1), layout, count)) for count in (1, 7, 40)] == [1, 7, 40]
    for seed in range(2):
        for card in laid(material, layout, *CLASSES[:6], seed=seed, tilt_deg=20).cards:
            across, down = across_and_down(card.corners)
            assert goes_round_clockwise(card.corners)
            assert np.linalg.norm(across) < np.linalg.norm(down)
            assert ((card.corners > 0) & (card.corners < SMALL)).all()


def test_a_seed_gives_the_same_picture_again(material: Material) -> None:
    first, again = (make_scene(chance(5), material, Recipe(size_wh=SMALL)) for _ in range(2))
    assert np.array_equal(first.image, again.image)
    assert [c.card for c in first.cards] == [c.card for c in again.cards]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_visible_shares_are_those_of_the_pixels(material: Material, layout: str) -> None:
    scene = laid(material, layout, *CLASSES[:12])
    covered = np.zeros(SMALL[::-1], np.uint8)
    for card in scene.cards:
        cv2.fillConvexPoly(covered, np.round(card.corners).astype(np.int32), (1,))
    shown = sum(card.visible * cv2.contourArea(card.corners) for card in scene.cards)
    assert 0.9 < shown / covered.sum() < 1.01, "rounded corners show what is under them"


def test_how_much_of_a_card_and_of_its_index_is_seen_is_known(material: Material) -> None:
    apart = laid(material, "scattered", *CLASSES[:4])
    assert all(max(card.indices_seen) > 0.85 < card.visible for card in apart.cards)
    ladder = laid(material, "columns", *CLASSES[:12], seed=5)
    assert all(max(card.indices_seen) > 0.85 for card in ladder.cards)
    assert min(card.visible for card in ladder.cards) < 0.3
    heap = laid(material, "heap", *CLASSES[:40], seed=5)
    assert min(max(card.indices_seen) for card in heap.cards if card.visible > 0.35) < 0.5


def test_an_index_beyond_the_edge_of_the_picture_is_not_seen(material: Material) -> None:
    cut_off = []
    for seed in range(12):
        recipe = Recipe(layout="grid", cards=tuple(CLASSES[:20]), size_wh=(640, 480))
        for card in make_scene(chance(seed), material, recipe).cards:
            middles = card.corners + 0.2 * (card.corners.mean(0) - card.corners)
            ends = zip(middles[[0, 2]], card.indices_seen, strict=True)
            cut_off += [seen for xy, seen in ends if (xy < 0).any() or (xy >= (640, 480)).any()]
    assert len(cut_off) > 5
    assert max(cut_off) < 0.6


def test_a_shard_gives_back_what_was_put_in(material: Material, tmp_path: Path) -> None:
    samples = [sample_of(laid(material, "grid", "1d", "2c", "3s", seed=k)) for k in range(2)]
    write_shard(tmp_path / "shard-00000.npz", samples)
    (path,) = shard_paths(tmp_path)
    read = read_samples(path)
    assert [s.jpeg for s in read] == [s.jpeg for s in samples]
    for name in ("corners", "visible", "indices_seen", "labels"):
        pairs = zip(read, samples, strict=True)
        assert all(np.array_equal(getattr(a, name), getattr(b, name)) for a, b in pairs)
    assert [CLASSES[label] for label in read[0].labels] == ["1d", "2c", "3s"]


def test_strip_scene_shows_little_of_each_card(material: Material) -> None:
    (least, most), side = data.STRIP_CARDS, data.STRIPS * data.STRIP_PX
    shown = data.sheet(chance(3), material)
    assert data.decode(shown.jpeg).shape == (side, side, 3)
    middles = (shown.corners.mean(1) * data.STRIPS).astype(int)
    counts = Counter(map(tuple, middles.tolist()))
    assert set(counts) == {(x, y) for x in range(data.STRIPS) for y in range(data.STRIPS)}
    assert least <= min(counts.values()) <= max(counts.values()) <= most
    assert np.mean(shown.visible < 0.7) > 0.5


def test_untidy_scenes_hold_every_kind_of_disorder() -> None:
    own = {deck.name: deck for deck in printings.own_decks()}
    blue = np.full((HEIGHT_PX, 300, 3), (250, 0, 0), np.uint8)
    plain = Material((own["italian-own"],))
    with_odd = Material((own["italian-own"],), oddments=((blue,),))

    def shown(material: Material, count: int, *, tidy: bool) -> list[Scene]:
        recipe = Recipe(size_wh=SMALL, tidy=tidy)
        return [make_scene(chance(seed), material, recipe) for seed in range(count)]

    def named(made: list[Scene]) -> Counter[str]:
        return Counter(card.card for scene in made for card in scene.cards)

    untidy = shown(with_odd, 40, tidy=False)
    assert min(named(untidy)[BACK], named(untidy)[NOT_SCOPA]) > 0
    assert not named(shown(with_odd, 4, tidy=True)).keys() & {BACK, NOT_SCOPA}
    assert NOT_SCOPA not in named(shown(plain, 6, tidy=False))
    bare = [scene for scene in untidy if not scene.cards]
    assert 0 < len(bare) < 10
    assert not sample_of(bare[0]).corners.size
    heights = [np.linalg.norm(c.corners[1] - c.corners[2]) for s in untidy for c in s.cards[:1]]
    assert sum(height > 0.5 * max(SMALL) for height in heights) > 5


def test_ground_is_equally_sharp_at_every_distance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scenes, "FINE", 1.0)

    def sharpness(height_px: float) -> float:
        looks_down = np.array([[height_px, 0, 160], [0, height_px, 120], [0, 0, 1]])
        camera = scenes.Camera(looks_down, SMALL, 0.0)
        grounds = [
            scenes.surface(chance(seed), Material(()), camera, height_px) for seed in range(12)
        ]
        return float(np.mean([np.abs(np.diff(one.astype(float), axis=1)) for one in grounds]))

    assert sharpness(900) > 0.9 * sharpness(80) > 2


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("tilt_deg", [0.0, 30.0, 55.0])
def test_a_camera_has_the_whole_pile_before_it_and_in_its_frame(
    layout: str, tilt_deg: float
) -> None:
    def depths(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
        return np.asarray(np.c_[points, np.ones(len(points))] @ matrix[2])

    for seed in range(10):
        rng = chance(seed)
        corners = [corners_of(place, 0.55) for place in lay(rng, layout, 25)]
        camera = aim(rng, corners, size_wh=(1600, 1200), tilt_deg=tilt_deg, tidy=True)
        points = np.concatenate(corners)
        middle = depths(camera.matrix, (points.min(0) + points.max(0))[None] / 2)[0]
        assert depths(camera.matrix, points).min() >= 0.99 * NEAREST * middle
        seen = camera.project(points)
        assert ((seen >= -0.5) & (seen <= [1600.5, 1200.5])).all()
        if tilt_deg == 0:  # from straight above all cards are equally large
            heights = np.linalg.norm(seen[1::4] - seen[2::4], axis=1)
            assert np.ptp(heights) < 1e-6 * heights.max()


def test_near_cards_fill_the_picture_and_reach_out_of_it() -> None:
    shares, outside = [], 0
    for seed in range(40):
        rng = chance(seed)
        [corners] = [corners_of(place, 0.55) for place in lay(rng, "grid", 1)]
        seen = aim(rng, [corners], size_wh=(1280, 960), near=True).project(corners)
        shares.append(np.linalg.norm(seen[1] - seen[2]) / 1280)
        outside += int((seen < 0).any() or (seen > [1280, 960]).any())
    assert np.median(shares) > 0.4
    assert 2 < outside < 38


def test_pictures_are_as_bright_as_those_of_phones() -> None:
    grey = np.full((240, 320, 3), 60, np.uint8)
    lit = [illuminate(chance(seed), grey) for seed in range(80)]
    means = [float(picture.mean()) for picture, _ in lit]
    assert 54 < sum(EXPOSED / 2 < mean < EXPOSED * 2 for mean in means) < 80
    assert max(means) < 60 * GAIN[1] * 3
    named = Counter(name for _, name in lit)
    assert named.keys() == {"even", "shadows", "glare", "lamp", "sun"}
    assert named["even"] > named["sun"] > 2
    table = np.full((240, 320, 3), 25, np.uint8)
    table[80:160, 100:220] = 245  # bright paper on a dark table seldom burns out
    paper = [illuminate(chance(seed), table)[0] for seed in range(60)]
    burnt = [(picture.max(2) > WHITE + 1).mean() * 100 > BURNT_PERCENT + 1 for picture in paper]
    assert 0 < sum(burnt) < 20


STANDING = np.array([[100, 80], [190, 90], [180, 240], [92, 228]], np.float32)
FLAT = np.array([[200, 150], [260, 150], [260, 250], [200, 250]], np.float32)


@pytest.mark.parametrize("seed", range(20))
def test_a_raised_card_stays_near_and_goes_round_clockwise(seed: int) -> None:
    held = clutter.raised(chance(seed), FLAT)
    across, down = across_and_down(held)
    assert goes_round_clockwise(held)
    assert np.linalg.norm(across) < np.linalg.norm(down) < 1.6 * 100
    assert np.linalg.norm(held.mean(0) - FLAT.mean(0)) < 1.5 * 100


def test_thumb_and_motion_affect_only_the_held_card(
    material: Material, monkeypatch: pytest.MonkeyPatch
) -> None:
    def held(*, motion: float) -> tuple[np.ndarray, np.ndarray]:
        monkeypatch.setattr(clutter, "MOVING", float(motion > 0))
        monkeypatch.setattr(clutter, "MOTION", motion)
        style = Style(np.random.default_rng(1))
        face = material.decks[0].face(CLASSES[0], 100)
        canvas = np.full((400, 460, 3), 90, np.float32)
        owner = np.full(canvas.shape[:2], 7, np.int16)
        cut = stock(np.random.default_rng(2), style, face)
        rng = np.random.default_rng(4)
        clutter.hold_card(rng, canvas, owner, 0, cut=cut, corners=FLAT, style=style)
        return canvas, owner

    still, owner = held(motion=0)
    assert 0.4 < (owner == 0).sum() / (60 * 100) < 0.97
    assert set(np.unique(owner)) == {-1, 0, 7}
    assert (owner[(still == 90).all(2)] == 7).all()
    assert (owner[:140] != 0).all()
    moving, where = held(motion=0.9)
    assert np.array_equal(owner, where)
    assert np.abs(np.diff(moving, axis=1)).max() < np.abs(np.diff(still, axis=1)).max()
    assert (moving[:40] == 90).all()


@needs_fonts
def test_clutter_has_print_and_follows_its_seed() -> None:
    for make, side, count in ((oddment, HEIGHT_PX, 20), (page, LONG_PX, 8)):
        made, again = ([make(chance(seed), ()) for seed in range(count)] for _ in range(2))
        assert all(np.array_equal(a, b) for a, b in zip(made, again, strict=True))
        assert all(a.shape != b.shape or (a != b).any() for a, b in pairwise(made))
        assert {max(one.shape) for one in made} == {side}
        assert all(one.std() > 0 for one in made)


@needs_fonts
def test_page_is_larger_than_a_card_and_keeps_its_shape() -> None:
    table, sheet = np.full((600, 600, 3), 7, np.uint8), np.full((80, 40, 3), 200, np.uint8)
    sheet[:16] = (0, 0, 250)  # a bar along the upper side, which is the shorter one
    shapes, most = [], 0
    for seed in range(60):
        put = clutter.put_under(chance(seed), table, 50.0, prints=(sheet,))
        most = max(most, int((put == 200).all(2).sum()))
        bar = (put[..., 2] > 235) & (put[..., 0] < 20)
        if bar.sum() > 200:
            sides = cv2.minAreaRect(np.argwhere(bar).astype(np.float32))[1]
            shapes.append(max(sides) / min(sides))
    assert most > 50 * 30
    assert len(shapes) > 5
    assert 2 < np.median(shapes) < 3.2  # 40 by 16
    assert (table == 7).all()


def test_maker_mark_changes_only_the_middle_of_a_card() -> None:
    card = np.full((128, 128, 3), 230, np.uint8)
    figure = np.random.default_rng(0).integers(0, 255, (128, 128, 3)).astype(np.uint8)
    for seed in range(20):
        changed = np.argwhere((marked(chance(seed), card, figure) != card).any(axis=2))
        assert len(changed) > 128
        assert (np.abs(changed - 63.5) <= (30, 46)).all()
    assert (card == 230).all()


@needs_fonts
def test_decorated_ace_keeps_its_outline() -> None:
    y, x = np.mgrid[-1:1:60j, -1:1:50j]
    pip = ((np.abs(x) + np.abs(y)) < 0.95).astype(np.float32)
    for seed in range(30):
        shape = made_up.decorated(chance(seed), pip)
        assert shape.shape == (240, made_up.SIDE_PX)
        assert 0 <= shape.min() < shape.max() <= 1
        assert (shape[:, made_up.SIDE_PX // 2] > 0.5).argmax() < 24  # its upper tip is where it was
        assert not np.allclose(shape, made_up.decorated(chance(seed + 100), pip))


@needs_fonts
def test_number_fonts_have_ones_with_and_without_a_foot() -> None:
    ones = [(written("1", font, 60) > 0.5).sum(1) for font in fonts()]
    assert 0.25 < np.mean([rows[-3] < 1.3 * rows[30] for rows in ones]) < 0.75


@needs_fonts
def test_fonts_of_the_system_are_used_only_where_it_has_any(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(paint, "which", lambda _name: None)
    for cached in (paint.fonts, paint.suited_fonts, paint._installed):
        cached.cache_clear()
    assert not paint.any_installed()
    assert len(fonts()) > 10
    assert [font.stem for font in paint.suited_fonts()] == ["DejaVuSans"]
    for cached in (paint.fonts, paint.suited_fonts, paint._installed):
        cached.cache_clear()


@needs_fonts
def test_a_made_up_index_is_printed_where_its_deck_says() -> None:
    decks = [made_up.french(chance(seed), printings.own_decks()) for seed in range(12)]
    indexed = [deck for deck in decks if deck.index]
    assert 6 < len(indexed) <= 12
    for deck in indexed:
        for code in ("2c", "4b", "8s"):
            face = deck.faces[code][0].astype(int)
            for part in deck.index:
                (x0, y0), *_, (x1, y1) = np.sort(part, axis=0) * [face.shape[1], len(face)]
                printed = face[max(0, int(y0)) : int(y1), max(0, int(x0)) : int(x1)]
                assert (np.abs(printed - face.max()).max(2) > 60).mean() > 0.05
        shown = laid(Material((deck,)), "scattered", "2c", "8s", seed=3)
        assert min(max(card.indices_seen) for card in shown.cards) > 0.85
    sizes = [deck.index[0][2, 1] - deck.index[0][0, 1] for deck in indexed]
    assert max(sizes) > 0.16 > 0.08 > min(sizes)


def test_index_coverage_is_the_larger_of_sign_and_pip() -> None:
    corners = np.array([[0, 0], [100, 0], [100, 100], [0, 100]], np.float32)
    square = np.array([[0, 0], [0.2, 0], [0.2, 0.2], [0, 0.2]], np.float32)
    parts = (square, square + np.array([0, 0.2], np.float32))
    mine = np.ones((100, 100), np.bool_)
    assert min(scenes._indices_seen(mine, corners, parts)) > 0.9
    mine[20:40, :20] = False
    first, second = scenes._indices_seen(mine, corners, parts)
    assert first < 0.1 < 0.9 < second


@needs_fonts
@pytest.mark.parametrize("make", [made_up.french, made_up.reprint])
def test_made_up_printing_is_complete_and_follows_its_seed(
    make: Callable[[np.random.Generator, list[printings.Deck]], printings.Deck],
) -> None:
    known = printings.own_decks()
    first, again, other = (make(chance(seed), known) for seed in (1, 1, 2))
    assert list(first.faces) == [*CLASSES[:40]]
    assert all(np.array_equal(first.face(c, 400), again.face(c, 400)) for c in first.faces)
    assert not any(np.array_equal(first.face(c, 400), other.face(c, 400)) for c in first.faces)
    assert first.is_french == (make is made_up.french)
    assert len({first.face(code, 400).tobytes() for code in first.faces}) == 40


@needs_fonts
def test_crossed_printing_swaps_drawings_within_a_suit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[tuple[str, str]] = []

    def noted(_printed: made_up.RedrawnPrinting, code: str, known: Image) -> Image:
        drawn.append((code, codes[known.tobytes()]))
        return known

    [deck] = [one for one in printings.own_decks() if not one.is_french]
    codes = {faces[0].tobytes(): code for code, faces in deck.faces.items()}
    monkeypatch.setattr(made_up.RedrawnPrinting, "card", noted)
    for seed in range(3):
        crossed = made_up.crossed(chance(seed), [deck])
    assert all(code[-1] == other[-1] for code, other in drawn)
    assert [code for code, _ in drawn] == [*CLASSES[:40]] * 3
    assert all(sorted(o for _, o in drawn[at : at + 40]) == sorted(CLASSES[:40]) for at in (0, 40))
    assert sum(code == other for code, other in drawn) < 30
    shown = sample_of(laid(Material((crossed,)), "grid", "1d", "2c"))
    assert (shown.labels - CORNERS_ONLY).tolist() == [CLASSES.index("1d"), CLASSES.index("2c")]


def test_without_shared_material_only_our_own_decks_are_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(printings, "SHARED", tmp_path / "missing")
    known = data._material.__wrapped__()
    assert {deck.name for deck in known.decks} == {"italian-own", "french-own"}
    assert not known.strangers + known.tables
    assert not printings.deck_names(held_out=True)
    with pytest.raises(SystemExit, match="is missing"):
        heldout.main([str(tmp_path / "piles")])


def test_no_held_out_printing_is_trained_with(shared: Path) -> None:
    names = {path.name for path in (shared / "data" / "decks").iterdir() if path.is_dir()}
    assert names >= printings.HELD_OUT
    assert set(printings.deck_names()) == names - printings.HELD_OUT
    assert set(printings.deck_names(held_out=True)) == printings.HELD_OUT


@pytest.fixture
def kept_out(monkeypatch: pytest.MonkeyPatch, material: Material) -> None:
    """Our own decks, as if they were kept out."""
    monkeypatch.setattr(heldout, "load_decks", lambda _names: list(material.decks))
    monkeypatch.setattr(heldout, "backgrounds", list)


@pytest.mark.usefixtures("kept_out")
def test_held_out_piles_are_labelled_for_the_evaluation(tmp_path: Path) -> None:
    heldout.main(
        [str(tmp_path), "--count=2", "--hands=1", "--crowded=2", "--seed=1", "--width=640"]
    )
    labels = json.loads((tmp_path / "labels.json").read_text())["photos"]
    (hand,) = read_hands(tmp_path)
    assert len(labels) == 2 + 2 + sum(map(len, hand.photos))
    assert {len(labels[f"crowd-{k:04}.jpg"]["cards"]) for k in range(2)} == {10, 16}
    assert sum(len(side.pile) for side in hand.sides) == 40
    for side, paths in zip(hand.sides, hand.photos, strict=True):
        shown = [code for path in paths for code in labels[path.name]["cards"]]
        assert sorted(shown) == sorted(card.code for card in side.pile)
    for name, photo in labels.items():
        assert (tmp_path / name).stat().st_size > 5_000
        assert photo["deck"] in {"italian-own", "french-own"}
        assert photo["layout"] in LAYOUTS
        assert len(photo["cards"]) == len(set(photo["cards"])) == len(photo["boxes"])


def test_rough_box_takes_the_corner_order_of_its_card() -> None:
    rng = np.random.default_rng(3)
    cards = np.stack([STANDING, STANDING + np.array([300, 0], np.float32)])
    boxes = [rough_box(rng, cards, np.array([1.0, 1.0]), (1200, 800)) for _ in range(400)]
    found = [box for box in boxes if box is not None]
    near = [box for box in found if box.is_card]
    assert 0 < len(near) < len(found)
    for box in near:
        assert corner_distances(box.rough, box.card[None])[0] <= NEAR
        straight = np.linalg.norm(box.rough - box.card, axis=1).sum()
        turned = np.linalg.norm(box.rough - np.roll(box.card, 2, axis=0), axis=1).sum()
        assert straight <= turned
    for box in found:
        assert box.is_card or corner_distances(box.rough, cards).min() > FAR


def test_hidden_and_half_hidden_cards_have_no_label() -> None:
    rng = np.random.default_rng(3)

    def card_probabilities(visible: float) -> set[bool]:
        boxes = [
            rough_box(rng, STANDING[None], np.array([visible]), (1200, 800)) for _ in range(300)
        ]
        return {
            box.is_card
            for box in boxes
            if box is not None and corner_distances(box.rough, STANDING[None])[0] < NEAR
        }

    assert card_probabilities(0.05) == {False}
    assert card_probabilities(0.09) == set()
    assert card_probabilities(0.9) == {True}


def test_patterns_that_are_read_badly_are_drawn_more_often() -> None:
    decks = [printings.Deck(f"{name}__x__y", {}) for name in ("milanesi", "triestine")]
    decks += [printings.Deck(f"sarde__{k}__y", {}) for k in range(40)]
    rng = np.random.default_rng(1)
    drawn = [deck.name for _ in range(300) for deck in data.drawn_decks(rng, decks)]
    assert len(drawn) == 300 * data.KNOWN
    times = Counter(name.split("__")[0] for name in drawn)
    assert 1.4 < times["triestine"] / times["milanesi"] < 2.4
    assert len(data.drawn_decks(rng, decks[:3])) == 3
