"""All the ways in which doubtful cards can turn out, folded to what matters to one point.

A way is a whole number that packs counts (6 bits each): what each side gained, and how much of a
scarce group is used. So thousands of ways share one number, and nothing is lost: a deck holds
each card once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from scoring.groups import Board, Group, Issue, groups_of, sure_level

LIMIT = 100_000
"""Turns (a way times an option) after which a point is held open, and said not to be exact."""

_BITS = 6
"""Bits of one count."""

_FULL = (1 << _BITS) - 1
"""Largest count."""


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


class Ways:
    """The ways of one point: the options of each item, and what each end awards."""

    issue: Issue
    """The point."""
    options: dict[int, tuple[tuple[Option, float], ...]]
    """The options of each item that matters, with their weight; neighbours stand together."""
    coupled: frozenset[int]
    """Items that may want the same scarce card as another."""

    def __init__(self, issue: Issue, board: Board) -> None:
        self.issue = issue
        self._board = board
        self._groups = groups_of(issue, board)
        self._use, self._gains = _layout(self._groups, issue, board=board)
        self._parts = [
            sum(_FULL << shift for (owner, _), shift in self._gains.items() if owner == side)
            for side in range(len(board.sure))
        ]  # the counts that make up a side's pile
        self._turns = 0
        self._figures: dict[tuple[int, int], int] = {}
        self._stands: dict[tuple[int, int], Sequence[int]] = {}
        options = {place: self._options(place) for place in _in_order(board, self._groups)}
        self._given = [found[0][0] for found in options.values() if _is_given(found)]
        self.options = {place: found for place, found in options.items() if not _is_given(found)}
        self.coupled = frozenset(
            place for group in self._groups if group.is_scarce for place in group.chances
        )

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

    def closing(self, place: int) -> tuple[Closing, ...]:
        """The groups whose use is settled with an item, the last of `options` that names them.

        Their count is forgotten; what is left of them goes to the side that takes the rest.
        """
        places, closing = [*self.options], []
        later = frozenset(places[places.index(place) + 1 :])
        for number, shift in self._use.items():
            group = self._groups[number]
            if place in group.chances and later.isdisjoint(group.chances):
                best = level = 0
                if group.kept:
                    best, level = self._gains[self._board.rest or 0, group.suit], group.kind + 1
                closing.append(Closing(shift, len(group.cards), best, level))
        return tuple(closing)

    def awards(self, state: int) -> tuple[int, ...]:
        """What each side gets at the end of a way."""
        sides = range(len(self._board.sure))
        return self.issue.awards([self._figure(side, state) for side in sides])

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

    def _options(self, place: int) -> tuple[tuple[Option, float], ...]:
        """What an item may turn out to be; what does the same is one option."""
        merged: dict[Option, float] = {}
        owners = self._board.items[place].owners
        for number, group in enumerate(self._groups):
            if place in group.chances:
                for owner in owners:
                    option = self._option(number, owner)
                    share = group.chances[place] / len(owners)
                    merged[option] = merged.get(option, 0.0) + share
        return tuple(merged.items())

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

    def _figure(self, side: int, state: int) -> int:
        """What a side's pile makes at the end of a way."""
        part = state & self._parts[side]
        known = self._figures.get((side, part))
        if known is None:
            pile = self._board.sure[side]
            for (owner, what), shift in self._gains.items():
                if owner == side:
                    pile |= self._stand_ins(side, what)[part >> shift & _FULL]
            known = self._figures[side, part] = self.issue.figure(pile)
        return known

    def _stand_ins(self, side: int, what: int) -> Sequence[int]:
        """For each count of a side: cards that stand for it besides its sure ones, as a mask."""
        known = self._stands.get((side, what))
        if known is None:
            taken = self._board.sure[side]
            known = self._stands[side, what] = _cards_for(self.issue, what, taken=taken)
        return known


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
    return sum(_FULL << place for place in looked_at if place >= 0)


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
        left = option.room - (state >> guard & _FULL)
        if left <= 0:
            return None
        share = chance * left / option.room
    if best >= 0 and (state >> best & _FULL) < level:
        reached += (level - (state >> best & _FULL)) << best
    for one in closing:
        used = reached >> one.shift & _FULL
        reached -= used << one.shift
        if used < one.room and (reached >> one.best & _FULL) < one.level:
            reached += (one.level - (reached >> one.best & _FULL)) << one.best
    return reached, share


def _layout(
    groups: Sequence[Group], issue: Issue, *, board: Board
) -> tuple[dict[int, int], dict[tuple[int, int], int]]:
    """Where counts are kept: the use of each counted group, and gains by (side, kind or suit)."""
    counted = [number for number, group in enumerate(groups) if group.is_counted]
    use = {number: _BITS * place for place, number in enumerate(counted)}
    keys = dict.fromkeys(
        (side, group.suit if issue.best_only else group.kind)
        for group in groups
        if group.kind >= 0
        for side in sorted(board.takers(group.chances))
    )
    gains = {key: _BITS * (len(use) + place) for place, key in enumerate(keys)}
    return use, gains


def _in_order(board: Board, groups: Sequence[Group]) -> tuple[int, ...]:
    """The items, those that share a counted group one after the other.

    Items that may be any card left come last: they turn every way into many.
    """
    anything = [
        place for place, item in enumerate(board.items) if len(item.chances) == len(board.listing)
    ]
    order: dict[int, None] = {}
    shared = [tuple(group.chances) for group in groups if group.is_counted]
    for first in range(len(board.items)):
        waiting = [first]
        while waiting:
            place = waiting.pop(0)
            if place not in order and place not in anything:
                order[place] = None
                waiting += [other for items in shared if place in items for other in items]
    return (*order, *anything)


def _cards_for(issue: Issue, what: int, *, taken: int) -> Sequence[int]:
    """For each count: so many cards of a kind, or one of a suit's level, that are not taken."""
    if issue.best_only:
        levels = [0] * (_FULL + 1)
        for card in range(10 * what, 10 * what + 10):
            levels[issue.kinds[card] + 1] = 1 << card
        return levels
    free = [card for card in range(40) if issue.kinds[card] == what and not taken >> card & 1]
    masks = list(accumulate((1 << card for card in free), initial=0))
    return masks + masks[-1:] * (_FULL - len(free))
