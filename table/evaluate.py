"""`python -m table.evaluate [--json] FOLDER...`: how whole hands of photos come out.

A folder's labels.json (or expected.json) holds `{"hands": [{"rules", "sides": [{"name", "photos",
"pile", "scope"}]}]}`. Each hand is read as the app reads it; then somebody who sees the cards
answers what is asked, and nothing else.
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
from table.pile import NOT_A_CARD, CardRef, Pile
from table.piles import Piles, duplicated, missing, put_into, tapped, updated, with_pile, with_rest
from table.questions import (
    AnswerDoubts,
    CountPile,
    KeepTapping,
    NothingLeft,
    OpenQuestions,
    PlaceMissing,
    SettleOwner,
    ShowPiles,
    can_all_be,
    open_questions,
    with_answers,
)
from vision.errors import LabelError, VisionError
from vision.evaluate import LABEL_FILES
from vision.photo import open_photo
from vision.reader import MODELS, Reader

Truth = Sequence[frozenset[str]]
"""For each side: the codes of its pile as it truly was."""


@dataclass(frozen=True)
class Hand:
    """One hand as it truly was, and its photos."""

    rules: Rules
    """What it is scored by."""
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
    """How one hand came out."""

    right_at_once: bool
    """The points were right before anything was asked."""
    right_after: bool
    """They were right once all that was asked had been answered."""
    asking_ms: tuple[float, ...]
    """Processor time that it took to find out what to ask, before each tap and after the last."""

    @property
    def taps(self) -> int:
        """Taps for the answers; none where it could be confirmed as it was read."""
        return len(self.asking_ms) - 1

    @property
    def is_silent_error(self) -> bool:
        """Points that nobody would have been asked about, and wrong."""
        return not self.right_after


def read_hands(folder: Path) -> tuple[Hand, ...]:
    """The hands of a folder.

    Raises:
        LabelError: There is no file of the expected form.
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
    """Reads a hand's photos together and answers what the app asks.

    With `rest` the largest pile is not photographed: it has what the others leave.
    """
    piles = _as_read(hand, reader, rest=rest)
    at_once = _points(hand, piles)
    answered, asking_ms = _answered(hand, piles)
    return Outcome(
        right_at_once=at_once == hand.points,
        right_after=_points(hand, answered) == hand.points,
        asking_ms=tuple(asking_ms),
    )


def _as_read(hand: Hand, reader: Reader, *, rest: bool) -> Piles:
    """The piles of a hand before anybody has tapped anything."""
    sizes = [len(side.pile) for side in hand.sides]
    left_out = sizes.index(max(sizes)) if rest else None
    taken = [(n, path) for n, paths in enumerate(hand.photos) for path in paths if n != left_out]
    numbers, photos = [n for n, _ in taken], [open_photo(path) for _, path in taken]
    read = [Pile() for _ in hand.sides]
    readings = reader.read_together(photos, numbers)
    for number, (side, reading) in enumerate(zip(numbers, readings, strict=True)):
        read[side] = read[side].add(reading, number)
    piles = updated(read)
    return piles if left_out is None else with_rest(piles, left_out)


def _answered(hand: Hand, piles: Piles) -> tuple[Piles, list[float]]:
    """The piles once nothing is asked any more, and how long finding out took each time, in ms."""
    truth = [frozenset(card.code for card in side.pile) for side in hand.sides]
    scope = [side.scope for side in hand.sides]
    asking_ms = []
    while True:
        start = process_time()
        open_now = open_questions(piles, hand.rules, scope=scope)
        asking_ms.append(1000 * (process_time() - start))
        if isinstance(open_now.next_step, NothingLeft):
            return piles, asking_ms
        piles = updated(_tapped_once(piles, open_now, truth=truth))


def _tapped_once(piles: Piles, open_now: OpenQuestions, *, truth: Truth) -> Piles:
    """The piles after one tap of somebody who sees the cards and does what is asked next."""
    match open_now.next_step:
        case ShowPiles(sides=(side, *_)):
            return put_into(piles, min(truth[side]), side=side)
        case AnswerDoubts():
            return _on_doubts(piles, open_now, truth=truth)
        case SettleOwner(code=code):
            return put_into(piles, code, side=_owner(code, truth))
        case PlaceMissing(codes=codes) | KeepTapping(codes=codes):
            return _on_missing(piles, codes, truth=truth)
        case CountPile(side=side):
            return _on_count(piles, side, truth=truth)
    raise AssertionError(open_now.next_step)


def _on_doubts(piles: Piles, open_now: OpenQuestions, *, truth: Truth) -> Piles:
    """The piles after one tap on the doubtful cards shown together.

    The person who answers looks at the cut-out of the card: it is the card itself where the box
    lies on it. The wrong ones are corrected, a tap each, then one tap says yes to the others.
    """
    shown = open_now.shown(min(doubt.side for doubt in open_now.doubts))
    said = {at: _answer(piles, at, truth=truth) for at in shown}
    wrong = [at for at in shown if said[at] != piles[at.side].detected[at.number].guess]
    if not wrong and can_all_be(piles, shown):
        return with_answers(piles, said)
    at = wrong[0] if wrong else shown[0]
    return with_pile(piles, at.side, piles[at.side].answered(at.number, said[at]))


def _on_missing(piles: Piles, codes: Sequence[str], *, truth: Truth) -> Piles:
    """The piles after one tap on cards in no pile: one is put into its own, or all are the rest.

    That is said where all lie in one pile; until then those of the pile with the fewest are put in.
    """
    left = Counter(_owner(code, truth) for code in missing(piles))
    if len(left) == 1 and left.total() > 1:
        return with_rest(piles, *left)
    code = min(codes, key=lambda one: left[_owner(one, truth)])
    return put_into(piles, code, side=_owner(code, truth))


def _on_count(piles: Piles, side: int, *, truth: Truth) -> Piles:
    """The piles after the cards of one were counted, or after a tap that the count asks for.

    A person who sees that cards are missing in another pile taps them there, or taps out those that
    are too many.
    """
    if piles[side].counted != len(truth[side]):
        return with_pile(piles, side, replace(piles[side], counted=len(truth[side])))
    amiss = [
        (at, code)
        for at, pile in enumerate(piles)
        for code in sorted(pile.codes ^ truth[at])
        if at != side
    ]
    return tapped(piles, amiss[0][0], code=amiss[0][1])


def _owner(code: str, truth: Truth) -> int:
    """The side in whose pile a card truly lies."""
    return next(side for side, pile in enumerate(truth) if code in pile)


def _answer(piles: Piles, at: CardRef, *, truth: Truth) -> str:
    """What somebody would say of a doubtful card, by one tap.

    The first of what is offered that the pile holds and that is not read elsewhere on it; where
    there is none, the card is none of the pile, which is offered too.
    """
    side, index = at
    pile = piles[side]
    card = pile.detected[index]
    others = (*pile.detected[:index], *pile.detected[index + 1 :])
    taken = {other.code for other in others if not other.is_open}
    for code in (card.guess, *card.alternatives):
        if code in truth[side] and code not in taken:
            return code
    return NOT_A_CARD


def _points(hand: Hand, piles: Piles) -> tuple[int, ...] | None:
    """The points of the piles as they are; None while a card is in two of them."""
    if duplicated(piles):
        return None
    sides = [
        replace(side, pile=tuple(sorted(pile.cards, key=lambda card: card.code)))
        for side, pile in zip(hand.sides, piles, strict=True)
    ]
    return score_hand(sides, hand.rules).points


def summary(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """The figures of some hands: how many of them, taps, and milliseconds to find a question.

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
    """The options of the command."""
    parser = Parser(prog="python -m table.evaluate", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    parser.add_argument("--rest", action="store_true", help="the largest pile is not photographed")
    parser.add_argument("--models", type=Path, default=MODELS, metavar="DIR")
    return parser


def _report(asked: argparse.Namespace) -> str:
    """The figures of the folders named."""
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
    """Evaluate the hands of the folders named; 0 when it worked, 2 on bad input."""
    return run_command(_parser(), _report, arguments=arguments, refused=(VisionError,))


if __name__ == "__main__":
    sys.exit(main())
