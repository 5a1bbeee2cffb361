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
from scoring.hand import Side, score_hand
from scoring.rules import PRESETS, Rules
from table.doubts import SHOWN, Asked, Place, as_said, asked, can_all_be, uncounted
from table.draft import NOT_HERE, Draft
from table.piles import (
    disputed,
    doubled,
    given,
    kept,
    missing,
    renewed,
    tapped,
    with_rest,
)
from vision.errors import VisionError
from vision.labels import LABEL_FILES, LabelError
from vision.photo import open_photo
from vision.reader import MODELS, Reader

Piles = tuple[Draft, ...]
"""The drafts of a hand, one a side."""

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
        return tuple(_hand(told, folder) for told in hands)
    except OSError as error:
        raise LabelError(path, "no such file") from error
    except (ValueError, KeyError, TypeError) as error:
        raise LabelError(path, "no hands") from error


def _hand(told: Mapping[str, Any], folder: Path) -> Hand:
    sides = told["sides"]
    return Hand(
        PRESETS[told["rules"]],
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
    """The drafts of a hand before anybody has tapped anything."""
    sizes = [len(side.pile) for side in hand.sides]
    left_out = sizes.index(max(sizes)) if rest else None
    taken = [(n, path) for n, paths in enumerate(hand.photos) for path in paths if n != left_out]
    numbers, photos = [n for n, _ in taken], [open_photo(path) for _, path in taken]
    drafts = [Draft() for _ in hand.sides]
    readings = reader.read_together(photos, numbers)
    for number, (side, reading) in enumerate(zip(numbers, readings, strict=True)):
        drafts[side] = drafts[side].with_reading(reading, number)
    piles = renewed(drafts)
    return piles if left_out is None else with_rest(piles, left_out)


def _answered(hand: Hand, piles: Piles) -> tuple[Piles, list[float]]:
    """The drafts once nothing is asked any more, and how long finding out took each time, in ms."""
    truth = [frozenset(card.code for card in side.pile) for side in hand.sides]
    names = [side.name for side in hand.sides]
    asking_ms = []
    while True:
        start = process_time()
        open_now = asked(piles, names, rules=hand.rules)
        asking_ms.append(1000 * (process_time() - start))
        if open_now.places:
            piles = _on_doubts(piles, open_now, truth=truth)
        elif contested := disputed(piles):
            piles = kept(piles, contested[0], side=_owner(contested[0], truth))
        elif open_now.lost:
            piles = _on_lost(piles, open_now, truth=truth)
        elif (side := uncounted(piles)) is not None:
            piles = _on_count(piles, side, truth=truth)
        else:
            return piles, asking_ms
        piles = renewed(piles)


def _on_doubts(piles: Piles, open_now: Asked, *, truth: Truth) -> Piles:
    """The piles after one tap on the doubtful cards shown together.

    Whoever answers looks at the cut-out of the card: it is the card itself where the box lies on
    it. The wrong ones are set right, a tap each, then one tap says yes to the others.
    """
    shown = open_now.of(min(open_now.places)[0])[:SHOWN]
    said = {place: _answer(piles, place, truth=truth) for place in shown}
    wrong = [(side, at) for side, at in shown if said[side, at] != piles[side].seen[at].guess]
    if not wrong and can_all_be(piles, shown):
        return as_said(piles, said)
    side, index = wrong[0] if wrong else shown[0]
    return given(piles, side, draft=piles[side].answered(index, said[side, index]))


def _on_lost(piles: Piles, open_now: Asked, *, truth: Truth) -> Piles:
    """The piles after one tap on cards in no pile: one is put into its own, or all are the rest.

    That is said where all lie in one pile; until then those of the pile with the fewest are put in.
    """
    left = Counter(_owner(code, truth) for code in missing(piles))
    if len(left) == 1 and left.total() > 1:
        return with_rest(piles, *left)
    code = min(open_now.lost, key=lambda lost: left[_owner(lost, truth)])
    return kept(piles, code, side=_owner(code, truth))


def _on_count(piles: Piles, side: int, *, truth: Truth) -> Piles:
    """The piles after the cards of one were counted, or after a tap that the count asks for.

    Whoever sees that cards are missing in another pile taps them there, or taps out those that
    are too many.
    """
    if piles[side].counted != len(truth[side]):
        return given(piles, side, draft=replace(piles[side], counted=len(truth[side])))
    amiss = [
        (at, code)
        for at, draft in enumerate(piles)
        for code in sorted(draft.codes ^ truth[at])
        if at != side
    ]
    return tapped(piles, amiss[0][0], code=amiss[0][1])


def _owner(code: str, truth: Truth) -> int:
    """The side in whose pile a card truly lies."""
    return next(side for side, pile in enumerate(truth) if code in pile)


def _answer(piles: Piles, place: Place, *, truth: Truth) -> str:
    """What somebody would say of a doubtful card, by one tap.

    The first of what is offered that the pile holds and that is not read elsewhere on it; where
    there is none, the card is none of the pile, which is offered too.
    """
    side, index = place
    draft = piles[side]
    seen = draft.seen[index]
    taken = {one.code for at, one in enumerate(draft.seen) if at != index and not one.is_open}
    for code in (seen.guess, *seen.alternatives):
        if code in truth[side] and code not in taken:
            return code
    return NOT_HERE


def _points(hand: Hand, piles: Piles) -> tuple[int, ...] | None:
    """The points of the piles as they are; None while a card is in two of them."""
    if doubled(piles):
        return None
    sides = [
        replace(side, pile=tuple(sorted(draft.pile, key=lambda card: card.code)))
        for side, draft in zip(hand.sides, piles, strict=True)
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluate the hands of the folders named; 0 when it worked, 2 on bad input."""
    parser = argparse.ArgumentParser(prog="python -m table.evaluate", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    parser.add_argument("--rest", action="store_true", help="the largest pile is not photographed")
    parser.add_argument("--models", type=Path, default=MODELS, metavar="DIR")
    options = parser.parse_args(arguments)
    try:
        hands = {folder.name: read_hands(folder) for folder in options.folders}
        reader = Reader(options.models)
        result = {
            name: summary([play_out(hand, reader, rest=options.rest) for hand in told])
            for name, told in hands.items()
        }
    except VisionError as error:
        print(error, file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        for name, figures in result.items():
            print(name, *(f"{key} {value:g}" for key, value in figures.items()), sep="  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
