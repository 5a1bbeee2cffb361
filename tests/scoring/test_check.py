"""Everything wrong with piles, all at once, and clause 3.22 of docs/rules.md."""

import pytest
from hand_scoring import cards, without

from scoring.cards import DECK, Card
from scoring.check import PileProblem, ProblemKind, check_piles
from scoring.presets import PRESETS
from scoring.rules import Aces, Captures, DealtFifteen, Rules


def kinds(*piles: tuple[Card, ...], scope: tuple[int, ...] = ()) -> list[str]:
    return [problem.kind.value for problem in check_piles(piles, scope)]


def test_no_piles_at_all_miss_forty_cards() -> None:
    problems = check_piles([])
    assert [problem.cards for problem in problems] == [(card,) for card in DECK]
    assert {problem.kind for problem in problems} == {ProblemKind.MISSING}


def test_a_whole_deck_has_no_problem() -> None:
    assert check_piles([DECK[:20], DECK[20:]], [10, 3]) == ()
    assert check_piles([DECK, ()]) == ()


def test_every_problem_is_listed_at_once() -> None:
    anna, bruno = (*DECK[:20], DECK[30]), (*DECK[21:39], DECK[22])
    problems = check_piles([anna, bruno], [11, 1])
    assert [p.cards for p in problems] == [*map(cards, ("3s", "1b", "1s", "10b")), ()]
    assert [(p.kind.value, p.sides, p.figures) for p in problems] == [
        ("duplicate", (1,), (2,)),
        ("duplicate", (0, 1), (2,)),
        ("missing", (), ()),
        ("missing", (), ()),
        ("too-many-scope", (0,), (11, 21, 10)),
    ]


HALF = (DECK[::2], DECK[1::2])


@pytest.mark.parametrize(
    ("piles", "scope", "expected"),
    [
        ((without("7d"), cards("7d")), (), ["lone-card"]),
        ((without("7d"), cards("7d")), (0, 1), ["lone-card", "too-many-scope"]),
        ((DECK, ()), (0, 1), ["too-many-scope"]),
        ((DECK, ()), (20, 0), []),
        ((DECK, ()), (21, 0), ["too-many-scope"]),
        ((cards("7d 7c"), without("7d 7c")), (30, 0), ["too-many-scope"]),
        ((cards("7d 7c"), without("7d 7c")), (1, 0), []),
    ],
)
def test_what_no_pile_can_hold(
    piles: tuple[tuple[Card, ...], ...], scope: tuple[int, ...], expected: list[str]
) -> None:
    assert kinds(*piles, scope=scope) == expected


FIFTEEN = Rules(captures=Captures.VALUE_OR_FIFTEEN, dealt_fifteen=DealtFifteen.DEALER)
LAST = PRESETS["scopa-online"]
SCOPONE = PRESETS["scopone-scientifico"]


@pytest.mark.parametrize(
    ("rules", "scope", "found"),
    [
        # One side alone sweeps with every card of its own, 18 of 36.
        (Rules(), (18, 0), None),
        (Rules(), (19, 0), ((0,), (19, 36, 18))),
        (Rules(), (20, 0), ((0,), (20, 36, 18))),
        # Where both sweep, a card passes between them, and the last card makes none.
        (Rules(), (10, 7), None),
        (Rules(), (17, 1), ((0, 1), (18, 36, 17))),
        (Rules(), (9, 9), ((0, 1), (18, 36, 17))),
        (Rules(), (10, 10), ((0, 1), (20, 36, 17))),
        (LAST, (9, 9), None),
        (LAST, (9, 10), ((0, 1), (19, 36, 18))),
        # With nothing on the table the first card makes none.
        (SCOPONE, (19, 0), None),
        (SCOPONE, (10, 9), None),
        (SCOPONE, (20, 0), ((0,), (20, 40, 19))),
        # Three sides have twelve turns each, six have six.
        (Rules(), (12, 3, 3), None),
        (Rules(), (13, 0, 0), ((0,), (13, 12, 12))),
        (Rules(), (7, 6, 6), ((0, 1, 2), (19, 36, 18))),
        (Rules(), (0, 0, 7, 0, 0, 0), ((2,), (7, 6, 6))),
        (Rules(), (4, 9, 0, 0, 0), ((1,), (9, 8, 8))),
        # A first table of thirty is two more.
        (FIFTEEN, (19, 0), None),
        (FIFTEEN, (20, 0), ((0,), (20, 36, 19))),
    ],
)
def test_rule_3_22(
    rules: Rules, scope: tuple[int, ...], found: tuple[tuple[int, ...], tuple[int, ...]] | None
) -> None:
    piles = [DECK[side :: len(scope)] for side in range(len(scope))]
    kind = ProblemKind.TOO_MANY_FOR_PLAYS
    problems = [p for p in check_piles(piles, scope, rules=rules) if p.kind is kind]
    assert [(problem.sides, problem.figures) for problem in problems] == ([found] if found else [])


def most_by_trying(rules: Rules, *, both: bool) -> int:
    """Return the most scope of two sides: every choice of cards played, no two scope in a row."""
    plays = 40 - rules.table_cards
    best = {(False, False, False): 0}  # the last card a scopa, one side made any, the other did
    for card in range(plays):
        bars = (card == 0 and not rules.table_cards) or (
            card == plays - 1 and not rules.last_card_scopa
        )
        after: dict[tuple[bool, bool, bool], int] = {}
        for (last, *made), count in best.items():
            options = [((False, *made), count)]
            if not last and not bars:
                swept = [made[side] or card % 2 == side for side in range(2)]
                options.append(((True, *swept), count + 1))
            for (swept_now, one, other), total in options:
                key = swept_now, one, other
                after[key] = max(total, after.get(key, 0))
        best = after
    return max(count for (_, *made), count in best.items() if sum(made) == 1 + both)


@pytest.mark.parametrize("rules", [Rules(), LAST, SCOPONE, SCOPONE.changed(last_card_scopa=True)])
def test_the_most_scope_are_those_found_by_trying(rules: Rules) -> None:
    for both in (False, True):
        most = most_by_trying(rules, both=both)
        for made in (most, most + 1):
            problems = check_piles(HALF, (made - both, int(both)), rules=rules)
            kinds = {problem.kind for problem in problems}
            assert (ProblemKind.TOO_MANY_FOR_PLAYS in kinds) is (made > most)


@pytest.mark.parametrize(
    ("rules", "pile", "found"),
    [
        (Rules(), "7d 7c", False),
        (Rules(), "7d 6c", True),
        (PRESETS["escoba"], "7d 8c", False),
        (PRESETS["escoba"], "7d 7c", True),
        (Rules(aces=Aces.SWEEP), "7d 6c", False),
        (Rules(captures=Captures.VALUE_OR_FIFTEEN), "7d 6c", False),
    ],
    ids=["even", "odd", "fifteen", "not fifteen", "sweeping ace", "either"],
)
def test_sums_that_captures_cannot_make_are_told(rules: Rules, pile: str, *, found: bool) -> None:
    third = cards("10c 10s 10b")
    rest = without(f"{pile} 10c 10s 10b")
    problems = check_piles([cards(pile), rest, third], rules=rules)
    kind = "not-fifteens" if rules.captures is Captures.FIFTEEN else "odd-sum"
    assert [problem.kind.value for problem in problems] == [kind] * found


@pytest.mark.parametrize("aces", Aces, ids=str)
def test_a_lone_ace_is_no_alarm_where_aces_sweep(aces: Aces) -> None:
    problems = check_piles([cards("1d"), without("1d")], rules=Rules(aces=aces, void_kings=0))
    kinds = [problem.kind for problem in problems]
    assert (ProblemKind.LONE_CARD in kinds) is (aces is Aces.ORDINARY)


def test_a_lone_card_is_told_with_its_side() -> None:
    _, one = check_piles([without("7d"), cards("7d")], [20, 0])
    assert (one.kind, one.cards, one.sides) == (ProblemKind.LONE_CARD, cards("7d"), (1,))


def test_sum_problem_holds_sides_and_sums() -> None:
    (odd,) = check_piles([cards("7d 6c"), without("7d 6c")], rules=Rules())
    assert (odd.kind, odd.cards, odd.sides, odd.figures) == (
        ProblemKind.ODD_SUM, (), (0, 1), (13, 207),
    )  # fmt: skip
    piles = [cards("7d 7c"), cards("1d 1c"), without("7d 7c 1d 1c")]
    (five,) = check_piles(piles, rules=PRESETS["escoba"])
    assert (five.kind, five.sides, five.figures) == (
        ProblemKind.NOT_FIFTEENS, (0, 1, 2), (14, 2, 204),
    )  # fmt: skip


SENTENCES: list[tuple[PileProblem, str, str]] = [
    (PileProblem(ProblemKind.DUPLICATE, cards("3s"), (1,), (2,)),
     "3s is there 2 times (Bruno): keep it once",
     "3s c'è 2 volte (Bruno): va tenuta una volta sola"),
    (PileProblem(ProblemKind.DUPLICATE, cards("1b"), (0, 1), (3,)),
     "1b is there 3 times (Anna and Bruno): keep it once",
     "1b c'è 3 volte (Anna e Bruno): va tenuta una volta sola"),
    (PileProblem(ProblemKind.MISSING, cards("1s")),
     "1s is in no pile: add it to the pile it lies in",
     "1s non è in nessun mazzetto: va aggiunta a quello in cui sta"),
    (PileProblem(ProblemKind.LONE_CARD, cards("7d"), (1,)),
     "Bruno has one card, but a capture makes two: look for the others",
     "Bruno ha una carta sola, ma una presa ne dà almeno due: cercare le altre"),
    (PileProblem(ProblemKind.TOO_MANY_SCOPE, (), (0,), (11, 21, 10)),
     "Anna has 11 scope, but 21 cards allow 10",
     "Anna ha 11 scope, ma con 21 carte se ne possono fare 10"),
    (PileProblem(ProblemKind.TOO_MANY_FOR_PLAYS, (), (0, 1), (20, 36, 17)),
     "20 scope of Anna and Bruno, but 36 cards played allow 17: look again",
     "20 scope di Anna e Bruno, ma con 36 carte giocate se ne possono fare 17: da ricontrollare"),
    (PileProblem(ProblemKind.ODD_SUM, (), (0, 1), (13, 207)),
     "values add up to Anna 13, Bruno 207, but captures make them even: look again",
     "i valori sommano a Anna 13, Bruno 207, ma le prese li danno pari: da ricontrollare"),
    (PileProblem(ProblemKind.NOT_FIFTEENS, (), (0, 1), (14, 206)),
     "values add up to Anna 14, Bruno 206, "
     "but captures make them all but one a multiple of 15: look again",
     "i valori sommano a Anna 14, Bruno 206, "
     "ma le prese danno multipli di 15 a tutti tranne uno: da ricontrollare"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("problem", "english", "italian"), SENTENCES, ids=[case[1] for case in SENTENCES]
)
def test_a_problem_is_told_in_both_languages(
    problem: PileProblem, english: str, italian: str
) -> None:
    assert problem.sentence(("Anna", "Bruno")) == english
    assert problem.sentence(("Anna", "Bruno"), lang="it") == italian


def test_every_kind_of_problem_has_its_sentence_here() -> None:
    assert {problem.kind for problem, _, _ in SENTENCES} == set(ProblemKind)


def test_sums_are_not_looked_at_before_the_piles_are_whole() -> None:
    assert [p.kind.value for p in check_piles([cards("7d 6c"), without("7d 6c 1d")], rules=Rules())
            ] == ["missing"]  # fmt: skip
    doubled = check_piles([cards("7d 6c"), DECK], rules=Rules())
    assert {problem.kind.value for problem in doubled} == {"duplicate"}
