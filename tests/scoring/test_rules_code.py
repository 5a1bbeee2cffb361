"""Clause 5.4 of docs/rules.md in full: rules codes are short, keep their meaning, find errors."""

from dataclasses import fields
from random import Random

import pytest
from test_score_second import odd_rules

from scoring.errors import NewerRulesCodeError, RulesCodeError
from scoring.explain import differences
from scoring.presets import PRESETS, read_rules
from scoring.rules import Rules
from scoring.rules_code import _SETTINGS, _check, read_rules_code, rules_code

CODES = {
    "silver-lake": "S1-IO",
    "scopa-online": "S1A1J1V21X6AW1-RV",
    "wikipedia": "S1AF1-SM",
    "american-sevens": "S1B1AE1AG1-UV",
    "napoletana": "S1AJ1AL1-XF",
    "scopone-scientifico": "S1K0O10P0R22AV21-VO",
    "escoba": "S1A2K0AB0AG1AH1AV15-HU",
    "escoba-argentina": "S1A2K0N1AV15-YR",
    "escoba-brazil": "S1A2E1K0N1Y1AB0AG1AH1AV31-HI",
    "rebello": "S1AL1-RA",
    "scopone": "S1O9R22AF2-TK",
    "scopa-d-assi": "S1F1G1K0AJ1AV31BD1-OV",
    "asso-piglia-tutto": "S1F2G1K0AJ1AV31BD1-BG",
    "cirulla": "S1A4F2G1K0L2N1R213122V21X6AO1AP5AR1AS3AT10AU1AV51BD1-LC",
    "a-perdere": "S1BG1-NW",
}
"""Codes that were given out. They never change: a code that is read otherwise is a defect."""


def test_codes_that_were_given_out_keep_their_meaning() -> None:
    assert {name: rules_code(rules) for name, rules in PRESETS.items()} == CODES
    for name, code in CODES.items():
        assert read_rules_code(code) == PRESETS[name]


def test_every_setting_has_letters_of_its_own() -> None:
    settings = [setting.name for setting in fields(Rules) if setting.name != "name"]
    assert sorted(_SETTINGS) == sorted(settings)


def test_any_rules_are_read_back_as_they_were() -> None:
    random = Random(1)
    odd = [odd_rules(random) for _ in range(200)]
    odd.append(read_rules({"card_points": {"8s": 1, "1d": 99}, "seatings": [[3, 2], [2, 1]]}))
    for rules in odd:
        code = rules_code(rules)
        back = read_rules_code(code.lower())
        assert back == rules.changed(name=back.name)
        assert rules_code(back) == code


def with_check(text: str) -> str:
    return f"{text}-{_check(text)}"


@pytest.mark.parametrize(
    "code",
    ["", "S1", "S1AV21", "S1AV12-YZ", "S1AV21-YY", "S1VA21-YZ", "7 of coins", with_check("S1AV0"),
     with_check("S1R9"), with_check("S1AM3"),
     pytest.param(with_check(f"S1AV{'9' * 5_000}"), id="too many digits")],
)  # fmt: skip
def test_what_is_no_code_is_refused_in_words(code: str) -> None:
    with pytest.raises(RulesCodeError, match="look at each letter again"):
        read_rules_code(code)


@pytest.mark.parametrize(
    ("code", "part"),
    [("S2AV21", "S2"), ("S1ZZ1", "ZZ1"), ("S1A99", "A99"), ("S1J7", "J7"), ("S1A1A2", "A2"),
     ("S1AM4001", "AM4001")],
)  # fmt: skip
def test_what_a_newer_version_knows_is_refused_in_words(code: str, part: str) -> None:
    with pytest.raises(NewerRulesCodeError, match=f"{part} of the code") as caught:
        read_rules_code(with_check(code))
    assert caught.value.part == part


def test_what_changes_is_said_by_the_sentences_of_both() -> None:
    assert differences(Rules(), Rules(name="other")) == ()
    changes = differences(Rules(), PRESETS["napoletana"], lang="it")
    assert [(change.setting, change.before, change.after) for change in changes] == [
        ("re_bello", "", "re di denari: 1"),
        ("napola", "", "napola: 3 per asso, due, tre di denari, 1 per ogni seguente"),
    ]
