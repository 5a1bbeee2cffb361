"""Training, from scenes to networks that read: `make smoke` has torch and ultralytics."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from training import data, printings
from training.data import Sample, encode, read_samples, write_shard
from training.paint import Image

pytest.importorskip("ultralytics", reason="training needs `make smoke`, which brings ultralytics")

import torch

from training import batches, crops, export, light, networks, photos, train
from vision.classify import CORNERS, UNSEEN
from vision.photo import open_photo
from vision.reader import Reader
from vision.reading import CLASSES

CPU = torch.device("cpu")
GRAY = np.full((96, 128, 3), 40, np.uint8)
CARD = np.array([[[32, 24], [64, 24], [64, 72], [32, 72]]], np.float32) / np.array(
    [128, 96], np.float32
)


def sample(picture: Image, corners: np.ndarray, label: int = 0) -> Sample:
    """Return a scene all of whose cards are seen; `corners` in shares of the picture."""
    ones = np.ones((len(corners), 2), np.float32)
    named = np.full(len(corners), label, np.int16)
    return Sample(encode(picture, quality=95), corners, ones[:, 0], ones, named)


def pool_of(
    folder: Path, *samples: Sample, side_px: int = 128, most: int = 40
) -> batches.ScenePool:
    """Return a pool of these scenes."""
    folder.mkdir(parents=True, exist_ok=True)
    write_shard(folder / "shard-00001.npz", samples)
    return batches.ScenePool(folder, device=CPU, side_px=side_px, most=most)


@pytest.fixture(scope="module")
def little_shard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one shard of a few scenes, made as `data` does without ../shared."""
    folder = tmp_path_factory.mktemp("scenes")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(printings, "SHARED", folder / "missing")
        patched.setattr(data, "SCENES_PER_SHARD", 6)
        data.main([str(folder), "--shards", "1", "--workers", "1"])
    return folder


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # torch and ultralytics warn of their own affairs
def test_the_networks_train_export_and_read_a_scene(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, little_shard: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(little_shard, "scenes")
    little = ["scenes", "--hours", "0.0005", "--batch", "2", "--most", "8"]
    train.main(["locate+refine", *little])
    train.main(["identify+index", *little])
    train.main(["locate", *little, "--weights", "runs", "--out", "on"])
    folder = tmp_path / "models"
    for kind in train.KINDS:
        weights = [f"runs/{kind}.pt", "on/locate.pt"][: 1 + (kind == "locate")]
        export.main([kind, *weights, "--out", str(folder / f"{kind}.onnx")])
    shown = next((printings.ROOT / "samples").glob("*.jpg"))
    reading = Reader(folder).read(open_photo(shown.read_bytes(), name=shown.name))
    assert reading.photo == shown.name
    assert all(set(card.alternatives) <= set(CLASSES) for card in reading.cards)


def test_a_network_starts_from_what_fits_of_another(tmp_path: Path) -> None:
    name = "model.0.conv.weight"
    shape = train.locate_model().state_dict()[name].shape
    np.savez(tmp_path / "coco.npz", allow_pickle=False, **{name: np.full(shape, 0.25, np.float16)})
    pool = pool_of(tmp_path, sample(GRAY, CARD))
    run = train.Run(
        "locate", pool, tmp_path / "locate.pt", weights=tmp_path / "coco.npz", batch=2, lr=None
    )
    assert (run.model.state_dict()[name] == 0.25).all()
    run.close()


@pytest.mark.parametrize("kind", train.KINDS)
def test_shipped_checkpoint_loads_after_its_modules_moved(kind: str) -> None:
    shipped = networks.load_checkpoint(printings.ROOT / "models" / "checkpoints" / f"{kind}.pt")
    own = {type(part).__module__ for part in shipped.modules()} & {networks.__name__}
    assert bool(own) == (kind in ("locate", "refine"))
    train.KINDS[kind].model().load_state_dict(shipped.state_dict())


def test_only_checkpoints_of_one_network_are_averaged(
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


def test_very_easy_and_very_hard_crops_weigh_less() -> None:
    logits = torch.tensor([[9.0, 0.0], [0.0, 0.0], [0.0, 9.0]])
    batch = {"cls": torch.zeros(3, dtype=torch.long), "weight": torch.ones(3)}
    loss, _ = train.NamedLoss()(logits, batch)
    each = torch.nn.functional.cross_entropy(logits, batch["cls"], reduction="none")
    weights = torch.tensor([train.EASY_WEIGHT, 1.0, train.HOPELESS_WEIGHT])
    assert torch.isclose(loss, (each * weights).sum() / weights.sum())


def test_sampling_weights_of_covered_scenes_and_photos(
    tmp_path: Path,
) -> None:
    one = sample(GRAY, np.repeat(CARD, 5, axis=0))
    shares = ([0.2, 0.4, 0.4, 0.1, 1.0], [0.2, 0.4, 0.4, 1.0, 1.0])
    scenes = [replace(one, visible=np.array(seen, np.float32)) for seen in shares]
    write_shard(tmp_path / "shard-photos.npz", [sample(GRAY, CARD)] * 3)  # one too many
    pool = pool_of(tmp_path, *scenes, most=4)
    drawn = pool.draw(np.random.default_rng(1), 3000).samples
    photo = np.mean([len(one.corners) == 1 for one in drawn])
    crowded = np.mean([len(one.corners) == 5 and one.visible[3] < 0.5 for one in drawn])
    assert abs(photo - batches.PHOTO_SHARE) < 0.03
    assert abs((1 - photo - crowded) / crowded - batches.UNCROWDED_SHARE) < 0.06


def test_new_shards_replace_the_first_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "LOOK_AGAIN_S", 0)
    with pytest.raises(FileNotFoundError, match="write some first"):
        batches.ScenePool(tmp_path, device=CPU, side_px=64, most=2)
    pool = pool_of(tmp_path, *[sample(np.full((64, 64, 3), 30, np.uint8), CARD)] * 2, most=2)
    rng = np.random.default_rng(1)
    assert pool.draw(rng, 8).levels[0][..., :64, :64].max() < 40
    bright = sample(np.full((64, 64, 3), 220, np.uint8), CARD)
    write_shard(tmp_path / "shard-00002.npz", [bright] * 2)
    assert pool.draw(rng, 8).levels[0][..., :64, :64].min() > 200


def test_a_scene_is_made_smaller_with_no_pixel_skipped(tmp_path: Path) -> None:
    chequered = (np.indices((768, 1024)).sum(0) % 2 * 255).astype(np.uint8)
    picture = np.repeat(chequered[..., None], 3, axis=2)
    pool = pool_of(tmp_path, sample(picture, CARD[:0]), side_px=1024, most=1)
    scenes = pool.draw(np.random.default_rng(1), 1, levels=4)
    square = batches.cut_out(scenes, np.array([0]), np.diag([4.0, 4.0, 1.0])[None], 192)[0]
    assert (square[:, :190, :190] - 127).abs().max() < 20


def test_loss_counts_only_cells_that_see_the_card() -> None:
    lower = [[0, 0], [160, 0], [160, 240], [0, 240]]
    upper = [[x, y + 60] for x, y in lower]  # a quarter of the lower card shows
    corners = torch.tensor([[lower, lower, upper, [[0, 0]] * 4]], dtype=torch.float32)
    sides = [8.0] * 40**2 + [16.0] * 20**2 + [32.0] * 10**2
    strides = torch.tensor(sides)
    grids = [torch.arange(stride / 2, 320, stride) for stride in (8, 16, 32)]
    cells = torch.cat([torch.cartesian_prod(along, along) for along in grids])
    assigner = networks.EitherEndAssigner(torch.full((4,), 0.05), topk=10, num_classes=2)
    assigner.is_card = torch.tensor([True, False, True, True])[None, :, None]
    assigner.places = networks.places_of(corners, assigner.is_card)
    assigner.anc_strides = strides
    there = torch.tensor([[[1.0], [1.0], [1.0], [0.0]]])
    boxes = networks.boxes_around(assigner.places)
    card, index, above, nothing = assigner.select_candidates_in_gts(cells, boxes, there)[0].bool()
    assert min(card.sum(), index.sum(), above.sum()) > nothing.sum() == 0
    assert cells[card][:, 1].max() <= 60
    assert (cells[index] < torch.tensor([0.3 * 160, 0.2 * 240])).all()
    assert not (card & index).any()
    assert strides[card].min() < strides[above].min()  # as large as what is seen of it


def test_an_index_corner_of_any_end_stands_for_the_whole_card() -> None:
    corners = np.array([[[0.2, 0.2], [0.4, 0.2], [0.4, 0.5], [0.2, 0.5]]] * 2, np.float32)
    corners[1] += 0.5  # beyond the edge, but for its upper left corner
    wanted = batches.targets(corners, np.ones(2), np.array([[0.9, 0.6], [1.0, 0.3]]), np.zeros(2))
    card, index = networks.CARD, networks.INDEX_CORNER
    assert wanted["cls"][:, 0].tolist() == [card, index, index, card, index]
    assert np.allclose(wanted["keypoints"][1:3], [corners[0], np.roll(corners[0], 2, axis=0)])
    boxes = [[0.23, 0.23, 0.06, 0.06], [0.37, 0.47, 0.06, 0.06]]
    assert np.allclose(wanted["bboxes"][1:3], boxes)


def test_what_is_cut_out_of_scenes_lies_where_their_cards_do(tmp_path: Path) -> None:
    picture = GRAY.copy()
    picture[24:72, 32:64] = 220
    pool = pool_of(tmp_path, sample(picture, CARD))
    rng = np.random.default_rng(5)
    seen = 0
    for _ in range(3):
        batch = batches.locate_batch(rng, pool, 2)
        side = batch["img"].shape[2]
        for at, corner in zip(batch["batch_idx"], batch["keypoints"].numpy() * side, strict=True):
            x, y = corner.mean(0).round().astype(int)
            if min(x, y) > 2 and max(x, y) < side - 2:  # the middle of the card is in the square
                shown = batch["img"][int(at), :, y - 1 : y + 2, x - 1 : x + 2].mean()
                assert shown > batch["img"][int(at), :, 0, 0].mean()
                seen += 1
    assert seen > 3
    crops = batches.refine_batch(rng, pool, 4)
    assert crops["img"].shape == (len(crops["cls"]), 3, 128, 128)
    assert 0 < crops["cls"][:, -1].mean() < 1


def crops_of(
    folder: Path, *samples: Sample, cut: crops.Cut, most: int = 40, photos: bool = False
) -> crops.CropPool:
    """Return a pool of the crops of these scenes."""
    folder.mkdir(parents=True, exist_ok=True)
    write_shard(folder / f"shard-{'photos' if photos else '00001'}.npz", samples)
    return crops.CropPool(folder, cut=cut, device=CPU, most=most)


def test_crops_show_their_cards_and_boxes_around_none(tmp_path: Path) -> None:
    picture = GRAY.copy()
    picture[24:72, 32:64] = 220
    pool = crops_of(tmp_path, sample(picture, CARD), cut=crops.IDENTIFY)
    named = crops.naming_batch(np.random.default_rng(5), pool, 60)
    assert named["img"].shape == (60, 3, 128, 128)
    assert set(named["cls"].tolist()) == {0, CLASSES.index("x")}
    whole = pool.draw(np.random.default_rng(5), 60)
    shown = whole["img"][whole["cls"] == 0]
    assert (shown[:, :, 40:88, 40:88].mean((1, 2, 3)) > shown[:, :, :3, :3].mean((1, 2, 3))).all()


def test_boxes_of_the_reader_take_the_name_of_their_card() -> None:
    shown = replace(sample(GRAY, np.concatenate([CARD, CARD + 0.3])), labels=np.array([7, -1]))
    size_wh = np.array([128, 96])
    here, unknown = np.asarray(shown.corners * size_wh, np.float32)
    boxes = np.stack([here + 1, unknown, here + 90])
    named = list(crops.named_boxes(np.random.default_rng(1), boxes, shown, size_wh))
    assert sorted(label for _, label, _ in named) == [7, CLASSES.index("x")]


def test_corners_without_print_are_labelled_unseen(tmp_path: Path) -> None:
    unseen = CORNERS.index(UNSEEN)
    picture = np.full_like(GRAY, 220)
    bare = crops_of(tmp_path / "bare", sample(picture, CARD), cut=crops.INDEX)
    assert set(bare.draw(np.random.default_rng(1), 60)["cls"].tolist()) == {unseen}
    picture[26:34, 34:40] = 20
    picture[62:70, 56:62] = 20
    printed = crops_of(tmp_path / "printed", sample(picture, CARD), cut=crops.INDEX)
    drawn = printed.draw(np.random.default_rng(1), 200)
    assert set(drawn["cls"].tolist()) == {0, unseen}
    dark = (drawn["img"][:, :, 8:48, 8:48] < 0.2).float().mean((1, 2, 3))
    assert dark[drawn["cls"] == 0].min() > 0.1


def test_half_covered_index_is_left_out_of_the_loss() -> None:
    seen = np.array([[0.9, 0.1], [0.5, 0.3]], np.float32)
    cards = sample(GRAY, np.concatenate([CARD, CARD + 0.4]), 3)
    shown = replace(cards, indices_seen=seen)
    rng = np.random.default_rng(2)
    named = [one for _ in range(40) for one in crops.index_corners(rng, shown, np.array([128, 96]))]
    assert sum(label == 3 for _, label, _ in named) == 40
    covered = sum(label == CORNERS.index(UNSEEN) for _, label, _ in named)
    assert 40 <= covered == len(named) - 40 < 40 * (1 + 3)


def test_crops_are_cut_once_and_photos_keep_their_share(tmp_path: Path) -> None:
    bright = sample(np.full((96, 128, 3), 220, np.uint8), CARD)
    crops_of(tmp_path, *[bright] * 3, cut=crops.IDENTIFY, photos=True)
    pool = crops_of(tmp_path, *[sample(GRAY, CARD)] * 3, cut=crops.IDENTIFY, most=60)
    again = crops.CropPool(tmp_path, cut=crops.IDENTIFY, device=CPU, most=60)
    first, second = (one.draw(np.random.default_rng(3), 2000) for one in (pool, again))
    assert torch.equal(first["img"], second["img"])
    assert len(first["img"].mean((1, 2, 3)).unique()) <= 60
    assert abs((first["img"].mean((1, 2, 3)) > 0.5).float().mean() - batches.PHOTO_SHARE) < 0.03


@pytest.mark.parametrize("side_px", [64, 128])
def test_light_faults_change_some_crops_but_no_shape(side_px: int) -> None:
    torch.manual_seed(2)
    given = torch.rand(1, 3, side_px, side_px).expand(400, -1, -1, -1)
    seen = light.disturbed(given)
    assert seen.shape == given.shape
    assert torch.isfinite(seen).all()
    assert 0 <= seen.min() <= seen.max() <= 1
    changed = ((seen - given).abs().amax((1, 2, 3)) > 1e-6).float().mean()
    assert 0.3 < changed < 0.7


def test_crossed_card_is_named_by_its_corners_only(tmp_path: Path) -> None:
    grainy = np.random.default_rng(1).integers(0, 255, GRAY.shape, np.uint8)
    one = sample(grainy, CARD, data.CORNERS_ONLY + 12)
    whole = crops_of(tmp_path, one, cut=crops.IDENTIFY)
    assert set(whole.draw(np.random.default_rng(1), 64)["cls"].tolist()) == {CLASSES.index("x")}
    corners = crops_of(tmp_path, one, cut=crops.INDEX).draw(np.random.default_rng(1), 64)
    assert set(corners["cls"].tolist()) == {12, CORNERS.index(UNSEEN)}


def test_only_scenes_without_a_card_are_skipped(
    tmp_path: Path,
) -> None:
    bare = [sample(GRAY, CARD[:0])] * 30
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="write more scenes"):
        batches.refine_batch(rng, pool_of(tmp_path / "bare", *bare), 1)
    with pytest.raises(ValueError, match="write more scenes"):
        crops_of(tmp_path / "bare", *bare, cut=replace(crops.IDENTIFY, find=None))
    with pytest.raises(FileNotFoundError, match="write some first"):
        crops.CropPool(tmp_path, cut=crops.IDENTIFY, device=CPU)
    pool = pool_of(tmp_path, *bare, sample(GRAY, CARD))
    assert all(len(batches.refine_batch(rng, pool, 1)["img"]) for _ in range(20))


def test_other_inks_leave_black_and_white_and_move_colours() -> None:
    torch.manual_seed(1)
    crop = torch.zeros(3, 128, 128)
    crop[:, :64] = 1
    crop[0, 64:, :64] = 0.8  # red
    painted = light.recoloured(crop.expand(60, -1, -1, -1))
    assert (painted[:, :, 20:40, 20:100] > 0.7).all()
    assert (painted[:, :, 90:110, 90:110] < 0.1).all()
    coloured = painted[:, :, 80:110, 20:40].mean((2, 3))
    assert (coloured[:, 0] < 0.6).sum() > 5
    assert torch.isclose(coloured[:, 0], torch.tensor(0.8), atol=0.01).sum() > 5  # as it was


def test_guessed_corners_stay_near_the_true_ones() -> None:
    card = np.array([[0, 0], [60, 0], [60, 100], [0, 100]], np.float32)
    for seed in range(50):
        guess = crops.moved_corners(np.random.default_rng(seed), card, 0.2)
        assert 0 < np.abs(guess - card).max() < 30


@pytest.mark.models
@pytest.mark.parametrize("is_rank_known_only", [False, True])
def test_labelled_photos_become_a_shard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_rank_known_only: bool
) -> None:
    monkeypatch.setattr(photos, "LEFT_OUT", 2)  # of two photos the second is learnt from
    samples = printings.ROOT / "samples"
    told = json.loads((samples / "expected.json").read_text(encoding="utf-8"))["photos"]
    cards, corners = told["dario-1.jpg"]["cards"], told["dario-1.jpg"]["corners"]
    boxes = [
        {
            "xyxy": [*np.min(quad, 0).tolist(), *np.max(quad, 0).tolist()],
            "card": f"{card[:-1]}?" if is_rank_known_only else card,
        }
        for card, quad in zip(cards, corners, strict=True)
    ]
    for name in ("a.jpg", "b.jpg"):
        shutil.copy(samples / "dario-1.jpg", tmp_path / name)
    label = {"cards": cards, "boxes": boxes}
    labels = {"photos": {"a.jpg": label, "b.jpg": label}}
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    photos.main([str(tmp_path / "out"), str(tmp_path)])
    [learnt] = read_samples(tmp_path / "out" / "shard-photos.npz")
    named = {CLASSES[label] for label in learnt.labels if label >= 0}
    assert named <= set(cards)
    assert len(named) > len(cards) // 2
