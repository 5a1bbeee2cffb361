"""All the ways in which doubtful cards can turn out, folded to what matters to one point.

A way is a whole number that packs counts (6 bits each): what each side gained, and how much of a
scarce group is used. So thousands of ways share one number, and nothing is lost: a deck holds
each card once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from scoring.doubt.figures import BITS, Figures, Future
from scoring.doubt.groups import Board, Group, Issue, Item, groups_of, sure_level
from scoring.doubt.order import in_order
from scoring.doubt.steps import Closing, Left, Option, Options, Step, Turn, with_rising

LIMIT = 100_000
"""Turns (a way times an option) after which a point is held open, and said not to be exact."""


class TooManyWays(Exception):  # noqa: N818  # a signal inside the package, never an error shown
    """More turns than `LIMIT`."""


class Ways:
    """The ways of one point: the options of each item, and what each end awards."""

    issue: Issue
    """The point."""
    steps: tuple[Step, ...]
    """The turns of the cards that matter; neighbours stand together."""
    coupled: frozenset[int]
    """The places whose card may be another's too."""
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
        order = in_order(urgency, counted)
        self.steps = with_rising([*self._item_turns(order, options), *self._lost_turns()])
        self.coupled = frozenset(place for places in self._wanting() for place in places)

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
        """The places whose card may be another's too, once some are settled."""
        shared = (places - asked for places in self._wanting())
        return frozenset(place for places in shared if len(places) > 1 for place in places)

    @property
    def places(self) -> tuple[int, ...]:
        """The items that matter, and the place of all that lies in no pile where that does."""
        return tuple(dict.fromkeys(step.place for step in self.steps))

    def cards_at(self, place: int) -> int:
        """How many cards a place stands for: one, or all that lie in no pile."""
        return self._board.lost if place == self._board.lost_place else 1

    def steps_of(self, places: frozenset[int]) -> frozenset[int]:
        """The numbers of the steps that are the turns of some places."""
        return frozenset(at for at, step in enumerate(self.steps) if step.place in places)

    def _wanting(self) -> Iterator[frozenset[int]]:
        """For each group whose cards do not go round: the places that may want them."""
        for group in self._groups:
            if self._board.lost:
                yield frozenset((*group.chances, self._board.lost_place))
            elif group.is_scarce:
                yield frozenset(group.chances)

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
            start, _ = Step(0, (), (), {}).follow(start, option, chance=1.0) or (start, 1.0)
        return start

    def _every_option(self) -> list[Options]:
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

    def _item_turns(self, order: Sequence[int], options: Sequence[Options]) -> Iterator[Turn]:
        """The turns of the items, each with the groups whose use is settled with it.

        What is left of those goes to the side that takes the rest, or lies nobody knows where:
        then each card of it has a turn.
        """
        later = set(order)
        for place in order:
            later.discard(place)
            settled = [
                (self._groups[number], shift)
                for number, shift in self._use.items()
                if place in self._groups[number].chances
                and later.isdisjoint(self._groups[number].chances)
            ]
            if self._board.lost:
                yield place, options[place], ()
                for group, shift in settled:
                    yield from self._left_turns(group, shift)
            else:
                yield place, options[place], [self._closing(*pair) for pair in settled]

    def _lost_turns(self) -> Iterator[Turn]:
        """The turns of the cards that no item may be and that lie nobody knows where."""
        for group in self._groups:
            if self._board.lost and group.kind >= 0 and not group.chances:
                yield from self._left_turns(group, -1)

    def _left_turns(self, group: Group, shift: int) -> Iterator[Turn]:
        """A turn for each card of a group: an item is it, or it lies with anybody or nobody."""
        owners = (*range(len(self._board.sure)), None)
        for number in range(len(group.cards)):
            merged = dict[Option, float]()
            for owner in owners:
                delta, best, level = self._gain(group, owner)
                option = Left(delta, shift, number, best, level, taken=False)
                merged[option] = merged.get(option, 0.0) + 1 / len(owners)
            if number < len(group.chances):
                merged[Left(0, shift, number, -1, 0, taken=True)] = 1.0
            last = shift >= 0 and number == len(group.cards) - 1
            closing = (Closing(shift, 0, 0, 0),) if last else ()
            yield self._board.lost_place, tuple(merged.items()), closing

    def _closing(self, group: Group, shift: int) -> Closing:
        """What is left of a group goes to the side that takes the rest."""
        best = level = 0
        if group.kept:
            best, level = self._gains[self._board.rest or 0, group.suit], group.kind + 1
        return Closing(shift, len(group.cards), best, level)

    def _urgency(self, item: Item) -> tuple[bool, int]:
        """High cards come early; items that may be any card left come last: they multiply ways."""
        height = max(self.issue.kinds[card] for card in item.chances)
        anything = len(item.chances) == len(self._board.listing)
        return anything, -height if self.issue.best_only else 0

    def _option(self, number: int, owner: int | None) -> Option:
        """What a card of a group does for one owner."""
        group, shift = self._groups[number], self._use.get(number, -1)
        used, room = (1 << shift, len(group.cards)) if shift >= 0 else (0, 0)
        delta, best, level = self._gain(group, owner)
        return Option(used + delta, shift, room, best, level)

    def _gain(self, group: Group, owner: int | None) -> tuple[int, int, int]:
        """What one owner gains with a card of a group: what to add, where a best is, its level."""
        if group.kind < 0:
            return 0, -1, 0
        if self.issue.best_only:
            held = 0 if owner is None else self._board.sure[owner]
            if owner is None or group.kind < sure_level(self.issue, held, suit=group.suit):
                return 0, -1, 0
            return 0, self._gains[owner, group.suit], group.kind + 1
        delta = 0 if owner is None else 1 << self._gains[owner, group.kind]
        if self._board.rest is not None:
            delta -= 1 << self._gains[self._board.rest, group.kind]
        return delta, -1, 0


def _is_given(options: Options) -> bool:
    """Whether an item does one thing only, whatever it is, and takes nothing scarce."""
    return len(options) == 1 and options[0][0].guard < 0


def _layout(
    groups: Sequence[Group], issue: Issue, *, board: Board
) -> tuple[dict[int, int], dict[tuple[int, int], int]]:
    """Where counts are kept: the use of each counted group, and gains by (side, kind or suit)."""
    counted = [at for at, group in enumerate(groups) if group.is_counted and group.chances]
    use = {number: BITS * place for place, number in enumerate(counted)}
    keys = dict.fromkeys(
        (side, group.suit if issue.best_only else group.kind)
        for group in groups
        if group.kind >= 0
        for side in sorted(board.takers(group.chances))
    )
    gains = {key: BITS * (len(use) + place) for place, key in enumerate(keys)}
    return use, gains
