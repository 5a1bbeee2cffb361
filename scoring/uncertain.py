"""Which points are settled although some cards are uncertain, and which cards to ask about.

`analyse(hand, rules)` looks at every way in which the uncertain cards can lie. For each point it
lists what the sides can get; for the hand it names the cards whose answers settle every point.

How it works. Each doubt is one unknown card with its candidates; a deck holds each card once, so
two doubts are never the same card. Cards that no doubt takes are left over: they lie with the side
that has the rest, or, where there is none, with any side or nobody (they are missing).

1. Each point is looked at on its own, and of each card only what counts for it is kept: for denari
   whether it is a coin, for the primiera its value where it betters the best sure card of a suit.
   Doubts that make no difference are left out.
2. The ways are gone through one doubt at a time. Ways that come to the same counts are continued as
   one *state*, a whole number that packs the counts, so there are far fewer states than ways.
3. A set of questions settles a point if, for every state that the answers can lead to, the cards
   not asked about cannot change the outcome. Starting from all doubts that count, each one that is
   not needed is dropped, the least doubtful first.

Work is limited to `MOST_WORK` (some 50 ms). A point that takes more is left open
(`PointOutlook.exact` is False), and all its doubts are asked about, the most doubtful first.

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
from types import MappingProxyType
from typing import NamedTuple

from scoring.cards import Card, mask_of
from scoring.errors import DoubtError
from scoring.hand import OUTRIGHT, Side
from scoring.points import COINS, KNIGHTS, TRENTE, points_of
from scoring.rules import Rules

MOST_WORK = 30_000
"""Work allowed in one analysis; one unit is a state continued by one candidate, about 1 us."""

_AWARDS_WORK = 10
"""Work that it takes to find what the sides get in one more final state."""

Awards = tuple[int, ...]
"""What each side gets for a point; for a win outright, 1 for the side that wins."""

_BITS = 6
_FULL = (1 << _BITS) - 1
"""A count in a state takes six bits."""


@dataclass(frozen=True)
class Doubt:
    """A card seen but not known for sure."""

    key: Hashable
    """The caller's name for it."""
    side: int | None
    """Index of the side in whose pile it lies; None where it may lie in any pile, or in none."""
    chances: Mapping[Card, float]
    """The cards it may be, with their probabilities; it can be no other card."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "chances", MappingProxyType(dict(self.chances)))


@dataclass(frozen=True, kw_only=True)
class UncertainHand:
    """A hand in which not every card is known."""

    sides: tuple[Side, ...]
    """Each side's sure cards and its scope."""
    doubts: tuple[Doubt, ...] = ()
    """The cards seen but not known for sure."""
    rest: int | None = None
    """The side that has every card which lies in no other pile, or None."""
    absent: tuple[Card, ...] = ()
    """Cards that certainly lie in no pile: the deck lacks them."""

    @property
    def missing(self) -> int:
        """How many cards nobody saw, so that they may lie in any pile or in none."""
        seen = sum(len(side.pile) for side in self.sides) + len(self.doubts)
        return 0 if self.rest is not None else max(0, 40 - len(set(self.absent)) - seen)


@dataclass(frozen=True)
class PointOutlook:
    """What is known of one point."""

    point: str
    """The point's name."""
    possible: tuple[Awards, ...]
    """Every outcome it may have, in ascending order; empty where `exact` is False."""
    exact: bool = True
    """Whether every way was looked at. If not, the point counts as open."""

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

    outlooks: tuple[PointOutlook, ...]
    """Every point that piles decide, in the order of counting."""
    questions: tuple[Hashable, ...]
    """Keys of the doubts whose answers settle every point, the most doubtful first."""
    asks_missing: bool = False
    """Whether to ask as well where the missing cards lie (all of them together)."""

    @property
    def settled(self) -> bool:
        """Whether nothing need be asked."""
        return all(outlook.settled for outlook in self.outlooks)


def analyse(hand: UncertainHand, rules: Rules) -> Analysis:
    """What is settled in an uncertain hand, and what to ask; analyse again after each answer.

    Raises:
        DoubtError: a sure card lies in two piles or is said to be absent, or the doubts cannot all
            be different cards.

    >>> seven = Card.from_code("7d")
    >>> sides = (Side("Anna", (seven,)), Side("Bruno", ()))
    >>> analyse(UncertainHand(sides=sides, doubts=(Doubt("a", 1, {seven: 1.0}),)), Rules())
    Traceback (most recent call last):
    scoring.errors.DoubtError: a cannot be what is left: look at these cards again
    """
    unknown = _Unknown(hand)
    counts = [_Count(point, unknown) for point in _points(hand, rules)]
    work = _Work(MOST_WORK)
    by_size = sorted(counts, key=lambda one: len(one.steps))
    for done, count in enumerate(by_size):
        work.limit(1 / (len(counts) - done + 1))  # one more share is for the questions
        count.find_outcomes(work)
    work.limit(1.0)
    open_counts = [count for count in by_size if len(count.possible) != 1]
    asked = _questions(open_counts, unknown, work=work)
    doubtful = {place: _doubtful(open_counts, place) for place in asked}
    ordered = sorted(asked - {unknown.missing_place}, key=lambda place: (-doubtful[place], place))
    outlooks = (
        PointOutlook(one.point.name, tuple(sorted(one.possible)), one.exact) for one in counts
    )
    questions = tuple(hand.doubts[place].key for place in ordered)
    return Analysis(tuple(outlooks), questions, asks_missing=unknown.missing_place in asked)


def _questions(counts: Sequence[_Count], unknown: _Unknown, *, work: _Work) -> set[int]:
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


class _Unknown:
    """The unknown cards of a hand: which they may be, and who may have them.

    A doubt is named by its place in the hand; `missing_place`, the next number, stands for all
    missing cards together.
    """

    def __init__(self, hand: UncertainHand) -> None:
        self.sure = _sure_masks(hand)
        """The sure cards of each side, as masks; with the rest also the cards nobody may have."""
        known = sum(self.sure) | mask_of(hand.absent)
        pool = [card for card in range(40) if not known >> card & 1]
        self.chances = [
            {card.index: chance for card, chance in doubt.chances.items() if card.index in pool}
            for doubt in hand.doubts
        ]
        """For each doubt its candidates, by index, with their probabilities."""
        _check_all_different(hand.doubts, self.chances)
        wanted = set[int]().union(*self.chances)
        self.loose = {card for card in pool if card not in wanted and hand.rest is None}
        """The cards that may be left over: no doubt takes them for sure."""
        self.competing = set[int]()
        """The doubts that take some of these cards, and so decide which are left over.

        Doubts with no more candidates than there are doubts share them out among themselves.
        """
        for group in _overlapping(self.chances):
            cards = set[int]().union(*(self.chances[place] for place in group))
            if len(cards) > len(group):
                self.competing |= group
                self.loose |= cards
        if hand.rest is not None:
            self.sure[hand.rest] |= sum(1 << card for card in pool if card not in wanted)
        self.rest, self.missing = hand.rest, hand.missing
        self.missing_place = len(hand.doubts)
        anybody: tuple[int | None, ...] = (*range(len(hand.sides)), None)
        self.owners = [anybody if one.side is None else (one.side,) for one in hand.doubts]
        """For each doubt the sides it may belong to; None stands for no side."""
        self.takers = anybody if hand.missing else (hand.rest,)
        """Who may have a card that is left over."""


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


class _Point(NamedTuple):
    """A point as a function of the piles."""

    name: str
    kinds: tuple[int, ...]
    """The kind of each card: cards of one kind do the same; -1 does nothing for the point."""
    best_only: bool
    """Only the best card of each suit matters, and a kind is what the card counts."""
    figure: Callable[[int], int]
    """What a pile, as a mask, makes."""
    awards: Callable[[Sequence[int]], Awards]
    """What each side gets for the figures of all sides."""

    def level(self, pile: int, suit: int) -> int:
        """What the best card of a suit counts in a pile, plus 1; 0 where there is none."""
        cards = range(10 * suit, 10 * suit + 10)
        return max((self.kinds[card] + 1 for card in cards if pile >> card & 1), default=0)


def _points(hand: UncertainHand, rules: Rules) -> Iterator[_Point]:
    """Every point that piles decide under some rules, wins outright included."""
    for point in points_of(rules):
        yield _Point(point.name, point.kinds, point.best_only, point.measure, point.awards)
    if rules.ponino and rules.scopa:
        made = [side.scope * rules.scopa for side in hand.sides]
        doubled = [2 * points for points in made]

        def awards(held: Sequence[int]) -> Awards:
            pairs = zip(made, doubled, strict=True)
            return tuple(pair[knights] for pair, knights in zip(pairs, held, strict=True))

        yield _all_of("scope", KNIGHTS, awards)
    played = rules.all_coins_win, rules.napola_wins, rules.trente_wins
    for name, wins, cards in zip(OUTRIGHT, played, (COINS, COINS, TRENTE), strict=True):
        if wins:
            yield _all_of(name, cards, tuple)


def _all_of(name: str, cards: int, awards: Callable[[Sequence[int]], Awards]) -> _Point:
    """A point for holding all of some cards; a side's figure is 1 where it does."""
    kinds = tuple((cards >> index & 1) - 1 for index in range(40))
    return _Point(
        name=name,
        kinds=kinds,
        best_only=False,
        figure=lambda mask: int(mask & cards == cards),
        awards=awards,
    )


class _WorkSpentError(Exception):
    """More steps of work would be needed than are allowed."""


class _Work:
    """Counts steps of work, so that an analysis comes out the same on every machine."""

    def __init__(self, most: int) -> None:
        self._left = self._allowed = most

    def limit(self, share: float) -> None:
        """Allow this share of what is left."""
        self._allowed = int(self._left * share)

    def spend(self, steps: int) -> None:
        """Raises _WorkSpentError where more is needed than is allowed."""
        self._allowed -= steps
        self._left -= steps
        if self._allowed < 0:
            raise _WorkSpentError


_Effect = tuple[tuple[int, int, int], ...]
"""What a card does for a point: for some sides, a kind and how many more of it the side has. Where
only the best of a suit matters: the suit, and what its best card counts at least (plus 1)."""


class _Option(NamedTuple):
    """A change of a state."""

    takes: int
    """The bit of the contested card that it takes; 0 where nobody else may want the card."""
    field: int
    """Where only the best of a suit matters: the bits of that count; else 0."""
    value: int
    """The least value of the field; without a field, what is added to the state."""


class _Step(NamedTuple):
    """What one doubt, or one card that may be left over, does for a point."""

    place: int | None
    """The doubt, or `missing_place`, or None for a card that the rest takes."""
    options: tuple[_Option, ...]
    bits: int = 0
    """The contested cards it looks at."""
    if_left: int = 0
    """Of a card left over: bits of a state which are 0 where doubts have taken all such cards."""
    after: frozenset[int] = frozenset()
    """Of a card left over: the doubts that may take it, which come first."""


class _Count:
    """The ways in which one point can go.

    A state holds a bit for each contested card, 1 while nobody has taken it, and above these bits
    the counts of `_Effect`. Where cards of a kind are counted, `left` is the side that has what no
    doubt takes: the rest, or for missing cards the number after the last side.
    """

    def __init__(self, point: _Point, unknown: _Unknown) -> None:
        self.point, self._unknown = point, unknown
        self.possible: frozenset[Awards] = frozenset()
        """The outcomes; none before they were found."""
        self.exact = False
        self.doubtful: dict[int, float] = {}
        """For each doubt that counts how unsure it is what it does: towards 1 anything."""
        self._left = len(unknown.sure) if unknown.missing else unknown.rest
        self._start, self._base = 0, 0
        self._shifts: dict[tuple[int, int], int] = {}
        self._figures: dict[tuple[int, int], int] = {}
        self._awards: dict[int, Awards] = {}
        self.steps = self._make_steps()
        self.places = {step.place for step in self.steps if step.place is not None}
        """The doubts that count for the point; `missing_place` where missing cards do."""
        self._order = self._best_order()
        self._parts = [
            sum(_FULL << shift for (owner, _), shift in self._shifts.items() if owner == side)
            for side in range(len(unknown.sure))
        ]

    # ---- what a card does

    def _betters(self, card: int, side: int) -> bool:
        """Whether a card counts as much as the best sure one of its suit, or more."""
        return self.point.kinds[card] >= self.point.level(self._unknown.sure[side], card // 10)

    def _effect(self, card: int, owner: int | None) -> _Effect:
        kind = self.point.kinds[card]
        if self.point.best_only:
            if owner is None or not self._betters(card, owner):
                return ()
            return ((owner, card // 10, kind + 1),)
        if kind < 0:
            return ()
        gains = () if owner is None else ((owner, kind, 1),)
        if self._left is None or card not in self._unknown.loose:
            return gains
        return () if owner == self._left else (*gains, (self._left, kind, -1))

    # ---- the steps

    def _make_steps(self) -> list[_Step]:
        unknown = self._unknown
        takers = unknown.takers if self.point.best_only else ()
        telling = {c for c in unknown.loose if any(self._effect(c, taker) for taker in takers)}
        choices = self._choices(telling)
        wanted: dict[int, set[int]] = {card: set() for card in telling}
        for place, chances in enumerate(choices):
            for card in chances:
                wanted.setdefault(card, set()).add(place)
        contested = {c for c, places in wanted.items() if c in telling or len(places) > 1}
        effects = [
            {card: [self._effect(card, owner) for owner in unknown.owners[place]] for card in one}
            for place, one in enumerate(choices)
        ]
        counting = set[int]()
        for group in _overlapping([contested & one.keys() for one in choices]):
            kinds = [{e for some in effects[place].values() for e in some} for place in group]
            if max(map(len, kinds)) > 1 or any(telling & choices[place].keys() for place in group):
                counting |= group
        numbered = sorted(c for c in contested if c in telling or wanted[c] & counting)
        bits = {card: 1 << number for number, card in enumerate(numbered)}
        self._base, self._start = len(bits), (1 << len(bits)) - 1
        steps = []
        for place, (one, chances) in enumerate(zip(effects, choices, strict=True)):
            if place in counting:
                options = {
                    _Option(bits.get(card, 0), *self._change(effect)): None
                    for card, some in one.items()
                    for effect in some
                }
                looks_at = sum(bits.get(card, 0) for card in one)
                steps.append(_Step(place, tuple(options), looks_at))
                self.doubtful[place] = _unsureness(chances, one)
            else:
                ((effect, *_), *_) = one.values()
                step = _Step(place, (_Option(0, *self._change(effect)),))
                (self._start,) = self._after(self._start, step, -1)
        return [*steps, *self._leftovers(telling, wanted, bits)]

    def _leftovers(
        self, telling: set[int], wanted: Mapping[int, set[int]], bits: Mapping[int, int]
    ) -> Iterator[_Step]:
        """A step for each card that may be left over and then do something."""
        unknown = self._unknown
        place = unknown.missing_place if unknown.missing else None
        for card in sorted(telling):
            options = {_Option(0, *self._change(self._effect(card, o))) for o in unknown.takers}
            after = frozenset(wanted[card])
            yield _Step(place, tuple(options), bits[card], bits[card], after)
        if self.point.best_only or self._left is None:
            return
        for kind in sorted({self.point.kinds[card] for card in unknown.loose} - {-1}):
            cards = [card for card in unknown.loose if self.point.kinds[card] == kind]
            field = _FULL << self._shift(self._left, kind)
            options = {_Option(0, *self._change(self._effect(cards[0], o))) for o in unknown.takers}
            after = frozenset(p for card in cards for p in wanted.get(card, ()))
            for _ in range(min(len(cards), unknown.missing)):
                yield _Step(place, tuple(options), 0, field, after)

    def _choices(self, telling: Collection[int]) -> list[dict[int, float]]:
        """The candidates of each doubt, without contested ones that it never needs.

        A doubt that may be an uncontested card with the same effect can have that one instead of
        the contested one, and no award changes. Cards that tell something when left over stay.
        """
        unknown = self._unknown
        choices = [dict(one) for one in unknown.chances]
        wants = Counter(card for one in choices for card in one)
        changed = True
        while changed:
            changed = False
            for place, chances in enumerate(choices):
                free: dict[object, int] = {}
                alike = {
                    card: tuple(self._effect(card, owner) for owner in unknown.owners[place])
                    for card in chances
                    if card not in telling
                }
                for card, effect in alike.items():
                    if wants[card] == 1:
                        free.setdefault(effect, card)
                for card, effect in alike.items():
                    if wants[card] > 1 and effect in free:
                        chances[free[effect]] += chances.pop(card)
                        wants[card] -= 1
                        changed = True
        return choices

    # ---- states

    def _shift(self, side: int, what: int) -> int:
        key = side, what
        if key not in self._shifts:
            self._shifts[key] = shift = self._base + _BITS * len(self._shifts)
            if self.point.best_only:
                self._start |= self.point.level(self._unknown.sure[side], what) << shift
            elif side == self._left:
                loose = self._unknown.loose
                self._start |= sum(self.point.kinds[card] == what for card in loose) << shift
        return self._shifts[key]

    def _change(self, effect: _Effect) -> tuple[int, int]:
        """The field and the value of an option."""
        field = value = 0
        for side, what, change in effect:
            shift = self._shift(side, what)
            value += change * (1 << shift)
            field = _FULL << shift if self.point.best_only else 0
        return field, value

    def _after(self, state: int, step: _Step, keep: int) -> list[int]:
        """The states after a step, without the bits that no later step looks at."""
        if step.if_left and not state & step.if_left:
            return [state & keep]
        possible = [option for option in step.options if not option.takes or state & option.takes]
        if not self.point.best_only:
            return [state - takes + value & keep for takes, _, value in possible]
        return [
            state - takes + max(0, value - (state & field)) & keep
            for takes, field, value in possible
        ]

    def _awards_of(self, state: int) -> Awards:
        known = self._awards.get(state)
        if known is None:
            figures = [self._figure(side, state & part) for side, part in enumerate(self._parts)]
            known = self._awards[state] = self.point.awards(figures)
        return known

    def _figure(self, side: int, part: int) -> int:
        """What a side's pile makes with its counts, for which any cards of the kind stand."""
        known = self._figures.get((side, part))
        if known is None:
            pile, kinds = self._unknown.sure[side], self.point.kinds
            for (owner, what), shift in self._shifts.items():
                count = part >> shift & _FULL
                if owner == side and self.point.best_only:
                    suit = range(10 * what, 10 * what + 10)
                    pile |= sum([1 << card for card in suit if kinds[card] + 1 == count][:1])
                elif owner == side:
                    free = [c for c in range(40) if kinds[c] == what and not pile >> c & 1]
                    pile |= sum(1 << card for card in free[:count])
            known = self._figures[side, part] = self.point.figure(pile)
        return known

    # ---- the ways

    def find_outcomes(self, work: _Work) -> None:
        """Look at every way, as far as the work allows."""
        states = {self._start}
        try:
            for step, keep in self._sequence(frozenset())[0]:
                work.spend(len(states) * len(step.options))
                states = {after for state in states for after in self._after(state, step, keep)}
            work.spend(_AWARDS_WORK * (len(states) - 1))
        except _WorkSpentError:
            return
        self.exact = True
        self.possible = frozenset(map(self._awards_of, states))

    def is_settled_by(self, asked: Collection[int], work: _Work) -> bool:
        """Whether whatever is answered about some doubts leaves one outcome."""
        sequence, known = self._sequence(asked)
        states = {self._start}
        for step, keep in sequence[:known]:
            work.spend(len(states) * len(step.options))
            states = {after for state in states for after in self._after(state, step, keep)}
        several: Awards = (-1,)
        memo: list[dict[int, Awards | None]] = [{} for _ in sequence]

        def outcome(number: int, state: int) -> Awards | None:
            """The only outcome that can follow, `several`, or None where none can."""
            if number == len(sequence):
                return self._awards_of(state)
            if state not in memo[number]:
                step, keep = sequence[number]
                work.spend(len(step.options))
                found: Awards | None = None
                for after in self._after(state, step, keep):
                    other = outcome(number + 1, after)
                    if found is None or other is several:
                        found = other
                    elif other is not None and other != found:
                        found = several
                    if found is several:
                        break
                memo[number][state] = found
            return memo[number][state]

        return all(outcome(known, state) is not several for state in states)

    def _best_order(self) -> list[_Step]:
        """The doubts in an order in which few contested cards are open at a time.

        A card is open from the first doubt that looks at it to the last.
        """
        waiting = [step for step in self.steps if not step.if_left]
        order, opened = list[_Step](), 0
        while waiting:
            still_open = []
            for step in waiting:
                later = 0
                for other in waiting:
                    later |= 0 if other is step else other.bits
                still_open.append(((opened | step.bits) & later).bit_count())
            order.append(waiting.pop(still_open.index(min(still_open))))
            opened |= order[-1].bits
        return order

    def _sequence(self, asked: Collection[int]) -> tuple[list[tuple[_Step, int]], int]:
        """The steps, those asked about first, and how many those are.

        Each step comes with the mask of what later steps look at. Cards left over come as soon as
        all doubts that may be one of them have come.
        """
        waiting = {step.place for step in self._order}
        leftovers = [step for step in self.steps if step.if_left]
        sequence, known = list[_Step](), 0
        for part in (True, False):
            for step in (None, *self._order):
                if step is not None and (step.place in asked) == part:
                    sequence.append(step)
                    waiting.discard(step.place)
                elif step is not None:
                    continue
                ready = [
                    one
                    for one in leftovers
                    if one.after.isdisjoint(waiting)
                    and (one.place is None or (one.place in asked) == part)
                ]
                sequence += ready
                leftovers = [one for one in leftovers if one not in ready]
            known = len(sequence) if part else known
        later, keeps = 0, list[int]()
        for step in reversed(sequence):
            keeps.append(~((1 << self._base) - 1) | later)
            later |= step.bits
        return list(zip(sequence, reversed(keeps), strict=True)), known


def _unsureness(chances: Mapping[int, float], effects: Mapping[int, Sequence[_Effect]]) -> float:
    """The chance that two draws of a doubt's card do different things for a point."""
    likely: dict[object, float] = {}
    for card, some in effects.items():
        for effect in some:
            likely[effect] = likely.get(effect, 0.0) + chances[card] / len(some)
    total = sum(likely.values()) or 1.0
    return 1 - sum((chance / total) ** 2 for chance in likely.values())
