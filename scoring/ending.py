"""When a match is over and who has won it, from the scores of its hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from itertools import groupby

from scoring.hand import HandScore
from scoring.rules import Rules
from scoring.rules.choices import MatchEnd


@unique
class Reason(StrEnum):
    """What ended a match."""

    HIGHEST = "highest"
    """At or over the target and strictly highest."""
    LAST_HAND = "last-hand"
    """Of several sides at the target, most points in the last hand."""
    COUNTED = "counted"
    """First to reach the target while the points of the hand are counted one after the other."""
    SUDDEN_DEATH = "sudden-death"
    """First, after a tie, to gain a point that the other tied sides do not gain."""
    CAPPOTTO = "cappotto"
    """As many points against none as the rules ask for."""
    OUTRIGHT = "outright"
    """A pile that wins the match at once."""
    LOWEST = "lowest"
    """A perdere: strictly lowest when a side reached the target."""


@dataclass(frozen=True)
class Ending:
    """How a match ended."""

    winner: int
    """Index of the side that won."""
    hand_no: int
    """The hand that decided, counted from 0."""
    reason: Reason
    """What ended it."""


def ending_of(scores: Sequence[HandScore], rules: Rules) -> Ending | None:
    """The end of a match, or None while it goes on; hands after the end do not count.

    >>> from scoring.hand import Line
    >>> won = HandScore((Line("scope", 0, 11, "scope: Anna 11"),), 2)
    >>> ending_of([won], Rules())
    Ending(winner=0, hand_no=0, reason=<Reason.HIGHEST: 'highest'>)
    """
    totals: tuple[int, ...] = ()
    tied: tuple[int, ...] = ()
    for hand_no, score in enumerate(scores):
        before = totals or (0,) * score.sides
        totals = added(before, score.points)
        decided = _decided(score, rules, before=before, tied=tied)
        if decided is not None:
            winner, reason = decided
            return Ending(winner, hand_no, reason)
        tied = tied_after(score, rules, totals=totals)
    return None


def added(totals: Sequence[int], points: Sequence[int]) -> tuple[int, ...]:
    """Totals with the points of a hand added.

    >>> added((7, 9), (4, 1))
    (11, 10)
    """
    return tuple(total + point for total, point in zip(totals, points, strict=True))


def _decided(
    score: HandScore, rules: Rules, *, before: tuple[int, ...], tied: tuple[int, ...]
) -> tuple[int, Reason] | None:
    """The winner that a hand brings and the reason, or None where the match goes on."""
    totals = added(before, score.points)
    if score.outright is not None:
        return score.outright, Reason.OUTRIGHT
    first = _first_gain(score, tied) if tied and rules.sudden_death else None
    if first is not None:
        return first, Reason.SUDDEN_DEATH
    with_points = [side for side, total in enumerate(totals) if total]
    if rules.cappotto and len(with_points) == 1 and max(totals) >= rules.cappotto:
        return with_points[0], Reason.CAPPOTTO
    if max(totals) < rules.target:
        return None
    if rules.perdere:
        return _ended(_leader([-total for total in totals]), Reason.LOWEST)
    if rules.end is MatchEnd.COUNTED:
        return _ended(_first_across(score, rules, before=before), Reason.COUNTED)
    if rules.end is MatchEnd.LAST_HAND:
        return _ended(_leader(_hand_points(score, rules, totals=totals)), Reason.LAST_HAND)
    return _ended(_leader(totals), Reason.HIGHEST)


def _ended(winner: int | None, reason: Reason) -> tuple[int, Reason] | None:
    """The winner with the reason; None where there is no winner."""
    return None if winner is None else (winner, reason)


def _leader(figures: Sequence[int]) -> int | None:
    """The index of the highest figure, or None where several are highest."""
    top = max(figures)
    return figures.index(top) if figures.count(top) == 1 else None


_BELOW_TARGET = -1
"""Stands for the points of a side that has not reached the target: fewer than any points."""


def _hand_points(score: HandScore, rules: Rules, *, totals: Sequence[int]) -> list[int]:
    """The points in this hand of each side at the target; `_BELOW_TARGET` for the others."""
    pairs = zip(totals, score.points, strict=True)
    return [points if total >= rules.target else _BELOW_TARGET for total, points in pairs]


def _gains(score: HandScore) -> Iterator[list[int]]:
    """For each point of a hand, in the order of counting, what each side gains by it."""
    for _, lines in groupby(score.lines, key=lambda line: line.point):
        gains = [0] * score.sides
        for line in lines:
            if line.winner is not None:
                gains[line.winner] += line.amount
        yield gains


def _first_across(score: HandScore, rules: Rules, *, before: tuple[int, ...]) -> int | None:
    """The side that reaches the target first when points are counted one after the other."""
    running = before
    for gains in _gains(score):
        running = added(running, gains)
        winner = _leader(running)
        if winner is not None and running[winner] >= rules.target:
            return winner
    return None


def _first_gain(score: HandScore, tied: tuple[int, ...]) -> int | None:
    """The tied side that is first to gain more than the others tied with it."""
    for gains in _gains(score):
        winner = _leader([gains[side] for side in tied])
        if winner is not None:
            return tied[winner]
    return None


def tied_after(score: HandScore, rules: Rules, *, totals: tuple[int, ...]) -> tuple[int, ...]:
    """The sides between which a tie at the target leaves the match open after a hand.

    >>> from scoring.hand import Line
    >>> hand = HandScore((Line("scope", 0, 2, "scope: Anna 2"),), 2)
    >>> tied_after(hand, Rules(), totals=(11, 11)), tied_after(hand, Rules(), totals=(10, 10))
    ((0, 1), ())
    """
    if max(totals) < rules.target:
        return ()
    figures = list(totals)
    if rules.end is MatchEnd.LAST_HAND:
        figures = _hand_points(score, rules, totals=totals)
    return tuple(side for side, figure in enumerate(figures) if figure == max(figures))
