"""Whole hands from photos to points: who is asked what, and what comes out."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from scoring.cards import DECK, Card
from scoring.hand import Side
from scoring.presets import PRESETS
from table import evaluate
from table.evaluate import Hand, play_out, read_hands
from vision.photo import Photo
from vision.reading import CardReading, Reading, Status

pytestmark = pytest.mark.slow

ANNA = tuple(card.code for card in DECK if card.code[-1] in "dc")
BRUNO = tuple(card.code for card in DECK if card.code[-1] in "sb")
CORNERS = ((0.0, 0.0), (2.0, 0.0), (2.0, 3.0), (0.0, 3.0))


@dataclass
class GivenReader:
    """A reader that is given what it reads on each photo: codes, doubtful ones as guess/other."""

    cards: dict[str, Sequence[str]]

    def read_together(self, photos: Sequence[Photo], piles: Sequence[int]) -> list[Reading]:
        assert len(photos) == len(piles)
        return [
            Reading(one.name, one.size_wh, tuple(map(self._card, self.cards[one.name])), ())
            for one in photos
        ]

    @staticmethod
    def _card(text: str) -> CardReading:
        guess, *others = text.split("/")
        status = Status.DOUBTFUL if others else Status.SURE
        return CardReading(guess, status, 0.6, CORNERS, dict.fromkeys(others, 0.4))


@pytest.fixture
def hand(tmp_path: Path) -> Hand:
    for name in ("anna.jpg", "bruno.jpg"):
        cv2.imwrite(str(tmp_path / name), np.full((60, 80, 3), 90, np.uint8))
    sides = tuple(
        Side(name, tuple(map(Card.from_code, pile)), 0)
        for name, pile in (("Anna", ANNA), ("Bruno", BRUNO))
    )
    photos = ((tmp_path / "anna.jpg",), (tmp_path / "bruno.jpg",))
    return Hand(PRESETS["silver-lake"], sides, photos)


def but(codes: Sequence[str], lost: str, *instead: str) -> tuple[str, ...]:
    """Return a pile without the codes of a text, and with others in their place."""
    return (*(code for code in codes if code not in lost.split()), *instead)


PAIRS = ("7d/7s", "6d/6s", "5d/5s"), ("7s/7d", "6s/6d", "5s/5d")


@pytest.mark.parametrize(
    ("anna", "bruno", "at_once", "after", "taps"),
    [
        (ANNA, BRUNO, True, True, 0),
        (but(ANNA, "7d 1c", "1c/7d", "7d/1c"), BRUNO, True, True, 0),
        (but(ANNA, "7d", "7s/7d"), BRUNO, True, True, 1),
        (but(ANNA, "7d", "7s/7d"), but(BRUNO, "7s", "7s/1c"), False, True, 1),
        (but(ANNA, "7d"), BRUNO, False, True, 1),
        (but(ANNA, "7d 6d 1d"), BRUNO, False, True, 1),
        (but(ANNA, "7d 6d 1d"), but(BRUNO, "7s"), False, True, 2),
        (but(ANNA, "7d 6d 5d", *PAIRS[0]), but(BRUNO, "7s 6s 5s", *PAIRS[1]), True, True, 1),
        (
            but(ANNA, "7d 6d 5d", "7s/7d", *PAIRS[0][1:]),
            but(BRUNO, "7s 6s 5s", "7d/7s", *PAIRS[1][1:]),
            False,
            True,
            2,
        ),
        (ANNA, ANNA, False, True, 4),
        (BRUNO, BRUNO, False, True, 4),
        ((*ANNA[6:], *BRUNO[:6]), (*BRUNO[6:], *ANNA[:6]), False, False, 0),
    ],
    ids=[
        "read whole",
        "both cards are Anna's whichever is which",
        "a doubt that the other pile settles",
        "a doubt that matters",
        "a lost card is put in",
        "lost cards of one pile are its rest",
        "lost cards of two piles",
        "one answer settles the doubts of both piles",
        "a wrong guess takes one more",
        "one pile photographed twice: a tap, and three for the other",
        "the other pile photographed twice",
        "wrong cards that nobody asks about are a silent error",
    ],
)
def test_how_a_hand_comes_out(
    hand: Hand,
    anna: Sequence[str],
    bruno: Sequence[str],
    at_once: bool,
    after: bool,
    taps: int,
) -> None:
    reader = GivenReader({"anna.jpg": anna, "bruno.jpg": bruno})
    outcome = play_out(hand, reader)  # type: ignore[arg-type]  # all that is asked of a reader
    assert (outcome.right_at_once, outcome.right_after, outcome.taps) == (at_once, after, taps)
    assert outcome.is_silent_error is not after


@pytest.mark.parametrize(
    ("bruno", "after", "taps"),
    [
        (BRUNO, True, 1),
        (but(BRUNO, "7s"), True, 2),
        ((*BRUNO, "7d"), True, 2),
        (but(BRUNO, "7s", "7d"), False, 1),
    ],
    ids=["whole", "a card lost", "a card too many", "a wrong card is a silent error"],
)
def test_a_pile_left_out_is_counted(
    hand: Hand, bruno: Sequence[str], after: bool, taps: int
) -> None:
    reader = GivenReader({"bruno.jpg": bruno})
    outcome = play_out(hand, reader, rest=True)  # type: ignore[arg-type]  # as above
    assert (outcome.right_at_once, outcome.right_after, outcome.taps) == (
        bruno == BRUNO,
        after,
        taps,
    )


def test_command_reports_results_and_question_time(
    models_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    samples = Path(__file__).resolve().parents[2] / "samples"
    assert len(read_hands(samples)) == 2
    assert evaluate.main(["--json", "--models", str(models_dir), str(samples)]) == 0
    figures = json.loads(capsys.readouterr().out)["samples"]
    assert figures["hands"] == 2
    assert figures["right_after_answers"] + figures["wrong_points"] == 2
    hands = [evaluate.Outcome(True, True, (1.0, 9.0)), evaluate.Outcome(False, True, (2.0,))]
    summary = evaluate.summary(hands)
    assert (summary["taps_a_hand"], summary["right_without_a_tap"]) == (0.5, 1)
    assert summary["asking_ms_most"] == summary["asking_ms_95_of_100"] == 9.0


@pytest.mark.parametrize("content", [None, "no json", '{"photos": {}}', '{"hands": [{}]}'])
def test_a_folder_without_hands_is_said_in_one_line(
    tmp_path: Path, content: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        (tmp_path / "labels.json").write_text(content, encoding="utf-8")
    assert evaluate.main([str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
