"""The training smoke test: from drawings to a reading, a few steps each, in `make smoke`."""

import json
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from training.data import generate
from training.packs import decks
from training.paint import Image

pytest.importorskip("ultralytics", reason="training needs `make smoke`, which brings ultralytics")

import torch

from training import average, export
from training.data import photos
from training.data.shards import (
    Sample,
    encode,
    read_crops,
    read_samples,
    shard_paths,
    write_shard,
)
from training.packs import french_printings, redrawn_printings
from training.stages import (
    card_pose,
    checkpoints,
    hard,
    identify,
    index,
    locate,
    refine,
    resident,
    trainer,
)
from vision.photo import open_photo
from vision.reader import Reader
from vision.reading import CLASSES


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # torch and ultralytics warn of their own affairs
def test_the_networks_train_export_and_read_a_scene(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(decks, "SHARED", tmp_path / "missing")
    monkeypatch.setattr(generate, "SCENES_PER_SHARD", 8)
    generate.main(["scenes", "--shards", "1", "--workers", "1"])
    locate.main(["scenes", "--imgsz", "160", "--epochs", "2", "--batch", "4"])
    found = str(tmp_path / "runs" / "locate" / "weights" / "last.pt")
    locate.main(["scenes", "--imgsz", "160", "--epochs", "1", "--weights", found, "--hard"])
    identify.main(["scenes", "--epochs", "2", "--batch", "16"])
    learnt = str(tmp_path / "runs" / "identify" / "weights" / "last.pt")
    identify.main(["scenes", "--epochs", "1", "--batch", "8", "--weights", learnt, "--hard"])
    refine.main(["scenes", "--epochs", "2", "--batch", "2", "--weights", learnt, "--hard"])
    index.main(["scenes", "--epochs", "1", "--batch", "16", "--weights", learnt, "--hard"])
    for kind in ("locate", "refine", "identify", "index"):  # else AdamW throws biases about
        assert "warmup_bias_lr: 0.0" in (tmp_path / "runs" / kind / "args.yaml").read_text()
    folder = tmp_path / "models"
    folder.mkdir()
    for kind in ("locate", "refine", "identify", "index"):
        weights = tmp_path / "runs" / kind / "weights" / "last.pt"
        export.main([kind, str(weights), "--out", str(folder / f"{kind}.onnx")])
    sample = next((decks.ROOT / "samples").glob("*.jpg"))
    reading = Reader(folder).read(open_photo(sample.read_bytes(), name=sample.name))
    assert reading.photo == sample.name
    assert all(set(card.alternatives) <= set(CLASSES) for card in reading.cards)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_stopped_training_resumes_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(decks, "SHARED", tmp_path / "missing")
    monkeypatch.setattr(generate, "SCENES_PER_SHARD", 4)
    generate.main(["scenes", "--shards", "1", "--workers", "1", "--tidy"])
    [shard] = shard_paths(Path("scenes"))
    shown = np.concatenate([sample.corners for sample in read_samples(shard)])
    assert ((shown > 0) & (shown < 1)).all()
    save_model = identify.IdentifyTrainer.save_model

    def save_and_stop(trainer: identify.IdentifyTrainer) -> None:
        save_model(trainer)
        raise KeyboardInterrupt

    with monkeypatch.context() as stopped:
        stopped.setattr(identify.IdentifyTrainer, "save_model", save_and_stop)
        with pytest.raises(KeyboardInterrupt):
            identify.main(["scenes", "--epochs", "3", "--batch", "8"])
    rows = tmp_path / "runs" / "identify" / "results.csv"
    assert len(rows.read_text().splitlines()) == 1 + 1
    identify.main(["scenes", "--resume"])
    assert len(rows.read_text().splitlines()) == 1 + 3


def test_the_average_of_two_stages_lies_half_way_and_of_two_networks_is_refused(
    tmp_path: Path,
) -> None:
    for name, sizes, value in (("a", (2, 2), 1.0), ("b", (2, 2), 3.0), ("c", (2, 3), 0.0)):
        layer = torch.nn.Linear(*sizes)
        torch.nn.init.constant_(layer.weight, value)
        torch.nn.init.constant_(layer.bias, -value)
        torch.save({"model": layer, "train_args": {"imgsz": 128}}, tmp_path / f"{name}.pt")
    out = tmp_path / "out.pt"
    average.main([str(out), str(tmp_path / "a.pt"), str(tmp_path / "b.pt")])
    middle = torch.load(out, weights_only=False)
    assert middle["model"].weight.tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert middle["model"].bias.tolist() == [-2.0, -2.0]
    assert middle["train_args"] == {"imgsz": 128}
    with pytest.raises(ValueError, match="of one network"):
        average.averaged([tmp_path / "a.pt", tmp_path / "c.pt"])


def test_what_changes_a_crop_comes_from_the_seed() -> None:
    torch.manual_seed(7)
    first = [trainer.fresh_rng().random() for _ in range(3)]
    torch.manual_seed(7)
    assert [trainer.fresh_rng().random() for _ in range(3)] == first
    assert len(set(first)) == 3


def test_crops_that_are_named_already_are_shown_seldom() -> None:
    crops = [{"cls": 0}, {"cls": 1}]
    shown = hard.Oftener(crops, hard.shares_of(np.array([0.001, 0.7])))
    assert len(shown) == 1
    drawn = [shown[0]["cls"] for _ in range(600)]
    assert 0.75 < np.mean(drawn) < 0.91  # five times as often: five in six


def test_scenes_in_which_cards_cover_others_are_shown_oftener() -> None:
    corners = np.zeros((5, 4, 2), np.float32)
    pile, grid = (
        Sample(b"", corners, np.array(visible, np.float32), np.ones((5, 2), np.float32))
        for visible in ([0.2, 0.4, 0.4, 0.1, 1.0], [0.2, 0.4, 0.4, 1.0, 1.0])
    )
    assert hard.crowded_shares([pile, grid]).tolist() == [1.0, hard.UNCROWDED_SHARE]


def test_only_cells_that_see_a_card_are_asked_for_it_or_for_its_index_corner() -> None:
    lower = [[0, 0], [160, 0], [160, 240], [0, 240]]
    upper = [[x, y + 60] for x, y in lower]  # a quarter of the lower card shows
    corners = torch.tensor([[lower, lower, upper, [[0, 0]] * 4]], dtype=torch.float32)
    cells, strides = make_anchors_of(side_px=320)
    assigner = card_pose.EitherEndAssigner(torch.full((4,), 0.05), topk=10, num_classes=2)
    assigner.is_card = torch.tensor([True, False, True, True])[None, :, None]
    assigner.places = card_pose.places_of(corners, assigner.is_card)
    assigner.anc_strides = strides
    there = torch.tensor([[[1.0], [1.0], [1.0], [0.0]]])
    boxes = card_pose.boxes_around(assigner.places)
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
    wanted = locate.targets(corners, np.ones(2), np.array([[0.9, 0.6], [1.0, 0.3]]))
    assert wanted["cls"][:, 0].tolist() == [card_pose.CARD] + [card_pose.INDEX_CORNER] * 2 + [
        card_pose.CARD,
        card_pose.INDEX_CORNER,
    ]
    first, second = wanted["keypoints"][1:3].numpy()
    assert np.allclose(first, corners[0])
    assert np.allclose(second, np.roll(corners[0], 2, axis=0))
    assert np.allclose(
        wanted["bboxes"][1:3].numpy(), [[0.23, 0.23, 0.06, 0.06], [0.37, 0.47, 0.06, 0.06]]
    )


def test_scenes_held_for_a_gpu_are_cut_as_those_read_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resident, "MOST_SCENES", 2)
    monkeypatch.setattr(resident, "POOL_PX", 128)
    monkeypatch.setattr(resident, "LOOK_AGAIN_S", 0.01)
    picture = np.full((96, 128, 3), 40, np.uint8)
    picture[24:72, 32:64] = 220
    corners = np.array([[[32, 24], [64, 24], [64, 72], [32, 72]]], np.float32) / [128, 96]
    ones = np.ones((1, 2), np.float32)
    samples = [Sample(encode(picture, quality=95), corners, ones[:, 0], ones)] * 2
    write_shard(tmp_path / "shard-00001.npz", samples, [], [])
    pool = resident.ScenePool(tmp_path, device=torch.device("cpu"))
    batch = locate.ResidentScenes(pool, side_px=96)(4)
    assert batch["img"].shape == (4, 3, 96, 96)
    for picture_at, box in zip(batch["batch_idx"], batch["bboxes"].numpy() * 96, strict=True):
        shown = batch["img"][int(picture_at), 0].numpy()
        x, y = box[:2].round().astype(int).clip(0, 95)
        assert shown[y, x] > 190
    crops = refine.ResidentBoxes(pool)(4)
    assert crops["img"].shape[1:] == (3, 128, 128)
    assert len(crops["img"]) == len(crops["cls"])
    assert 0 < crops["cls"][:, -1].mean() < 1


def test_shards_that_are_made_meanwhile_take_the_place_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resident, "MOST_SCENES", 2)
    monkeypatch.setattr(resident, "POOL_PX", 64)
    monkeypatch.setattr(resident, "LOOK_AGAIN_S", 0.01)
    with pytest.raises(FileNotFoundError, match="write some first"):
        resident.ScenePool(tmp_path, device=torch.device("cpu"))
    corners = np.array([[[0.2, 0.2], [0.5, 0.2], [0.5, 0.8], [0.2, 0.8]]], np.float32)
    ones = np.ones((1, 2), np.float32)

    def write(name: str, gray: int) -> None:
        jpeg = encode(np.full((64, 64, 3), gray, np.uint8), quality=95)
        write_shard(tmp_path / name, [Sample(jpeg, corners, ones[:, 0], ones)] * 2, [], [])

    write("shard-00001.npz", 30)
    pool = resident.ScenePool(tmp_path, device=torch.device("cpu"))
    rng = np.random.default_rng(1)
    assert pool.draw(rng, 8).pixels.max() < 40
    write("shard-00002.npz", 220)
    until = time.monotonic() + 30
    while pool.draw(rng, 8).pixels.min() < 200 and time.monotonic() < until:
        time.sleep(0.02)
    assert pool.draw(rng, 8).pixels.min() > 200


def make_anchors_of(side_px: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The middles (n, 2) and sides (n,) in pixels of all cells over a square picture."""
    places, sides = [], []
    for stride in (8, 16, 32):
        along = torch.arange(stride / 2, side_px, stride)
        y, x = torch.meshgrid(along, along, indexing="ij")
        places.append(torch.stack([x, y], -1).reshape(-1, 2))
        sides.append(torch.full((len(along) ** 2,), float(stride)))
    return torch.cat(places), torch.cat(sides)


def test_a_scene_is_made_smaller_with_no_pixel_skipped_and_its_corners_where_they_are() -> None:
    chequered = (np.indices((800, 1200)).sum(0) % 2 * 255).astype(np.uint8)
    chequered[200:600, 300:900] = 255
    picture = np.repeat(chequered[..., None], 3, axis=2)
    corners = np.array([[[300, 200], [900, 200], [900, 600], [300, 600]]], np.float32)
    sample = Sample(encode(picture, quality=95), corners / [1200, 800], np.ones(1), np.ones((1, 2)))
    item = locate.SceneDataset([sample], side_px=256)[0]
    square, shown = item["img"].numpy()[0], item["keypoints"].numpy()[0] * 256
    x0, y0 = np.ceil(shown.min(0)).astype(int) + 1
    x1, y1 = np.floor(shown.max(0)).astype(int) - 1
    assert square[y0:y1, x0:x1].min() > 230
    square[y0 - 4 : y1 + 4, x0 - 4 : x1 + 4] = 114
    assert (np.abs(square.astype(int) - 120) < 20).mean() > 0.98


@pytest.mark.parametrize("made_up", [french_printings.printing, redrawn_printings.reprint])
def test_a_made_up_printing_is_a_deck_of_its_own_that_a_seed_makes_again(
    made_up: Callable[[np.random.Generator, list[decks.Deck]], decks.Deck],
) -> None:
    known = decks.own_decks()
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

    [deck] = [one for one in decks.own_decks() if not one.is_french]
    codes = {faces[0].tobytes(): code for code, faces in deck.faces.items()}
    monkeypatch.setattr(redrawn_printings, "_card", noted)
    for seed in range(3):
        redrawn_printings.crossed(np.random.default_rng(seed), [deck])
    assert all(code[-1] == other[-1] for code, other in drawn)
    assert [code for code, _ in drawn] == [*CLASSES[:40]] * 3
    assert all(sorted(o for _, o in drawn[at : at + 40]) == sorted(CLASSES[:40]) for at in (0, 40))
    assert sum(code == other for code, other in drawn) < 30


def test_a_crossed_shard_teaches_corners_and_no_whole_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decks, "SHARED", tmp_path / "missing")
    monkeypatch.setattr(generate, "SCENES_PER_SHARD", 2)
    generate.main([str(tmp_path), "--shards", "1", "--workers", "1", "--tidy", "--crossed"])
    [shard] = shard_paths(tmp_path)
    assert not read_crops(shard)
    assert read_crops(shard, "index")
    assert len(read_samples(shard)) == 2


@pytest.mark.models
@pytest.mark.parametrize("is_rank_known_only", [False, True])
def test_labelled_photos_become_a_shard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_rank_known_only: bool
) -> None:
    monkeypatch.setattr(photos, "LEFT_OUT", 2)  # of two photos the second is learnt from
    samples = decks.ROOT / "samples"
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
    learnt = {CLASSES[crop.label] for crop in read_crops(tmp_path / "out" / "shard-photos.npz")}
    assert learnt <= set(told["cards"])
    assert len(learnt) > len(told["cards"]) // 2
    assert len(read_samples(tmp_path / "out" / "shard-photos.npz")) == 1


@pytest.mark.parametrize("kind", ["locate", "refine", "identify", "index"])
def test_a_shipped_checkpoint_loads_though_its_modules_have_moved(kind: str) -> None:
    stored = checkpoints.load_checkpoint(decks.ROOT / "models" / "checkpoints" / f"{kind}.pt")
    modules = {type(part).__module__ for part in stored["model"].modules()}
    assert modules.isdisjoint(checkpoints.EARLIER_NAMES)
    assert checkpoints.EARLIER_NAMES.keys().isdisjoint(sys.modules)
    assert set(stored["train_args"]) == {"imgsz", "task"}
