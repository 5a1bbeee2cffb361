"""Learning a rule set: what the page shows is what the rules say, for tables, presets and codes."""

from itertools import compress
from typing import Any

import pytest
from app_driving import ANNA, BRUNO, app, component_data, lay, open_table, visible
from catalogues import WALKED

from scoring.captures import legal_captures, may_lay
from scoring.cards import Card
from scoring.presets import PRESETS
from scoring.rules import Rules
from scoring.rules_code import rules_code

pytestmark = pytest.mark.slow


def check_taps(lesson: dict[str, Any], rules: Rules) -> None:
    """Every tap on every table has the verdict that the rules give."""
    for task in lesson["tasks"]:
        table = tuple(map(Card.from_code, task["table"]))
        played = Card.from_code(task["played"])
        legal = set(legal_captures(table, played, rules=rules))
        assert len(task["verdicts"]) == 2 ** len(table)
        for mask, (verdict, why) in enumerate(task["verdicts"]):
            taken = tuple(compress(table, (mask >> place & 1 for place in range(len(table)))))
            allowed = taken in legal if taken else may_lay(table, played, rules=rules)
            assert (verdict != "not-allowed") == allowed
            assert lesson["whys"][why]


@pytest.mark.parametrize("name", ["silver-lake", "escoba-brazil", "cirulla"])
def test_a_preset_is_taught_tried_and_printed(name: str) -> None:
    """What is taught of each of them stands in tests/scoring/test_lessons.py."""
    at = app("learn", rules=name)
    assert not at.exception
    lesson = component_data(at, "learn")
    check_taps(lesson, PRESETS[name])
    assert [len(step["scenes"]) > 0 for step in lesson["steps"]] == [True] * 4 + [False]
    assert lesson["guesses"]
    assert rules_code(PRESETS[name]) in visible(at)


def test_a_table_learns_by_its_own_rules_and_a_code_by_those_of_another() -> None:
    table = open_table(rules="escoba")
    for at in (app("learn", table=table.code), app("learn", rules=rules_code(PRESETS["escoba"]))):
        check_taps(component_data(at, "learn"), PRESETS["escoba"])
    own = PRESETS["napoletana"].changed(fewest_cards=True)
    lesson = component_data(app("learn", rules=rules_code(own)), "learn")
    check_taps(lesson, own)
    assert any("fewest cards" in line for step in lesson["steps"] for line in step["says"])
    wrong = app("learn", rules="S1AV21-AA")
    assert wrong.selectbox(key="learn_rules").value == "silver-lake"


@pytest.mark.parametrize("language", WALKED)
def test_it_is_one_link_away_from_the_first_screen_and_the_invitation(language: str) -> None:
    table = open_table()
    for at in (app(lang=language), app("invite", table=table.code, lang=language)):
        assert any("learn" in str(link.proto) for link in at.get("page_link"))
    lay(table, ANNA, BRUNO)
    points = " ".join(str(one.value) for one in app("points", table=table.code, lang=language).html)
    assert f'<a href="/learn?table={table.code}&amp;' in points, "and from every question mark"
    lesson = component_data(app("learn", lang=language), "learn")
    assert lesson["words"]["take"] == {"en": "Take these", "it": "Prendi queste"}[language]
