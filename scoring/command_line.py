"""What every command of the project shares: exit status, errors, encoding and closed pipes.

A command is an argument parser and a function that turns the parsed options into text:

    def main(arguments: Sequence[str] | None = None) -> int:
        return run_command(_parser(), _answer, arguments=arguments, refused=(VisionError, OSError))

`run_command` returns the exit status: 0 when the work was done, 2 when the input was bad. Bad
input is a wrong command line, a `ScoringError` or one of the exceptions in `refused`; its message
goes to stderr as one line of 200 characters at most. Output is UTF-8 on every system. If the
reader closes the pipe early, as `head` does, the command ends quietly with 0.

The function of a slow command may be a generator: each text is printed as soon as it is yielded.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NoReturn

from scoring.errors import InputError, ScoringError, one_line

DONE, REFUSED = 0, 2
"""Exit statuses: the work was done; the input was bad."""


class Parser(argparse.ArgumentParser):
    """An argument parser that raises our error instead of printing its usage and exiting.

    Sub-commands need it too: `parser.add_subparsers(parser_class=Parser)`.

    >>> Parser(prog="score").parse_args(["--loud"])
    Traceback (most recent call last):
    scoring.errors.InputError: unrecognized arguments: --loud: see score --help
    """

    def error(self, message: str) -> NoReturn:
        """Refuse a command line.

        Raises:
            InputError: always.
        """
        raise InputError(f"{message}: see {self.prog} --help", where="command line")


def run_command(
    parser: Parser,
    work: Callable[[argparse.Namespace], str | Iterator[str]],
    *,
    arguments: Sequence[str] | None = None,
    refused: tuple[type[Exception], ...] = (),
) -> int:
    """Return the exit status of a command after its work is done and its text printed.

    Without `arguments` those of the process are parsed. `refused` lists the exceptions that mean
    bad input, in addition to `ScoringError`; any other exception is a defect and passes through.

    >>> parser = Parser(prog="double")
    >>> _ = parser.add_argument("number", type=int)
    >>> run_command(parser, lambda options: str(2 * options.number), arguments=["21"])
    42
    0
    """
    bad_input: tuple[type[Exception], ...] = (ScoringError, *refused)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # not so when a test captures the output
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        answer = work(parser.parse_args(arguments))
        for text in [answer] if isinstance(answer, str) else answer:
            print(text, flush=True)
    except BrokenPipeError:
        # Python flushes stdout once more when it exits, and would complain about the pipe then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except bad_input as error:
        if sys.stderr is not None:  # None if the calling process closed it
            print(one_line(str(error)), file=sys.stderr)
        return REFUSED
    return DONE
