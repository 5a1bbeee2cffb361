"""The contract of `python -m scoring`: JSON in, JSON out, 2 and one line where input is bad."""

import json
import os
import subprocess
import sys
from io import StringIO
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


def written(tmp_path: Path, data: Any) -> str:
    path = tmp_path / "input.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(arguments) == 0
    caught = capsys.readouterr()
    assert caught.err == ""
    return json.loads(caught.out)


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 2
    caught = capsys.readouterr()
    assert caught.out == ""
    assert caught.err.count("\n") == 1
    assert "Traceback" not in caught.err
    return caught.err


def test_score_prints_points_lines_and_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = answer(capsys, "score", written(tmp_path, HAND))
    anna, bruno = told["sides"]
    assert (anna["name"], anna["points"], bruno["points"]) == ("Anna", 4, 1)
    assert anna["lines"] == [
        {"point": "settebello", "amount": 1, "why": "settebello: Anna has 7d"},
        {"point": "primiera", "amount": 1, "why": "primiera: 7d 7c 6b 1s = 76 against 68"},
        {"point": "scope", "amount": 2, "why": "scope: Anna 2"},
    ]
    assert bruno["lines"] == [{"point": "carte", "amount": 1, "why": "carte: Anna 4, Bruno 5"}]
    assert told["nobody"] == [
        {"point": "denari", "why": "denari: Anna 1, Bruno 1, a tie, nobody's point"}
    ]
    assert len(told["missing"]) == 31
    assert told["missing"][:2] == ["1d", "2d"]


def test_score_speaks_italian_and_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO(json.dumps(HAND)))
    told = answer(capsys, "score", "-", "--lang", "it")
    assert told["sides"][0]["lines"][0]["why"] == "settebello: Anna ha 7d"


def test_score_takes_a_preset_with_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = {"preset": "escoba", "scopa": 3}
    told = answer(capsys, "score", written(tmp_path, HAND | {"rules": rules}))
    assert [side["points"] for side in told["sides"]] == [8, 1]


def hand(*scope: int) -> dict[str, Any]:
    names = ("Anna", "Bruno")
    sides = [{"name": names[n], "pile": [], "scope": made} for n, made in enumerate(scope)]
    return {"sides": sides}


@pytest.mark.parametrize(
    ("hands", "totals", "winner"),
    [
        ([hand(0, 0)], [[0, 0]], None),
        ([hand(7, 5), hand(4, 5)], [[7, 5], [11, 10]], "Anna"),
        ([hand(7, 5), hand(4, 6)], [[7, 5], [11, 11]], None),
        ([hand(11, 5), hand(4, 6)], [[11, 5]], "Anna"),
    ],
    ids=["nothing", "won", "tie", "hands after the end"],
)
def test_match_prints_totals_and_the_winner(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    hands: list[Any],
    totals: list[list[int]],
    winner: str | None,
) -> None:
    told = answer(capsys, "match", written(tmp_path, {"rules": "silver-lake", "hands": hands}))
    assert (told["totals"], told["winner"]) == (totals, winner)
    assert told["sides"] == ["Anna", "Bruno"]
    assert told["hands"] == [[side["scope"] for side in one["sides"]] for one in hands]


def test_a_hand_that_names_the_sides_in_another_order_counts_for_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turned = {"sides": hand(7, 5)["sides"][::-1]}
    data = {"rules": "silver-lake", "hands": [hand(7, 5), turned]}
    told = answer(capsys, "match", written(tmp_path, data))
    assert told["totals"] == [[7, 5], [14, 10]]


@pytest.mark.parametrize(
    ("table", "card", "rules", "expected"),
    [
        ("", "7b", "silver-lake", []),
        ("1c,5c,6s", "7b", "silver-lake", [["1c", "6s"]]),
        ("7c, 1c,6s", "7b", "scopa-online", [["7c"], ["1c", "6s"]]),
        ("8d", "7b", "escoba", [["8d"]]),
    ],
    ids=["empty", "sum", "free", "fifteen"],
)
def test_captures_are_lists_of_codes(
    capsys: pytest.CaptureFixture[str],
    table: str,
    card: str,
    rules: str,
    expected: list[list[str]],
) -> None:
    found = answer(capsys, "captures", "--rules", rules, "--table", table, "--play", card)
    assert found == expected


def test_captures_take_rules_from_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = written(tmp_path, {"aces": "sweep"})
    found = answer(capsys, "captures", "--rules", rules, "--table", "5c,6s", "--play", "1b")
    assert found == [["5c", "6s"]]


def test_deal_says_whether_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    told = answer(capsys, "deal", "--table", "10d,10c,10s,2b")
    assert told["valid"] is False
    assert told["why"].startswith("3 kings among the first 4 table cards")
    assert answer(capsys, "deal", "--table", "10d,10c,1s,2b", "--lang", "it") == {
        "valid": True,
        "why": "si gioca: la data è buona",
    }
    assert not answer(capsys, "deal", "--table", "", "--rules", "wikipedia")["valid"]
    told = answer(capsys, "deal", "--table", "10d,10c,10s,2b", "--lang", "it")
    assert told["why"].startswith("3 re tra le prime 4 carte")


def test_json_is_printed_for_people_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deal", "--table", "10d,10c,1s,2b", "--lang", "it"]) == 0
    told = '{\n  "valid": true,\n  "why": "si gioca: la data è buona"\n}\n'
    assert capsys.readouterr().out == told


def test_presets_are_printed_with_every_setting(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "presets") == {name: r.to_dict() for name, r in PRESETS.items()}
    assert main(["presets", "--markdown"]) == 0
    assert capsys.readouterr().out.strip() == preset_table()


def test_explain_tells_rules_and_hands_in_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = answer(capsys, "explain", "napoletana")
    assert told["name"] == "napoletana"
    assert "king of coins: 1" in told["rules"]
    assert "hand" not in told
    told = answer(capsys, "explain", written(tmp_path, HAND), "--lang", "it")
    assert told["hand"][2] == "settebello: Anna ha 7d"
    assert "re di denari: 1" not in told["rules"]
    assert "settebello: 1" in told["rules"]
    assert told["rules"] == list(describe(PRESETS["silver-lake"], lang="it"))
    monkeypatch.setattr(sys, "stdin", StringIO(json.dumps(HAND)))
    assert answer(capsys, "explain", "-")["hand"][2] == "settebello: Anna has 7d"
    told = answer(capsys, "explain", written(tmp_path, {"preset": "escoba", "name": "ours"}))
    assert (told["name"], "no primiera" in told["rules"]) == ("ours", True)
    told = answer(capsys, "explain", written(tmp_path, {"rules": {"preset": "escoba"}}))
    assert (told["name"], "hand" in told) == ("escoba", False)
    assert "rules: expected a mapping" in refusal(
        capsys, "explain", written(tmp_path, {"sides": HAND["sides"]})
    )


def test_a_file_may_begin_with_the_mark_that_windows_sets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "input.json"
    path.write_text(json.dumps(HAND), encoding="utf-8-sig")
    assert answer(capsys, "score", str(path))["sides"][0]["points"] == 4


HELP: list[tuple[str, list[str]]] = [
    ("", [
        "usage: python -m scoring [-h] COMMAND ...", "Scopa scored, from JSON to JSON.",
        "COMMAND", "score score one hand", "match running totals and the winner of a match",
        "captures the legal captures of a played card",
        "deal whether the first table cards stand", "presets every preset with its settings",
        "explain a rule set, or a hand's points, in sentences",
    ]),
    ("score", ["score one hand", "file a JSON file, or - for standard input"]),
    ("match", ["running totals and the winner of a match"]),
    ("captures", [
        "--table TABLE codes, with commas: 1c,5c,6s", "--play PLAY the code of the card played",
        "--rules RULES a preset, or a JSON file",
    ]),
    ("deal", ["--table TABLE codes, with commas: 10d,10c,10s,2b"]),
    ("presets", ["--markdown the table of docs/rules.md"]),
    ("explain", ["what a preset, or a JSON file of rules or of a hand, or -"]),
]  # fmt: skip


@pytest.mark.parametrize(("command", "lines"), HELP, ids=[case[0] or "all" for case in HELP])
def test_help_says_what_each_command_takes(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    lines: list[str],
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--help"])
    assert ended.value.code == 0
    shown = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert [line for line in lines if line not in shown] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "arguments are required: COMMAND"),
        ("score a --lang de", "invalid choice: 'de'"),
        ("deal --table 7d --lang de", "invalid choice: 'de'"),
        ("captures --play 7d", "arguments are required: --table"),
        ("captures --table 7d", "arguments are required: --play"),
        ("deal", "arguments are required: --table"),
    ],
)
def test_a_command_line_that_is_not_understood_says_what_is_wrong(
    capsys: pytest.CaptureFixture[str], arguments: str, message: str
) -> None:
    assert message in refusal(capsys, *arguments.split())
    with pytest.raises(InputError) as caught:
        cli._parser().parse_args(arguments.split())
    assert caught.value.where == "command line"


def sides(*changes: dict[str, Any]) -> list[dict[str, Any]]:
    made = [{"name": "Anna", "pile": [], "scope": 0}, {"name": "Bruno", "pile": [], "scope": 0}]
    return [side | change for side, change in zip(made, changes, strict=False)]


BAD: list[tuple[str, Any, str]] = [
    ("a list", [], "expected a JSON object, got list"),
    ("no rules", {"sides": sides({}, {})}, "rules: expected a mapping of settings, got NoneType"),
    ("no preset", {"rules": "poker", "sides": sides({}, {})}, "preset: expected one of"),
    ("no sides", {"rules": "escoba"}, "sides: expected a list"),
    ("one side", {"rules": "escoba", "sides": sides({})}, "expected 2 to 6 sides, got 1"),
    ("negative", {"rules": "escoba", "sides": sides({"scope": -1}, {})}, "sides[0].scope: "),
    ("a fraction", {"rules": "escoba", "sides": sides({"scope": 1.5}, {})}, "sides[0].scope: "),
    ("no card", {"rules": "escoba", "sides": sides({"pile": ["7x"]}, {})}, "sides[0].pile[0]: "),
    ("a number", {"rules": "escoba", "sides": sides({"pile": [7]}, {})}, "sides[0].pile[0]: "),
    ("doubled", {"rules": "escoba", "sides": sides({"pile": ["7d"]}, {"pile": ["7d"]})},
     "7d is there twice (Anna and Bruno)"),
    ("doubled in one", {"rules": "escoba", "sides": sides({"pile": ["7d", "7d"]}, {})},
     "7d is there twice (Anna)"),
    ("bad setting", {"rules": {"target": -5}, "sides": sides({}, {})}, "target: expected"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "message"), [case[1:] for case in BAD], ids=[c[0] for c in BAD])
def test_bad_hands_are_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: Any, message: str
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
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, message: str
) -> None:
    path = tmp_path / "input.json"
    path.write_bytes(content)
    assert message in refusal(capsys, "score", str(path))
    assert message in refusal(capsys, "match", str(path))
    with pytest.raises(InputError) as caught:
        cli._read(str(path))
    assert caught.value.where == str(path)


@pytest.mark.parametrize("name", ["", "no\0name.json", "nothing.json", "."], ids=repr)
def test_a_file_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert "cannot be read" in refusal(capsys, "score", name)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["fold"],
        ["score"],
        ["score", "a", "b"],
        ["score", "a", "--lang", "de"],
        ["captures", "--table", "7d,7d", "--play", "1c"],
        ["captures", "--table", "7d", "--play", "7d"],
        ["captures", "--table", "7d,", "--play", "1c"],
        ["captures", "--table", "7d", "--play", "x", "--rules", "escoba"],
        ["captures", "--table", "7d", "--play", "1c", "--rules", "poker"],
        ["deal", "--table", "10d,10d"],
        ["deal"],
        ["explain", "poker"],
        ["explain", "nothing.json"],
    ],
    ids=" ".join,
)
def test_bad_command_lines_are_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert refusal(capsys, *arguments)


def test_the_module_runs_as_a_command(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "scoring", "score"]
    done = subprocess.run(
        [*command, written(tmp_path, HAND)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["sides"][0]["points"] == 4
    failed = subprocess.run([*command, "nothing.json"], capture_output=True, text=True, check=False)
    assert (failed.returncode, failed.stdout, failed.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("arguments", ["presets", "deal --table 7d"], ids=["much", "little"])
def test_a_reader_that_has_enough_ends_the_command_quietly(arguments: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "scoring", *arguments.split()]
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with os.fdopen(writing, "w") as out:
        done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, env=usual, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
