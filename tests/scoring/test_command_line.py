"""What every command shares: exit status, one line for bad input, UTF-8, closed pipes."""

import os
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator

import pytest

from scoring.command_line import DONE, REFUSED, Parser, run_command
from scoring.errors import CardError, InputError

Output = pytest.CaptureFixture[str]


def parser() -> Parser:
    made = Parser(prog="fold")
    made.add_argument("paper")
    return made


def status(work: Callable[[Namespace], str | Iterator[str]], *arguments: str) -> int:
    return run_command(parser(), work, arguments=arguments, refused=(OSError,))


def raising(error: Exception) -> Callable[[Namespace], str]:
    def work(_: Namespace) -> str:
        raise error

    return work


def test_the_text_is_printed_and_the_status_is_zero(capsys: Output) -> None:
    assert status(lambda options: f"{options.paper} folded", "A4") == DONE == 0
    assert capsys.readouterr() == ("A4 folded\n", "")


def test_a_long_command_prints_each_text_when_it_is_there(capsys: Output) -> None:
    seen = []

    def work(_: Namespace) -> Iterator[str]:
        yield "first"
        seen.append(capsys.readouterr().out)
        yield "second"
        raise InputError("torn")

    assert status(work, "A4") == REFUSED
    assert (seen, capsys.readouterr()) == (["first\n"], ("second\n", "torn\n"))


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (InputError("a\nb", where=""), "a b"),
        (CardError("a b"), "a b"),
        (FileNotFoundError("a  b"), "a b"),
        (InputError("no card: \x1b[2J7d\x00"), "no card: ?[2J7d?"),
        (InputError("no card: \u20287d\u202e"), "no card: 7d?"),
        (InputError("no card: \udcff"), "no card: ?"),
        (InputError("x" * 9000), "x" * 197 + "..."),
    ],
    ids=["input", "ours", "one that the command lists", "control", "direction", "no text", "long"],
)
def test_bad_input_gives_one_line_and_status_two(
    capsys: Output, error: Exception, line: str
) -> None:
    assert status(raising(error), "A4") == REFUSED == 2
    assert capsys.readouterr() == ("", f"{line}\n")


def test_a_defect_is_not_taken_for_bad_input() -> None:
    with pytest.raises(ZeroDivisionError):
        status(raising(ZeroDivisionError()), "A4")


@pytest.mark.parametrize("arguments", [(), ("A4", "A5"), ("--thick", "A4")])
def test_a_wrong_command_line_names_the_help(
    monkeypatch: pytest.MonkeyPatch, capsys: Output, arguments: tuple[str, ...]
) -> None:
    assert status(lambda _: "", *arguments) == REFUSED
    line = capsys.readouterr().err
    assert line.endswith(": see fold --help\n")
    assert line.count("\n") == 1
    with pytest.raises(InputError) as caught:
        parser().parse_args(arguments)
    assert caught.value.where == "command line"
    monkeypatch.setattr(sys, "stderr", None)  # as where whoever started the command closed it
    assert status(lambda _: "", *arguments) == REFUSED
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
