"""The log in its two formats, neither of which contains the text of an exception."""

import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from store import SettingError
from web.logging import THROTTLE_KEYS, PlainFormatter, Throttle, log_format, redact

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import logging, threading
foreign = logging.getLogger("foreign")
foreign.addHandler(logging.StreamHandler())
foreign.propagate = False
from web.logging import fields, log_context, set_up
set_up()
log = logging.getLogger("web.example")
with log_context(table="K7QF", request="r1"):
    log.info("a photo was taken off the queue", extra=fields(photo=3))
    with log_context(photo=4):
        log.warning("slow")
def fails():
    raise ValueError("Annamaria holds beach.jpg")
try:
    fails()
except ValueError as error:
    foreign.error("it failed: %s", error)
    try:
        raise KeyError("Annamaria") from error
    except KeyError:
        log.exception("a photo could not be read")
thread = threading.Thread(target=fails, name="reader")
thread.start()
thread.join()
"""
"""Logs as the app, a library and a failing thread do."""


def logged(form: str) -> str:
    """Return what is written in this format, after checking that it has no text of an exception."""
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env={**os.environ, "SETTEBELLO_LOG": form},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Annamaria" not in ran.stderr
    assert "beach" not in ran.stderr
    assert "it failed: ValueError" in ran.stderr
    assert ran.stderr.count("in fails") == 2, "where it was raised is logged"
    return ran.stderr


def test_json_log_holds_table_request_and_traceback() -> None:
    lines: list[Any] = [json.loads(line) for line in logged("json").splitlines()]
    first, second, *_ = lines
    assert first.pop("time").endswith("+00:00")
    assert first == {
        "level": "info",
        "logger": "web.example",
        "message": "a photo was taken off the queue",
        "table": "K7QF",
        "request": "r1",
        "photo": 3,
    }
    assert (second["table"], second["photo"]) == ("K7QF", 4)
    [caught] = [line for line in lines if line["message"] == "a photo could not be read"]
    assert "table" not in caught, "the context of other lines"
    kind, *rest = caught["raised"].splitlines()
    assert kind == "KeyError"
    assert "of ValueError" in rest
    [thread] = [line for line in lines if line.get("thread") == "reader"]
    assert (thread["level"], thread["raised"].splitlines()[0]) == ("error", "ValueError")


def test_a_person_reads_of_trouble_alone() -> None:
    text = logged("plain")
    assert "taken off the queue" not in text
    assert "WARNING web.example: slow table=K7QF request=r1 photo=4" in text
    assert redact(ValueError("Anna")) == "ValueError", "it was not raised, so it has no place"


@pytest.mark.parametrize(
    ("value", "form"), [("", "plain"), ("JSON", "json"), (" plain ", "plain"), ("xml", None)]
)
def test_the_owner_says_the_form(
    monkeypatch: pytest.MonkeyPatch, value: str, form: str | None
) -> None:
    monkeypatch.setenv("SETTEBELLO_LOG", value)
    if form is not None:
        assert log_format() == form
        return
    with pytest.raises(SettingError, match="plain or json in SETTEBELLO_LOG"):
        log_format()


def test_repeated_warning_is_logged_ten_times_a_minute() -> None:
    throttle = Throttle()

    def line(message: str, *, at: float, level: int = logging.WARNING) -> logging.LogRecord:
        record = logging.LogRecord("asyncio", level, "", 1, message, None, None)
        record.created = at
        return record

    written = [throttle.filter(line("no room", at=number / 100)) for number in range(1000)]
    assert written == [True] * 10 + [False] * 990
    assert throttle.filter(line("another", at=10.0))
    assert all(throttle.filter(line("request", at=10.0, level=logging.INFO)) for _ in range(50))
    later = line("no room", at=61.0)
    assert throttle.filter(later)
    assert "no room left_out=990" in PlainFormatter().format(later)
    for number in range(2 * THROTTLE_KEYS):
        assert throttle.filter(line(f"number {number}", at=70.0))
    assert len(throttle._counts) <= THROTTLE_KEYS
