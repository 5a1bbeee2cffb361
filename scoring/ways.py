"""All the ways in which doubtful cards can turn out, folded to what matters to one point.

What an item may turn out to be, what the counts of a way mean, and what its end awards; how ways
are followed and folded stands in `scoring.steps`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.groups import Board, Group, Issue, groups_of, sure_level
from scoring.steps import Closing, Counts, Option, Places, strides_of

LIMIT = 100_000
"""Turns (a way times an option) after which a point is held open, and said not to be exact."""

_DECK = 40
"""Cards in a deck: the largest count."""


class TooManyWays(Exception):  # noqa: N818  # a signal inside the package, never an error shown
    """More turns than `LIMIT`."""


class Ways:
    """The ways of one point: the options of each item, and what each end awards."""

    issue: Issue
    """The point."""
    options: dict[int, tuple[tuple[Option, float], ...]]
    """The options of each item that matters, with their weight; neighbours stand together."""
    strides: Places
    """What tells ways with different counts apart, see `strides_of`."""
    coupled: frozenset[int]
    """Items that may want the same scarce card as another."""

    def __init__(self, issue: Issue, board: Board) -> None:
        self.issue = issue
        self._board = board
        self._groups = groups_of(issue, board)
        counted = [number for number, group in enumerate(self._groups) if group.is_counted]
        self._use = {number: row for row, number in enumerate(counted)}
        gained = [
            (side, group.suit if issue.best_only else group.kind)
            for group in self._groups
            if group.kind >= 0
            for side in sorted(board.takers(group.chances))
        ]
        self._gains = {key: len(counted) + at for at, key in enumerate(dict.fromkeys(gained))}
        most = max(issue.kinds) + 1 if issue.best_only else _DECK
        rooms = (len(self._groups[number].cards) for number in counted)
        self.strides = strides_of([1 + top for top in (*rooms, *(most for _ in self._gains))])
        self._turns = 0
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
        for number, row in self._use.items():
            group = self._groups[number]
            if place in group.chances and later.isdisjoint(group.chances):
                best, level = -1, 0
                if group.kept:
                    best, level = self._gains[self._board.rest or 0, group.suit], group.kind + 1
                closing.append(Closing(row, len(group.cards), best, level))
        return tuple(closing)

    def start(self) -> Counts:
        """The counts before any item is settled, as one way."""
        counts = [0] * self.strides.shape[1]
        for (side, what), row in self._gains.items():
            if self.issue.best_only:
                counts[row] = sure_level(self.issue, self._board.sure[side], suit=what)
            elif side == self._board.rest:
                counts[row] = sum(len(group.cards) for group in self._groups if group.kind == what)
        for option in self._given:
            for row, more in option.changes:
                counts[row] += more
            if option.best >= 0:
                counts[option.best] = max(counts[option.best], option.level)
        return np.array(counts, np.int16)[:, None]

    def awards(self, ways: Counts) -> tuple[tuple[tuple[int, ...], ...], list[int]]:
        """What the sides may get at the end of some ways; and for each way, which of these."""
        sides = range(len(self._board.sure))
        figures = list(zip(*(self._figures(side, ways) for side in sides), strict=True))
        got = {found: self.issue.awards(found) for found in dict.fromkeys(figures)}
        places = {awards: place for place, awards in enumerate(dict.fromkeys(got.values()))}
        return tuple(places), [places[got[found]] for found in figures]

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
        group, guard = self._groups[number], self._use.get(number, -1)
        changes: tuple[tuple[int, int], ...] = ((guard, 1),) if guard >= 0 else ()
        room = len(group.cards) if guard >= 0 else 0
        if group.kind < 0:
            return Option(changes, guard, room, -1, 0)
        if self.issue.best_only:
            held = 0 if owner is None else self._board.sure[owner]
            if owner is None or group.kind < sure_level(self.issue, held, suit=group.suit):
                return Option(changes, guard, room, -1, 0)
            return Option(changes, guard, room, self._gains[owner, group.suit], group.kind + 1)
        if owner != self._board.rest:
            for side, more in ((owner, 1), (self._board.rest, -1)):
                if side is not None:
                    changes += ((self._gains[side, group.kind], more),)
        return Option(changes, guard, room, -1, 0)

    def _figures(self, side: int, ways: Counts) -> list[int]:
        """What a side's pile makes at the end of each way.

        Cards that do the same stand for those it has: so many of a kind, or the best of a suit.
        """
        sure = self._board.sure[side]
        piles = np.full(ways.shape[1], sure, np.int64)
        for (owner, what), row in self._gains.items():
            if owner == side:
                piles |= _cards_for(self.issue, what, taken=sure)[ways[row]]
        found, places = np.unique(piles, return_inverse=True)
        figures = [self.issue.figure(pile) for pile in found.tolist()]
        return [figures[place] for place in places.tolist()]


def _is_given(options: Sequence[tuple[Option, float]]) -> bool:
    """Whether an item does one thing only, whatever it is, and takes nothing scarce."""
    return len(options) == 1 and options[0][0].guard < 0


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


def _cards_for(issue: Issue, what: int, *, taken: int) -> Places:
    """For each count: so many cards of a kind, or one of a suit's level, that are not taken."""
    cards = np.zeros(_DECK + 1, np.int64)
    if issue.best_only:
        for card in range(10 * what, 10 * what + 10):
            cards[issue.kinds[card] + 1] = 1 << card
        return cards
    free = [card for card in range(40) if issue.kinds[card] == what and not taken >> card & 1]
    cards[1 : 1 + len(free)] = [1 << card for card in free]
    return np.asarray(cards.cumsum(), np.int64)
