"""The log: what happened, at which table and in which request; never a name, a photo's or a secret.

    SETTEBELLO_LOG=plain   warnings and errors, for a person (the default)
    SETTEBELLO_LOG=json    every request and reading too, a JSON object a line, for a program

A message is a fixed sentence; what differs comes beside it: `LOG.info("photo read", extra=told(
seconds=2))`. The words of an exception may hold a name, so of exceptions only the kind is told and
where they were raised.
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
from types import MappingProxyType, TracebackType
from typing import Any

from store import SettingError

FORM = "SETTEBELLO_LOG"
"""Environment variable: how the log is written."""

OURS = ("app", "screens", "scoring", "store", "table", "vision", "web")
"""The packages whose log tells of every request and reading where a program reads it."""

LOG = logging.getLogger(__name__)

_ABOUT: ContextVar[Mapping[str, object]] = ContextVar("_ABOUT", default=MappingProxyType({}))


@contextmanager
def about(**fields: object) -> Iterator[None]:
    """Puts fields, such as the table, into every line that is logged inside."""
    token = _ABOUT.set({**_ABOUT.get(), **fields})
    try:
        yield
    finally:
        _ABOUT.reset(token)


def told(**fields: object) -> dict[str, object]:
    """What a line says beside its message, as `extra` of a call of a logger."""
    return {"told": fields}


def log_form() -> str:
    """How the log is written: "plain" or "json".

    Raises:
        SettingError: The environment names another form.
    """
    said = os.environ.get(FORM, "").strip().lower() or "plain"
    if said not in FORMATTERS:
        raise SettingError(FORM, expected=" or ".join(FORMATTERS), came=said)
    return said


def set_up() -> None:
    """Writes the whole process's log to stderr in the form that the environment names."""
    form = log_form()
    handler = logging.StreamHandler()
    handler.setFormatter(FORMATTERS[form]())
    logging.setLogRecordFactory(_Record)
    threading.excepthook = _thread_ended
    for logger in [logging.root, *logging.root.manager.loggerDict.values()]:
        if isinstance(logger, logging.Logger) and logger.handlers:
            logger.handlers.clear()
            logger.propagate = True
    logging.root.addHandler(handler)
    for name in OURS:
        logging.getLogger(name).setLevel(logging.INFO if form == "json" else logging.WARNING)


class _Record(logging.LogRecord):
    """A line of the log, without the words of exceptions."""

    about: Mapping[str, object]
    """What all lines of this context say."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.about = _ABOUT.get()
        if isinstance(self.args, tuple):
            self.args = tuple(
                type(one).__name__ if isinstance(one, BaseException) else one for one in self.args
            )
        if self.exc_info and self.exc_info[1] is not None:
            self.exc_text = wordless(self.exc_info[1])  # which formatters take as it is


def wordless(error: BaseException) -> str:
    """The kind of an exception and where it was raised, and so for what it came of.

    >>> wordless(ValueError("Anna's pile"))
    'ValueError'
    """
    told = [type(error).__name__]
    told += [f"  {at.filename}:{at.lineno} in {at.name}" for at in _frames(error.__traceback__)]
    came_of = error.__cause__ or error.__context__
    return "\n".join(told) + (f"\nof {wordless(came_of)}" if came_of is not None else "")


def _frames(trace: TracebackType | None) -> list[traceback.FrameSummary]:
    return list(traceback.extract_tb(trace))


class PlainFormatter(logging.Formatter):
    """Lines for a person."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, and where an exception was raised under it."""
        fields = "".join(f" {name}={value}" for name, value in _fields(record).items())
        line = f"{_time(record)} {record.levelname:<7} {record.name}: {record.getMessage()}{fields}"
        return line + (f"\n{record.exc_text}" if record.exc_text else "")


class JsonFormatter(logging.Formatter):
    """Lines for a program."""

    def format(self, record: logging.LogRecord) -> str:
        """One JSON object in one line."""
        line = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_fields(record),
        }
        if record.exc_text:
            line["raised"] = record.exc_text
        return json.dumps(line, ensure_ascii=False, default=str)


FORMATTERS: Mapping[str, type[logging.Formatter]] = MappingProxyType(
    {"plain": PlainFormatter, "json": JsonFormatter}
)
"""The forms in which the log can be written."""


def _fields(record: logging.LogRecord) -> dict[str, object]:
    """What a line says beside its message."""
    return {**getattr(record, "about", {}), **getattr(record, "told", {})}


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _thread_ended(args: threading.ExceptHookArgs) -> None:
    """Tells the log of a thread that ended by an exception, which Python prints with its words."""
    if args.exc_value is not None and not issubclass(args.exc_type, SystemExit):
        info = (args.exc_type, args.exc_value, args.exc_traceback)
        name = args.thread.name if args.thread else ""
        LOG.error("a thread ended by an exception", exc_info=info, extra=told(thread=name))
    sys.stderr.flush()
