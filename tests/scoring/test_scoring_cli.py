"""The contract of `python -m scoring`: JSON in, JSON out, 2 and one line where input is bad."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scoring import cli
from scoring.cli import main
from scoring.errors import InputError
from scoring.explain import describe
from scoring.presets import PRESETS, preset_table

HAND: dict[str, Any] = {
    "rules": "silver-lake",
    "sides": [
        {"name": "Anna", "pile": ["7d", "7c", "6b", "1s"], "scope": 2},
        {"name": "Bruno", "pile": ["6d", "7s", "1c", "2b", "3b"], "scope": 0},
    ],
}

Output = pytest.CaptureFixture[str]


def written(tmp_path: Path, data: Any, *, encoding: str = "utf-8") -> str:
    path = tmp_path / "input.json"
    path.write_text(json.dumps(data), encoding=encoding)
    return str(path)


def answer(capsys: Output, *arguments: str) -> Any:
    assert main(arguments) == 0
    caught = capsys.readouterr()
    assert caught.err == ""
    return json.loads(caught.out)


def refusal(capsys: Output, *arguments: str) -> str:
    assert main(arguments) == 2
    caught = capsys.readouterr()
    assert caught.out == ""
    assert caught.err.count("\n") == 1
    assert "Traceback" not in caught.err
    return caught.err


def test_score_prints_points_lines_and_missing(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = answer(capsys, "score", written(tmp_path, HAND))
    anna, bruno = result["sides"]
    assert (anna["name"], anna["points"], bruno["points"]) == ("Anna", 4, 1)
    assert anna["lines"] == [
        {"point": "settebello", "amount": 1, "why": "settebello: Anna has 7d"},
        {"point": "primiera", "amount": 1, "why": "primiera: 7d 7c 6b 1s = 76 against 68"},
        {"point": "scope", "amount": 2, "why": "scope: Anna 2"},
    ]
    assert bruno["lines"] == [{"point": "carte", "amount": 1, "why": "carte: Anna 4, Bruno 5"}]
    assert result["nobody"] == [
        {"point": "denari", "why": "denari: Anna 1, Bruno 1, a tie, nobody's point"}
    ]
    assert len(result["missing"]) == 31
    assert result["missing"][:2] == ["1d", "2d"]
    marked = written(tmp_path, HAND, encoding="utf-8-sig")  # as Windows begins a file
    assert answer(capsys, "score", marked) == result
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(HAND)))
    italian = answer(capsys, "score", "-", "--lang", "it")
    assert italian["sides"][0]["lines"][0]["why"] == "settebello: Anna ha 7d"
    anna, bruno = HAND["sides"]
    impossible = HAND | {"sides": [anna | {"scope": 30}, bruno]}
    assert "impossible" not in result
    assert answer(capsys, "score", written(tmp_path, impossible))["impossible"] == [
        "Anna has 30 scope, but 4 cards allow 2",
        "30 scope of Anna, but 36 cards played allow 18: look again",
    ]
    changed = HAND | {"rules": {"preset": "escoba", "scopa": 3}}
    sides = answer(capsys, "score", written(tmp_path, changed))["sides"]
    assert [side["points"] for side in sides] == [8, 1]


def hand(*scope: int) -> dict[str, Any]:
    names = ("Anna", "Bruno")
    sides = [{"name": names[n], "pile": [], "scope": made} for n, made in enumerate(scope)]
    return {"sides": sides}


TURNED = {"sides": [side | {"name": side["name"].upper()} for side in hand(7, 5)["sides"][::-1]]}
"""The sides in another order, in capitals."""


@pytest.mark.parametrize(
    ("hands", "totals", "winner"),
    [
        ([hand(0, 0)], [[0, 0]], None),
        ([hand(7, 5), hand(4, 5)], [[7, 5], [11, 10]], "Anna"),
        ([hand(7, 5), hand(4, 6)], [[7, 5], [11, 11]], None),
        ([hand(11, 5), hand(4, 6)], [[11, 5]], "Anna"),
        ([hand(7, 5), TURNED], [[7, 5], [14, 10]], "Anna"),
    ],
    ids=["nothing", "won", "tie", "hands after the end", "sides in another order"],
)
def test_match_prints_totals_and_the_winner(
    tmp_path: Path, capsys: Output, hands: list[Any], totals: list[list[int]], winner: str | None
) -> None:
    result = answer(capsys, "match", written(tmp_path, {"rules": "silver-lake", "hands": hands}))
    made = [[7, 5] if one is TURNED else [side["scope"] for side in one["sides"]] for one in hands]
    assert result == {
        "sides": ["Anna", "Bruno"], "totals": totals, "hands": made, "winner": winner,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("table", "card", "rules", "expected"),
    [
        ("", "7b", "silver-lake", []),
        ("1c,5c,6s", "7b", "silver-lake", [["1c", "6s"]]),
        ("7c, 1c,6s", "7b", "scopa-online", [["7c"], ["1c", "6s"]]),
        ("8d", "7b", "escoba", [["8d"]]),
        ("5c,6s", "1b", "file", [["5c", "6s"]]),
    ],
)
def test_captures_are_lists_of_codes(
    tmp_path: Path, capsys: Output, table: str, card: str, rules: str, expected: list[list[str]]
) -> None:
    rules = written(tmp_path, {"aces": "sweep"}) if rules == "file" else rules
    found = answer(capsys, "captures", "--rules", rules, "--table", table, "--play", card)
    assert found == expected


def test_deal_says_whether_it_stands(capsys: Output) -> None:
    void = answer(capsys, "deal", "--table", "10d,10c,10s,2b")
    assert (void["valid"], void["why"][:37]) == (False, "3 kings among the first 4 table cards")
    void = answer(capsys, "deal", "--table", "10d,10c,10s,2b", "--lang", "it")
    assert void["why"].startswith("3 re tra le prime 4 carte")
    assert not answer(capsys, "deal", "--table", "", "--rules", "wikipedia")["valid"]
    assert answer(capsys, "deal", "--table", "10d,10c,10s,2b", "--rules", "escoba")["valid"]
    assert main(["deal", "--table", "10d,10c,1s,2b", "--lang", "it"]) == 0
    printed = '{\n  "valid": true,\n  "why": "la distribuzione è buona"\n}\n'
    assert capsys.readouterr().out == printed, "JSON for people too"


def test_presets_are_printed_with_every_setting(capsys: Output) -> None:
    assert answer(capsys, "presets") == {name: r.to_dict() for name, r in PRESETS.items()}
    assert main(["presets", "--markdown"]) == 0
    assert capsys.readouterr().out.strip() == preset_table()


def test_explain_gives_rules_and_hands_in_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    preset = answer(capsys, "explain", "napoletana")
    assert (preset["name"], "hand" in preset) == ("napoletana", False)
    assert "king of coins: 1" in preset["rules"]
    italian = answer(capsys, "explain", written(tmp_path, HAND), "--lang", "it")
    assert italian["hand"][2] == "settebello: Anna ha 7d"
    assert italian["rules"] == list(describe(PRESETS["silver-lake"], lang="it"))
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(HAND)))
    assert answer(capsys, "explain", "-")["hand"][2] == "settebello: Anna has 7d"
    bare = answer(capsys, "explain", written(tmp_path, {"preset": "escoba", "name": "ours"}))
    assert (bare["name"], "no primiera" in bare["rules"]) == ("ours", True)
    wrapped = answer(capsys, "explain", written(tmp_path, {"rules": {"preset": "escoba"}}))
    assert (wrapped["name"], "hand" in wrapped) == ("escoba", False)
    assert "rules: " in refusal(capsys, "explain", written(tmp_path, {"sides": HAND["sides"]}))


HELP: dict[str, list[str]] = {
    "": ["score score one hand", "explain a rule set, or a hand's points, in sentences"],
    "score": ["file a JSON file, or - for standard input"],
    "captures": ["--rules RULES a preset, a code, or a JSON file"],
    "presets": ["--markdown the table of docs/rules.md"],
}


@pytest.mark.parametrize("command", HELP)
def test_help_says_what_each_command_takes(
    monkeypatch: pytest.MonkeyPatch, capsys: Output, command: str
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--help"])
    assert ended.value.code == 0
    shown = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert [line for line in HELP[command] if line not in shown] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "arguments are required: COMMAND"),
        ("fold", "invalid choice: 'fold'"),
        ("score", "arguments are required: file"),
        ("score a b", "unrecognized arguments: b"),
        ("score a --lang nl", "invalid choice: 'nl'"),
        ("deal --table 7d --lang nl", "invalid choice: 'nl'"),
        ("captures --play 7d", "arguments are required: --table"),
        ("captures --table 7d", "arguments are required: --play"),
        ("captures --table 7d,7d --play 1c", "7d is there twice"),
        ("captures --table 7d --play 7d", "7d is there twice"),
        ("captures --table 7d, --play 1c", "expected a card such as 7d"),
        ("captures --table 7d --play x --rules escoba", "got 'x'"),
        ("captures --table 7d --play 1c --rules poker", "preset: expected one of"),
        ("deal", "arguments are required: --table"),
        ("deal --table 10d,10d", "10d is there twice"),
        ("explain poker", "preset: expected one of"),
        ("explain s1av21-yz", "rule codes such as s1av21-yz have ended"),
        ("explain nothing.json", "cannot be read"),
        ("score nothing.json", "cannot be read"),
        ("score .", "cannot be read"),
    ],
)
def test_a_bad_command_line_is_refused_in_one_line(
    capsys: Output, arguments: str, message: str
) -> None:
    assert message in refusal(capsys, *arguments.split())


@pytest.mark.parametrize("name", ["", "no\0name.json"], ids=repr)
def test_a_file_that_cannot_be_is_refused(capsys: Output, name: str) -> None:
    assert "cannot be read" in refusal(capsys, "score", name)


def sides(*changes: dict[str, Any]) -> list[dict[str, Any]]:
    made = [{"name": "Anna", "pile": [], "scope": 0}, {"name": "Bruno", "pile": [], "scope": 0}]
    return [side | change for side, change in zip(made, changes, strict=False)]


BAD: list[tuple[Any, str]] = [
    ([], "expected a JSON object, got list"),
    ({"sides": sides({}, {})}, "rules: expected a preset such as silver-lake"),
    ({"rules": "scopone-scientifico", "sides": [*sides({}, {}), {"name": "Carla", "pile": [],
                                                                  "scope": 0}]},
     "seatings: scopone-scientifico is for 2 sides, got 3"),
    ({"rules": "escoba", "sides": sides({"pile": ["donna di coppe"]}, {})},
     "sides[0].pile[0]: 'donna di coppe' is 8c at some tables, 9c at others"),
    ({"rules": {"target": -5}, "sides": sides({}, {})}, "target: expected"),
    ({"rules": "escoba"}, "sides: expected a list"),
    ({"rules": "escoba", "sides": sides({"scope": 1.5}, {})}, "sides[0].scope: "),
    ({"rules": "escoba", "sides": sides({"pile": ["7d"]}, {"pile": ["7d"]})},
     "7d is there twice (Anna and Bruno)"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "message"), BAD, ids=[message for _, message in BAD])
def test_a_bad_hand_is_refused_in_one_line(
    tmp_path: Path, capsys: Output, data: Any, message: str
) -> None:
    assert message in refusal(capsys, "score", written(tmp_path, data))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "expected JSON, got none"),
        (b"{", "expected JSON, got none"),
        (b"\xff\xfe\x00", "cannot be read"),
        (b"[" * 100_000, "expected JSON, got none"),
        (b"7", "expected a JSON object, got int"),
    ],
    ids=["empty", "cut off", "not text", "too deep", "a number"],
)
def test_files_that_are_no_json_object_are_refused(
    tmp_path: Path, capsys: Output, content: bytes, message: str
) -> None:
    path = tmp_path / "input.json"
    path.write_bytes(content)
    assert message in refusal(capsys, "score", str(path))
    assert message in refusal(capsys, "match", str(path))
    with pytest.raises(InputError) as caught:
        cli._read(str(path))
    assert caught.value.where == str(path)


@pytest.mark.parametrize("depth", [900, 985, 987, 1000, 5000])
def test_lists_within_lists_are_refused_in_one_line(
    depth: int, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    text = '{"sides":[],"rules":{"captures":' + "[" * depth + "]" * depth + "}}"
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    refusal(capsys, "score", "-")


def test_standard_input_is_utf8_whatever_the_system_thinks(
    monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    data = {"rules": "silver-lake", "sides": sides({"name": "Zoë", "pile": ["7♦"]}, {})}
    encoded = json.dumps(data, ensure_ascii=False).encode("utf-8-sig")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(encoded), encoding="latin-1"))
    assert answer(capsys, "score", "-")["sides"][0]["lines"][2]["why"] == "settebello: Zoë has 7d"


def test_the_module_runs_as_a_command(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "scoring", "score"]
    done, failed = (
        subprocess.run([*command, file], capture_output=True, text=True, check=False)
        for file in (written(tmp_path, HAND), "nothing.json")
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["sides"][0]["points"] == 4
    assert (failed.returncode, failed.stdout, failed.stderr.count("\n")) == (2, "", 1)
