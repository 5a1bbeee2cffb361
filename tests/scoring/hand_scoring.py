"""Hands written short, for the tests of the points."""

from scoring.cards import Card
from scoring.hand import HandScore, Line, Side, score_hand
from scoring.presets import read_rules
from scoring.rules import Rules

NAMES = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Fabio")
SILENT = {"scopa": 0, "carte": 0, "denari": 0, "settebello": 0, "primiera": 0}
"""Nothing but what a test adds."""


def cards(codes: str) -> tuple[Card, ...]:
    return tuple(Card.from_code(code) for code in codes.split())


def only(**settings: object) -> Rules:
    return read_rules(SILENT | settings)


def scored(*piles: str, rules: Rules | None = None, scope: tuple[int, ...] = ()) -> HandScore:
    made = (*scope, *(0,) * len(piles))
    sides = [Side(NAMES[n], cards(pile), made[n]) for n, pile in enumerate(piles)]
    return score_hand(sides, rules or Rules())


def line(score: HandScore, point: str) -> Line:
    (found,) = (line for line in score.lines if line.point == point)
    return found


def won(score: HandScore, point: str) -> tuple[int | None, int, str]:
    found = line(score, point)
    return found.winner, found.amount, found.why
