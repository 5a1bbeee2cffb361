"""Hands written short, for the tests of the scorer."""

from collections.abc import Sequence

from scoring.cards import DECK, Card
from scoring.explain import explain
from scoring.hand import HandScore, Line, Side, score_hand
from scoring.presets import read_rules
from scoring.record import HandRecord
from scoring.rules import Rules

NAMES = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Fabio")
COINS = "1d 2d 3d 4d 5d 6d 7d 8d 9d 10d"
SILENT = {"scopa": 0, "carte": 0, "denari": 0, "settebello": 0, "primiera": 0}
"""Nothing but what a test adds."""


def card(code: str) -> Card:
    return Card.from_code(code)


def cards(codes: str) -> tuple[Card, ...]:
    return tuple(map(card, codes.split()))


def codes(held: Sequence[Card]) -> str:
    return " ".join(one.code for one in held)


def without(named: str) -> tuple[Card, ...]:
    """Return the deck without some cards."""
    return tuple(one for one in DECK if one not in cards(named))


def only(**settings: object) -> Rules:
    return read_rules(SILENT | settings)


def scored(*piles: str, rules: Rules | None = None, scope: tuple[int, ...] = ()) -> HandScore:
    made = (*scope, *(0,) * len(piles))
    sides = [Side(NAMES[n], cards(pile), made[n]) for n, pile in enumerate(piles)]
    return score_hand(sides, rules or Rules())


def line(score: HandScore, point: str) -> Line:
    (found,) = (line for line in score.lines if line.point == point)
    return found


def why(line: Line, *, names: Sequence[str] = NAMES, lang: str = "en") -> str:
    return explain(line, names, lang=lang)


def won(point: str, *piles: str, rules: Rules | None = None) -> tuple[int | None, int]:
    """Return who wins a point with these piles, and what it makes."""
    found = line(scored(*piles, rules=rules), point)
    return found.winner, found.amount


def hand(*scope: int, piles: Sequence[str] = ()) -> HandRecord:
    """Return a hand in which each side makes so many scope, with empty piles unless given."""
    held = [*map(cards, piles), *[()] * len(scope)]
    return HandRecord(tuple(Side(NAMES[n], held[n], made) for n, made in enumerate(scope)))
