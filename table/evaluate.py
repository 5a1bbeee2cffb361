"""`python -m table.evaluate [--json] FOLDER...`: how well whole hands are read from photos.

A folder's labels.json (or expected.json) holds `{"hands": [{"rules", "sides": [{"name", "photos",
"pile", "scope"}]}]}`. Each hand is read as the app reads it. Then a simulated player who sees the
cards answers the questions, and does nothing else.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time
from typing import Any

from scoring.cards import Card
from scoring.command_line import Parser, run_command
from scoring.hand import Side, score_hand
from scoring.presets import PRESETS
from scoring.rules import Rules
from table.hand.pile import NOT_A_CARD, CardRef, Pile
from table.hand.piles import Piles, put_into, summarise, tapped, updated, with_pile, with_rest
from table.hand.questions import (
    AnswerDoubts,
    CountPile,
    KeepTapping,
    NothingLeft,
    OpenQuestions,
    PlaceMissing,
    SettleOwner,
    SettleRepeat,
    ShowMore,
    ShowPiles,
    open_questions,
    with_answers,
)
from vision.errors import LabelError, VisionError
from vision.evaluate import LABEL_FILES
from vision.networks import MODELS
from vision.photo import open_photo
from vision.reader import Reader

Truth = Sequence[frozenset[str]]
"""For each side: the codes of its true pile."""


@dataclass(frozen=True)
class Hand:
    """One hand with its true piles, and its photos."""

    rules: Rules
    """The rules that score it."""
    sides: tuple[Side, ...]
    """The true piles."""
    photos: tuple[tuple[Path, ...], ...]
    """The photos of each side's pile."""

    @property
    def points(self) -> tuple[int, ...]:
        """The true points."""
        return score_hand(self.sides, self.rules).points


@dataclass(frozen=True)
class Outcome:
    """The result of one hand."""

    right_at_once: bool
    """Whether the points were right before any question."""
    right_after: bool
    """Whether they were right after all questions were answered."""
    asking_ms: tuple[float, ...]
    """Processor time to find the next question, before each tap and after the last."""

    @property
    def taps(self) -> int:
        """Taps for the answers; 0 if the hand could be confirmed as it was read."""
        return len(self.asking_ms) - 1

    @property
    def is_silent_error(self) -> bool:
        """Whether the points are wrong and no question was asked."""
        return not self.right_after


def read_hands(folder: Path) -> tuple[Hand, ...]:
    """Return the hands of a folder.

    Raises:
        LabelError: The folder has no file of the expected form.
    """
    path = next(
        (folder / name for name in LABEL_FILES if (folder / name).is_file()),
        folder / LABEL_FILES[0],
    )
    try:
        hands = json.loads(path.read_text(encoding="utf-8"))["hands"]
        return tuple(_hand(data, folder) for data in hands)
    except OSError as error:
        raise LabelError(path, "no such file") from error
    except (ValueError, KeyError, TypeError) as error:
        raise LabelError(path, "no hands") from error


def _hand(data: Mapping[str, Any], folder: Path) -> Hand:
    sides = data["sides"]
    return Hand(
        PRESETS[data["rules"]],
        tuple(
            Side(one["name"], tuple(map(Card.from_code, one["pile"])), one["scope"])
            for one in sides
        ),
        tuple(tuple(folder / name for name in one["photos"]) for one in sides),
    )


def play_out(hand: Hand, reader: Reader, *, rest: bool = False) -> Outcome:
    """Read a hand's photos together and answer the app's questions.

    With `rest` the largest pile has no photo: it has the cards that the others leave.
    """
    sizes = [len(side.pile) for side in hand.sides]
    left_out = sizes.index(max(sizes)) if rest else None
    taken = [
        (side, path) for side, paths in enumerate(hand.photos) for path in paths if side != left_out
    ]
    sides = [side for side, _ in taken]
    readings = reader.read_together([open_photo(path) for _, path in taken], sides)
    read = [Pile() for _ in hand.sides]
    for number, (side, reading) in enumerate(zip(sides, readings, strict=True)):
        read[side] = read[side].add(reading, number)
    piles = updated(read)
    if left_out is not None:
        piles = with_rest(piles, left_out)
    right_at_once = _points(hand, piles) == hand.points

    truth = [frozenset(card.code for card in side.pile) for side in hand.sides]
    scope = [side.scope for side in hand.sides]
    asking_ms = []
    while True:
        start = process_time()
        questions = open_questions(summarise(piles), hand.rules, scope=scope)
        asking_ms.append(1000 * (process_time() - start))
        if isinstance(questions.next_step, NothingLeft):
            break
        piles = updated(_tapped_once(piles, questions, truth))
    return Outcome(right_at_once, _points(hand, piles) == hand.points, tuple(asking_ms))


def _tapped_once(piles: Piles, questions: OpenQuestions, truth: Truth) -> Piles:
    """Return the piles after one tap of the player, who answers the next question."""
    match questions.next_step:
        case ShowPiles(sides=(side, *_)):
            return put_into(piles, min(truth[side]), side=side)
        case AnswerDoubts(doubts=doubts):
            return with_answers(piles, {doubts[0]: _card_at(piles, doubts[0], truth)})
        case SettleOwner(code=code):
            return put_into(piles, code, side=_owner(code, truth))
        case PlaceMissing(codes=codes) | KeepTapping(codes=codes) | ShowMore(codes=codes):
            left = Counter(_owner(code, truth) for code in summarise(piles).missing)
            if len(left) == 1 and left.total() > 1:
                return with_rest(piles, *left)  # all are in one pile
            code = min(codes, key=lambda one: left[_owner(one, truth)])
            return put_into(piles, code, side=_owner(code, truth))
        case SettleRepeat(side=side, photos=photos, other=other, other_photos=other_photos):
            if len(piles[side].codes & truth[side]) > len(piles[side].codes & truth[other]):
                side, photos = other, other_photos
            return with_pile(piles, side, piles[side].without_photos(photos))
        case CountPile(side=side) if piles[side].counted != len(truth[side]):
            return with_pile(piles, side, replace(piles[side], counted=len(truth[side])))
        case CountPile(side=side):  # it is counted right, so a card of another pile is wrong
            side, code = next(
                (other, code)
                for other, pile in enumerate(piles)
                for code in sorted(pile.codes ^ truth[other])
                if other != side
            )
            return tapped(piles, side, code=code)
    raise AssertionError(questions.next_step)


def _card_at(piles: Piles, ref: CardRef, truth: Truth) -> str:
    """Return what a player would answer about a doubtful card, by one tap.

    It is the first offered card that the pile holds and that is not read elsewhere on it. If there
    is none, the answer is that it is no card of the pile, which is offered too.
    """
    side, index = ref
    pile = piles[side]
    card = pile.detected[index]
    others = (*pile.detected[:index], *pile.detected[index + 1 :])
    taken = {other.code for other in others if not other.is_open}
    for code in (card.guess, *card.alternatives):
        if code in truth[side] and code not in taken:
            return code
    return NOT_A_CARD


def _owner(code: str, truth: Truth) -> int:
    return next(side for side, pile in enumerate(truth) if code in pile)


def _points(hand: Hand, piles: Piles) -> tuple[int, ...] | None:
    """Return the points of the piles as they are; None while a card is in two of them."""
    if summarise(piles).duplicated:
        return None
    sides = [
        replace(side, pile=tuple(sorted(pile.cards, key=lambda card: card.code)))
        for side, pile in zip(hand.sides, piles, strict=True)
    ]
    return score_hand(sides, hand.rules).points


def summary(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Return the figures of some hands: their number, taps, and milliseconds to find a question.

    >>> summary([])["hands"]
    0
    """
    count = len(outcomes)
    asking_ms = sorted(spent for one in outcomes for spent in one.asking_ms) or [0.0]
    return {
        "hands": count,
        "right_without_a_tap": sum(not one.taps and one.right_after for one in outcomes),
        "right_at_once": sum(one.right_at_once for one in outcomes),
        "right_after_answers": sum(one.right_after for one in outcomes),
        "wrong_points": sum(one.is_silent_error for one in outcomes),
        "taps_a_hand": sum(one.taps for one in outcomes) / max(count, 1),
        "asking_ms_95_of_100": round(asking_ms[int(0.95 * len(asking_ms))], 1),
        "asking_ms_most": round(asking_ms[-1], 1),
    }


def _parser() -> Parser:
    parser = Parser(prog="python -m table.evaluate", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    parser.add_argument("--rest", action="store_true", help="the largest pile is not photographed")
    parser.add_argument("--models", type=Path, default=MODELS, metavar="DIR")
    return parser


def _report(asked: argparse.Namespace) -> str:
    hands = {folder.name: read_hands(folder) for folder in asked.folders}
    reader = Reader(asked.models)
    figures = {
        name: summary([play_out(hand, reader, rest=asked.rest) for hand in in_folder])
        for name, in_folder in hands.items()
    }
    if asked.json:
        return json.dumps(figures, indent=1)
    return "\n".join(
        "  ".join([name, *(f"{key} {value:g}" for key, value in values.items())])
        for name, values in figures.items()
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluate the hands of the named folders; return 0, or 2 on bad input."""
    return run_command(_parser(), _report, arguments=arguments, refused=(VisionError,))


if __name__ == "__main__":
    sys.exit(main())
