"""Every sentence that says why, as people read it, in both languages."""

import pytest
from catalogues import Package, sentences
from hand_scoring import NAMES, cards, only, why

from scoring.cards import DECK
from scoring.errors import InputError
from scoring.explain import explain
from scoring.hand import Side, score_hand
from scoring.locale import say
from scoring.rules import SETTINGS, Rules

SCORER = Package("scoring")

CASES: list[tuple[dict[str, object], tuple[str, ...], str, str]] = [
    # What is played, the piles, and the sentences; a slash stands between two lines.
    ({"carte": 1}, ("1d 2d", "3d"), "carte: Anna 2, Bruno 1", "carte: Anna 2, Bruno 1"),
    ({"carte": 1, "carte_needed": 21}, ("1d 2d", "3d"),
     "carte: Anna 2, Bruno 1, nobody has the 21 needed",
     "carte: Anna 2, Bruno 1, ne servono 21, il punto non va a nessuno"),
    ({"carte": 1}, ("1d", "3d"),
     "carte: Anna 1, Bruno 1, a tie, nobody's point",
     "carte: Anna 1, Bruno 1, pari, il punto non va a nessuno"),
    ({"denari": 1}, ("1d 1c", "2d 3d"), "denari: Anna 1, Bruno 2", "denari: Anna 1, Bruno 2"),
    ({"denari": 1}, ("1c", "1s"),
     "denari: Anna 0, Bruno 0, nobody's point",
     "denari: Anna 0, Bruno 0, il punto non va a nessuno"),
    ({"settebello": 1}, ("", "7d"), "settebello: Bruno has 7d", "settebello: Bruno ha 7d"),
    ({"settebello": 1}, ("", ""),
     "settebello: nobody has 7d", "settebello: nessuno ha il 7d"),
    ({"primiera": 1}, ("7d 7c 6b 1s", "6d 6c 6s 5b", "7s 2d 3c 4b"),
     "primiera: 7d 7c 6b 1s = 76 against 69 and 60",
     "primiera: 7d 7c 6b 1s = 76 contro 69 e 60"),
    ({"primiera": 1}, ("7d 7c 6b 1s", "6d 6c", "7b 2d 3c", ""),
     "primiera: 7d 7c 6b 1s = 76 against Bruno, who lacks spade and bastoni and Carla, "
     "who lacks spade and Dario without a card",
     "primiera: 7d 7c 6b 1s = 76 contro Bruno, che non ha spade né bastoni e Carla, "
     "che non ha spade e Dario senza carte"),
    ({"primiera": 1}, ("7d 7c 6b", "6s 1b", ""),
     "primiera: Anna lacks spade, Bruno lacks denari and coppe, Carla without a card, "
     "nobody's point",
     "primiera: Anna non ha spade, Bruno non ha denari né coppe, Carla senza carte, "
     "il punto non va a nessuno"),
    ({"primiera": 1}, ("7d 7c 6b 1s", "6d 6c 6s 5b", "7b", "2d", "3c", ""),
     "primiera: 7d 7c 6b 1s = 76 against 69 and 4 players without all suits",
     "primiera: 7d 7c 6b 1s = 76 contro 69 e 4 giocatori senza tutti i semi"),
    ({"primiera": 1}, ("7d 7c 6b", "6s 1b", "7s", "2d", "", ""),
     "primiera: 6 players without all suits, nobody's point",
     "primiera: 6 giocatori senza tutti i semi, il punto non va a nessuno"),
    ({"primiera": 1, "faces": "0"}, ("8d 8c 8s 8b", "9d 9c 9s 9b"),
     "primiera: Anna 8d 8c 8s 8b = 0, Bruno 9d 9c 9s 9b = 0, a tie, nobody's point",
     "primiera: Anna 8d 8c 8s 8b = 0, Bruno 9d 9c 9s 9b = 0, pari, il punto non va a nessuno"),
    ({"primiera": 1, "missing_suit": "loses-to-complete"}, ("10d 10c 10s 10b", "7d 7c 7s"),
     "primiera: 10d 10c 10s 10b = 40 against Bruno, who lacks bastoni",
     "primiera: 10d 10c 10s 10b = 40 contro Bruno, che non ha bastoni"),
    ({"primiera": 1, "missing_suit": "adds-nothing"}, ("7d", ""),
     "primiera: 7d = 21 against Bruno without a card",
     "primiera: 7d = 21 contro Bruno senza carte"),
    ({"primiera": 1, "missing_suit": "adds-nothing", "faces": "0"}, ("1d", "8d 8c 8s 8b"),
     "primiera: 1d = 16 against 0", "primiera: 1d = 16 contro 0"),
    ({"primiera": 1, "primiera_form": "settanta"}, ("7d 7c 7s", "7b"),
     "primiera: Anna 3, Bruno 1", "primiera: Anna 3, Bruno 1"),
    *[
        ({"primiera": 1, "primiera_form": "sevens"}, (card, ""),
         f"primiera: {english}: Anna 1, Bruno 0", f"primiera: {italian}: Anna 1, Bruno 0")
        for card, english, italian in (
            ("7d", "sevens", "sette"), ("6d", "sixes", "sei"), ("1d", "aces", "assi"),
            ("5d", "fives", "cinque"), ("4d", "fours", "quattro"), ("3d", "threes", "tre"),
            ("2d", "twos", "due"), ("8d", "faces", "figure"),
        )
    ],
    ({"primiera": 1, "primiera_form": "sevens"}, ("8d 7c", "9d 7d"),
     "primiera: sevens: Anna 1, Bruno 1, a tie, nobody's point",
     "primiera: sette: Anna 1, Bruno 1, pari, il punto non va a nessuno"),
    ({"most_sevens": 1}, ("7d 7c", "7s"),
     "most sevens: Anna 2, Bruno 1", "più sette: Anna 2, Bruno 1"),
    ({"all_sevens": 1}, ("7d 7c 7s 7b", ""),
     "all four sevens: Anna has 7d 7c 7s 7b", "quattro sette: Anna ha 7d 7c 7s 7b"),
    ({"all_sevens": 1}, ("7d 7c 7s", "7b"),
     "all four sevens: nobody has all four sevens",
     "quattro sette: nessuno ha tutti e quattro i sette"),
    ({"settanta": 1}, ("7d 7c 7s", ""),
     "settanta: Anna has 7d 7c 7s", "settanta: Anna ha 7d 7c 7s"),
    ({"settanta": 1}, ("7d 7c", "7s"),
     "settanta: nobody has three sevens", "settanta: nessuno ha tre sette"),
    ({"napola": True}, ("", "1d 2d 3d 4d"),
     "napola: Bruno has 1d 2d 3d 4d", "napola: Bruno ha 1d 2d 3d 4d"),
    ({"napola": True}, ("1d 2d", "3d"),
     "napola: nobody has 1d 2d 3d together", "napola: nessuno ha 1d 2d 3d insieme"),
    ({"re_bello": 1}, ("10d", ""), "re bello: Anna has 10d", "re bello: Anna ha 10d"),
    ({"re_bello": 1}, ("10c", ""), "re bello: nobody has 10d", "re bello: nessuno ha il 10d"),
    ({"piccola": True}, ("1d 2d 3d", ""),
     "piccola: Anna has 1d 2d 3d", "piccola: Anna ha 1d 2d 3d"),
    ({"piccola": True}, ("1d 2d", "3d"),
     "piccola: nobody has 1d 2d 3d together", "piccola: nessuno ha 1d 2d 3d insieme"),
    ({"grande": 5}, ("8d 9d 10d", ""),
     "grande: Anna has 8d 9d 10d", "grande: Anna ha 8d 9d 10d"),
    ({"grande": 5}, ("8d 9d", "10d"),
     "grande: nobody has 8d 9d 10d together", "grande: nessuno ha 8d 9d 10d insieme"),
    ({"all_coins": 1}, ("1d 2d 3d 4d 5d 6d 7d 8d 9d 10d", ""),
     "all ten coins: Anna has 1d 2d 3d 4d 5d 6d 7d 8d 9d 10d",
     "dieci denari: Anna ha 1d 2d 3d 4d 5d 6d 7d 8d 9d 10d"),
    ({"all_coins": 1}, ("1d", ""),
     "all ten coins: nobody has all ten coins", "dieci denari: nessuno ha tutti e dieci i denari"),
    ({"card_points": {"8s": 1}}, ("8s", ""), "8s: Anna has 8s", "8s: Anna ha 8s"),
    ({"carte": 2, "ties": "divided"}, ("1d", "3d"),
     "carte: Anna 1, Bruno 1, a tie, shared / carte: Anna 1, Bruno 1, a tie, shared",
     "carte: Anna 1, Bruno 1, pari, punti divisi / carte: Anna 1, Bruno 1, pari, punti divisi"),
    ({"primiera": 1, "primiera_form": "sevens-to-aces", "ties": "each"}, ("7d", "7c"),
     "primiera: sevens: Anna 1, Bruno 1, a tie, a point each / "
     "primiera: sevens: Anna 1, Bruno 1, a tie, a point each",
     "primiera: sette: Anna 1, Bruno 1, pari, un punto a ciascuno / "
     "primiera: sette: Anna 1, Bruno 1, pari, un punto a ciascuno"),
    ({"napola": True, "all_coins_win": True, "napola_wins": True},
     ("1d 2d 3d 4d 5d 6d 7d 8d 9d 10d", ""),
     "napola: Anna has 1d 2d 3d 4d 5d 6d 7d 8d 9d 10d / "
     "all ten coins: Anna wins the match outright / "
     "napola of ten: Anna wins the match outright",
     "napola: Anna ha 1d 2d 3d 4d 5d 6d 7d 8d 9d 10d / "
     "tutti e dieci i denari: Anna vince subito la partita / "
     "napola di dieci: Anna vince subito la partita"),
]  # fmt: skip

MADE: list[tuple[dict[str, object], tuple[int, int], tuple[int, int], str, str, str]] = [
    # What is played, the scope and the declared points of each side, Anna's pile, the sentences.
    ({"scopa": 1}, (2, 1), (0, 0), "", "scope: Anna 2 / scope: Bruno 1",
     "scope: Anna 2 / scope: Bruno 1"),
    ({"scopa": 1}, (0, 0), (0, 0), "", "scope: nobody made one", "scope: nessuno ne ha fatte"),
    ({"scopa": 1, "ponino": True}, (2, 1), (0, 0), "9d 9c 9s 9b",
     "scope: Anna 2, doubled by the four knights / scope: Bruno 1",
     "scope: Anna 2, raddoppiate dai quattro cavalli / scope: Bruno 1"),
    ({"settebello": 1, "declared": True}, (0, 0), (3, 10), "7d",
     "settebello: Anna has 7d / declared: Anna 3 / declared: Bruno 10",
     "settebello: Anna ha 7d / dichiarazioni: Anna 3 / dichiarazioni: Bruno 10"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "piles", "english", "italian"), CASES, ids=[case[2] for case in CASES]
)
def test_a_point_says_why_in_both_languages(
    settings: dict[str, object], piles: tuple[str, ...], english: str, italian: str
) -> None:
    sides = [Side(NAMES[n], cards(pile)) for n, pile in enumerate(piles)]
    check(sides, settings, english, italian)


@pytest.mark.parametrize(
    ("settings", "scope", "declared", "pile", "english", "italian"),
    MADE,
    ids=[case[4] for case in MADE],
)
def test_what_was_made_in_play_is_explained_in_both_languages(
    settings: dict[str, object], scope: tuple[int, int], declared: tuple[int, int], pile: str,
    english: str, italian: str,
) -> None:  # fmt: skip
    piles = zip(NAMES, (pile, ""), scope, declared, strict=False)
    sides = [Side(name, cards(held), made, said) for name, held, made, said in piles]
    check(sides, settings, english, italian)


def check(sides: list[Side], settings: dict[str, object], english: str, italian: str) -> None:
    for lang, expected in (("en", english), ("it", italian)):
        lines = score_hand(sides, only(**settings)).lines
        assert " / ".join(why(line, lang=lang) for line in lines) == expected


FOR_SCREENS = {"point.scope", "point.declared", "point.all-coins", "point.napola-of-ten",
               "point.correction"}  # fmt: skip
"""Names of points for the screens; their sentences here do not hold them."""


def told_alone(lang: str) -> list[str]:
    """Return what is said of each point that a setting makes, held by one side and by nobody."""
    played = [
        only(**{name: type(usual)(1)})
        for name, usual in Rules().to_dict().items()
        if name in SETTINGS and SETTINGS[name].makes_points and not isinstance(usual, list)
    ]
    hands = [(Side("Anna", pile), Side("Bruno", ())) for pile in (DECK, ())]
    scores = [score_hand(hand, rules) for rules in played for hand in hands]
    return [why(line, lang=lang) for score in scores for line in score.lines]


def test_every_word_of_the_points_is_in_a_sentence_here() -> None:
    texts = zip(*[case[-2:] for case in (*CASES, *MADE)], strict=True)
    kinds = ("point.", "wanted.", "cascade.", "suit.", "win.")
    keys = [key for key in sentences(SCORER.written("en")) if key.startswith(kinds)]
    for lang, expected in zip(("en", "it"), texts, strict=True):
        said = [*map(str, expected), *told_alone(lang)]
        for key in set(keys) - FOR_SCREENS:
            word = say(key, lang, name="Anna")
            assert any(word in sentence for sentence in said), (key, lang)


def test_sentences_default_to_english_and_use_plurals() -> None:
    assert say("deal.kings", kings=3, cards=4).startswith("3 kings ")
    assert say("deal.kings", "it", kings=3, cards=4).startswith("3 re ")
    assert (say("nor"), say("and"), say("and", "it")) == (" and ", " and ", " e ")
    assert [say("need.points", n=n) for n in range(3)] == ["0 points", "1 point", "2 points"]
    assert [say("need.points", "it", n=n) for n in range(3)] == ["0 punti", "1 punto", "2 punti"]
    with pytest.raises(InputError, match=r"language: expected one of en, .*, got 'xx'") as caught:
        say("tie", "xx")
    assert caught.value.where == "language"


def test_a_hand_is_explained_in_spanish_with_its_own_words() -> None:
    sides = [Side("Ana", cards("7d 7c 6b 1s")), Side("Blas", cards("7s 2d"), 1)]
    lines = score_hand(sides, Rules()).lines
    assert [explain(line, ("Ana", "Blas"), lang="es") for line in lines] == [
        "cartas: Ana 4, Blas 2",
        "oros: Ana 1, Blas 1, empate, el punto no es de nadie",
        "siete de oros: Ana tiene 7d",
        "setenta: 7d 7c 6b 1s = 76 contra Blas, que no tiene copas ni bastos",
        "escobas: Blas 1",
    ]
