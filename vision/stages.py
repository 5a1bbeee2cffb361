"""How far a reading is, told to whoever wants to know; where nobody does, it costs nothing."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum, unique


@unique
class Stage(StrEnum):
    """What is being done with a photo."""

    OPENING = "opening"
    """Its file is made a picture."""
    FINDING = "finding"
    """The boxes of its cards are found."""
    NAMING = "naming"
    """The cards are named."""


_HEARS: ContextVar[Callable[[Stage], None] | None] = ContextVar("_HEARS", default=None)


@contextmanager
def told_to(hears: Callable[[Stage], None]) -> Iterator[None]:
    """Has the stages of what is read inside told to a function.

    >>> with told_to(print):
    ...     reached(Stage.NAMING)
    naming
    >>> reached(Stage.NAMING)
    """
    token = _HEARS.set(hears)
    try:
        yield
    finally:
        _HEARS.reset(token)


def reached(stage: Stage) -> None:
    """Says that a stage begins."""
    hears = _HEARS.get()
    if hears is not None:
        hears(stage)
