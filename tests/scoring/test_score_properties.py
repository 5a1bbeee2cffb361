"""What holds for every hand, match and capture, whatever the cards."""

from itertools import combinations
from random import Random

from hand_scoring import why
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.captures import legal_captures, may_lay
from scoring.cards import DECK, Card, mask_of
from scoring.hand import HandScore, Side, score_hand
from scoring.match import Match
from scoring.play import random_hand
from scoring.points import ALL_CARDS, outright_points, points_of
from scoring.presets import PRESETS, read_rules
from scoring.record import HandRecord
from scoring.rules import Aces, Captures, Forced, Rules

NAMES = ("Anna", "Bruno", "Carla", "Dario")
SHARED = {"scope", "declared"}

rule_sets = st.one_of(
    st.sampled_from(list(PRESETS.values())),
    st.builds(
        Rules,
        faces=st.sampled_from(("10", "0", "10/9/8")),
        missing_suit=st.sampled_from(("cannot-score", "adds-nothing", "loses-to-complete")),
        primiera_form=st.sampled_from(("prime", "sevens", "settanta")),
        napola=st.booleans(),
        target=st.integers(1, 30),
        end=st.sampled_from(("highest", "last-hand", "counted")),
        sudden_death=st.booleans(),
    ),
)


@st.composite
def hands(draw: st.DrawFn, count: int | None = None) -> tuple[Side, ...]:
    count = count or draw(st.integers(2, 4))
    owners = draw(st.lists(st.integers(0, count), min_size=40, max_size=40))
    scope = draw(st.lists(st.integers(0, 4), min_size=count, max_size=count))
    piles = [
        tuple(card for card, owner in zip(DECK, owners, strict=True) if owner == side)
        for side in range(count)
    ]
    return tuple(Side(NAMES[side], piles[side], scope[side]) for side in range(count))


def totals_by_point(score: HandScore) -> dict[str, int]:
    found: dict[str, int] = {}
    for line in score.lines:
        found[line.point] = found.get(line.point, 0) + line.amount
    return found


@given(hands(), rule_sets, st.randoms(use_true_random=False))
def test_what_some_cards_decide_is_so_whoever_has_the_others(
    sides: tuple[Side, ...], rules: Rules, random: Random
) -> None:
    masks = [mask_of(side.pile) for side in sides]
    share = random.random()
    known = [mask_of(card for card in side.pile if random.random() < share) for side in sides]
    for point in (*points_of(rules), *outright_points(rules)):
        figures = [point.measure(mask) for mask in masks]
        won = [*map(bool, point.awards(figures))]
        decided = point.decided(known)
        assert decided is None or [*map(bool, decided)] == won
        everything = point.decided(masks, absent=ALL_CARDS)
        assert everything is not None, "nobody has another card"
        assert [*map(bool, everything)] == won
        if point.per_figure:
            made = zip(figures, won, strict=True)
            assert list(everything) == [figure if has else 0 for figure, has in made]


@given(hands(), rule_sets)
def test_swapping_sides_swaps_the_points(sides: tuple[Side, ...], rules: Rules) -> None:
    forward, back = score_hand(sides, rules), score_hand(sides[::-1], rules)
    assert forward.points == back.points[::-1]
    assert totals_by_point(forward) == totals_by_point(back)


@given(hands(), rule_sets, st.randoms(use_true_random=False))
def test_the_order_of_cards_never_matters(
    sides: tuple[Side, ...], rules: Rules, random: Random
) -> None:
    shuffled = [
        Side(side.name, tuple(random.sample(side.pile, len(side.pile))), side.scope)
        for side in sides
    ]
    assert score_hand(shuffled, rules) == score_hand(sides, rules)


@given(hands(), rule_sets)
def test_lines_add_up_to_the_points_and_name_a_winner(
    sides: tuple[Side, ...], rules: Rules
) -> None:
    score = score_hand(sides, rules)
    single = [line.point for line in score.lines if line.point not in SHARED]
    assert len(single) == len(set(single))
    assert all((line.amount == 0) == (line.winner is None) for line in score.lines)
    said = [why(line, lang=lang) for line in score.lines for lang in ("en", "it")]
    assert all(sentence and "{" not in sentence for sentence in said)
    by_side = [sum(line.amount for line in score.of(side)) for side in range(len(sides))]
    assert by_side == list(score.points)
    figures = {line.point: sum(line.figures) for line in score.lines}
    held = [card for side in sides for card in side.pile]
    assert figures["carte"] == len(held)
    assert figures["denari"] == sum(card.suit == "d" for card in held)
    sevens = sum(card.rank == 7 for card in held)
    assert figures.get("most-sevens", sevens) == sevens


@given(st.lists(hands(count=2), max_size=8), rule_sets)
def test_replaying_a_match_equals_running_it(played: list[tuple[Side, ...]], rules: Rules) -> None:
    match = Match(rules, NAMES[:2])
    for sides in played:
        if match.winner is None:
            match = match.record(HandRecord(sides))
    assert Match.from_dict(match.to_dict()) == match
    assert Match(rules, NAMES[:2], tuple(map(HandRecord, played))).standings == match.standings


@given(hands(), rule_sets, st.text("k7-é", max_size=5), st.none() | st.integers(0, 5))
def test_rules_and_facts_read_back_as_they_were(
    sides: tuple[Side, ...], rules: Rules, key: str, dealer: int | None
) -> None:
    assert read_rules(rules.to_dict()) == rules
    facts = HandRecord(sides, key, dealer)
    assert HandRecord.from_dict(facts.to_dict()) == facts


def captures_by_trying(table: list[Card], card: Card, rules: Rules) -> set[frozenset[Card]]:
    """Return every set of table cards tried one by one."""
    found = set()
    for size in range(1, len(table) + 1):
        for tried in combinations(table, size):
            total = sum(other.rank for other in tried)
            by_value, by_fifteen = total == card.rank, total + card.rank == 15
            same = any(other.rank == card.rank for other in table)
            singly = by_value and (size == 1 or not same)
            match rules.captures:
                case Captures.SINGLE_FIRST:
                    legal = singly
                case Captures.SINGLE_FIRST_OR_FIFTEEN:
                    legal = singly or by_fifteen
                case Captures.FREE:
                    legal = by_value
                case Captures.FIFTEEN:
                    legal = by_fifteen
                case _:
                    legal = by_value or by_fifteen
            if rules.aces is not Aces.ORDINARY and card.rank == 1:
                legal = size == len(table)
            if legal:
                found.add(frozenset(tried))
    if rules.fewest_cards and not (rules.aces is not Aces.ORDINARY and card.rank == 1):
        sums = {taken: sum(other.rank for other in taken) for taken in found}
        fewest = {total: min(len(t) for t in found if sums[t] == total) for total in sums.values()}
        found = {taken for taken in found if len(taken) == fewest[sums[taken]]}
    return found


@settings(max_examples=200)
@given(
    st.lists(st.sampled_from(DECK), unique=True, min_size=1, max_size=9),
    st.sampled_from(Captures),
    st.sampled_from(Aces),
    st.sampled_from(Forced),
    st.booleans(),
)
def test_captures_are_those_found_by_trying_every_set(
    drawn: list[Card], captures: Captures, aces: Aces, forced: Forced, fewest: bool
) -> None:
    card, table = drawn[0], drawn[1:]
    rules = Rules(captures=captures, aces=aces, forced=forced, fewest_cards=fewest)
    found = legal_captures(table, card, rules=rules)
    assert {frozenset(taken) for taken in found} == captures_by_trying(table, card, rules)
    assert len(set(found)) == len(found)
    assert found == tuple(sorted(found, key=lambda taken: (len(taken), [c.index for c in taken])))
    assert may_lay(table, card, rules=rules) or found


@settings(max_examples=30)
@given(st.sampled_from(list(PRESETS.values())), st.integers(0, 10**6))
def test_a_played_hand_scores_like_any_other(rules: Rules, seed: int) -> None:
    sides, team = rules.seatings[0]
    facts = random_hand(rules, Random(seed), names=NAMES[:sides], team=team)
    score = score_hand(facts.sides, rules)
    lines = [line for line in score.lines if line.point == "scope"]
    assert sum(line.amount for line in lines) == sum(side.scope for side in facts.sides)
