"""Cards in no pile are looked for among faint boxes, where the rest of the hand is seen."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from scoring.cards import CODES
from vision.decide import _Seen, decide, second_pass
from vision.nms import Detection
from vision.onnx import Tensor
from vision.reading import CLASSES, Status

Card = tuple[str, float, float]
"""A code, the probability that the card is it, and that its box holds a whole card."""
Photo = Sequence[Detection]


def photo(*cards: Card) -> list[Detection]:
    """Boxes beside one another."""
    boxes = []
    for at, (code, share, chance) in enumerate(cards):
        rest = np.full(42, (1 - share) / 41, np.float32)
        rest[CLASSES.index(code)] = share
        left, right = 100 * at, 100 * at + 60
        quad = np.array([[left, 0], [right, 0], [right, 96], [left, 96]], np.float32)
        boxes.append(Detection(quad, 0.5, rest, whole_card_probability=chance))
    return boxes


def sure(*codes: str) -> list[Card]:
    return [(code, 0.999, 0.9) for code in codes]


def read(*photos: Photo, piles: tuple[int, ...]) -> list[list[tuple[str, Status]]]:
    hand = decide(photos, piles=piles)
    return [[(one.card, one.status) for one in cards] for cards in hand]


def test_a_faint_box_that_shows_a_missing_card_is_asked_about() -> None:
    anna, bruno = photo(*sure(*CODES[:20])), photo(*sure(*CODES[20:39]), (CODES[39], 0.6, 0.3))
    assert read(anna, bruno, piles=(0, 1))[1][-1] == (CODES[39], Status.DOUBTFUL)
    assert len(read(anna, bruno, piles=(0, 1))[1]) == 20


def test_a_card_found_in_a_faint_box_may_be_no_card() -> None:
    anna, bruno = photo(*sure(*CODES[:20])), photo(*sure(*CODES[20:39]), (CODES[39], 0.6, 0.3))
    first, second = decide([anna, bruno], piles=(0, 1))
    assert "x" in second[-1].alternatives
    assert all("x" not in one.alternatives for one in first)


@pytest.mark.parametrize("code", [CODES[3], "x", "back"])
def test_a_faint_box_read_otherwise_is_left_out(code: str) -> None:
    anna, bruno = photo(*sure(*CODES[:20])), photo(*sure(*CODES[20:39]), (code, 0.6, 0.3))
    assert len(read(anna, bruno, piles=(0, 1))[1]) == 19


@pytest.mark.parametrize(("share", "chance"), [(0.3, 0.3), (0.6, 0.1)])
def test_unlikely_box_is_no_candidate_for_missing_cards(share: float, chance: float) -> None:
    anna = photo(*sure(*CODES[:20]))
    bruno = photo(*sure(*CODES[20:39]), (CODES[39], share, chance))
    assert len(read(anna, bruno, piles=(0, 1))[1]) == 19


@pytest.mark.parametrize("piles", [(0, 0), (0, 1)])
def test_with_a_pile_not_photographed_nothing_is_looked_for(piles: tuple[int, ...]) -> None:
    anna, bruno = photo(*sure(*CODES[:20])), photo((CODES[39], 0.6, 0.3))
    assert read(anna, bruno, piles=piles)[1] == []


def test_two_photos_of_one_pile_are_no_whole_hand() -> None:
    one, other = photo(*sure(*CODES[:20])), photo(*sure(*CODES[20:39]), (CODES[39], 0.6, 0.3))
    assert len(read(one, other, piles=(0, 0))[1]) == 19


def torn(shares: dict[int, float]) -> Tensor:
    """Probabilities of a card that is one of several."""
    found = np.full(42, 1e-6, np.float32)
    found[list(shares)] = list(shares.values())
    return found


def one_of_two(chance: float, *others: str, share: float = 0.7) -> Status:
    """Return the decision on a card that is the first of two with this probability of the photo."""
    boxes = photo(*sure(*others), (CODES[0], 0.6, chance))
    boxes[-1] = replace(boxes[-1], probabilities=torn({0: share, 1: 1 - share}))
    return dict(read(boxes, piles=(0,))[0])[CODES[0]]


def test_name_from_the_deck_is_asked_if_the_box_is_doubtful() -> None:
    assert one_of_two(0.95, CODES[1]) is Status.SETTLED
    assert one_of_two(0.6, CODES[1]) is Status.DOUBTFUL


def test_name_from_the_deck_needs_a_surer_box() -> None:
    """A box across a six, read as the seven that no other box shows; its belief was 0.92."""
    assert one_of_two(0.92, CODES[1], share=0.4) is Status.DOUBTFUL
    assert one_of_two(0.92, CODES[1]) is Status.SETTLED
    found = read(photo(*sure(CODES[1]), (CODES[0], 0.999, 0.92)), piles=(0,))[0]
    assert (CODES[0], Status.SURE) in found


@pytest.mark.parametrize(("code", "chance", "status"), [
    (CODES[0], 0.9, Status.SURE),
    (CODES[0], 0.7, Status.DOUBTFUL),
    ("x", 0.7, Status.SURE),
    ("back", 0.7, Status.SURE),
])  # fmt: skip
def test_a_sure_name_is_asked_about_where_there_may_be_no_card(
    code: str, chance: float, status: Status
) -> None:
    found = read(photo(*sure(CODES[1]), (code, 0.999, chance)), piles=(0,))[0]
    assert found == [(CODES[1], Status.SURE), (code, status)]


def test_bad_fortieth_box_is_not_the_missing_card() -> None:
    """The last of forty boxes shows a card that lies elsewhere, so the fortieth card is a guess."""
    boxes = photo(*sure(*CODES[1:]), (CODES[1], 0.9, 0.6))
    assert read(boxes, piles=(0,))[0][-1][1] is Status.DOUBTFUL


def test_a_faint_box_answers_no_question_about_another_card() -> None:
    bruno = photo(*sure(*CODES[20:38]), (CODES[38], 0.6, 0.99), (CODES[39], 0.6, 0.3))
    bruno[18] = replace(bruno[18], probabilities=torn({38: 0.6, 39: 0.4}))
    found = dict(read(photo(*sure(*CODES[:20])), bruno, piles=(0, 1))[1])
    assert found[CODES[38]] is found[CODES[39]] is Status.DOUBTFUL


def test_what_a_faint_box_may_be_makes_one_and_no_more() -> None:
    anna, bruno = photo(*sure(*CODES[:20])), photo(*sure(*CODES[20:39]), (CODES[39], 0.6, 0.3))
    last = decide([anna, bruno], piles=(0, 1))[1][-1]
    assert last.confidence + sum(last.alternatives.values()) <= 1.001


def test_with_no_card_missing_every_box_is_a_card() -> None:
    assert all(
        status is Status.SURE
        for _, status in read(photo(*sure(*CODES[1:]), (CODES[0], 0.999, 0.7)), piles=(0,))[0]
    )
    assert one_of_two(0.6, *CODES[1:]) is Status.SETTLED


def test_with_something_unread_among_them_a_box_may_be_a_bad_one() -> None:
    cards = [*sure(*CODES[1:]), (CODES[0], 0.999, 0.7), ("x", 0.3, 0.9)]
    assert (CODES[0], Status.DOUBTFUL) in read(photo(*cards), piles=(0,))[0]


def test_one_of_two_photos_shows_that_a_card_is_there() -> None:
    one, other = (
        [sure_box, replace(unsure_box, probabilities=torn({0: 0.7, 1: 0.3}))]
        for sure_box, unsure_box in (
            photo((CODES[1], 0.999, 0.95), (CODES[0], 0.6, chance)) for chance in (0.95, 0.6)
        )
    )
    for found in read(one, other, piles=(0, 0)):
        assert dict(found)[CODES[0]] is not Status.DOUBTFUL
    alone = read(other, piles=(0,))[0]
    assert dict(alone)[CODES[0]] is Status.DOUBTFUL


def test_of_two_faint_boxes_the_likelier_one_is_the_card() -> None:
    found = added((CODES[39], 0.3, 0.2), (CODES[39], 0.6, 0.2))
    assert [at for at, _ in found] == [1]


def test_every_card_is_found_once() -> None:
    found = added((CODES[38], 0.5, 0.2), (CODES[39], 0.6, 0.2), (CODES[39], 0.5, 0.2))
    assert [at for at, _ in found] == [0, 1]


def added(*low: Card) -> list[tuple[int, Detection]]:
    """Return which boxes the second pass takes for the two last cards of the deck."""
    boxes = [_Seen(at, 0, one) for at, one in enumerate(photo(*low))]
    return [(one.photo, one.detection) for one in second_pass(boxes, CODES[38:])]


def named_in_a_bad_box(*others: Card, pile: int = 1, chance: float = 0.7) -> Status:
    """The decision on a sure name in a bad box; the other pile has nearly all other cards."""
    anna, bruno = photo(*sure(*CODES[:30])), photo((CODES[39], 0.999, chance), *others)
    return dict(read(anna, bruno, piles=(0, pile))[1])[CODES[39]]


def test_whole_hand_confirms_a_sure_name_in_a_bad_box() -> None:
    assert named_in_a_bad_box() is Status.SETTLED


def test_sure_name_in_a_worse_box_is_asked() -> None:
    """A box across a four lying sideways was read as the seven; its belief was 0.3."""
    assert named_in_a_bad_box(chance=0.3) is Status.DOUBTFUL
    assert named_in_a_bad_box(chance=0.55) is Status.DOUBTFUL


def test_sure_name_is_asked_if_another_box_has_it() -> None:
    assert named_in_a_bad_box((CODES[39], 0.999, 0.9)) is Status.DOUBTFUL
    anna = photo(*sure(*CODES[:30]), (CODES[39], 0.999, 0.9))
    bruno = photo((CODES[39], 0.999, 0.7))
    assert read(anna, bruno, piles=(0, 1))[1] == [(CODES[39], Status.DOUBTFUL)]


def test_sure_name_is_asked_if_a_pile_has_no_photo() -> None:
    assert named_in_a_bad_box(pile=0) is Status.DOUBTFUL
    few = photo(*sure(*CODES[:20]))
    assert read(few, photo((CODES[39], 0.999, 0.7)), piles=(0, 1))[1][0][1] is Status.DOUBTFUL
