"""Score-safe doubt against a count of every way, one by one."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from math import prod
from random import Random

import pytest

from scoring.cards import DECK, Card
from scoring.doubt import Doubt, DoubtfulHand, MissingCard, UnreadCard, judge
from scoring.hand import OUTRIGHT, Side, score_hand
from scoring.presets import PRESETS
from scoring.rules import Faces, MissingSuit, PrimieraForm, Rules

VARIED = Rules(
    primiera_form=PrimieraForm.SEVENS, napola=True, frac=1, ponino=True, re_bello=1, trente=True,
    scopa=2, settanta=1, all_coins_win=True, napola_wins=True, trente_wins=True, grande=5,
    all_sevens=1,
)  # fmt: skip
PRIMES = [
    Rules(faces=faces, missing_suit=missing, primiera=2)
    for faces, missing in zip(Faces, MissingSuit, strict=True)
]
RULE_SETS = [*PRESETS.values(), VARIED, *PRIMES]


def cards(codes: str) -> tuple[Card, ...]:
    return tuple(Card.from_code(code) for code in codes.split())


Spot = tuple[list[Card], list[int | None]]
Answers = tuple[tuple[Card, int | None], ...]
Way = tuple[Answers, tuple[Side, ...]]
Outcomes = set[tuple[tuple[int, ...], ...]]
Told = tuple[Answers, tuple[tuple[int, ...], ...]]


def ways(hand: DoubtfulHand) -> Iterator[Way]:
    """Every way, as the answers to all questions and the piles."""
    known = {card for side in hand.sides for card in side.pile}
    pool = [card for card in DECK if card not in known]
    anybody = [*range(len(hand.sides)), None]
    spots: list[Spot] = [
        (list(doubt.chances), anybody if doubt.side is None else [doubt.side])
        for doubt in hand.doubts
    ]
    for side, count in enumerate(hand.unread):
        spots += [(pool, [side])] * count
    spots += [(pool, anybody)] * hand.missing
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


def counted(hand: DoubtfulHand, rules: Rules, *, points: list[str]) -> list[Told]:
    """Every way: the answers to all questions, and what some points give."""
    nothing = (0,) * len(hand.sides)
    told = []
    for answers, sides in ways(hand):
        found = outcomes(sides, rules)
        told.append((answers, tuple(found.get(point, nothing) for point in points)))
    return told


def settled_by(asked: Iterable[int], told: Sequence[Told]) -> bool:
    """Whether the answers to some questions leave one outcome each."""
    after: dict[object, Outcomes] = {}
    for answers, way in told:
        after.setdefault(tuple(answers[place] for place in asked), set()).add(way)
    return all(len(kinds) == 1 for kinds in after.values())


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
    seen = [card for card in sure if owner[card] != rest or card.index % 3 == 0]
    piles = [[card for card in seen if owner[card] == side] for side in range(sides)]
    names = ("Anna", "Bruno", "Carla")
    made = tuple(Side(names[s], tuple(piles[s]), random.randint(0, 2)) for s in range(sides))
    unread = tuple(int(random.random() < 0.2 and s != rest) for s in range(sides))
    if rest is None:
        unread = ()
    return DoubtfulHand(sides=made, doubts=tuple(doubts), rest=rest, unread=unread)


def agree(hand: DoubtfulHand, rules: Rules) -> None:
    keys = [doubt.key for doubt in hand.doubts]
    keys += [UnreadCard(s, n) for s, count in enumerate(hand.unread) for n in range(count)]
    keys += [MissingCard(n) for n in range(hand.missing)]
    judgement = judge(hand, rules)
    told = counted(hand, rules, points=[outlook.point for outlook in judgement.outlooks])
    for number, outlook in enumerate(judgement.outlooks):
        alone = [(answers, (way[number],)) for answers, way in told]
        assert outlook.exact
        assert {way.awards for way in outlook.possible} == {way[0] for _, way in alone}
        assert sum(way.chance for way in outlook.possible) == pytest.approx(1.0)
        check_depends_on([keys.index(key) for key in outlook.depends_on], alone, cards=len(keys))
    asked = [keys.index(question.key) for question in judgement.questions]
    assert settled_by(asked, told)
    fewer = combinations(range(len(keys)), max(0, len(asked) - 1))
    assert not asked or not any(settled_by(few, told) for few in fewer)


def check_depends_on(found: list[int], told: Sequence[Told], *, cards: int) -> None:
    """A point hangs on the cards without which the others do not settle it, and maybe on more."""
    every = range(cards)
    needed = [card for card in every if not settled_by([o for o in every if o != card], told)]
    if settled_by(needed, told):
        assert found == needed
    else:
        assert set(needed) < set(found)


@pytest.mark.parametrize("seed", range(150))
def test_doubts_are_judged_as_counting_every_way_does(seed: int) -> None:
    random = Random(seed)
    hand = random_doubts(random)
    agree(hand, RULE_SETS[seed % len(RULE_SETS)])


@pytest.mark.parametrize("missing", [1, 2])
@pytest.mark.parametrize("seed", range(20))
def test_missing_cards_may_lie_in_any_pile_or_none(seed: int, missing: int) -> None:
    hand = random_doubts(Random(1000 + seed), missing=missing)
    agree(hand, RULE_SETS[seed % len(RULE_SETS)])


@pytest.mark.parametrize("seed", range(40))
def test_a_card_that_lies_nobody_knows_where_may_be_anybodys(seed: int) -> None:
    hand = random_doubts(Random(2000 + seed), missing=1 + seed % 2)
    known = {card for side in hand.sides for card in side.pile}
    unnamed = [card for card in DECK if card not in known | named_in(hand)]
    lost = [Doubt(f"lost:{card}", None, {card: 1.0}) for card in unnamed[: hand.missing]]
    agree(replace(hand, doubts=(*hand.doubts, *lost)), RULE_SETS[seed % len(RULE_SETS)])


def tangled(random: Random, *, doubts: int, missing: int) -> DoubtfulHand:
    """A hand in which every doubt may be the card of another, or a lost one."""
    deck = random.sample(DECK, 40)
    unsure, sure = deck[: doubts + missing], deck[doubts + missing :]
    made = []
    for number, card in enumerate(unsure[:doubts]):
        others = [other for other in unsure if other != card]
        named = {card, *random.sample(others, random.randint(1, 2))}
        chances = {other: random.random() for other in sorted(named)}
        made.append(Doubt(f"d{number}", number % 2, chances))
    sides = (Side("Anna", tuple(sure[::2])), Side("Bruno", tuple(sure[1::2])))
    return DoubtfulHand(sides=sides, doubts=tuple(made))


@pytest.mark.parametrize(
    ("doubts", "missing", "seed"), [(4, 1, 35), (5, 1, 32), (6, 0, 1), (6, 0, 2), (4, 2, 3)]
)
def test_doubts_that_only_together_turn_a_point_are_asked(
    doubts: int, missing: int, seed: int
) -> None:
    hand = tangled(Random(seed), doubts=doubts, missing=missing)
    agree(hand, RULE_SETS[seed % len(RULE_SETS)])


def test_lost_cards_tell_together_what_each_of_them_tells() -> None:
    sides = (Side("Anna", DECK[:5]), Side("Bruno", DECK[7:]))
    unnamed = judge(DoubtfulHand(sides=sides), Rules())
    lost = tuple(Doubt(f"lost:{card}", None, {card: 1.0}) for card in DECK[5:7])
    named = judge(DoubtfulHand(sides=sides, doubts=lost), Rules())
    assert [question.key for question in unnamed.questions] == [MissingCard(0), MissingCard(1)]
    assert {question.key for question in named.questions} == {"lost:6d", "lost:7d"}
    told = sum(question.gain for question in named.questions)
    assert sum(question.gain for question in unnamed.questions) == pytest.approx(told)


def named_in(hand: DoubtfulHand) -> set[Card]:
    return {card for doubt in hand.doubts for card in doubt.chances}


def test_a_face_that_two_want_gives_way_to_another_of_its_suit() -> None:
    named = ("8c 9c", "8c 10s")
    doubts = tuple(Doubt(f"d{n}", n, dict.fromkeys(cards(one), 0.5)) for n, one in enumerate(named))
    piles = cards("7d 7s 7b"), cards("6d 6c 6s 6b"), ()
    made = tuple(Side(name, pile) for name, pile in zip("ABC", piles, strict=True))
    agree(DoubtfulHand(sides=made, doubts=doubts, rest=2), Rules())


def test_a_face_left_over_that_counts_nothing_still_completes_a_prime() -> None:
    doubt = Doubt("d0", 0, dict.fromkeys(cards("8c 2c"), 0.5))
    anna = Side("Anna", cards("1c 3c 4c 5c 6c 7c 9c 10c 2d 2s 2b"))
    hand = DoubtfulHand(sides=(anna, Side("Bruno", ())), doubts=(doubt,), rest=1)
    agree(hand, PRESETS["american-sevens"])
    primiera = judge(hand, PRESETS["american-sevens"]).outlooks[3]
    assert (primiera.point, primiera.awards) == ("primiera", (0, 1))


def test_faces_that_count_nothing_still_differ_by_their_suit() -> None:
    named = (0, "8c 8s"), (1, "8c 9d"), (0, "9s 2d")
    doubts = tuple(
        Doubt(f"d{n}", side, dict.fromkeys(cards(one), 0.5)) for n, (side, one) in enumerate(named)
    )
    anna = Side("Anna", (Card.from_code("7d"), *DECK[30:]))
    sides = (anna, Side("Bruno", cards("6d 6s")), Side("Carla", ()))
    agree(DoubtfulHand(sides=sides, doubts=doubts, rest=2), PRESETS["american-sevens"])


def test_cards_that_two_want_and_none_takes_leave_the_others_free() -> None:
    named = (1, "9d 9c"), (1, "9d 9b"), (0, "1d 1c"), (0, "1d 1b")
    doubts = tuple(
        Doubt(f"d{n}", side, dict.fromkeys(cards(one), 0.5)) for n, (side, one) in enumerate(named)
    )
    piles = cards("2d 3d 4d"), cards("5d 6d 7d"), ()
    made = tuple(Side(name, pile) for name, pile in zip("ABC", piles, strict=True))
    hand = DoubtfulHand(sides=made, doubts=doubts, rest=2)
    agree(hand, Rules())
    denari = judge(hand, Rules()).outlooks[1]
    assert {way.awards for way in denari.possible} == {(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)}


def test_a_card_that_two_may_keep_from_the_rest_depends_on_both() -> None:
    """Bruno, who takes the rest, has the six of coins only where neither of Anna's cards is it."""
    named = "6d 2c", "6d 2s"
    doubts = tuple(Doubt(f"d{n}", 0, dict.fromkeys(cards(one), 0.5)) for n, one in enumerate(named))
    sides = (Side("Anna", cards("7d 1d 7c 7s 8b")), Side("Bruno", ()))
    hand = DoubtfulHand(sides=sides, doubts=doubts, rest=1)
    agree(hand, Rules())
    primiera = judge(hand, Rules()).outlooks[3]
    assert {way.awards for way in primiera.possible} == {(1, 0), (0, 1)}
    assert primiera.depends_on == ("d0", "d1")


def test_cards_that_several_want_are_as_likely_as_the_ways_to_have_them() -> None:
    named = (0, "1d 2d 2c"), (0, "1d 2d 3c"), (1, "1d 2d 4c")
    doubts = tuple(
        Doubt(f"d{n}", side, dict.fromkeys(cards(one), 1 / 3))
        for n, (side, one) in enumerate(named)
    )
    piles = cards("5d 6d 7d"), cards("8d 9d 10d"), ()
    made = tuple(Side(name, pile) for name, pile in zip("ABC", piles, strict=True))
    hand = DoubtfulHand(sides=made, doubts=doubts, rest=2)
    told = counted(hand, Rules(), points=["denari"])
    denari = judge(hand, Rules()).outlooks[1]
    for way in denari.possible:
        often = sum(found == (way.awards,) for _, found in told)
        assert way.chance == pytest.approx(often / len(told))


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.name)
def test_ways_are_as_likely_as_the_cards_they_are_made_of(rules: Rules) -> None:
    """Where no two doubts name the same card, a way's chance is that of its cards together."""
    random = Random(rules.name)
    named = random.sample([card for card in DECK if card.rank in (10, 9, 7, 6, 3, 2, 1)], 9)
    doubts = tuple(
        Doubt(f"d{n}", n % 2, {card: random.random() for card in named[3 * n : 3 * n + 3]})
        for n in range(3)
    )
    left = [card for card in DECK if card not in named]
    piles = tuple(left[::3]), tuple(left[1::3]), ()
    made = tuple(Side(name, pile, 1) for name, pile in zip("ABC", piles, strict=True))
    hand = DoubtfulHand(sides=made, doubts=doubts, rest=2)
    judgement = judge(hand, rules)
    weighed: list[Weighed] = []
    for answers, piled in ways(hand):
        chance = prod(
            doubt.chances[card] / sum(doubt.chances.values())
            for doubt, (card, _) in zip(doubts, answers, strict=True)
        )
        weighed.append((answers, outcomes(piled, rules), chance))
    for outlook in judgement.outlooks:
        likely = {way.awards: way.chance for way in outlook.possible}
        assert likely == pytest.approx(chances_of(outlook.point, weighed)), outlook.point
        assert [*likely.values()] == sorted(likely.values(), reverse=True)
    for question in judgement.questions:
        place = [doubt.key for doubt in doubts].index(question.key)
        told = [gain_of(outlook.point, weighed, place=place) for outlook in judgement.outlooks]
        assert question.gain == pytest.approx(sum(told))
    gains = [question.gain for question in judgement.questions]
    assert gains == sorted(gains, reverse=True)


Weighed = tuple[Answers, dict[str, tuple[int, ...]], float]


def chances_of(point: str, weighed: list[Weighed]) -> dict[tuple[int, ...], float]:
    """How a point may go in some ways, with the weight of each."""
    told: dict[tuple[int, ...], float] = {}
    for _, found, chance in weighed:
        awards = found.get(point, (0, 0, 0))
        told[awards] = told.get(awards, 0.0) + chance
    return told


def gain_of(point: str, weighed: list[Weighed], *, place: int) -> float:
    """By how much the chance that two draws agree rises once a doubt is answered."""
    sure = sum(chance**2 for chance in chances_of(point, weighed).values())
    after = 0.0
    for answer in {answers[place] for answers, _, _ in weighed}:
        told = chances_of(point, [way for way in weighed if way[0][place] == answer])
        after += sum(chance**2 for chance in told.values()) / sum(told.values())
    return after - sure
