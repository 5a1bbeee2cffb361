"""The commands of `python -m scoring`: JSON in, JSON out."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from scoring.captures import legal_captures
from scoring.cards import Card, parse_card
from scoring.check import ProblemKind, check_piles
from scoring.command_line import Parser, run_command
from scoring.errors import InputError
from scoring.explain import describe, explain
from scoring.hand import score_hand
from scoring.locale import LANGUAGES, SENTENCES
from scoring.match import Match
from scoring.play import deal_ruling
from scoring.presets import DEFAULT, PRESETS, preset_table, read_rules
from scoring.record import read_sides
from scoring.rules import Rules


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give the exit status: 0, or 2 with one line on stderr.

    >>> main(["deal", "--table", "1d,2c,3s,4b"])
    {
      "valid": true,
      "why": "the deal is fine"
    }
    0
    >>> main(["score", "no-such-file.json"])
    2
    """
    return run_command(_parser(), _answer, arguments=arguments)


def _answer(options: argparse.Namespace) -> str:
    """Return the text that a command prints: JSON, unless the command makes a text itself.

    Raises:
        InputError: JSON nested so deeply that Python cannot even quote it in an error message.
    """
    try:
        answer = options.run(options)
    except RecursionError as error:
        message = "expected plain JSON, got lists nested too deeply"
        raise InputError(message, where=getattr(options, "file", "")) from error
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False, indent=2)


def _parser() -> Parser:
    parser = Parser(prog="python -m scoring", description="Scopa scored, from JSON to JSON.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    for name, run, summary in (
        ("score", _score, "score one hand"),
        ("match", _match, "running totals and the winner of a match"),
    ):
        command = commands.add_parser(name, help=summary, description=summary)
        command.add_argument("file", help="a JSON file, or - for standard input")
        command.add_argument("--lang", choices=SENTENCES.languages, default=LANGUAGES[0])
        command.set_defaults(run=run)
    captures = commands.add_parser("captures", help="the legal captures of a played card")
    captures.add_argument("--table", required=True, help="codes, with commas: 1c,5c,6s")
    captures.add_argument("--play", required=True, help="the code of the card played")
    captures.set_defaults(run=_captures)
    deal = commands.add_parser("deal", help="whether the first table cards make a valid deal")
    deal.add_argument("--table", required=True, help="codes, with commas: 10d,10c,10s,2b")
    deal.set_defaults(run=_deal)
    presets = commands.add_parser("presets", help="every preset with its settings")
    presets.add_argument("--markdown", action="store_true", help="the table of docs/rules.md")
    presets.set_defaults(run=_presets)
    explain = commands.add_parser("explain", help="a rule set, or a hand's points, in sentences")
    explain.add_argument(
        "what", help="a preset, a code, or a JSON file of rules or of a hand, or -"
    )
    explain.set_defaults(run=_explain)
    for command in (captures, deal):
        command.add_argument("--rules", default=DEFAULT, help="a preset, a code, or a JSON file")
    for command in (deal, explain):
        command.add_argument("--lang", choices=SENTENCES.languages, default=LANGUAGES[0])
    return parser


def _read(name: str) -> Mapping[str, Any]:
    try:
        data = json.loads(_text_of(name))
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"{name}: expected JSON, got none ({error})", where=name) from error
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: cannot be read ({error})", where=name) from error
    if not isinstance(data, dict):
        raise InputError(f"{name}: expected a JSON object, got {type(data).__name__}", where=name)
    return data


def _text_of(name: str) -> str:
    """Return the text of a file or of standard input, without the byte order mark of Windows."""
    if name != "-":
        return Path(name).read_text(encoding="utf-8-sig")
    if sys.stdin is None:
        raise InputError("-: expected JSON on standard input, which is closed", where=name)
    piped = getattr(sys.stdin, "buffer", None)  # bytes, since the text layer decodes by the locale
    return piped.read().decode("utf-8-sig") if piped else sys.stdin.read().removeprefix("\ufeff")


def _score(options: argparse.Namespace) -> dict[str, Any]:
    data = _read(options.file)
    sides, rules = read_sides(data.get("sides")), read_rules(data.get("rules"))
    result = score_hand(sides, rules)
    rules = rules.played_by(len(sides))
    scope = [side.scope for side in sides]
    problems = check_piles([side.pile for side in sides], scope, rules=rules)
    names = [side.name for side in sides]
    impossible = [
        problem.sentence(names, lang=options.lang)
        for problem in problems
        if problem.kind is not ProblemKind.MISSING
    ]
    why = partial(explain, names=names, lang=options.lang)
    lines = [
        [
            {"point": line.point, "amount": line.amount, "why": why(line)}
            for line in result.of(index)
        ]
        for index in range(len(sides))
    ]
    answer: dict[str, Any] = {
        "sides": [
            {"name": side.name, "points": points, "lines": won}
            for side, points, won in zip(sides, result.points, lines, strict=True)
        ],
        "nobody": [
            {"point": line.point, "why": why(line)} for line in result.lines if line.winner is None
        ],
        "missing": [
            card.code
            for problem in problems
            if problem.kind is ProblemKind.MISSING
            for card in problem.cards
        ],
    }
    return answer | {"impossible": impossible} if impossible else answer


def _match(options: argparse.Namespace) -> dict[str, Any]:
    match = Match.from_dict(_read(options.file))
    return {
        "sides": list(match.names),
        "totals": [list(totals) for totals in match.standings],
        "hands": [list(score.points) for score in match.scores],
        "winner": None if match.winner is None else match.names[match.winner],
    }


def _captures(options: argparse.Namespace) -> list[list[str]]:
    table, card = _cards(options.table), parse_card(options.play)
    found = legal_captures(table, card, rules=_rules(options.rules))
    return [[other.code for other in taken] for taken in found]


def _deal(options: argparse.Namespace) -> dict[str, Any]:
    stands, why = deal_ruling(_cards(options.table), _rules(options.rules), lang=options.lang)
    return {"valid": stands, "why": why}


def _presets(options: argparse.Namespace) -> dict[str, Any] | str:
    if options.markdown:
        return preset_table()
    return {name: rules.to_dict() for name, rules in PRESETS.items()}


def _explain(options: argparse.Namespace) -> dict[str, Any]:
    """Return the answer of `explain`: rules in sentences, and the points of a hand if given."""
    data: Mapping[str, Any] = {}
    if _is_file(options.what):
        data = _read(options.what)
        data = data if "sides" in data or "rules" in data else {"rules": data}
    rules = read_rules(data.get("rules")) if data else _rules(options.what)
    said = describe(rules, lang=options.lang)
    answer: dict[str, Any] = {"name": rules.name, "rules": said}
    if "sides" in data:
        sides = read_sides(data["sides"])
        score = score_hand(sides, rules)
        rules.played_by(score.sides)
        names = [side.name for side in sides]
        answer["hand"] = [explain(line, names, lang=options.lang) for line in score.lines]
    return answer


def _cards(codes: str) -> tuple[Card, ...]:
    """Return the cards of codes with commas between them; none where nothing is written."""
    return tuple(parse_card(code) for code in codes.split(",")) if codes.strip() else ()


def _rules(given: str) -> Rules:
    return read_rules(_read(given) if _is_file(given) else given)


def _is_file(given: str) -> bool:
    """Return whether a word names JSON to read rather than a preset."""
    return given == "-" or given.endswith(".json")
