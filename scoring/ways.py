"""All the ways in which doubtful cards can turn out, folded to what matters to one point.

A way is a whole number that packs counts (6 bits each): what each side gained, and how much of a
scarce group is used. So thousands of ways share one number, and nothing is lost: a deck holds
each card once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from scoring.figures import BITS, FULL, Figures, Future
from scoring.groups import Board, Group, Issue, Item, groups_of, sure_level
from scoring.order import in_order

LIMIT = 100_000
"""Turns (a way times an option) after which a point is held open, and said not to be exact."""


class TooManyWays(Exception):  # noqa: N818  # a signal inside the package, never an error shown
    """More turns than `LIMIT`."""


@dataclass(frozen=True)
class Option:
    """One thing that an item may turn out to be, as far as a point can tell."""

    delta: int
    """What it adds to the packed number."""
    guard: int
    """Where the use of its group is counted, or -1 where there is enough of it."""
    room: int
    """How many cards its group has."""
    best: int
    """Where the best of a suit is kept, or -1."""
    level: int
    """What the card makes there."""


@dataclass(frozen=True)
class Closing:
    """A group of which every item is settled."""

    shift: int
    """Where its use was counted."""
    room: int
    """How many cards it has."""
    best: int
    """Where the best of its suit is kept for the side that takes the rest."""
    level: int
    """What a card of it makes there; 0 where that does not matter."""


@dataclass(frozen=True)
class Step:
    """One item's turn."""

    options: tuple[tuple[Option, float], ...]
    """What it may turn out to be, with the weight of each."""
    closing: tuple[Closing, ...]
    """The groups whose use is settled with it: their count is forgotten."""
    rising: Mapping[int, int]
    """Where a best may still be raised after it, and to what level at most."""


class Ways:
    """The ways of one point: the options of each item, and what each end awards."""

    issue: Issue
    """The point."""
    options: dict[int, tuple[tuple[Option, float], ...]]
    """The options of each item that matters, with their weight; neighbours stand together."""
    coupled: frozenset[int]
    """Items that may want the same scarce card as another."""
    figures: Figures
    """What the piles make."""

    def __init__(self, issue: Issue, board: Board) -> None:
        self.issue = issue
        self._board = board
        self._groups = groups_of(issue, board)
        self._use, self._gains = _layout(self._groups, issue, board=board)
        self.figures = Figures(issue, board, gains=self._gains)
        self._turns = 0
        options = self._every_option()
        self._given = [found[0][0] for found in options if _is_given(found)]
        urgency = {
            place: self._urgency(board.items[place])
            for place, found in enumerate(options)
            if not _is_given(found)
        }
        counted = [group.chances for group in self._groups if group.is_counted]
        self.options = {place: options[place] for place in in_order(urgency, counted)}
        self.coupled = frozenset(
            place for group in self._groups if group.is_scarce for place in group.chances
        )

    def alike(self, step: Step) -> Callable[[int], Hashable]:
        """What ways after an item have to share so that they award alike, whatever follows."""
        if not self.issue.best_only:
            return int
        return Future(self.figures, rising=step.rising).of

    def turn(self, count: int) -> None:
        """Count turns made.

        Raises:
            TooManyWays: there were more than `LIMIT` since they were renewed.
        """
        self._turns += count
        if self._turns > LIMIT:
            raise TooManyWays

    def renew(self) -> None:
        """Allow as many turns again as at first."""
        self._turns = 0

    def rivals(self, asked: frozenset[int]) -> frozenset[int]:
        """Items that may want the same scarce card as another, once some are settled."""
        shared = (group.chances.keys() - asked for group in self._groups if group.is_scarce)
        return frozenset(place for places in shared if len(places) > 1 for place in places)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The turns of the items, in the order of `options`."""
        steps: list[Step] = []
        rising: Mapping[int, int] = {}
        later = frozenset[int]()
        for place, options in reversed(self.options.items()):
            closing = tuple(self._closing(place, later))
            steps.append(Step(options, closing, rising))
            raised = [(option.best, option.level) for option, _ in options]
            rising = _raised(rising, [*raised, *((one.best, one.level) for one in closing)])
            later |= {place}
        return tuple(steps[::-1])

    def start(self) -> int:
        """The packed number before any item is settled."""
        start = 0
        for (side, what), shift in self._gains.items():
            if self.issue.best_only:
                held = self._board.sure[side]
                start += sure_level(self.issue, held, suit=what) << shift
            elif side == self._board.rest:
                cards = [len(group.cards) for group in self._groups if group.kind == what]
                start += sum(cards) << shift
        for option in self._given:
            start, _ = follow(start, option, chance=1.0, closing=()) or (start, 1.0)
        return start

    def _every_option(self) -> list[tuple[tuple[Option, float], ...]]:
        """What each item may turn out to be; what does the same is one option."""
        items = self._board.items
        merged: list[dict[Option, float]] = [{} for _ in items]
        for number, group in enumerate(self._groups):
            by_owner: dict[int | None, Option] = {}
            for place, chance in group.chances.items():
                owners = items[place].owners
                for owner in owners:
                    if owner not in by_owner:
                        by_owner[owner] = self._option(number, owner)
                    option = by_owner[owner]
                    merged[place][option] = merged[place].get(option, 0.0) + chance / len(owners)
        return [tuple(found.items()) for found in merged]

    def _closing(self, place: int, later: frozenset[int]) -> Iterator[Closing]:
        """The groups whose use is settled with an item, given those that come after it.

        What is left of them goes to the side that takes the rest.
        """
        for number, shift in self._use.items():
            group = self._groups[number]
            if place in group.chances and later.isdisjoint(group.chances):
                best = level = 0
                if group.kept:
                    best, level = self._gains[self._board.rest or 0, group.suit], group.kind + 1
                yield Closing(shift, len(group.cards), best, level)

    def _urgency(self, item: Item) -> tuple[bool, int]:
        """High cards come early; items that may be any card left come last: they multiply ways."""
        height = max(self.issue.kinds[card] for card in item.chances)
        anything = len(item.chances) == len(self._board.listing)
        return anything, -height if self.issue.best_only else 0

    def _option(self, number: int, owner: int | None) -> Option:
        """What a card of a group does for one owner."""
        group, shift = self._groups[number], self._use.get(number, -1)
        delta, room = (1 << shift, len(group.cards)) if shift >= 0 else (0, 0)
        if group.kind < 0:
            return Option(delta, shift, room, -1, 0)
        if self.issue.best_only:
            held = 0 if owner is None else self._board.sure[owner]
            if owner is None or group.kind < sure_level(self.issue, held, suit=group.suit):
                return Option(delta, shift, room, -1, 0)
            return Option(delta, shift, room, self._gains[owner, group.suit], group.kind + 1)
        if owner is not None:
            delta += 1 << self._gains[owner, group.kind]
        if self._board.rest is not None:
            delta -= 1 << self._gains[self._board.rest, group.kind]
        return Option(delta, shift, room, -1, 0)


def _is_given(options: Sequence[tuple[Option, float]]) -> bool:
    """Whether an item does one thing only, whatever it is, and takes nothing scarce."""
    return len(options) == 1 and options[0][0].guard < 0


def seen_by(options: Sequence[tuple[Option, float]], closing: Sequence[Closing]) -> int:
    """The counts of a way that say where options lead from it; the others stay as they are.

    >>> seen_by([(Option(5, -1, 0, -1, 0), 0.5)], ())
    0
    """
    looked_at = {place for one in closing for place in (one.shift, one.best)}
    looked_at |= {place for option, _ in options for place in (option.guard, option.best)}
    return sum(FULL << place for place in looked_at if place >= 0)


def follow(
    state: int, option: Option, *, chance: float, closing: Sequence[Closing]
) -> tuple[int, float] | None:
    """Where an option leads from a way, and its weight there; None where its cards are used up.

    >>> follow(0, Option(5, -1, 0, -1, 0), chance=0.5, closing=())
    (5, 0.5)
    """
    guard, best, level = option.guard, option.best, option.level
    reached, share = state + option.delta, chance
    if guard >= 0:
        left = option.room - (state >> guard & FULL)
        if left <= 0:
            return None
        share = chance * left / option.room
    if best >= 0 and (state >> best & FULL) < level:
        reached += (level - (state >> best & FULL)) << best
    for one in closing:
        used = reached >> one.shift & FULL
        reached -= used << one.shift
        if used < one.room and (reached >> one.best & FULL) < one.level:
            reached += (one.level - (reached >> one.best & FULL)) << one.best
    return reached, share


def _layout(
    groups: Sequence[Group], issue: Issue, *, board: Board
) -> tuple[dict[int, int], dict[tuple[int, int], int]]:
    """Where counts are kept: the use of each counted group, and gains by (side, kind or suit)."""
    counted = [number for number, group in enumerate(groups) if group.is_counted]
    use = {number: BITS * place for place, number in enumerate(counted)}
    keys = dict.fromkeys(
        (side, group.suit if issue.best_only else group.kind)
        for group in groups
        if group.kind >= 0
        for side in sorted(board.takers(group.chances))
    )
    gains = {key: BITS * (len(use) + place) for place, key in enumerate(keys)}
    return use, gains


def _raised(levels: Mapping[int, int], more: Iterable[tuple[int, int]]) -> Mapping[int, int]:
    """The highest level at each place, with some more; level 0 raises nothing."""
    raised = dict(levels)
    for place, level in more:
        if level:
            raised[place] = max(level, raised.get(place, 0))
    return raised
