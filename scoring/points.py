"""Every point as data: what it measures in a pile, who wins it and how much it is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from functools import cache, partial
from types import MappingProxyType

from scoring.cards import DECK, Card, Rank, Suit, mask_of, rank_mask, suit_mask
from scoring.rules import Faces, MissingSuit, PrimieraForm, Rules, Ties

COMPLETE = 1000
"""Added to a prime of four suits where the rules let it beat every other; larger than any sum."""

_PIPS = (16, 12, 13, 14, 15, 18, 21)
"""What ace to seven count in the prime."""

_FACES: Mapping[Faces, tuple[int, ...]] = MappingProxyType(
    {Faces.TEN: (10, 10, 10), Faces.ZERO: (0, 0, 0), Faces.DESCENDING: (8, 9, 10)}
)
"""What jack, knight and king count in the prime."""


def scale_of(rules: Rules) -> tuple[int, ...]:
    """Return what ace to king count in the prime.

    >>> scale_of(Rules())
    (16, 12, 13, 14, 15, 18, 21, 10, 10, 10)
    """
    return (*_PIPS, *_FACES[rules.faces])


CASCADE: tuple[tuple[Rank, ...], ...] = (
    (Rank.SETTE,),
    (Rank.SEI,),
    (Rank.ASSO,),
    (Rank.CINQUE,),
    (Rank.QUATTRO,),
    (Rank.TRE,),
    (Rank.DUE,),
    (Rank.FANTE, Rank.CAVALLO, Rank.RE),
)
"""The ranks whose number decides "most sevens", first to last; the three faces count together."""

CASCADE_STEPS: Mapping[PrimieraForm, int] = MappingProxyType(
    {PrimieraForm.SEVENS: len(CASCADE), PrimieraForm.SEVENS_TO_ACES: 3}
)
"""Number of steps of the cascade, for each form of the primiera that is won by most sevens."""

_CASCADE_MASKS = tuple(sum(rank_mask(rank) for rank in ranks) for ranks in CASCADE)
"""The cards of each step of the cascade."""


@cache
def _best_of_suit(scale: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """For each of the 1024 sets of ranks of a suit: the best value in it and that rank's bit."""
    best: list[tuple[int, int]] = [(0, 0)]
    for ranks in range(1, 1024):
        held = (rank for rank in range(10) if ranks >> rank & 1)
        top = max(held, key=lambda rank: (scale[rank], rank))
        best.append((scale[top], 1 << top))
    return tuple(best)


def _prime_of(mask: int, scale: tuple[int, ...]) -> int:
    """Return the sum of the best card of each suit in a pile; a missing suit adds nothing."""
    best = _best_of_suit(scale)
    return (
        best[mask & 1023][0]
        + best[mask >> 10 & 1023][0]
        + best[mask >> 20 & 1023][0]
        + best[mask >> 30][0]
    )


def _prime_cards(mask: int, scale: tuple[int, ...]) -> int:
    """Return the best card of each suit in a pile, as a mask."""
    best = _best_of_suit(scale)
    return sum(best[mask >> shift & 1023][1] << shift for shift in (0, 10, 20, 30))


def missing_suits(mask: int) -> tuple[Suit, ...]:
    """Return the suits of which a pile holds no card."""
    return tuple(suit for suit in Suit if not mask & suit_mask(suit))


def _sevens_key(mask: int, steps: int) -> int:
    """Return a figure that is higher for more sevens, then more sixes, aces and so on down."""
    key = 0
    for cards in _CASCADE_MASKS[:steps]:
        key = key << 4 | (mask & cards).bit_count()
    return key


def cascade_counts(mask: int) -> tuple[int, ...]:
    """Return how many cards a pile holds for each step of the cascade."""
    return tuple((mask & cards).bit_count() for cards in _CASCADE_MASKS)


ALL_CARDS = mask_of(DECK)
"""The whole deck as a mask."""

COINS = suit_mask(Suit.DENARI)
"""The ten coins as a mask. The constants below are masks too."""

SEVENS = rank_mask(Rank.SETTE)
"""The four sevens."""

KNIGHTS = rank_mask(Rank.CAVALLO)
"""The four knights."""

_SETTEBELLO = mask_of([Card(Rank.SETTE, Suit.DENARI)])
"""The seven of coins."""

_RE_BELLO = mask_of([Card(Rank.RE, Suit.DENARI)])
"""The king of coins."""

_GRANDE = mask_of(Card(rank, Suit.DENARI) for rank in (Rank.FANTE, Rank.CAVALLO, Rank.RE))
"""Jack, knight and king of coins."""


@unique
class Evidence(StrEnum):
    """What the sentence of a point shows as its reason."""

    FIGURES = "figures"  # how many cards each side has
    HELD = "held"  # which cards the winner holds
    PRIME = "prime"  # the best card of each suit and their sum
    CASCADE = "cascade"  # how many cards each side has in the step of the cascade that decides


@dataclass(frozen=True, kw_only=True)
class Point:
    """A point of the hand that the piles decide."""

    name: str  # in results: "carte"
    measure: Callable[[int], int]  # a pile's figure; the strictly highest wins
    cards: Callable[[int], int]  # the cards of a pile that make its figure
    kinds: tuple[int, ...]
    """For each card of the deck its kind: cards of one kind change a figure in the same way. -1 is
    the kind of cards that never change it."""
    evidence: Evidence  # what its sentence shows as the reason
    amount: int = 1  # what it makes, or what each unit of the figure makes
    least: int = 1  # the smallest figure that can win
    per_figure: bool = False  # the amount is multiplied by the winner's figure
    ties: Ties = Ties.NOBODY  # who gets it if several sides are tied for the lead
    # Only the best card of each suit changes the figure; a card's kind is its value in the prime
    best_only: bool = False

    def winner(self, figures: Sequence[int]) -> int | None:
        """Return the one side with the highest figure, if that is enough; else None."""
        top = max(figures)
        if top < self.least:
            return None
        first = figures.index(top)
        return first if top not in figures[first + 1 :] else None

    def awards(self, figures: Sequence[int]) -> tuple[int, ...]:
        """Return the points that each side gets for its figure."""
        top = max(figures)
        level = figures.count(top)
        if top < self.least or (level > 1 and self.ties is Ties.NOBODY):
            return (0,) * len(figures)
        worth = self.worth(top) // (level if self.ties is Ties.DIVIDED else 1)
        return tuple(worth if figure == top else 0 for figure in figures)

    def decided(self, masks: Sequence[int], *, absent: int = 0) -> tuple[int, ...] | None:
        """Return who wins if the known cards decide it wherever the others are, else None.

        Args:
            masks: For each side, the cards known to be in its pile. The pile may hold more.
            absent: Cards that are in no pile.

        Returns:
            For each side: 0 if it does not win the point, else 1, or its figure if more cards make
            more points.

        >>> carte, _, settebello, _ = points_of(Rules())
        >>> masks = mask_of(DECK[:20]), 0, 0
        >>> carte.decided(masks), settebello.decided(masks)
        (None, (1, 0, 0))
        """
        loose = ALL_CARDS & ~absent
        for mask in masks:
            loose &= ~mask
        sure = [self.measure(mask) for mask in masks]
        most = [self.measure(mask | loose) for mask in masks]
        ahead = sure.index(max(sure))
        is_first = sure[ahead] >= max(self.least, 1 + max(most[:ahead] + most[ahead + 1 :]))
        figures = [0] * len(masks)
        if sure == most:
            figures = sure
        elif is_first and (sure[ahead] == most[ahead] or not self.per_figure):
            figures[ahead] = sure[ahead]
        elif max(most) >= self.least:
            return None
        pairs = zip(figures, self.awards(figures), strict=True)
        return tuple((figure if self.per_figure else 1) if made else 0 for figure, made in pairs)

    def tells(self, pile: int) -> bool:
        """Return whether the known cards of a pile, which may hold more, say anything."""
        if self.evidence is Evidence.HELD:
            return bool(self.cards(pile))
        lacks = self.evidence is Evidence.PRIME and missing_suits(pile)
        return bool(pile and not lacks)  # an unknown card may be of the missing suit

    def can_be_nobodys(self, *, absent: int = 0) -> bool:
        """Return whether the point may go to no side if only the `absent` cards are in no pile.

        A point for a single card always has a winner: at the end the side that captured last takes
        the table cards.

        >>> [point.name for point in points_of(Rules()) if not point.can_be_nobodys()]
        ['settebello']
        """
        cards = self.cards(ALL_CARDS)
        return cards.bit_count() > 1 or bool(cards & absent)

    def worth(self, figure: int) -> int:
        """Return how many points the winner's figure is worth."""
        return self.amount * figure if self.per_figure else self.amount


@cache
def points_of(rules: Rules) -> tuple[Point, ...]:
    """Return the points that a rule set plays, in the order in which they are counted.

    >>> [point.name for point in points_of(Rules())]
    ['carte', 'denari', 'settebello', 'primiera']
    """
    return tuple(point for point in _all_points(rules) if point.amount)


def _all_points(rules: Rules) -> Iterator[Point]:
    """Yield every point there is, with the amount the rules give for it, which may be 0."""
    figures = partial(_count, evidence=Evidence.FIGURES, ties=rules.ties)
    held = partial(_count, evidence=Evidence.HELD)
    yield figures("carte", ALL_CARDS, amount=rules.carte, least=rules.carte_needed)
    yield figures("denari", COINS, amount=rules.denari, least=rules.denari_needed)
    yield held("ten-coins", COINS, amount=rules.all_coins, least=10)
    yield held("settebello", _SETTEBELLO, amount=rules.settebello)
    yield _primiera(rules)
    yield figures("most-sevens", SEVENS, amount=rules.most_sevens)
    yield held("all-sevens", SEVENS, amount=rules.all_sevens, least=4)
    yield held("settanta", SEVENS, amount=rules.settanta, least=3)
    yield _run("napola", rules.napola_most, amount=int(rules.napola))
    yield held("re-bello", _RE_BELLO, amount=rules.re_bello)
    for code, amount in rules.card_points:
        yield held(f"{CARD}{code}", mask_of([Card.from_code(code)]), amount=amount)
    yield _run("piccola", 7, amount=int(rules.piccola))
    yield held("grande", _GRANDE, amount=rules.grande, least=3)


CARD = "card-"
"""Start of the name of a point for one card, `Rules.card_points`; the card's code follows."""

PONINO = "ponino"
"""Key in `scoring.hand.Side.counted`: whether the side holds the knights (`Rules.ponino`)."""

OUTRIGHT = ("all-coins", "napola-of-ten")
"""Names of the points that win the match at once. They add nothing to the score."""


@cache
def outright_points(rules: Rules) -> tuple[Point, ...]:
    """Return the points that win the match at once under a rule set, see `OUTRIGHT`."""
    played = rules.all_coins_win, rules.napola_wins
    return tuple(
        _count(name, COINS, evidence=Evidence.HELD, least=10)
        for name, plays in zip(OUTRIGHT, played, strict=True)
        if plays
    )


def four_knights() -> Point:
    """Return the point for all four knights, which double the scope under `Rules.ponino`."""
    return _count("scope", KNIGHTS, evidence=Evidence.HELD, least=4)


def _count(
    name: str,
    cards: int,
    *,
    evidence: Evidence,
    amount: int = 1,
    least: int = 1,
    ties: Ties = Ties.NOBODY,
) -> Point:
    """Return a point for how many of some cards a pile holds."""
    return Point(
        name=name,
        measure=lambda mask: (mask & cards).bit_count(),
        cards=lambda mask: mask & cards,
        kinds=tuple((cards >> index & 1) - 1 for index in range(len(DECK))),
        evidence=evidence,
        amount=amount,
        least=max(1, least),
        ties=ties,
    )


def _run_of_coins(mask: int, most: int = 10) -> int:
    """Return how many coins a pile holds from the ace upwards without a gap, at most `most`."""
    coins = mask & COINS
    return min(most, (~coins & coins + 1).bit_length() - 1)


def _run(name: str, most: int, *, amount: int) -> Point:
    """Return a point for a run of coins from the ace, one for each card."""
    return Point(
        name=name,
        measure=lambda mask: _run_of_coins(mask, most),
        cards=lambda mask: (1 << _run_of_coins(mask, most)) - 1,
        kinds=(*range(most), *(-1,) * (len(DECK) - most)),
        evidence=Evidence.HELD,
        amount=amount,
        least=3,
        per_figure=True,
    )


def _primiera(rules: Rules) -> Point:
    """Return the point of primiera in the form that the rules play."""
    if rules.primiera_form is PrimieraForm.SETTANTA:
        return _count("primiera", SEVENS, evidence=Evidence.FIGURES, amount=rules.primiera, least=3)
    if steps := CASCADE_STEPS.get(rules.primiera_form):
        kinds = [cascade_counts(1 << index).index(1) for index in range(len(DECK))]
        return Point(
            name="primiera",
            measure=partial(_sevens_key, steps=steps),
            cards=lambda mask: mask & sum(_CASCADE_MASKS[:steps]),
            kinds=tuple(kind if kind < steps else -1 for kind in kinds),
            evidence=Evidence.CASCADE,
            amount=rules.primiera,
            ties=rules.ties,
        )
    scale = scale_of(rules)
    return Point(
        name="primiera",
        measure=partial(_prime_figure, scale=scale, missing_suit=rules.missing_suit),
        cards=partial(_prime_cards, scale=scale),
        kinds=scale * 4,
        ties=rules.ties,
        best_only=True,
        evidence=Evidence.PRIME,
        amount=rules.primiera,
    )


def _prime_figure(mask: int, *, scale: tuple[int, ...], missing_suit: MissingSuit) -> int:
    """Return the figure by which primes are compared; 0 where a side cannot score."""
    total = _prime_of(mask, scale)
    if missing_suit is MissingSuit.ADDS_NOTHING:
        return total
    complete = mask & 1023 and mask >> 10 & 1023 and mask >> 20 & 1023 and mask >> 30
    if complete:
        return total + COMPLETE
    return total if missing_suit is MissingSuit.LOSES else 0
