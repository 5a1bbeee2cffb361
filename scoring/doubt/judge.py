"""Score-safe doubt: which points stand whatever a doubtful card is, and what to ask.

`judge(hand, rules)` says for each point that it is settled, or on which cards it hangs; and which
questions settle all of them. A set of questions settles a point when, whatever the answers, every
way that is left awards the same. The set found is the smallest there is; its order puts first
what is expected to tell most. One answer often settles more, so judge again after each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from scoring.doubt.asking import Case, case_of, fewest
from scoring.doubt.board import Doubt, DoubtfulHand, lay_out
from scoring.doubt.groups import Issue
from scoring.doubt.ways import Ways
from scoring.hand import OUTRIGHT
from scoring.points import COINS, KNIGHTS, TRENTE, points_of
from scoring.rules import Rules

__all__ = ["Doubt", "DoubtfulHand", "Judgement", "Possible", "Question", "Verdict", "judge"]


@dataclass(frozen=True)
class Possible:
    """One way in which a point may go."""

    awards: tuple[int, ...]
    """What each side gets; for a win outright, 1 for the side that wins."""
    chance: float
    """How likely it is, by the doubts' own probabilities."""


@dataclass(frozen=True)
class Verdict:
    """What is known of one point."""

    point: str
    """The point's name."""
    possible: tuple[Possible, ...]
    """How it may go, likeliest first; one where it is settled."""
    hangs_on: tuple[str, ...]
    """The keys of the cards that can change it; none where it is settled."""
    exact: bool = True
    """Whether every way was counted; where not, it is held open though it may be settled."""

    @property
    def settled(self) -> bool:
        """Whether it goes the same way whatever the doubtful cards are."""
        return self.exact and len(self.possible) == 1

    @property
    def awards(self) -> tuple[int, ...] | None:
        """What each side gets where it is settled, or None."""
        return self.possible[0].awards if self.settled else None


@dataclass(frozen=True)
class Question:
    """A card to ask about."""

    key: str
    """The doubt's key, or "unread:SIDE:NUMBER", or "missing:NUMBER": of these all are asked."""
    points: tuple[str, ...]
    """The points that hang on it."""
    gain: float
    """How much the answer is expected to tell."""


@dataclass(frozen=True)
class Judgement:
    """What is known of a doubtful hand."""

    verdicts: tuple[Verdict, ...]
    """Every point that piles decide, in the order of counting."""
    questions: tuple[Question, ...]
    """The fewest cards that settle every point, best first."""
    idle: tuple[str, ...]
    """The keys of doubts that make no difference to any point."""

    @property
    def settled(self) -> bool:
        """Whether nothing need be asked."""
        return all(verdict.settled for verdict in self.verdicts)


def judge(hand: DoubtfulHand, rules: Rules) -> Judgement:
    """What is settled in a doubtful hand, and what to ask.

    Raises:
        DoubtError: the doubts contradict each other.

    >>> from scoring.cards import DECK, Card
    >>> from scoring.hand import Side
    >>> six = {Card.from_code(code): 0.5 for code in ("6c", "6s")}
    >>> anna = [card for card in DECK[:20] if card not in six]
    >>> hand = DoubtfulHand(sides=(Side("Anna", anna), Side("Bruno", ())),
    ...                     doubts=(Doubt("a", 0, six),), rest=1)
    >>> judge(hand, Rules()).settled, judge(hand, Rules()).idle
    (True, ('a',))
    """
    board = lay_out(hand)
    cases = [case_of(Ways(issue, board)) for issue in _issues(hand, rules)]
    lost = tuple(f"missing:{number}" for number in range(board.lost))
    keys = [*((item.key,) for item in board.items), lost]
    gains = {place: sum(case.gains.get(place, 0.0) for case in cases) for place in fewest(cases)}
    questions = tuple(
        Question(key, _names(cases, place), gains[place] / len(keys[place]))
        for place in sorted(gains, key=lambda place: (-gains[place], place))
        for key in keys[place]
    )
    idle = (keys[place] for place in range(len(keys)) if not _names(cases, place))
    verdicts = tuple(_verdict(case, keys) for case in cases)
    return Judgement(verdicts, questions, tuple(chain.from_iterable(idle)))


def _names(cases: Iterable[Case], place: int) -> tuple[str, ...]:
    """The points that hang on an item."""
    return tuple(case.ways.issue.name for case in cases if place in case.hangs_on)


def _verdict(case: Case, keys: Sequence[Sequence[str]]) -> Verdict:
    """What a case says, in the caller's names."""
    likeliest = sorted(case.possible.items(), key=lambda pair: -pair[1])
    possible = tuple(Possible(awards, chance) for awards, chance in likeliest)
    hangs_on = tuple(key for place in sorted(case.hangs_on) for key in keys[place])
    return Verdict(case.ways.issue.name, possible, hangs_on, case.exact)


def _issues(hand: DoubtfulHand, rules: Rules) -> Iterator[Issue]:
    """Every point that piles decide, wins outright included."""
    for point in points_of(rules):
        yield Issue(point.name, point.kinds, point.best_only, point.measure, point.awards)
    if rules.ponino and rules.scopa:
        made = tuple(side.scope * rules.scopa for side in hand.sides)
        yield _held("scope", KNIGHTS, awards=lambda held: _doubled(made, held))
    played = rules.all_coins_win, rules.napola_wins, rules.trente_wins
    for name, wins, cards in zip(OUTRIGHT, played, (COINS, COINS, TRENTE), strict=True):
        if wins:
            yield _held(name, cards, awards=tuple)


def _held(name: str, cards: int, *, awards: Callable[[Sequence[int]], tuple[int, ...]]) -> Issue:
    """A point for holding all of some cards; a side's figure is 1 where it does."""
    kinds = tuple((cards >> index & 1) - 1 for index in range(40))
    return Issue(name, kinds, False, lambda mask: int(mask & cards == cards), awards)  # noqa: FBT003


def _doubled(made: Sequence[int], held: Sequence[int]) -> tuple[int, ...]:
    """Points, twice where a side holds what doubles them."""
    return tuple(points * (1 + twice) for points, twice in zip(made, held, strict=True))
