"""Which points are settled although some cards are uncertain, and which cards to ask about.

`analyse(hand, rules)` looks at every way in which the uncertain cards can lie. For each point it
lists what the sides can get; for the hand it names the cards whose answers settle every point.

Each doubt is one unknown card with its candidates; two doubts are never the same card. Cards that
no doubt takes are left over: they lie with the side that has the rest, or, where there is none,
with any side or nobody (they are missing).

1. Each point is looked at on its own, and of each card only what counts for it is kept: for denari
   whether it is a coin, for the primiera its value where it betters the best sure card of a suit.
   Doubts that make no difference are left out.
2. The ways are gone through one doubt at a time. Ways that come to the same counts are continued as
   one *state*, a whole number that packs the counts, so there are far fewer states than ways.
3. A set of questions settles a point if, for every state that the answers can lead to, the cards
   not asked about cannot change the outcome. Starting from all doubts that count, each one that is
   not needed is dropped, the least doubtful first.

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
"""Work allowed in one analysis; one unit is a state continued by one candidate, about 1 us."""

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
    # Index of the side in whose pile it lies; None where it may lie in any pile, or in none
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
    rest: int | None = None  # the side that has every card which lies in no other pile, or None
    absent: tuple[Card, ...] = ()  # cards that certainly lie in no pile: the deck lacks them

    @property
    def missing(self) -> int:
        """How many cards nobody saw, so that they may lie in any pile or in none."""
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
        """What each side gets where it is settled, or None."""
        return self.possible[0] if self.settled else None


@dataclass(frozen=True)
class Analysis:
    """What is known of an uncertain hand."""

    outlooks: tuple[PointOutlook, ...]  # every point that piles decide, in the order of counting
    # Keys of the doubts whose answers settle every point, the most doubtful first
    questions: tuple[Hashable, ...]
    # Whether to ask as well where the missing cards lie (all of them together)
    asks_missing: bool = False

    @property
    def settled(self) -> bool:
        """Whether nothing need be asked."""
        return all(outlook.settled for outlook in self.outlooks)


def analyse(hand: UncertainHand, rules: Rules) -> Analysis:
    """What is settled in an uncertain hand, and what to ask; analyse again after each answer.

    Raises:
        DoubtError: a sure card lies in two piles or is said to be absent, or the doubts cannot all
            be different cards.
    """
    unknown = _Unknown(hand)
    counts = [_Count(point, awards, unknown) for point, awards in _points(hand, rules)]
    work = _Work(MOST_WORK)
    by_size = sorted(counts, key=lambda count: len(count.steps))
    for done, count in enumerate(by_size):
        work.limit(1 / (len(counts) - done + 1))  # one more share is for the questions
        count.find_outcomes(work)
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
    """Every point that piles decide, and the scope where four knights double them."""
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


def _questions(counts: Sequence[_Count], unknown: _Unknown, work: _Work) -> set[int]:
    """Doubts whose answers settle every open point; `missing_place` where missing cards count.

    Which cards are missing is known once the doubts that may be one of them are answered, so these
    are asked about before the missing cards.
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


def _doubtful(counts: Iterable[_Count], place: int) -> float:
    """How unsure it is what a doubt does for some points, all together."""
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


# ---- what is unknown


class _Unknown:
    """The unknown cards of a hand: which they may be, and who may have them.

    Cards are named by their index. A doubt is named by its place in the hand; `missing_place`, the
    next number, stands for all missing cards together.
    """

    def __init__(self, hand: UncertainHand) -> None:
        self.rest, self.missing = hand.rest, hand.missing
        self.missing_place = len(hand.doubts)
        # The sure cards of each side, as masks; with the rest also the cards nobody may have
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
        # The cards that may be left over, and the doubts that decide which are. Doubts with no more
        # candidates than there are doubts share them out among themselves.
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


# ---- the ways in which one point can go

_BITS = 6
_FULL = (1 << _BITS) - 1
"""A count in a state takes six bits."""

_Effect = tuple[int, int]
"""What a card does to the counts of a state: (field, value). Without a field the value is added;
with one, the bits of that field become at least the value."""

_NOTHING: _Effect = (0, 0)


class _Step(NamedTuple):
    """What one doubt, or one card that may be left over, does for a point."""

    place: int | None  # the doubt, or `missing_place`, or None for a card that the rest takes
    # Bit of the contested card that it takes (0: nobody else wants the card), and the effect
    options: tuple[tuple[int, _Effect], ...]
    bits: int  # the bits of a state that it looks at
    # Of a card left over: bits of a state which are 0 where doubts have taken all such cards
    if_left: int = 0
    # Of a card left over: the doubts that may take it, which come first
    after: frozenset[int] = frozenset()


class _Count:
    """The ways in which one point can go.

    A state holds, from the lowest bit on: for each side a field for each kind of card, or, where
    only the best of a suit matters, for each suit; the same fields for what is left over where
    cards are missing; a bit for each contested card, 1 while nobody has taken it. A field counts
    the cards of a kind that doubts add to the side's sure ones (left over: that are still there),
    or holds the kind of the best card of a suit, plus 1.
    """

    def __init__(self, point: Point, awards: _AwardsOf, unknown: _Unknown) -> None:
        self.point = point
        self.possible: frozenset[Awards] = frozenset()  # none before they were found
        self.exact = False
        self.doubtful: dict[int, float] = {}  # for each doubt that counts, see `_unsureness`
        self._unknown, self._awards_for = unknown, awards
        self._sides = range(len(unknown.sure))
        self._fields = range(4 if point.best_only else max(point.kinds) + 1)
        self._alike = [[card for card in range(40) if point.kinds[card] == f] for f in self._fields]
        self._width = _BITS * len(self._fields)
        # The owner of what no doubt takes; missing cards count as those of one side more
        self._left = len(self._sides) if unknown.missing else unknown.rest
        self._figures: dict[tuple[int, int], int] = {}
        self._awards: dict[int, Awards] = {}
        self._start = self._sure_levels() if point.best_only else self._loose_counts()
        self.steps = self._make_steps()
        # The doubts that count for the point; `missing_place` where missing cards do
        self.places = {step.place for step in self.steps if step.place is not None}

    # what a card does

    def _shift(self, owner: int, field: int) -> int:
        return owner * self._width + field * _BITS

    def _level(self, pile: int, suit: int) -> int:
        """What the best card of a suit counts in a pile, plus 1; 0 where there is none."""
        cards = range(10 * suit, 10 * suit + 10)
        return max((self.point.kinds[card] + 1 for card in cards if pile >> card & 1), default=0)

    def _sure_levels(self) -> int:
        return sum(
            self._level(pile, suit) << self._shift(side, suit)
            for side, pile in enumerate(self._unknown.sure)
            for suit in range(4)
        )

    def _loose_counts(self) -> int:
        if self._left is None:
            return 0
        kinds = [self.point.kinds[card] for card in self._unknown.loose]
        return sum(1 << self._shift(self._left, kind) for kind in kinds if kind >= 0)

    def _effect(self, card: int, owner: int | None) -> _Effect:
        kind = self.point.kinds[card]
        if self.point.best_only:
            suit = card // 10
            if owner is None or kind < self._level(self._unknown.sure[owner], suit):
                return _NOTHING
            shift = self._shift(owner, suit)
            return _FULL << shift, kind + 1 << shift
        if kind < 0:
            return _NOTHING
        value = 0 if owner is None else 1 << self._shift(owner, kind)
        if self._left is not None and card in self._unknown.loose:
            value -= 1 << self._shift(self._left, kind)
        return 0, value

    # the steps

    def _make_steps(self) -> list[_Step]:
        """The doubts by the contested cards they want, so that few are open at a time.

        Each card that may be left over comes as soon as all doubts have come that may be it. Doubts
        that do the same whatever they are become part of the start.
        """
        unknown = self._unknown
        effects = [
            {card: tuple(self._effect(card, owner) for owner in owners) for card in chances}
            for chances, owners in zip(unknown.chances, unknown.owners, strict=True)
        ]
        takers = unknown.takers if self.point.best_only else ()
        telling = {
            card
            for card in unknown.loose
            if any(self._effect(card, taker) != _NOTHING for taker in takers)
        }
        doubtful = [*map(_unsureness, unknown.chances, effects)]
        _drop_needless(effects, telling)
        wanted: dict[int, set[int]] = {card: set() for card in telling}
        for place, candidates in enumerate(effects):
            for card in candidates:
                wanted.setdefault(card, set()).add(place)
        contested = {card for card, places in wanted.items() if card in telling or len(places) > 1}
        counting = set[int]()
        for group in _overlapping([contested & candidates.keys() for candidates in effects]):
            varied = any(len({*sum(effects[place].values(), ())}) > 1 for place in group)
            if varied or any(telling & effects[place].keys() for place in group):
                counting |= group
        kept = sorted(card for card in contested if card in telling or wanted[card] & counting)
        base = (len(self._sides) + 1) * self._width
        bits = {card: 1 << base + number for number, card in enumerate(kept)}
        self._start |= sum(bits.values())
        steps = []
        for place, candidates in enumerate(effects):
            takes = {card: bits.get(card, 0) for card in candidates}
            options = {(takes[card], e): None for card, some in candidates.items() for e in some}
            step = _Step(place, tuple(options), sum(takes.values()))
            if place in counting:
                steps.append(step)
                self.doubtful[place] = doubtful[place]
            else:
                (self._start,) = _after(self._start, step, -1)
        steps.sort(key=lambda step: step.bits)
        for left_over in self._leftovers(telling, bits, wanted):
            after = left_over.after & counting
            at = max((n for n, step in enumerate(steps, 1) if step.place in after), default=0)
            steps.insert(at, left_over._replace(after=after))
        return steps

    def _leftovers(
        self, telling: set[int], bits: Mapping[int, int], wanted: Mapping[int, set[int]]
    ) -> Iterator[_Step]:
        """A step for each card that may be left over and then do something."""
        unknown, kinds = self._unknown, self.point.kinds
        place = unknown.missing_place if unknown.missing else None
        for card in sorted(telling):
            options = {(0, self._effect(card, taker)): None for taker in unknown.takers}
            yield _Step(place, tuple(options), bits[card], bits[card], frozenset(wanted[card]))
        if self.point.best_only or not unknown.missing:
            return
        missing_side = len(self._sides)
        for kind in sorted({kinds[card] for card in unknown.loose} - {-1}):
            cards = [card for card in unknown.loose if kinds[card] == kind]
            options = {(0, self._effect(cards[0], taker)): None for taker in unknown.takers}
            field = _FULL << self._shift(missing_side, kind)
            after = frozenset(place for card in cards for place in wanted.get(card, ()))
            for _ in range(min(len(cards), unknown.missing)):
                yield _Step(place, tuple(options), field, field, after)

    # the outcomes

    def _awards_of(self, state: int) -> Awards:
        known = self._awards.get(state)
        if known is None:
            part = (1 << self._width) - 1
            figures = [self._figure(n, state >> n * self._width & part) for n in self._sides]
            known = self._awards[state] = self._awards_for(figures)
        return known

    def _figure(self, side: int, counts: int) -> int:
        """What a side's pile makes with its counts, for which any cards of the kind stand."""
        known = self._figures.get((side, counts))
        if known is None:
            pile, kinds = self._unknown.sure[side], self.point.kinds
            for field in self._fields:
                count = counts >> field * _BITS & _FULL
                if not count:
                    continue
                if self.point.best_only:
                    suit = range(10 * field, 10 * field + 10)
                    added = [card for card in suit if kinds[card] + 1 == count][:1]
                else:
                    added = [card for card in self._alike[field] if not pile >> card & 1][:count]
                pile |= sum(1 << card for card in added)
            known = self._figures[side, counts] = self.point.measure(pile)
        return known

    def find_outcomes(self, work: _Work) -> None:
        """Look at every way, as far as the work allows."""
        try:
            states = self._states_after(*self._kept(self.steps), work=work)
            work.spend(_AWARDS_WORK * (len(states) - 1))
        except _WorkSpentError:
            return
        self.exact = True
        self.possible = frozenset(map(self._awards_of, states))

    def is_settled_by(self, asked: Collection[int], work: _Work) -> bool:
        """Whether whatever is answered about some doubts leaves one outcome."""
        known, unasked = list[_Step](), list[_Step]()
        for step in self.steps:
            answered = step.after.issubset(asked) if step.place is None else step.place in asked
            (known if answered else unasked).append(step)
        sequence = self._kept([*known, *unasked])

        @cache
        def outcomes(number: int, state: int) -> frozenset[Awards]:
            """The outcomes that can follow, or two of them where there are more."""
            if number == len(sequence):
                return frozenset([self._awards_of(state)])
            step, keep = sequence[number]
            work.spend(2 * len(step.options))
            found = frozenset[Awards]()
            for after in _after(state, step, keep):
                found |= outcomes(number + 1, after)
                if len(found) > 1:
                    break
            return found

        states = self._states_after(*sequence[: len(known)], work=work)
        return all(len(outcomes(len(known), state)) <= 1 for state in states)

    def _states_after(self, *sequence: tuple[_Step, int], work: _Work) -> set[int]:
        states = {self._start}
        for step, keep in sequence:
            work.spend(len(states) * len(step.options))
            states = {after for state in states for after in _after(state, step, keep)}
        return states

    def _kept(self, steps: Sequence[_Step]) -> list[tuple[_Step, int]]:
        """Steps, each with the bits that are still needed after it."""
        needed, kept = (1 << len(self._sides) * self._width) - 1, list[tuple[_Step, int]]()
        for step in reversed(steps):
            kept.append((step, needed))
            needed |= step.bits
        return kept[::-1]


def _after(state: int, step: _Step, keep: int) -> list[int]:
    """The states after a step, without the bits that no later step looks at."""
    if step.if_left and not state & step.if_left:
        return [state & keep]
    return [
        state - takes + (max(0, value - (state & field)) if field else value) & keep
        for takes, (field, value) in step.options
        if not takes or state & takes
    ]


def _drop_needless(effects: Sequence[dict[int, tuple[_Effect, ...]]], telling: set[int]) -> None:
    """Take contested cards from the candidates of a doubt that never needs them.

    A doubt that may be an uncontested card with the same effect can have that one instead, and no
    award changes. Cards that tell something when left over stay.
    """
    wants = Counter(card for candidates in effects for card in candidates)
    changed = True
    while changed:
        changed = False
        for candidates in effects:
            alike = {card: some for card, some in candidates.items() if card not in telling}
            free = {some for card, some in alike.items() if wants[card] == 1}
            for card, some in alike.items():
                if wants[card] > 1 and some in free:
                    del candidates[card]
                    wants[card] -= 1
                    changed = True


def _unsureness(chances: Mapping[int, float], effects: Mapping[int, Sequence[_Effect]]) -> float:
    """The chance that two draws of a doubt's card do different things for a point."""
    likely: dict[object, float] = {}
    for card, some in effects.items():
        for effect in some:
            likely[effect] = likely.get(effect, 0.0) + chances[card] / len(some)
    total = sum(likely.values()) or 1.0
    return 1 - sum((chance / total) ** 2 for chance in likely.values())
