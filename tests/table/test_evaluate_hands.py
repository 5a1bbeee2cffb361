"""Whole hands from photos to points: who is asked what, and what comes out."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
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


def found(code: str, *alternatives: str) -> CardReading:
    """A card as the reader gives it: sure, or doubtful where it has alternatives."""
    status = Status.DOUBTFUL if alternatives else Status.SURE
    share = 0.4 / max(1, len(alternatives))
    return CardReading(code, status, 0.6, CORNERS, dict.fromkeys(alternatives, share))


@dataclass
class Told:
    """A reader that has been told what it will see on each photo."""

    cards: dict[str, Sequence[CardReading]] = field(default_factory=dict)

    def read_together(self, photos: Sequence[Photo], piles: Sequence[int]) -> list[Reading]:
        assert len(photos) == len(piles)
        return [Reading(p.name, p.size_wh, tuple(self.cards[p.name]), ()) for p in photos]


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


def read(hand: Hand, anna: Sequence[CardReading], bruno: Sequence[CardReading]) -> evaluate.Outcome:
    reader = Told({"anna.jpg": anna, "bruno.jpg": bruno})
    return play_out(hand, reader)  # type: ignore[arg-type]  # all that is asked of a reader


def sure(codes: Sequence[str], *but: str) -> list[CardReading]:
    return [found(code) for code in codes if code not in but]


def test_a_hand_read_whole_needs_no_tap(hand: Hand) -> None:
    outcome = read(hand, sure(ANNA), sure(BRUNO))
    assert (outcome.right_at_once, outcome.right_after, outcome.taps) == (True, True, 0)


def test_the_summary_tells_how_long_finding_a_question_took() -> None:
    hands = [evaluate.Outcome(True, True, (1.0, 9.0)), evaluate.Outcome(False, True, (2.0,))]
    told = evaluate.summary(hands)
    assert (told["taps_a_hand"], told["right_without_a_tap"]) == (0.5, 1)
    assert told["asking_ms_most"] == told["asking_ms_95_of_100"] == 9.0


def test_a_doubt_that_matters_costs_a_tap_and_puts_the_points_right(hand: Hand) -> None:
    anna = [*sure(ANNA, "7d", "1c"), found("1c", "7d"), found("7d", "1c")]
    outcome = read(hand, anna, sure(BRUNO))
    assert outcome.right_after
    assert outcome.taps == 0  # both cards are Anna's, whichever is which
    swapped = [*sure(ANNA, "7d"), found("7s", "7d")]
    outcome = read(hand, swapped, sure(BRUNO))
    assert (outcome.right_at_once, outcome.right_after, outcome.taps) == (True, True, 1)
    swapped = [*sure(ANNA, "7d"), found("7s", "7d")]
    outcome = read(hand, swapped, [*sure(BRUNO, "7s"), found("7s", "1c")])
    assert (outcome.right_at_once, outcome.right_after, outcome.taps) == (False, True, 1)


def test_a_lost_card_is_named_and_put_in_with_one_tap(hand: Hand) -> None:
    outcome = read(hand, sure(ANNA, "7d"), sure(BRUNO))
    assert (outcome.right_at_once, outcome.right_after, outcome.taps) == (False, True, 1)


@pytest.mark.parametrize(("lost", "taps"), [(("7d", "6d", "1d"), 1), (("7d", "6d", "1d", "7s"), 2)])
def test_lost_cards_of_one_pile_are_its_rest_with_one_tap(
    hand: Hand, lost: Sequence[str], taps: int
) -> None:
    outcome = read(hand, sure(ANNA, *lost), sure(BRUNO, *lost))
    assert (outcome.right_at_once, outcome.right_after, outcome.taps) == (False, True, taps)


def test_of_doubts_shown_together_the_wrong_ones_take_a_tap_each_and_the_others_one(
    hand: Hand,
) -> None:
    pairs = (("7d", "7s"), ("6d", "6s"), ("5d", "5s"))
    anna = sure(ANNA, "7d", "6d", "5d")
    bruno = sure(BRUNO, "7s", "6s", "5s")
    right = read(
        hand, [*anna, *(found(*p) for p in pairs)], [*bruno, *(found(*p[::-1]) for p in pairs)]
    )
    assert (right.right_after, right.taps) == (True, 1)
    swapped = (pairs[0][::-1], *pairs[1:])
    wrong = read(
        hand, [*anna, *(found(*p) for p in swapped)], [*bruno, *(found(*p[::-1]) for p in swapped)]
    )
    assert (wrong.right_at_once, wrong.right_after, wrong.taps) == (False, True, 2)


def test_a_pile_left_out_is_counted(hand: Hand) -> None:
    def rest(anna: Sequence[CardReading]) -> evaluate.Outcome:
        reader = Told({"bruno.jpg": anna})
        return play_out(hand, reader, rest=True)  # type: ignore[arg-type]  # as in `read`

    whole = rest(sure(BRUNO))
    assert (whole.right_at_once, whole.right_after, whole.taps) == (True, True, 1)
    lost = rest(sure(BRUNO, "7s"))
    assert (lost.right_at_once, lost.right_after, lost.taps) == (False, True, 2)
    extra = rest([*sure(BRUNO), found("7d")])
    assert (extra.right_at_once, extra.right_after, extra.taps) == (False, True, 2)
    swapped = rest([*sure(BRUNO, "7s"), found("7d")])
    assert swapped.taps == 1
    assert swapped.is_silent_error


def test_a_wrong_card_that_nobody_asks_about_is_counted(hand: Hand) -> None:
    anna = [*sure(ANNA[6:]), *sure(BRUNO[:6])]
    outcome = read(hand, anna, [*sure(BRUNO[6:]), *sure(ANNA[:6])])
    assert outcome.taps == 0
    assert outcome.is_silent_error


def test_the_samples_are_hands_and_the_command_says_how_they_come_out(
    models_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    samples = Path(__file__).resolve().parents[2] / "samples"
    assert len(read_hands(samples)) == 2
    assert evaluate.main(["--json", "--models", str(models_dir), str(samples)]) == 0
    figures = json.loads(capsys.readouterr().out)["samples"]
    assert figures["hands"] == 2
    assert figures["right_after_answers"] + figures["wrong_points"] == 2


@pytest.mark.parametrize("content", [None, "no json", '{"photos": {}}', '{"hands": [{}]}'])
def test_a_folder_without_hands_is_said_in_one_line(
    tmp_path: Path, content: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        (tmp_path / "labels.json").write_text(content, encoding="utf-8")
    assert evaluate.main([str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
