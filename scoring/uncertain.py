"""Which points are settled although some cards are uncertain, and which cards to ask about.

`analyse(hand, rules)` tries every way in which the uncertain cards can turn out. For each point it
lists what the sides can get. For the hand it names the cards whose answers settle every point.

Each doubt is one unknown card with its candidates; two doubts are never the same card. Cards that
no doubt turns out to be are *left over*: they are in the pile of the side that has the rest. If no
side has the rest, they are *missing*: each is in any pile or in none.

1. Each point has its own `_Outcomes`, for which cards of one kind are the same card: all
   coins for denari, all cards of one value and suit for the primiera. Doubts that cannot change the
   point are left out.
2. The doubts are decided one after the other. Ways that lead to the same piles, cards left over and
   taken cards are one *state*, so there are far fewer states than ways.
3. A set of questions settles a point if, for every state that the answers can lead to, the other
   doubts cannot change the outcome. Starting from all doubts that count, `_questions` drops each
   one that is not needed, the least doubtful first.

Work is limited to `MOST_WORK`, some 40 ms. A point that takes more is left open
(`PointOutlook.exact` is False), and all its doubts are asked about.

Anna's first card is the seven or the six of coins, her second the seven of cups or of swords; Bruno
has all others. With two cards Anna wins neither carte nor denari nor primiera, so only the
settebello is open, and only the first card is asked about.

>>> def one_of(*codes):
...     return {Card.from_code(code): 1 / len(codes) for code in codes}
>>> doubts = (Doubt("first", 0, one_of("7d", "6d")), Doubt("second", 0, one_of("7c", "7s")))
>>> hand = UncertainHand(sides=(Side("Anna", ()), Side("Bruno", ())), doubts=doubts, rest=1)
>>> analysis = analyse(hand, Rules())
>>> analysis.questions
('first',)
>>> [(outlook.point, outlook.possible) for outlook in analysis.outlooks if not outlook.settled]
[('settebello', ((0, 1), (1, 0)))]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from scoring.cards import Card, mask_of
from scoring.errors import DoubtError
from scoring.hand import Side
from scoring.points import Point, four_knights, outright_points, points_of
from scoring.rules import Rules

MOST_WORK = 24_000
"""Work allowed in one analysis. A unit is one state continued by one candidate, 1 to 2 us."""

_AWARDS_WORK = 10
"""Work that it takes to find what the sides get in one more final state."""

Awards = tuple[int, ...]
"""What each side gets for a point; for a win outright, 1 for the side that wins."""

_AwardsOf = Callable[[Sequence[int]], Awards]
"""What each side gets for the figures of all sides."""


@dataclass(frozen=True)
class Doubt:
    """A card seen but not known for sure."""

    key: Hashable  # the caller's name for it
    # Index of the side in whose pile it is; None if it may be in any pile, or in none
    side: int | None
    # The cards it may be, with their probabilities; it can be no other card
    chances: Mapping[Card, float]

    def __post_init__(self) -> None:
        object.__setattr__(self, "chances", MappingProxyType(dict(self.chances)))


@dataclass(frozen=True, kw_only=True)
class UncertainHand:
    """A hand in which not every card is known."""

    sides: tuple[Side, ...]  # each side's sure cards and its scope
    doubts: tuple[Doubt, ...] = ()
    rest: int | None = None  # the side that has every card that is in no other pile, or None
    absent: tuple[Card, ...] = ()  # cards that are certainly in no pile: the deck lacks them

    @property
    def missing(self) -> int:
        """How many cards were not seen, so that they may be in any pile or in none."""
        seen = sum(len(side.pile) for side in self.sides) + len(self.doubts)
        return 0 if self.rest is not None else max(0, 40 - len(set(self.absent)) - seen)


@dataclass(frozen=True)
class PointOutlook:
    """What is known of one point."""

    point: str  # the point's name
    # Every outcome it may have, in ascending order; empty where `exact` is False
    possible: tuple[Awards, ...]
    exact: bool = True  # whether every way was looked at. If not, the point counts as open

    @property
    def settled(self) -> bool:
        """Whether the outcome is the same whatever the uncertain cards are."""
        return len(self.possible) == 1

    @property
    def awards(self) -> Awards | None:
        """What each side gets if it is settled, else None."""
        return self.possible[0] if self.settled else None


@dataclass(frozen=True)
class Analysis:
    """What is known of an uncertain hand."""

    outlooks: tuple[PointOutlook, ...]  # every point that piles decide, in the order of counting
    # Keys of the doubts whose answers settle every point, the most doubtful first
    questions: tuple[Hashable, ...]
    # Whether to ask also in which piles the missing cards are (all of them together)
    asks_missing: bool = False

    @property
    def settled(self) -> bool:
        """Whether nothing need be asked."""
        return all(outlook.settled for outlook in self.outlooks)


def analyse(hand: UncertainHand, rules: Rules) -> Analysis:
    """Return what is settled in an uncertain hand, and what to ask; repeat after each answer.

    Raises:
        DoubtError: a sure card is in two piles or absent as well, or the doubts cannot all
            be different cards.
    """
    unknown = _Unknown(hand)
    counts = [_Outcomes(point, awards, unknown) for point, awards in _points(hand, rules)]
    work = _Work(MOST_WORK)
    by_size = sorted(counts, key=lambda count: len(count.steps))
    for done, count in enumerate(by_size):
        work.limit(1 / (len(counts) - done + 1))  # one more share is for the questions
        count.find(work)
    work.limit(1.0)
    open_counts = [count for count in by_size if len(count.possible) != 1]
    asked = _questions(open_counts, unknown, work)
    doubts = sorted(asked - {unknown.missing_place})
    doubts.sort(key=lambda place: _doubtful(open_counts, place), reverse=True)
    return Analysis(
        tuple(PointOutlook(c.point.name, tuple(sorted(c.possible)), c.exact) for c in counts),
        tuple(hand.doubts[place].key for place in doubts),
        asks_missing=unknown.missing_place in asked,
    )


def _points(hand: UncertainHand, rules: Rules) -> Iterator[tuple[Point, _AwardsOf]]:
    """Yield every point that piles decide, and the scope where four knights double them."""
    for point in points_of(rules):
        yield point, point.awards
    if rules.ponino and rules.scopa:
        made = [side.scope * rules.scopa for side in hand.sides]
        knights = four_knights()
        yield (
            knights,
            lambda figures: tuple(
                points * (1 + doubled)
                for points, doubled in zip(made, knights.awards(figures), strict=True)
            ),
        )
    for point in outright_points(rules):
        yield point, point.awards


def _questions(counts: Sequence[_Outcomes], unknown: _Unknown, work: _Work) -> set[int]:
    """Return doubts whose answers settle every open point, and `missing_place` if it is needed.

    Which cards are missing is known only when the doubts that may be one of them are answered. If
    the missing cards are asked about, these doubts are therefore asked about too.
    """
    missing = unknown.missing_place
    asked = set[int]().union(*(count.places for count in counts))
    needed = set[int]().union(*(count.places for count in counts if not count.exact))

    def drop(places: Sequence[int]) -> None:
        """Stop asking about as many of these as possible, the first ones rather than the last."""
        nonlocal asked
        fewer = asked.difference(places)
        touched = [count for count in counts if not count.places.isdisjoint(places)]
        try:
            settled = all(count.is_settled_by(fewer, work) for count in touched)
        except _WorkSpentError:
            return
        if settled:
            asked = fewer
        elif len(places) > 1:
            drop(places[: len(places) // 2])
            drop(places[len(places) // 2 :])

    if missing in asked - needed:
        drop([missing])
    if missing in asked:
        needed |= {missing, *unknown.competing}
        asked |= needed
    drop(sorted(asked - needed, key=lambda place: (_doubtful(counts, place), -place)))
    return asked


def _doubtful(counts: Iterable[_Outcomes], place: int) -> float:
    """Return how uncertain the effect of a doubt is, summed over some points."""
    return sum(count.doubtful.get(place, 0.0) for count in counts)


class _WorkSpentError(Exception):
    """More work would be needed than is allowed."""


class _Work:
    """Counts steps of work rather than time, so that an analysis is the same on every machine."""

    def __init__(self, most: int) -> None:
        self._left = self._allowed = most

    def limit(self, share: float) -> None:
        """Allow this share of what is left."""
        self._allowed = int(self._left * share)

    def spend(self, steps: int) -> None:
        self._allowed -= steps
        self._left -= steps
        if self._allowed < 0:
            raise _WorkSpentError


# What is unknown


class _Unknown:
    """The unknown cards of a hand: what they may be, and who may have them.

    Cards are named by their index. A doubt is named by its place in the hand; `missing_place`, the
    next number, means all missing cards together.
    """

    def __init__(self, hand: UncertainHand) -> None:
        self.rest, self.missing = hand.rest, hand.missing
        self.missing_place = len(hand.doubts)
        # The sure cards of each side, as masks. The side `rest` also has all that no doubt may be
        self.sure = _sure_masks(hand)
        known = sum(self.sure) | mask_of(hand.absent)
        pool = [card for card in range(40) if not known >> card & 1]
        self.chances = [
            {card.index: chance for card, chance in doubt.chances.items() if card.index in pool}
            for doubt in hand.doubts
        ]
        _check_all_different(hand.doubts, self.chances)
        wanted = set[int]().union(*self.chances)
        if hand.rest is not None:
            self.sure[hand.rest] |= sum(1 << card for card in pool if card not in wanted)
        # The cards that may be left over, and the doubts that decide which are. A group of doubts
        # with only as many candidates as doubts uses all of them, so none is left over.
        self.loose = {card for card in pool if card not in wanted and hand.rest is None}
        self.competing = set[int]()
        for group in _overlapping(self.chances):
            cards = set[int]().union(*(self.chances[place] for place in group))
            if len(cards) > len(group):
                self.competing |= group
                self.loose |= cards
        anybody: tuple[int | None, ...] = (*range(len(hand.sides)), None)
        # The sides that each doubt, and a card that is left over, may belong to; None: no side
        self.owners = [anybody if doubt.side is None else (doubt.side,) for doubt in hand.doubts]
        self.takers = anybody if hand.missing else (hand.rest,)


def _sure_masks(hand: UncertainHand) -> list[int]:
    masks, known = [mask_of(side.pile) for side in hand.sides], 0
    for side, mask in zip(hand.sides, masks, strict=True):
        if mask & known or mask.bit_count() < len(side.pile):
            raise DoubtError(f"{side.name}'s sure cards hold one twice: keep it once")
        known |= mask
    if known & mask_of(hand.absent):
        raise DoubtError("a card that lies in a pile is said to be in none: look at it again")
    return masks


def _check_all_different(doubts: Sequence[Doubt], chances: Sequence[Collection[int]]) -> None:
    """Refuse doubts that cannot all be different cards (bipartite matching, augmenting paths)."""
    matched: dict[int, int] = {}

    def match(place: int, tried: set[int]) -> bool:
        for card in chances[place]:
            if card not in tried:
                tried.add(card)
                if card not in matched or match(matched[card], tried):
                    matched[card] = place
                    return True
        return False

    for place in range(len(doubts)):
        tried: set[int] = set()
        if not match(place, tried):
            clashing = sorted({place} | {matched[card] for card in tried})
            keys = tuple(doubts[other].key for other in clashing)
            named = ", ".join(map(str, keys))
            raise DoubtError(
                f"{named} cannot be what is left: look at these cards again", keys=keys
            )


def _overlapping(wishes: Sequence[Iterable[int]]) -> list[set[int]]:
    """Groups of indices whose wishes overlap, directly or through others."""
    groups: list[tuple[set[int], set[int]]] = []
    for index, wish in enumerate(wishes):
        members, cards = {index}, set(wish)
        for group in [one for one in groups if not one[1].isdisjoint(cards)]:
            groups.remove(group)
            members |= group[0]
            cards |= group[1]
        groups.append((members, cards))
    return [members for members, _ in groups]


# The outcomes of one point


class _Effect(NamedTuple):
    """What a card does for a point."""

    card: int = -1  # the first card of its kind
    owner: int | None = None  # the side whose pile it joins
    leaves: bool = False  # whether it is removed from the cards left over


_NOTHING = _Effect()


class _Step(NamedTuple):
    """One doubt to decide, or one card that may be left over.

    A card is contested if several doubts may be it.
    """

    place: int | None  # the doubt, or `missing_place`, or None for a card that the rest takes
    # The contested card that it takes, as a mask (0: no other doubt wants it), and the effect
    options: tuple[tuple[int, _Effect], ...]
    contested: int = 0  # the contested cards that it looks at, as a mask
    kind: int = 0  # of a card left over: the cards of its kind, as a mask
    after: frozenset[int] = frozenset()  # of a card left over: the doubts that may be it


_State = tuple[tuple[int, ...], int, int]
"""What matters of a way after some steps, as masks: each side's pile, the cards left over, and the
contested cards that are taken. In piles and cards left over, a card represents any of its kind."""

_Sequence = Sequence[tuple[_Step, int, int]]
"""Steps, each with the contested cards and the kinds that a later step looks at."""


class _Outcomes:
    """The outcomes that one point can have."""

    def __init__(self, point: Point, awards: _AwardsOf, unknown: _Unknown) -> None:
        self.point = point
        self.possible: frozenset[Awards] = frozenset()  # none before they were found
        self.exact = False
        self.doubtful: dict[int, float] = {}  # for each doubt that counts, see `_unsureness`
        self._unknown = unknown
        self._awards = cache(lambda piles: awards([*map(point.measure, piles)]))
        # For each card that counts, the cards of its kind. For a prime, each suit has its own kinds
        kinds: dict[object, int] = {}
        for card, kind in enumerate(point.kinds):
            suit = card // 10 if point.best_only else 0
            if kind >= 0:
                kinds[kind, suit] = kinds.get((kind, suit), 0) | 1 << card
        first = {kind & -kind: kind for kind in kinds.values()}
        self._kinds = {one.bit_length() - 1: kind for one, kind in first.items()}
        self._first = {
            c: one for one, kind in self._kinds.items() for c in range(40) if kind >> c & 1
        }
        piles = [0] * len(unknown.sure)
        for card, one in self._first.items():
            for side, sure in enumerate(unknown.sure):
                if sure >> card & 1:
                    piles[side] = self._joined(piles[side], one)
        # The cards that count if they are left over
        self._loose = {
            card
            for card in unknown.loose & self._first.keys()
            if any(self._joins(piles[side], card) for side in unknown.takers if side is not None)
        }
        self._start: _State = (tuple(piles), sum(1 << card for card in self._loose), 0)
        self.steps = self._make_steps()
        # The doubts that count for the point; `missing_place` where missing cards do
        self.places = {step.place for step in self.steps if step.place is not None}

    # What a card does

    def _joined(self, pile: int, first: int) -> int:
        """Return a pile with one more card of a kind; for a prime only the best of each suit."""
        if self.point.best_only:
            suit = pile & 1023 << first // 10 * 10
            best = self.point.kinds[suit.bit_length() - 1] if suit else -1
            return pile if best >= self.point.kinds[first] else pile & ~suit | 1 << first
        free = self._kinds[first] & ~pile
        return pile | free & -free

    def _joins(self, pile: int, card: int) -> bool:
        """Return whether a card changes what counts of a pile."""
        return self._joined(pile, self._first[card]) != pile

    def _effect(self, card: int, owner: int | None) -> _Effect:
        leaves, rest = card in self._loose, self._unknown.rest
        if card not in self._first or (leaves and owner is not None and owner == rest):
            return _NOTHING  # the rest has it if no doubt takes it
        if owner is not None and not self._joins(self._start[0][owner], card):
            owner = None
        is_idle = owner is None and not leaves
        return _NOTHING if is_idle else _Effect(self._first[card], owner, leaves)

    def _after(
        self, state: _State, step: _Step, contested: int = -1, kinds: int = -1
    ) -> Iterator[_State]:
        """Yield the states after a step, without the cards that no later step looks at."""
        piles, left, taken = state
        if step.kind and not left & step.kind:
            yield piles, left & kinds, taken & contested
            return
        for takes, (card, owner, leaves) in step.options:
            if not takes & taken:
                after, remaining = piles, left
                if leaves and left & self._kinds[card]:
                    remaining ^= 1 << (left & self._kinds[card]).bit_length() - 1
                if owner is not None:
                    changed = [*piles]
                    changed[owner] = self._joined(piles[owner], card)
                    after = tuple(changed)
                yield after, remaining & kinds, (taken | takes) & contested

    # The steps

    def _make_steps(self) -> list[_Step]:
        """Return the steps: doubts first, sorted so that few contested cards are open at a time.

        A card that may be left over follows the last doubt that may be it. A step that has the same
        result in every way becomes part of the start instead.
        """
        unknown = self._unknown
        effects = [
            {card: tuple(self._effect(card, owner) for owner in owners) for card in chances}
            for chances, owners in zip(unknown.chances, unknown.owners, strict=True)
        ]
        doubtful = [*map(_unsureness, unknown.chances, effects)]
        _drop_needless(effects)
        wants = Counter(card for candidates in effects for card in candidates)
        contested = {card for card, doubts in wants.items() if doubts > 1}
        steps = []
        for group in _overlapping([contested & candidates.keys() for candidates in effects]):
            varies = any(len({*sum(effects[place].values(), ())}) > 1 for place in group)
            for place in group:
                options = {
                    (1 << card if varies and card in contested else 0, effect): None
                    for card, some in effects[place].items()
                    for effect in some
                }
                cards = contested & effects[place].keys() if varies else ()
                step = _Step(place, tuple(options), sum(1 << card for card in cards))
                if varies:
                    steps.append(step)
                    self.doubtful[place] = doubtful[place]
                else:
                    (self._start,) = self._after(self._start, step)
        steps.sort(key=lambda step: (step.contested, step.place))
        for step in self._leftovers(effects):
            after = step.after & self.doubtful.keys()
            if not after and len(step.options) == 1:
                (self._start,) = self._after(self._start, step)
                continue
            at = max((n for n, doubt in enumerate(steps, 1) if doubt.place in after), default=0)
            steps.insert(at, step._replace(after=after))
        return steps

    def _leftovers(self, effects: Sequence[Collection[int]]) -> Iterator[_Step]:
        """Yield a step for each card that may be left over."""
        unknown = self._unknown
        place = unknown.missing_place if unknown.missing else None
        for first, kind in self._kinds.items():
            cards = {card for card in self._loose if kind >> card & 1}
            options = tuple((0, _Effect(first, taker, leaves=True)) for taker in unknown.takers)
            after = frozenset(n for n, some in enumerate(effects) if not cards.isdisjoint(some))
            for _ in range(min(len(cards), unknown.missing or 40)):
                yield _Step(place, options, kind=kind, after=after)

    # The outcomes

    def find(self, work: _Work) -> None:
        """Try every way, as far as the work allows."""
        try:
            self.possible = self._awards_after(self._start, self._sequence(self.steps), work)
        except _WorkSpentError:
            return
        self.exact = True

    def is_settled_by(self, asked: Collection[int], work: _Work) -> bool:
        """Return whether whatever is answered about some doubts leaves one outcome."""
        known, unasked = list[_Step](), list[_Step]()
        for step in self.steps:
            answered = step.after.issubset(asked) if step.place is None else step.place in asked
            (known if answered else unasked).append(step)
        sequence = self._sequence([*known, *unasked])
        states = self._states_after(self._start, sequence[: len(known)], work)
        last = sequence[len(known) :]
        return all(len(self._awards_after(state, last, work)) <= 1 for state in states)

    def _awards_after(self, start: _State, sequence: _Sequence, work: _Work) -> frozenset[Awards]:
        states = self._states_after(start, sequence, work)
        work.spend(_AWARDS_WORK * (len(states) - 1))
        return frozenset(self._awards(piles) for piles, _, _ in states)

    def _states_after(self, start: _State, sequence: _Sequence, work: _Work) -> set[_State]:
        states = {start}
        for step, contested, kinds in sequence:
            work.spend(len(states) * len(step.options))
            states = {new for old in states for new in self._after(old, step, contested, kinds)}
        return states

    def _sequence(self, steps: Sequence[_Step]) -> _Sequence:
        """Steps, each with the contested cards and the kinds that later ones look at."""
        contested = kinds = 0
        sequence = list[tuple[_Step, int, int]]()
        for step in reversed(steps):
            sequence.append((step, contested, kinds))
            contested |= step.contested
            kinds |= step.kind
        return sequence[::-1]


def _drop_needless(effects: Sequence[dict[int, tuple[_Effect, ...]]]) -> None:
    """Take contested cards from the candidates of a doubt that never needs them.

    A doubt that may be an uncontested card with the same effect can be that one instead, and no
    award changes.
    """
    wants = Counter(card for candidates in effects for card in candidates)
    before = wants.total()
    for candidates in effects:
        free = {some for card, some in candidates.items() if wants[card] == 1}
        for card in [card for card, some in candidates.items() if wants[card] > 1 and some in free]:
            del candidates[card]
            wants[card] -= 1
    if wants.total() < before:  # other cards may be uncontested now
        _drop_needless(effects)


def _unsureness(chances: Mapping[int, float], effects: Mapping[int, Sequence[_Effect]]) -> float:
    """Return the chance that two draws of a doubt's card do different things for a point."""
    likely: dict[object, float] = {}
    for card, some in effects.items():
        for effect in some:
            likely[effect] = likely.get(effect, 0.0) + chances[card] / len(some)
    total = sum(likely.values()) or 1.0
    return 1 - sum((chance / total) ** 2 for chance in likely.values())
