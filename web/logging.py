"""The log: events with their table and request, without names, file names of photos, or secrets.

    SETTEBELLO_LOG=plain   warnings and errors, for people (the default)
    SETTEBELLO_LOG=json    also every request and reading, one JSON object each, for programs

A message is a fixed sentence. Values are fields: `LOG.info("photo read", extra=fields(seconds=2))`.
The text of an exception may contain a name, so only the type of an exception and the place where it
was raised are logged.
"""

import json
import logging
import os
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from scoring.errors import one_line
from store import SettingError

LOG_FORMAT = "SETTEBELLO_LOG"
"""Environment variable with the format of the log."""

OURS = ("app", "screens", "scoring", "store", "table", "vision", "web")
"""The packages that log every request and reading if the format is JSON."""

THROTTLE_MOST, THROTTLE_SECONDS = 10, 60.0
"""Maximum number of times that the same warning is written in this many seconds."""

MAX_LETTERS = 2000
"""Maximum length of a message in the plain format: a library may log what a phone sent."""

THROTTLE_KEYS = 1000
"""Maximum number of different warnings to count."""

LOG = logging.getLogger(__name__)

_CONTEXT: ContextVar[Mapping[str, object]] = ContextVar("_CONTEXT", default=MappingProxyType({}))


@contextmanager
def log_context(**values: object) -> Iterator[None]:
    """Add fields, such as the table, to every line that is logged inside."""
    token = _CONTEXT.set({**_CONTEXT.get(), **values})
    try:
        yield
    finally:
        _CONTEXT.reset(token)


def fields(**values: object) -> dict[str, object]:
    """Return the fields of a line, for the argument `extra` of a logger."""
    return {"fields": values}


def log_format() -> str:
    """Return the format of the log: "plain" or "json".

    Raises:
        SettingError: The environment names another format.
    """
    name = os.environ.get(LOG_FORMAT, "").strip().lower() or "plain"
    if name not in FORMATTERS:
        raise SettingError(LOG_FORMAT, expected=" or ".join(FORMATTERS), came=name)
    return name


def set_up() -> None:
    """Write the log of the whole process to stderr in the configured format."""
    name = log_format()
    handler = logging.StreamHandler()
    handler.setFormatter(FORMATTERS[name]())
    handler.addFilter(Throttle())
    logging.setLogRecordFactory(_RedactedRecord)
    threading.excepthook = _log_thread_error
    for logger in [logging.root, *logging.root.manager.loggerDict.values()]:
        if isinstance(logger, logging.Logger) and logger.handlers:
            logger.handlers.clear()
            logger.propagate = True
    logging.root.addHandler(handler)
    for package in OURS:
        logging.getLogger(package).setLevel(logging.INFO if name == "json" else logging.WARNING)


def redact(error: BaseException) -> str:
    """Return a traceback without text: type of an exception, where it was raised, and its cause.

    >>> redact(ValueError("Anna's pile"))
    'ValueError'
    """
    frames = traceback.extract_tb(error.__traceback__)
    lines = [type(error).__name__]
    lines += [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
    cause = error.__cause__ or error.__context__
    return "\n".join(lines) + (f"\nof {redact(cause)}" if cause is not None else "")


class _RedactedRecord(logging.LogRecord):
    """A log record without the text of exceptions, and with the fields of its context."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.context = _CONTEXT.get()
        if isinstance(self.args, tuple):
            self.args = tuple(
                type(arg).__name__ if isinstance(arg, BaseException) else arg for arg in self.args
            )
        if self.exc_info and self.exc_info[1] is not None:
            self.exc_text = redact(self.exc_info[1])  # formatters use it unchanged


class Throttle(logging.Filter):
    """Limits how often each warning is written: a frequent failure would fill the log."""

    def __init__(self) -> None:
        super().__init__()
        self._counts: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write a line. The first of a new minute says how many were dropped."""
        if record.levelno < logging.WARNING:
            return True
        key = record.name, str(record.msg)
        since, count = self._counts.get(key, (record.created, 0))
        if record.created - since >= THROTTLE_SECONDS:
            if count > THROTTLE_MOST:
                record.fields = {**_own_fields(record), "left_out": count - THROTTLE_MOST}
            since, count = record.created, 0
        if len(self._counts) >= THROTTLE_KEYS:
            self._counts.clear()
        self._counts[key] = since, count + 1
        return count < THROTTLE_MOST


class PlainFormatter(logging.Formatter):
    """Lines for people, followed by the place where an exception was raised."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line, or several with an exception."""
        values = "".join(f" {name}={value}" for name, value in _fields_of(record).items())
        text = one_line(f"{record.getMessage()}{values}", limit=MAX_LETTERS)
        line = f"{_time(record)} {record.levelname:<7} {record.name}: {text}"
        return line + (f"\n{record.exc_text}" if record.exc_text else "")


class JsonFormatter(logging.Formatter):
    """One JSON object per line, for programs."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
        line = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_fields_of(record),
        }
        if record.exc_text:
            line["raised"] = record.exc_text
        return json.dumps(line, default=str)  # ASCII: no character controls a terminal


FORMATTERS: Mapping[str, type[logging.Formatter]] = MappingProxyType(
    {"plain": PlainFormatter, "json": JsonFormatter}
)
"""The formats of the log by name."""


def _fields_of(record: logging.LogRecord) -> dict[str, object]:
    return {**getattr(record, "context", {}), **_own_fields(record)}


def _own_fields(record: logging.LogRecord) -> dict[str, object]:
    found: dict[str, object] = getattr(record, "fields", {})
    return found


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _log_thread_error(args: threading.ExceptHookArgs) -> None:
    """Log that an exception ended a thread. Python would print the text of the exception."""
    if args.exc_value is not None and not issubclass(args.exc_type, SystemExit):
        info = (args.exc_type, args.exc_value, args.exc_traceback)
        name = args.thread.name if args.thread else ""
        LOG.error("a thread ended by an exception", exc_info=info, extra=fields(thread=name))
    sys.stderr.flush()
