"""Golden results of the scorer at ff00e88: hands, matches and the sentences of the command line.

Hands and matches are made from a seed, so the files hold results only. After an intended change
`python -m tests.scoring.test_golden` writes the files again; look at their difference.
"""

import contextlib
import gzip
import io
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scoring.cards import CODES
from scoring.cli import main
from scoring.hand import score_hand
from scoring.locale import SENTENCES
from scoring.match import Match
from scoring.presets import PRESETS, read_rules
from scoring.record import read_sides

GOLDEN = Path(__file__).with_name("golden")
HANDS = 2000
MATCHES = 8
"""Matches of each preset."""
NAMES = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Fabio")
QUICK = ("carte", "denari", "settebello", "primiera", "re-bello", "all-sevens")
"""Points that a hand counted without cards may name."""


def made_hand(preset: str, seed: int, *, sides: int = 0) -> dict[str, Any]:
    """A hand as `python -m scoring score` reads it; every kind of hand turns up among many."""
    chance = Random(f"{preset} {seed}")

    def below(most: int) -> int:
        return int(chance.random() * most)  # the only method that all versions of Python share

    rules = PRESETS[preset]
    known = [number for number in range(2, 7) if rules.for_sides(number)]
    sides = sides or (2 if below(2) else known[below(len(known))])
    deck = sorted(CODES, key=lambda _: chance.random())[: 40 if below(5) else 30 + below(10)]
    shares = [chance.random() ** 2 for _ in range(sides)]
    piles: list[list[str]] = [[] for _ in range(sides)]
    for code in deck:
        piles[max(range(sides), key=lambda side: chance.random() * shares[side])].append(code)
    hand = [
        {"name": name, "pile": pile, "scope": below(4) if below(3) else 0}
        for name, pile in zip(NAMES, piles, strict=False)
    ]
    if rules.declared and below(2):
        hand[below(sides)]["declared"] = 3 * below(5)
    if not below(8):
        hand[below(sides)] |= {"correction": below(7) - 3, "reason": "misdeal"}
    if not below(6):  # counted without cards, or with those of one side
        knows = below(sides) if below(2) else None
        points = [point for point in QUICK if below(3)]
        winners = [below(sides + 1) for _ in points]
        for side, one in enumerate(hand):
            one["pile"] = one["pile"] if side == knows else []
            pairs = zip(points, winners, strict=True)
            one["counted"] = {point: int(winner == side) for point, winner in pairs}
    return {"rules": preset, "sides": hand}


def made_match(preset: str, seed: int) -> dict[str, Any]:
    """Return a match as `python -m scoring match` reads it."""
    sides = 3 if seed % 4 == 3 and PRESETS[preset].for_sides(3) else 2
    hands = [made_hand(preset, 10_000 * seed + n, sides=sides)["sides"] for n in range(16)]
    rules: dict[str, Any] = {"preset": preset}
    if seed % 2:  # a short match, so that all ends are reached
        rules["target"] = 7
    return {"rules": rules, "names": [*NAMES[:sides]], "hands": hands}


def hand_lines() -> Iterator[str]:
    """Preset, seed, points of each side, and each line as "point:winner+amount"."""
    presets = [*PRESETS]
    for number in range(HANDS):
        preset = presets[number % len(presets)]
        hand = made_hand(preset, number)
        score = score_hand(read_sides(hand["sides"]), read_rules(preset))
        lines = (
            f"{line.point}:{'-' if line.winner is None else f'{line.winner}+{line.amount}'}"
            for line in score.lines
        )
        yield f"{preset} {number} {'/'.join(map(str, score.points))} {' '.join(lines)}"


def match_lines() -> Iterator[str]:
    """Preset, seed, totals after each hand, and the winner."""
    for preset in PRESETS:
        for seed in range(MATCHES):
            match = Match.from_dict(made_match(preset, seed))
            totals = " ".join("/".join(map(str, one)) for one in match.standings)
            yield f"{preset} {seed} {totals} {match.winner}"


def printed(*arguments: str) -> str:
    """Return what a command prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(arguments) == 0
    return out.getvalue()


def rule_lines() -> Iterator[str]:
    """Yield the rules of each preset in sentences, in every language."""
    for lang in SENTENCES.languages:
        for preset in PRESETS:
            said = json.loads(printed("explain", preset, "--lang", lang))["rules"]
            yield from (f"{lang} {preset} {sentence}" for sentence in said)


def score_lines() -> Iterator[str]:
    """Yield what `score` prints of two hands of each preset, in every language."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "hand.json"
        for number in range(2 * len(PRESETS)):
            preset = [*PRESETS][number % len(PRESETS)]
            file.write_text(json.dumps(made_hand(preset, number)), encoding="utf-8")
            for lang in SENTENCES.languages:
                yield f"{preset} {number} {lang}"
                yield from printed("score", str(file), "--lang", lang).splitlines()


LINES: dict[str, Callable[[], Iterator[str]]] = {
    "hands": hand_lines,
    "matches": match_lines,
    "rules": rule_lines,
    "scores": score_lines,
}


@pytest.mark.parametrize("name", LINES)
def test_results_are_those_of_the_golden_file(name: str) -> None:
    golden = gzip.decompress((GOLDEN / f"{name}.txt.gz").read_bytes()).decode().splitlines()
    assert [*LINES[name]()] == golden


def test_golden_hands_are_of_every_kind() -> None:
    hands = [made_hand("cirulla", seed)["sides"] for seed in range(100)]
    sides = [side for hand in hands for side in hand]
    assert {len(hand) for hand in hands} == {2, 3}
    assert {len(side["pile"]) == 0 for side in sides} == {True, False}
    for field in ("declared", "correction", "counted"):
        assert any(side.get(field) for side in sides)


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, lines in LINES.items():
        text = "\n".join(lines())
        (GOLDEN / f"{name}.txt.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
