"""The cards a doubtful hand leaves open, sorted into groups that are all one to a point."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """A card that is not known: which one it is, and perhaps whose."""

    key: str
    """Its name."""
    owners: tuple[int | None, ...]
    """The sides it may belong to; None stands for nobody."""
    chances: Mapping[int, float]
    """The cards it may be, by index, with their weight."""


@dataclass(frozen=True)
class Issue:
    """A point as a question about the piles."""

    name: str
    """The point's name."""
    kinds: tuple[int, ...]
    """The kind of each card; -1 where it does nothing for the point."""
    best_only: bool
    """Only the best of each suit matters, and a kind is what the card counts.

    Better cards never make a lower figure, and only the highest figure wins anything.
    """
    figure: Callable[[int], int]
    """What a pile makes for it."""
    awards: Callable[[Sequence[int]], tuple[int, ...]]
    """What each side gets for the figures of all."""


@dataclass(frozen=True)
class Board:
    """What is known of a hand: sure piles, doubtful items, the side that takes the rest."""

    sure: tuple[int, ...]
    """The sure cards of each side, as masks."""
    items: tuple[Item, ...]
    """The cards not known."""
    rest: int | None
    """The side that has every card which is nobody else's, or None."""
    listing: Mapping[int, tuple[int, ...]]
    """For each card that is not sure: the places of the items that may be it."""
    lost: int = 0
    """How many cards are no item, and lie in nobody's pile or in anybody's."""

    @property
    def lost_place(self) -> int:
        """The place of all cards that are no item, after those of the items."""
        return len(self.items)

    def takers(self, items: Iterable[int]) -> frozenset[int]:
        """The sides that may come to have a card which some items may be."""
        if self.lost:
            return frozenset(range(len(self.sure)))
        owners = {owner for place in items for owner in self.items[place].owners}
        return frozenset(owner for owner in (*owners, self.rest) if owner is not None)


@dataclass(frozen=True)
class Group:
    """Cards that the same items name and that do the same for the point."""

    kind: int
    """Their kind, or -1."""
    suit: int
    """Their suit's place, where only the best of a suit matters; else 0."""
    cards: tuple[int, ...]
    """Their indices."""
    chances: Mapping[int, float]
    """For each item that may be one of them, the weight of that."""
    kept: bool
    """Whether what is left of it matters: for the side that takes the rest, or as lost cards."""

    @property
    def is_scarce(self) -> bool:
        """Whether more items may want it than it has cards."""
        return len(self.chances) > len(self.cards)

    @property
    def is_counted(self) -> bool:
        """Whether its use has to be counted."""
        return self.is_scarce or self.kept

    def without(self, item: int) -> Group:
        """The group when an item is no longer thought to be one of it."""
        chances = {place: chance for place, chance in self.chances.items() if place != item}
        return Group(self.kind, self.suit, self.cards, chances, self.kept)

    def likelier(self, item: int, chance: float) -> Group:
        """The group with more weight on an item."""
        chances = {**self.chances, item: self.chances[item] + chance}
        return Group(self.kind, self.suit, self.cards, chances, self.kept)


def sure_level(issue: Issue, held: int, *, suit: int) -> int:
    """What the best sure card of a suit counts, plus 1; 0 where there is none.

    >>> issue = Issue("primiera", (16, 12, 13, 14, 15, 18, 21, 10, 10, 10) * 4, True, int, tuple)
    >>> sure_level(issue, 0b1000010, suit=0), sure_level(issue, 1 << 10, suit=0)
    (22, 0)
    """
    cards = range(10 * suit, 10 * suit + 10)
    return max((issue.kinds[card] + 1 for card in cards if held >> card & 1), default=0)


def groups_of(issue: Issue, board: Board) -> tuple[Group, ...]:
    """The groups of the cards that are not sure.

    >>> issue = Issue("denari", (0,) * 10 + (-1,) * 30, False, int, tuple)
    >>> item = Item("a", (0,), {2: 0.5, 12: 0.5})
    >>> groups = groups_of(issue, Board((0, 0), (item,), 1, {2: (0,), 12: (0,)}))
    >>> [(group.kind, group.cards) for group in groups]
    [(0, (2,)), (-1, (12,))]
    """
    found: dict[tuple[int, int, tuple[int, ...]], list[int]] = {}
    for card, items in board.listing.items():
        kind, suit = _kind(issue, board, card=card)
        found.setdefault((kind, suit, items), []).append(card)
    groups = []
    for (kind, suit, items), cards in found.items():
        chances = {
            place: sum(board.items[place].chances[card] for card in cards) for place in items
        }
        kept = bool(board.lost) or (kind >= 0 and _feeds_rest(issue, board, kind=kind, suit=suit))
        groups.append(Group(kind, suit, tuple(cards), chances, kept))
    return tuple(_eased(groups, issue, board=board))


def _kind(issue: Issue, board: Board, *, card: int) -> tuple[int, int]:
    """A card's kind and suit; (-1, 0) where it can do nothing for any side that may have it."""
    kind = issue.kinds[card]
    if not issue.best_only:
        return kind, 0
    suit = card // 10
    for side in board.takers(board.listing[card]):
        if kind >= sure_level(issue, board.sure[side], suit=suit):
            return kind, suit
    return -1, 0


def _feeds_rest(issue: Issue, board: Board, *, kind: int, suit: int) -> bool:
    """Whether a card left over can better the side that takes the rest."""
    if not issue.best_only or board.rest is None:
        return False
    return kind >= sure_level(issue, board.sure[board.rest], suit=suit)


def _eased(groups: list[Group], issue: Issue, *, board: Board) -> list[Group]:
    """The groups with fewer items wanting scarce ones.

    An item that may be a card of plenty with the same effect need never be the scarce one: any
    way in which it is becomes one in which it is not, and everything else stays as it was.
    """
    groups = list(groups)
    moved = True
    while moved:
        moved = False
        for item, scarce, plenty in _exchanges(groups, issue, board=board):
            chance = groups[scarce].chances[item]
            groups[plenty] = groups[plenty].likelier(item, chance)
            groups[scarce] = groups[scarce].without(item)
            moved = True
    return groups


def _exchanges(
    groups: list[Group], issue: Issue, *, board: Board
) -> Iterator[tuple[int, int, int]]:
    """Items with a scarce group and one of plenty that do the same; groups may change meanwhile."""
    named_by: list[list[int]] = [[] for _ in board.items]
    for place, group in enumerate(groups):
        for item in group.chances:
            named_by[item].append(place)
    for item, (thing, named) in enumerate(zip(board.items, named_by, strict=True)):
        scarce = [place for place in named if groups[place].is_scarce and not groups[place].kept]
        if not scarce:
            continue
        plenty: dict[object, int] = {}
        for place in named:
            if not groups[place].is_counted:
                plenty.setdefault(_effect(groups[place], issue, sure=board.sure, item=thing), place)
        for place in scarce:
            effect = _effect(groups[place], issue, sure=board.sure, item=thing)
            if effect in plenty:
                yield item, place, plenty[effect]


def _effect(group: Group, issue: Issue, *, sure: tuple[int, ...], item: Item) -> object:
    """What a card of a group does for the owners of an item."""
    if not issue.best_only or group.kind < 0:
        return group.kind
    betters = [
        owner is not None and group.kind >= sure_level(issue, sure[owner], suit=group.suit)
        for owner in item.owners
    ]
    return (group.kind, group.suit) if any(betters) else -1
