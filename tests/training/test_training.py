"""The training smoke test: from drawings to a reading, a few steps each, in `make smoke`."""

import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from training import data, printings
from training.paint import Image

pytest.importorskip("ultralytics", reason="training needs `make smoke`, which brings ultralytics")

import torch

from training import export, french_printings, networks, photos, redrawn_printings, train
from training.data import CORNERS_ONLY, Sample, encode, read_samples, shard_paths, write_shard
from vision.photo import open_photo
from vision.reader import Reader
from vision.reading import CLASSES

CPU = torch.device("cpu")


def sample(picture: Image, corners: np.ndarray, labels: list[int] | None = None) -> Sample:
    """A scene all of whose cards are seen; `corners` in shares of the picture."""
    ones = np.ones((len(corners), 2), np.float32)
    named = np.array(labels or [0] * len(corners), np.int16)
    return Sample(encode(picture, quality=95), corners, ones[:, 0], ones, named)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # torch and ultralytics warn of their own affairs
def test_the_networks_train_export_and_read_a_scene(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(printings, "SHARED", tmp_path / "missing")
    monkeypatch.setattr(data, "SCENES_PER_SHARD", 8)
    data.main(["scenes", "--shards", "1", "--workers", "1"])
    little = ["scenes", "--hours", "0.001", "--batch", "2", "--most-scenes", "8"]
    train.main(["locate+refine", *little])
    train.main(["identify+index", *little])
    train.main(["locate", *little, "--weights", "runs/locate.pt", "--suffix=-on"])
    folder = tmp_path / "models"
    for kind in train.KINDS:
        weights = [f"runs/{kind}.pt", "runs/locate-on.pt"][: 1 + (kind == "locate")]
        export.main([kind, *weights, "--out", str(folder / f"{kind}.onnx")])
    shown = next((printings.ROOT / "samples").glob("*.jpg"))
    reading = Reader(folder).read(open_photo(shown.read_bytes(), name=shown.name))
    assert reading.photo == shown.name
    assert all(set(card.alternatives) <= set(CLASSES) for card in reading.cards)


def test_a_network_starts_from_what_fits_of_another(tmp_path: Path) -> None:
    picture = np.full((64, 96, 3), 40, np.uint8)
    corners = np.array([[[0.2, 0.2], [0.5, 0.2], [0.5, 0.8], [0.2, 0.8]]], np.float32)
    write_shard(tmp_path / "shard-00001.npz", [sample(picture, corners)] * 2)
    pool = train.ScenePool(tmp_path, device=CPU, side_px=96, most=2)
    known = train.locate_model().state_dict()
    name = "model.0.conv.weight"
    weights = {name: np.full(known[name].shape, 0.25, np.float16)}
    np.savez(tmp_path / "coco.npz", allow_pickle=False, **weights)
    run = train.Run(
        "locate", pool, tmp_path / "locate.pt", weights=None, coco=tmp_path / "coco.npz",
        seconds=1.0, batch=2, lr=None,
    )  # fmt: skip
    assert (run.model.state_dict()[name] == 0.25).all()
    run.close()
    pool.close()


def test_the_average_of_two_stages_lies_half_way_and_of_two_networks_is_refused(
    tmp_path: Path,
) -> None:
    for name, sizes, value in (("a", (2, 2), 1.0), ("b", (2, 2), 3.0), ("c", (2, 3), 0.0)):
        layer = torch.nn.Linear(*sizes)
        torch.nn.init.constant_(layer.weight, value)
        torch.nn.init.constant_(layer.bias, -value)
        torch.save({"model": layer, "train_args": {"imgsz": 128}}, tmp_path / f"{name}.pt")
    middle = export.averaged([tmp_path / "a.pt", tmp_path / "b.pt"])
    assert middle.weight.tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert middle.bias.tolist() == [-2.0, -2.0]
    with pytest.raises(ValueError, match="of one network"):
        export.averaged([tmp_path / "a.pt", tmp_path / "c.pt"])


def test_crops_that_are_named_already_and_those_that_cannot_be_count_less() -> None:
    logits = torch.tensor([[9.0, 0.0], [0.0, 0.0], [0.0, 9.0]])
    batch = {"cls": torch.zeros(3, dtype=torch.long), "weight": torch.ones(3)}
    loss, _ = train.NamedLoss()(logits, batch)
    each = torch.nn.functional.cross_entropy(logits, batch["cls"], reduction="none")
    weights = torch.tensor([train.EASY_WEIGHT, 1.0, train.HOPELESS_WEIGHT])
    assert torch.isclose(loss, (each * weights).sum() / weights.sum())


def test_scenes_in_which_cards_cover_others_are_shown_oftener_and_photos_by_their_share(
    tmp_path: Path,
) -> None:
    picture = np.zeros((32, 32, 3), np.uint8)
    corners = np.zeros((5, 4, 2), np.float32)
    labels = np.zeros(5, np.int16)
    pile, grid = (
        Sample(encode(picture, quality=90), corners, np.array(visible, np.float32),
               np.ones((5, 2), np.float32), labels)
        for visible in ([0.2, 0.4, 0.4, 0.1, 1.0], [0.2, 0.4, 0.4, 1.0, 1.0])
    )  # fmt: skip
    write_shard(tmp_path / "shard-00001.npz", [pile, grid])
    write_shard(tmp_path / "shard-photos.npz", [sample(picture, corners[:1], [7])])
    pool = train.ScenePool(tmp_path, device=CPU, side_px=32, most=3)
    drawn = pool.draw(np.random.default_rng(1), 3000).samples
    kinds = [len(one.corners) if len(one.corners) == 1 else one.visible[3] for one in drawn]
    photo, crowded, other = (np.isclose(kinds, kind).mean() for kind in (1, 0.1, 1.0))
    photo = np.mean([len(one.corners) == 1 for one in drawn])
    other = 1 - photo - crowded
    assert abs(photo - train.PHOTO_SHARE) < 0.03
    assert abs(other / crowded - train.UNCROWDED_SHARE) < 0.06


def test_only_cells_that_see_a_card_are_asked_for_it_or_for_its_index_corner() -> None:
    lower = [[0, 0], [160, 0], [160, 240], [0, 240]]
    upper = [[x, y + 60] for x, y in lower]  # a quarter of the lower card shows
    corners = torch.tensor([[lower, lower, upper, [[0, 0]] * 4]], dtype=torch.float32)
    cells, strides = make_anchors_of(side_px=320)
    assigner = networks.EitherEndAssigner(torch.full((4,), 0.05), topk=10, num_classes=2)
    assigner.is_card = torch.tensor([True, False, True, True])[None, :, None]
    assigner.places = networks.places_of(corners, assigner.is_card)
    assigner.anc_strides = strides
    there = torch.tensor([[[1.0], [1.0], [1.0], [0.0]]])
    boxes = networks.boxes_around(assigner.places)
    card, index, above, nothing = assigner.select_candidates_in_gts(cells, boxes, there)[0].bool()
    assert card.any()
    assert index.any()
    assert above.any()
    assert not nothing.any()
    assert cells[card][:, 1].max() <= 60
    assert (cells[index] < torch.tensor([0.3 * 160, 0.2 * 240])).all()
    assert not (card & index).any()
    assert strides[card].min() < strides[above].min()  # as large as what is seen of it


def test_an_index_corner_of_any_end_stands_for_the_whole_card() -> None:
    corners = np.array([[[0.2, 0.2], [0.4, 0.2], [0.4, 0.5], [0.2, 0.5]]] * 2, np.float32)
    corners[1] += 0.5  # beyond the edge, but for its upper left corner
    wanted = train.targets(corners, np.ones(2), np.array([[0.9, 0.6], [1.0, 0.3]]), np.zeros(2))
    assert wanted["cls"][:, 0].tolist() == [networks.CARD] + [networks.INDEX_CORNER] * 2 + [
        networks.CARD,
        networks.INDEX_CORNER,
    ]
    first, second = wanted["keypoints"][1:3].numpy()
    assert np.allclose(first, corners[0])
    assert np.allclose(second, np.roll(corners[0], 2, axis=0))
    assert np.allclose(
        wanted["bboxes"][1:3].numpy(), [[0.23, 0.23, 0.06, 0.06], [0.37, 0.47, 0.06, 0.06]]
    )


def test_what_is_cut_out_of_scenes_lies_where_their_cards_do(tmp_path: Path) -> None:
    picture = np.full((96, 128, 3), 40, np.uint8)
    picture[24:72, 32:64] = 220
    corners = np.array([[[32, 24], [64, 24], [64, 72], [32, 72]]], np.float32) / [128, 96]
    write_shard(tmp_path / "shard-00001.npz", [sample(picture, corners.astype(np.float32))] * 2)
    pool = train.ScenePool(tmp_path, device=CPU, side_px=128, most=2)
    rng = np.random.default_rng(5)
    seen = 0
    for _ in range(3):
        batch = train.locate_batch(rng, pool, 2)
        side = batch["img"].shape[2]
        for at, corner in zip(batch["batch_idx"], batch["keypoints"].numpy() * side, strict=True):
            x, y = corner.mean(0).round().astype(int)
            if min(x, y) > 2 and max(x, y) < side - 2:  # the middle of the card is in the square
                shown = batch["img"][int(at), :, y - 1 : y + 2, x - 1 : x + 2].mean()
                assert shown > batch["img"][int(at), :, 0, 0].mean()
                seen += 1
    assert seen > 3
    crops = train.refine_batch(rng, pool, 4)
    assert crops["img"].shape[1:] == (3, 128, 128)
    assert len(crops["img"]) == len(crops["cls"])
    assert 0 < crops["cls"][:, -1].mean() < 1
    named = train.identify_batch(rng, pool, 16)
    whole = named["img"][named["cls"] == 0]
    assert len(whole)
    assert (whole[:, :, 40:88, 40:88].mean((1, 2, 3)) > whole[:, :, :3, :3].mean((1, 2, 3))).all()
    corner = train.index_batch(rng, pool, 16)
    assert corner["img"].shape[1:] == (3, 64, 64)
    assert set(corner["cls"].tolist()) == {0}


def test_shards_that_are_made_meanwhile_take_the_place_of_the_first(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="write some first"):
        train.ScenePool(tmp_path, device=CPU, side_px=64, most=2)
    corners = np.array([[[0.2, 0.2], [0.5, 0.2], [0.5, 0.8], [0.2, 0.8]]], np.float32)

    def write(name: str, gray: int) -> None:
        shown = sample(np.full((64, 64, 3), gray, np.uint8), corners)
        write_shard(tmp_path / name, [shown] * 2)

    write("shard-00001.npz", 30)
    pool = train.ScenePool(tmp_path, device=CPU, side_px=64, most=2, look_again_s=0.01)
    rng = np.random.default_rng(1)
    assert pool.draw(rng, 8).levels[0].max() < 40
    write("shard-00002.npz", 220)
    until = time.monotonic() + 30
    while pool.draw(rng, 8).levels[0].min() < 200 and time.monotonic() < until:
        time.sleep(0.02)
    assert pool.draw(rng, 8).levels[0].min() > 200


def make_anchors_of(side_px: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The middles (n, 2) and sides (n,) in pixels of all cells over a square picture."""
    places, sides = [], []
    for stride in (8, 16, 32):
        along = torch.arange(stride / 2, side_px, stride)
        y, x = torch.meshgrid(along, along, indexing="ij")
        places.append(torch.stack([x, y], -1).reshape(-1, 2))
        sides.append(torch.full((len(along) ** 2,), float(stride)))
    return torch.cat(places), torch.cat(sides)


def test_a_scene_is_made_smaller_with_no_pixel_skipped(tmp_path: Path) -> None:
    chequered = (np.indices((768, 1024)).sum(0) % 2 * 255).astype(np.uint8)
    picture = np.repeat(chequered[..., None], 3, axis=2)
    none = np.zeros((0, 4, 2), np.float32)
    write_shard(tmp_path / "shard-00001.npz", [sample(picture, none, [])])
    pool = train.ScenePool(tmp_path, device=CPU, side_px=1024, most=1)
    scenes = pool.draw(np.random.default_rng(1), 1, levels=4)
    to_picture = np.diag([4.0, 4.0, 1.0])[None]
    square = train.cut_out(scenes, np.array([0]), to_picture, 192)[0]
    assert (square[:, :190, :190] - 127).abs().max() < 20


@pytest.mark.parametrize("made_up", [french_printings.printing, redrawn_printings.reprint])
def test_a_made_up_printing_is_a_deck_of_its_own_that_a_seed_makes_again(
    made_up: Callable[[np.random.Generator, list[printings.Deck]], printings.Deck],
) -> None:
    known = printings.own_decks()
    first, again, other = (made_up(np.random.default_rng(seed), known) for seed in (1, 1, 2))
    assert set(first.faces) == set(CLASSES[:40])
    assert all(np.array_equal(first.face(c, 400), again.face(c, 400)) for c in first.faces)
    assert not any(np.array_equal(first.face(c, 400), other.face(c, 400)) for c in first.faces)
    assert first.is_french == (made_up is french_printings.printing)
    flat = [first.face(code, 400).tobytes() for code in first.faces]
    assert len(set(flat)) == len(flat)


def test_a_crossed_printing_shows_another_drawing_of_the_suit_under_each_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[tuple[str, str]] = []

    def noted(_design: redrawn_printings.RedrawnDesign, code: str, known: Image) -> Image:
        drawn.append((code, codes[known.tobytes()]))
        return known

    [deck] = [one for one in printings.own_decks() if not one.is_french]
    codes = {faces[0].tobytes(): code for code, faces in deck.faces.items()}
    monkeypatch.setattr(redrawn_printings, "_card", noted)
    for seed in range(3):
        redrawn_printings.crossed(np.random.default_rng(seed), [deck])
    assert all(code[-1] == other[-1] for code, other in drawn)
    assert [code for code, _ in drawn] == [*CLASSES[:40]] * 3
    assert all(sorted(o for _, o in drawn[at : at + 40]) == sorted(CLASSES[:40]) for at in (0, 40))
    assert sum(code == other for code, other in drawn) < 30


@pytest.mark.filterwarnings("default")
def test_of_a_crossed_printing_only_corners_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printings, "SHARED", tmp_path / "missing")
    monkeypatch.setattr(data, "SCENES_PER_SHARD", 2)
    monkeypatch.setattr(data, "KNOWN", 0)
    monkeypatch.setattr(data, "MADE_UP", (redrawn_printings.crossed,))
    data.main([str(tmp_path), "--shards", "1", "--workers", "1", "--tidy"])
    [shard] = shard_paths(tmp_path)
    samples = read_samples(shard)
    assert len(samples) == 2
    assert all((one.labels >= CORNERS_ONLY).all() for one in samples)
    assert all(((one.corners > 0) & (one.corners < 1)).all() for one in samples)  # tidy: all in it
    pool = train.ScenePool(tmp_path, device=CPU, side_px=1024, most=2)
    rng = np.random.default_rng(1)
    whole = train.identify_batch(rng, pool, 64)["cls"]
    assert set(whole.tolist()) <= {CLASSES.index("x")}
    assert len(train.index_batch(rng, pool, 64)["cls"])


@pytest.mark.models
@pytest.mark.parametrize("is_rank_known_only", [False, True])
def test_labelled_photos_become_a_shard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_rank_known_only: bool
) -> None:
    monkeypatch.setattr(photos, "LEFT_OUT", 2)  # of two photos the second is learnt from
    samples = printings.ROOT / "samples"
    told = json.loads((samples / "expected.json").read_text(encoding="utf-8"))["photos"][
        "dario-1.jpg"
    ]
    boxes = [
        {"xyxy": [*np.min(quad, 0).tolist(), *np.max(quad, 0).tolist()], "card": card}
        for card, quad in zip(told["cards"], told["corners"], strict=True)
    ]
    if is_rank_known_only:
        boxes = [{**box, "card": f"{box['card'][:-1]}?"} for box in boxes]
    label = {"cards": told["cards"], "boxes": boxes}
    for name in ("a.jpg", "b.jpg"):
        shutil.copy(samples / "dario-1.jpg", tmp_path / name)
    labels = {"photos": {"a.jpg": label, "b.jpg": label}}
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    photos.main([str(tmp_path / "out"), str(tmp_path)])
    [learnt] = read_samples(tmp_path / "out" / "shard-photos.npz")
    named = {CLASSES[label] for label in learnt.labels if label >= 0}
    assert named <= set(told["cards"])
    assert len(named) > len(told["cards"]) // 2


@pytest.mark.parametrize("kind", train.KINDS)
def test_a_shipped_checkpoint_fits_its_network_though_its_modules_have_moved(kind: str) -> None:
    shipped = networks.load_checkpoint(printings.ROOT / "models" / "checkpoints" / f"{kind}.pt")
    assert {type(part).__module__ for part in shipped.modules()} & {networks.__name__} or kind in (
        "identify",
        "index",
    )
    train.KINDS[kind].model().load_state_dict(shipped.state_dict())


def test_other_inks_leave_black_and_white_and_move_colours() -> None:
    torch.manual_seed(1)
    crop = torch.zeros(3, 128, 128)
    crop[:, :64] = 1
    crop[0, 64:, :64] = 0.8  # red
    painted = train.recoloured(crop.expand(60, -1, -1, -1))
    assert (painted[:, :, 20:40, 20:100] > 0.7).all()
    assert (painted[:, :, 90:110, 90:110] < 0.1).all()
    coloured = painted[:, :, 80:110, 20:40].mean((2, 3))
    assert (coloured[:, 0] < 0.6).sum() > 5
    assert torch.isclose(coloured[:, 0], torch.tensor(0.8), atol=0.01).sum() > 5  # as it was


def test_guessed_corners_stay_near_the_true_ones() -> None:
    card = np.array([[0, 0], [60, 0], [60, 100], [0, 100]], np.float32)
    for seed in range(50):
        guess = train.moved_corners(np.random.default_rng(seed), card, 0.2)
        assert 0 < np.abs(guess - card).max() < 30


def test_a_box_around_no_card_is_learnt_as_none(tmp_path: Path) -> None:
    picture = np.full((96, 128, 3), 40, np.uint8)
    corners = np.array([[[0.3, 0.3], [0.5, 0.3], [0.5, 0.7], [0.3, 0.7]]], np.float32)
    write_shard(tmp_path / "shard-00001.npz", [sample(picture, corners, [12])])
    pool = train.ScenePool(tmp_path, device=CPU, side_px=128, most=1)
    labels = train.identify_batch(np.random.default_rng(2), pool, 64)["cls"].tolist()
    assert set(labels) == {12, CLASSES.index("x")}


@pytest.mark.parametrize("make", [train.refine_batch, train.identify_batch, train.index_batch])
def test_scenes_without_a_card_are_passed_over_and_nothing_else_is_an_error(
    tmp_path: Path, make: Callable[[np.random.Generator, train.ScenePool, int], train.Batch]
) -> None:
    picture = np.full((96, 128, 3), 40, np.uint8)
    corners = np.array([[[0.3, 0.3], [0.5, 0.3], [0.5, 0.7], [0.3, 0.7]]], np.float32)
    bare = sample(picture, corners[:0])
    write_shard(tmp_path / "shard-00001.npz", [bare] * 30)
    rng = np.random.default_rng(1)
    pool = train.ScenePool(tmp_path, device=CPU, side_px=128, most=31)
    with pytest.raises(ValueError, match="write more scenes"):
        make(rng, pool, 1)
    pool.close()
    write_shard(tmp_path / "shard-00002.npz", [sample(picture, corners)])
    pool = train.ScenePool(tmp_path, device=CPU, side_px=128, most=31)
    assert all(len(make(rng, pool, 1)["img"]) for _ in range(20))
    pool.close()
