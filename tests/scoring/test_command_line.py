"""What every command shares: exit status, one line for bad input, UTF-8, closed pipes."""

import os
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator

import pytest

from scoring.command_line import DONE, REFUSED, Parser, run_command
from scoring.errors import CardError, InputError


def parser() -> Parser:
    made = Parser(prog="fold")
    made.add_argument("paper")
    return made


def status(work: Callable[[Namespace], str | Iterator[str]], *arguments: str) -> int:
    return run_command(parser(), work, arguments=arguments, refused=(OSError,))


def test_the_text_is_printed_and_the_status_is_zero(capsys: pytest.CaptureFixture[str]) -> None:
    assert status(lambda options: f"{options.paper} folded", "A4") == DONE == 0
    assert capsys.readouterr() == ("A4 folded\n", "")


def test_a_long_command_prints_each_text_when_it_is_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    seen = []

    def work(_: Namespace) -> Iterator[str]:
        yield "first"
        seen.append(capsys.readouterr().out)
        yield "second"

    assert status(work, "A4") == DONE
    assert (seen, capsys.readouterr().out) == (["first\n"], "second\n")


@pytest.mark.parametrize(
    "error",
    [InputError("a\nb", where=""), CardError("a b"), FileNotFoundError("a  b")],
    ids=["input", "another of ours", "one that the command lists"],
)
def test_bad_input_is_told_in_one_line_with_status_two(
    capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    def work(_: Namespace) -> str:
        raise error

    assert status(work, "A4") == REFUSED == 2
    assert capsys.readouterr() == ("", "a b\n")


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("no card: \x1b[2J7d\x00", "no card: ?[2J7d?"),
        ("no card: \u20287d\u202e", "no card: 7d?"),
        ("no card: \udcff", "no card: ?"),
        ("x" * 9000, "x" * 197 + "..."),
    ],
    ids=["control characters", "separators and marks of direction", "no text", "9,000 characters"],
)
def test_the_line_shows_and_is_cut_whatever_the_input_holds(
    capsys: pytest.CaptureFixture[str], message: str, told: str
) -> None:
    def work(_: Namespace) -> str:
        raise InputError(message)

    assert status(work, "A4") == REFUSED
    assert capsys.readouterr() == ("", told + "\n")


def test_an_error_in_the_midst_of_a_long_command_is_told_too(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def work(_: Namespace) -> Iterator[str]:
        yield "first"
        raise InputError("torn")

    assert status(work, "A4") == REFUSED
    assert capsys.readouterr() == ("first\n", "torn\n")


def test_a_defect_is_not_taken_for_bad_input() -> None:
    def work(_: Namespace) -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        status(work, "A4")


@pytest.mark.parametrize(
    "arguments",
    [(), ("A4", "A5"), ("--thick", "A4")],
    ids=["nothing", "too much", "an unknown option"],
)
def test_a_wrong_command_line_names_the_help(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    assert status(lambda _: "", *arguments) == REFUSED
    told = capsys.readouterr().err
    assert told.endswith(": see fold --help\n")
    assert told.count("\n") == 1
    with pytest.raises(InputError) as caught:
        parser().parse_args(arguments)
    assert caught.value.where == "command line"


def test_nothing_is_said_where_stderr_is_closed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert status(lambda _: "") == REFUSED
    assert capsys.readouterr().out == ""


PROGRAM = """
import sys
from scoring.command_line import Parser, run_command
def work(options):
    yield "perché 7♦"
    yield from "x" * 10
sys.exit(run_command(Parser(), work))
"""


def test_output_is_utf_8_whatever_the_system_speaks() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, env=environment, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode("utf-8").split() == ["perché", "7♦", *"x" * 10]


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
def test_a_reader_that_has_enough_ends_a_command_quietly(unbuffered: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    with os.fdopen(writing, "w") as out:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            stdout=out, stderr=subprocess.PIPE, env=environment, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
