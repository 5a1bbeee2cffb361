"""docs/rules.md stays true: every clause has its test, and the table is the command's."""

import ast
import gettext
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from enum import StrEnum
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from scoring.errors import RulesError
from scoring.explain import describe
from scoring.locale import SENTENCES, say
from scoring.presets import PRESETS, preset_table, read_rules
from scoring.rules import Aces, PrimieraForm, Rules

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
CLAUSES = re.findall(r"^- \*\*(\d+\.\d+)\*\*", TEXT, flags=re.MULTILINE)


def clause_tests() -> set[str]:
    found = set()
    for path in (ROOT / "tests" / "scoring").glob("test_*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = (node.name for node in tree.body if isinstance(node, ast.FunctionDef))
        found |= {name for name in names if re.fullmatch(r"test_rule_\d+_\d+", name)}
    return found


def test_every_clause_is_held_by_a_test_of_its_name() -> None:
    assert clause_tests() == {f"test_rule_{clause.replace('.', '_')}" for clause in CLAUSES}
    assert len(CLAUSES) == len(set(CLAUSES)) > 40


def test_the_table_of_presets_is_up_to_date() -> None:
    shown = TEXT.split("<!-- presets -->")[1].split("<!-- /presets -->")[0].strip()
    assert shown == preset_table(), "run: python -m scoring presets --markdown"


def test_every_setting_is_named_in_a_clause() -> None:
    clauses = TEXT.split("## Presets")[0]
    named = set(re.findall(r"`(\w+)(?: = [\w-]+)?`", clauses))
    assert {setting.name for setting in fields(Rules)} - named == {"name"}


def test_every_preset_has_its_sentences() -> None:
    for rules, lang in product(PRESETS.values(), SENTENCES.languages):
        sentences = describe(rules, lang=lang)
        assert len(sentences) > 12
        assert all(sentences)
        assert not any("{" in sentence for sentence in sentences)


SWEEPS = {"aces": "sweep", "void_kings": 0}
PLAYED_TOGETHER: tuple[dict[str, object], ...] = (
    SWEEPS | {"ace_takes_ace": True, "first_ace": "barred"},
    SWEEPS | {"first_ace": "takes-ace"},
    {"captures": "fifteen", "dealt_fifteen": "dealer"},
    {"captures": "fifteen", "dealt_fifteen": "first"},
    {"napola": True, "napola_wins": True, "napola_most": 9},
    {"declared": True, "small_hand": 3, "three_alike": 10, "matta": True},
    {"bell": True, "draw": True},
    {"card_points": {"8s": 1}},
)
"""Settings that need one another, or have no number, switch or choice to be tried alone."""


def alone() -> Iterator[Rules]:
    """Yield the rules with one setting changed, for every value that its sentences may tell of."""
    for name, value in Rules().to_dict().items():
        values: list[Any] = [1, 2] if isinstance(value, int) else []
        if isinstance(value, bool):
            values = [not value]
        elif isinstance(choice := getattr(Rules(), name), StrEnum):
            values = [*type(choice)]
        for other in values:
            with suppress(RulesError):
                yield Rules(**{name: other})


def test_every_choice_of_every_setting_has_its_sentence() -> None:
    odd = [*alone(), *map(read_rules, PLAYED_TOGETHER)]
    played = {sentence for one in (*PRESETS.values(), *odd) for sentence in describe(one)}
    compiled = SENTENCES.folder / "en" / "LC_MESSAGES" / "scoring.mo"
    with compiled.open("rb") as file:
        known = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    keys = [key for key in known if str(key).startswith("rule.")]
    assert len(keys) > 50
    patterns = {key: re.escape(say(key, figure="FIGURE")).replace("FIGURE", ".+") for key in keys}
    unplayed = [
        key for key, pattern in patterns.items()
        if not any(re.fullmatch(pattern, sentence) for sentence in played)
    ]  # fmt: skip
    assert unplayed == []


SILVER_LAKE = [
    "a card takes one of its value; a set adding up to it only where there is none",
    "a card that can capture must capture",
    "the last card makes no scopa",
    "3 or more kings among the first table cards: deal again",
    "3 cards each at a time",
    "4 cards on the table at the start",
    "play goes to the right",
    "sides x players a side: 2 x 1, 3 x 1, 4 x 1, 6 x 1, 2 x 2, 2 x 3, 3 x 2",
    "each scopa: 1",
    "most cards: 1",
    "most coins: 1",
    "settebello: 1",
    "primiera: 1",
    "faces count 10 in the prime",
    "without a card of each suit there is no primiera",
    "the match goes to 11",
    "there, the strictly highest wins; a tie plays on",
]


def test_a_rule_set_is_described_setting_after_setting() -> None:
    assert list(describe(Rules())) == list(describe(Rules(), lang="en")) == SILVER_LAKE
    italian = describe(Rules(), lang="it")
    assert (len(italian), italian[8]) == (len(SILVER_LAKE), "ogni scopa: 1")


@pytest.mark.parametrize("form", PrimieraForm, ids=str)
def test_what_says_nothing_under_the_other_rules_is_left_out(form: PrimieraForm) -> None:
    prime_only = {
        "faces count 10 in the prime",
        "without a card of each suit there is no primiera",
    }
    played = set(describe(Rules(primiera=2, primiera_form=form)))
    unplayed = set(describe(Rules(primiera=0, primiera_form=form)))
    assert (prime_only <= played) is (form is PrimieraForm.PRIME)
    assert not prime_only & unplayed
    assert [sentence for sentence in unplayed if "primiera" in sentence] == ["no primiera"]
    kings = "3 or more kings among the first table cards: deal again"
    assert kings in describe(Rules())
    assert kings not in describe(Rules(aces=Aces.SWEEP))
