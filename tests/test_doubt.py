"""Score-safe doubt against a count of every way, one by one."""

from collections.abc import Iterator
from itertools import combinations, product
from random import Random

import pytest

from scoring.cards import DECK, Card
from scoring.doubt import Doubt, DoubtfulHand, Judgement, judge
from scoring.hand import OUTRIGHT, Side, score_hand
from scoring.rules import PRESETS, Rules
from scoring.settings import Faces, MissingSuit, PrimieraForm

VARIED = Rules(
    primiera_form=PrimieraForm.SEVENS, napola=True, frac=1, ponino=True, re_bello=1, trente=True,
    settanta=1, all_coins_win=True, napola_wins=True, trente_wins=True, grande=5, all_sevens=1,
)  # fmt: skip
PRIMES = [
    Rules(faces=faces, missing_suit=missing, primiera=2)
    for faces, missing in zip(Faces, MissingSuit, strict=True)
]
RULE_SETS = [*PRESETS.values(), VARIED, *PRIMES]


def cards(codes: str) -> tuple[Card, ...]:
    return tuple(Card.from_code(code) for code in codes.split())


Spot = tuple[list[Card], list[int | None]]
Way = tuple[tuple[object, ...], tuple[Side, ...]]
Outcomes = set[tuple[tuple[int, ...], ...]]


def ways(hand: DoubtfulHand) -> Iterator[Way]:
    """Every way, as the answers to all questions and the piles."""
    known = {card for side in hand.sides for card in side.pile}
    pool = [card for card in DECK if card not in known]
    spots: list[Spot] = [(list(doubt.chances), [doubt.side]) for doubt in hand.doubts]
    for side, count in enumerate(hand.unread):
        spots += [(pool, [side])] * count
    spots += [(pool, [*range(len(hand.sides)), None])] * hand.missing
    yield from _spread(hand, spots, pool)


def _spread(hand: DoubtfulHand, spots: list[Spot], pool: list[Card]) -> Iterator[Way]:
    for chosen in product(*(named for named, _ in spots)):
        if len(set(chosen)) < len(chosen) or not set(chosen) <= set(pool):
            continue
        for owners in product(*(owners for _, owners in spots)):
            piles = [list(side.pile) for side in hand.sides]
            for card, owner in zip(chosen, owners, strict=True):
                if owner is not None:
                    piles[owner].append(card)
            if hand.rest is not None:
                piles[hand.rest] += [card for card in pool if card not in chosen]
            sides = zip(hand.sides, piles, strict=True)
            answers = tuple(zip(chosen, owners, strict=True))
            yield answers, tuple(Side(s.name, tuple(pile), s.scope) for s, pile in sides)


def outcomes(sides: tuple[Side, ...], rules: Rules) -> dict[str, tuple[int, ...]]:
    """What each point gives in a hand that is known."""
    found: dict[str, list[int]] = {}
    for line in score_hand(sides, rules).lines:
        row = found.setdefault(line.point, [0] * len(sides))
        if line.winner is not None:
            row[line.winner] += 1 if line.point in OUTRIGHT else line.amount
    return {name: tuple(row) for name, row in found.items()}


def judged_by_counting(
    hand: DoubtfulHand, rules: Rules
) -> tuple[dict[str, set[tuple[int, ...]]], int]:
    """How each point may go, and the size of the smallest set of questions."""
    names = [verdict.point for verdict in judge(hand, rules).verdicts]
    nothing = (0,) * len(hand.sides)
    told = []
    for answers, sides in ways(hand):
        found = outcomes(sides, rules)
        told.append((answers, tuple(found.get(name, nothing) for name in names)))
    possible = {name: {way[place] for _, way in told} for place, name in enumerate(names)}
    places = range(len(told[0][0]))
    for size in range(len(places) + 1):
        for asked in combinations(places, size):
            after: dict[object, Outcomes] = {}
            for answers, way in told:
                after.setdefault(tuple(answers[place] for place in asked), set()).add(way)
            if all(len(kinds) == 1 for kinds in after.values()):
                return possible, size
    raise AssertionError("every question answered leaves one way")


def random_doubts(random: Random, *, missing: int = 0) -> DoubtfulHand:
    """A hand with a few doubts that often name the same telling cards."""
    sides = random.choice((2, 2, 3))
    rest = random.choice((None, *range(sides))) if not missing else None
    deck = sorted(DECK, key=lambda card: (card.rank not in (7, 6, 1), random.random()))
    if random.random() < 0.4:
        random.shuffle(deck)
    owner = {card: random.randrange(sides) for card in DECK}
    lost, deck = deck[:missing], deck[missing:]
    unsure = [card for card in deck if owner[card] != rest][: random.randint(1, 4 - missing)]
    doubts = []
    for number, card in enumerate(unsure):
        near = [*unsure, *lost] if random.random() < 0.7 else list(DECK)
        named = {card, *random.sample(near, min(len(near), random.randint(1, 3)))}
        chances = {other: random.random() for other in sorted(named)}
        doubts.append(Doubt(f"d{number}", owner[card], chances))
    sure = [card for card in deck if card not in unsure]
    piles = [[c for c in sure if owner[c] == s and s != rest] for s in range(sides)]
    names = ("Anna", "Bruno", "Carla")
    made = tuple(Side(names[s], tuple(piles[s]), random.randint(0, 2)) for s in range(sides))
    unread = tuple(int(random.random() < 0.2 and s != rest) for s in range(sides))
    if rest is None:
        unread = ()
    return DoubtfulHand(sides=made, doubts=tuple(doubts), rest=rest, unread=unread)


def agree(hand: DoubtfulHand, rules: Rules) -> None:
    possible, least = judged_by_counting(hand, rules)
    judgement = judge(hand, rules)
    for verdict in judgement.verdicts:
        assert verdict.exact
        assert {way.awards for way in verdict.possible} == possible[verdict.point], verdict.point
        assert sum(way.chance for way in verdict.possible) == pytest.approx(1.0)
        assert bool(verdict.hangs_on) == (not verdict.settled)
    assert len(judgement.questions) == least
    assert _enough(hand, rules, judgement=judgement)


def _enough(hand: DoubtfulHand, rules: Rules, *, judgement: Judgement) -> bool:
    """Whether the questions asked leave one outcome for every answer."""
    keys = [doubt.key for doubt in hand.doubts]
    keys += [f"unread:{s}:{n}" for s, count in enumerate(hand.unread) for n in range(count)]
    keys += [f"missing:{n}" for n in range(hand.missing)]
    asked = [keys.index(question.key) for question in judgement.questions]
    names = [verdict.point for verdict in judgement.verdicts]
    after: dict[object, Outcomes] = {}
    for answers, sides in ways(hand):
        found = outcomes(sides, rules)
        key = tuple(answers[place] for place in asked)
        nothing = (0,) * len(hand.sides)
        after.setdefault(key, set()).add(tuple(found.get(name, nothing) for name in names))
    return all(len(kinds) == 1 for kinds in after.values())


@pytest.mark.parametrize("seed", range(150))
def test_doubts_are_judged_as_counting_every_way_does(seed: int) -> None:
    random = Random(seed)
    hand = random_doubts(random)
    agree(hand, RULE_SETS[seed % len(RULE_SETS)])


@pytest.mark.parametrize("seed", range(20))
def test_missing_cards_may_lie_in_any_pile_or_none(seed: int) -> None:
    hand = random_doubts(Random(1000 + seed), missing=1)
    agree(hand, RULE_SETS[seed % len(RULE_SETS)])
