"""Calibration: probabilities that mean what they say. Ablation: any stage can be left out."""

import itertools
import json
from collections.abc import Callable
from dataclasses import astuple
from functools import cache, partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from training import ablate, data
from training.calibrate import (
    BoxTruth,
    ClassTruth,
    best_calibration,
    best_weights,
    main,
    matched,
    reliability,
    truths,
)
from vision.answers import answers_kept
from vision.evaluate import Labelled, evaluate, summary
from vision.networks import MODELS
from vision.nms import Detection
from vision.onnx import Tensor
from vision.probability import Calibration, WholeCardWeights, at_temperature
from vision.reader import Reader
from vision.reading import CLASSES, Area


@cache
def honest(seed: int, count: int = 4000) -> tuple[Tensor, list[list[int]]]:
    """Probabilities of five answers, and right answers drawn from just these."""
    rng = np.random.default_rng(seed)
    table = np.asarray(rng.dirichlet([0.3] * 5, count) + 1e-4, np.float32)
    table /= table.sum(axis=1, keepdims=True)
    return table, [[int(rng.choice(5, p=row / row.sum()))] for row in table.astype(np.float64)]


def detection(x: float) -> Detection:
    quad = np.array([[x, 0], [x + 60, 0], [x + 60, 96], [x, 96]], np.float32)
    return Detection(quad, 0.9, np.full(42, 1 / 42, np.float32))


@pytest.mark.parametrize("spoilt_by", [0.5, 1.0, 2.0], ids=["timid", "honest", "boastful"])
def test_the_temperature_that_spoilt_probabilities_is_found(spoilt_by: float) -> None:
    table, right = honest(3)
    seen = ClassTruth(at_temperature(table, 1 / spoilt_by), np.ones(len(table), np.float32), right)
    assert best_calibration(seen).temperature == pytest.approx(spoilt_by, rel=0.1)


def test_how_much_more_boxes_of_low_score_are_softened_is_found() -> None:
    table, right = honest(4)
    scores = np.linspace(0.3, 1, len(table), dtype=np.float32)
    truth = Calibration(1.2, low_score=1.0)
    found = best_calibration(ClassTruth(truth.undone(table, scores), scores, right))
    assert found.temperature == pytest.approx(1.2, rel=0.1)
    assert found.low_score == pytest.approx(1.0, abs=0.3)


def test_the_weights_of_the_logistic_regression_are_found() -> None:
    rng = np.random.default_rng(6)
    truth = WholeCardWeights(
        1.0, 0.5, worst_end=-1.0, size=-3.0, overlap=-1.0, next_to=0.0, intercept=0.5
    )
    spread = np.column_stack([rng.normal(size=(6000, 10)), np.ones(6000)])
    chance = 1 / (1 + np.exp(-spread @ np.array(astuple(truth))))
    found = best_weights(BoxTruth(spread, rng.random(6000) < chance))
    assert astuple(found) == pytest.approx(astuple(truth), abs=0.2)


@pytest.mark.parametrize(
    ("label", "allowed"),
    [
        *((code, [code]) for code in CLASSES),
        ("1?", ["1d", "1c", "1s", "1b"]),
        ("10?", ["10d", "10c", "10s", "10b"]),
    ],
)
def test_a_label_allows_one_class_or_those_of_its_rank(label: str, allowed: list[str]) -> None:
    assert [CLASSES[at] for at in truths(label)] == allowed


MATCHES = {
    "nothing": ([], [], 0),
    "on the card": ([0], [(0, 0, 60, 96)], 1),
    "beside the card": ([50], [(0, 0, 60, 96)], 0),
    "two detections of one card": ([0, 3], [(0, 0, 60, 96)], 1),
    "two cards": ([0, 100], [(100, 0, 160, 96), (0, 0, 60, 96)], 2),
}


@pytest.mark.parametrize(("places", "boxes", "count"), MATCHES.values(), ids=MATCHES.keys())
def test_sightings_are_matched_with_labels(
    places: list[float], boxes: list[Area], count: int
) -> None:
    pairs = matched([detection(x) for x in places], [(box, f"{box[0]}") for box in boxes])
    assert len(pairs) == count
    assert all(float(label) == pytest.approx(one.quad[0, 0], abs=4) for one, label in pairs)


def test_reliability_counts_every_answer_once() -> None:
    table, right = honest(5, count=300)
    counts = [int(line.split()[1]) for line in reliability(table, right)[1:]]
    assert sum(counts) == 300


@pytest.mark.parametrize("command", [main, ablate.main], ids=["calibrate", "ablate"])
@pytest.mark.parametrize("labels", [None, {"photos": {"a.jpg": {"cards": []}}}])
def test_a_folder_without_labels_or_boxes_is_refused_in_a_line(
    command: Callable[[list[str]], int],
    labels: object,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if labels and command is main:  # photos without boxes are good enough for an ablation
        (tmp_path / "labels.json").write_text(json.dumps(labels))
    assert command(["--models", str(tmp_path), str(tmp_path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.fixture(scope="module")
def small_photo(tmp_path_factory: pytest.TempPathFactory) -> Labelled:
    """A sample made small, that is read quickly."""
    samples = Path(__file__).resolve().parents[2] / "samples"
    told = json.loads((samples / "expected.json").read_text(encoding="utf-8"))["photos"]
    path = tmp_path_factory.mktemp("small") / "dario-1.jpg"
    picture = data.decode((samples / path.name).read_bytes())
    scale = 800 / max(picture.shape)
    cv2.imwrite(str(path), cv2.resize(picture, None, fx=scale, fy=scale))
    return Labelled(path, tuple(told[path.name]["cards"]), ())


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


@pytest.mark.models
@pytest.mark.parametrize("stage", ablate.WITHOUT)
def test_any_one_stage_can_be_left_out(stage: str, small_photo: Labelled, reader: Reader) -> None:
    before = [getattr(owner, name) for owner, name, _ in ablate.WITHOUT[stage]]
    with ablate.without(stage):
        for owner, name, stand_in in ablate.WITHOUT[stage]:
            assert getattr(owner, name) is stand_in
        [(_, marks)] = evaluate(reader, [small_photo])
    assert summary([marks])["right"] > 0.5
    assert [getattr(owner, name) for owner, name, _ in ablate.WITHOUT[stage]] == before


@pytest.mark.models
def test_what_a_stage_costs_is_measured(
    small_photo: Labelled, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = itertools.count()  # one second for each batch, on a busy machine too
    monkeypatch.setattr("vision.answers.process_time", ticks.__next__)
    with answers_kept(None) as answers:
        measured = partial(ablate.measure, [small_photo], MODELS, answers=answers)
        figures, seconds = measured(stage=None)
        assert figures["right"] > 0.5
        assert seconds > 0
        again, kept_seconds = measured(stage=None)
        assert again == figures
        assert kept_seconds == pytest.approx(seconds)  # nothing was asked again
        assert measured(stage="refine's later rounds")[1] < seconds
