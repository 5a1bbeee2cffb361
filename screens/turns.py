"""Screens are drawn one after another: two at once would take longer, and a tap longest.

Streamlit draws each screen in a thread of its own, and all of them work on one core. A screen waits
for its turn; one that has something long to do meanwhile, such as reading a photo, steps aside.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

_turn = threading.Lock()
_drawing = threading.local()


@contextmanager
def turn() -> Iterator[None]:
    """Waits until no other screen is being drawn; those of other threads wait meanwhile."""
    with _turn:
        _drawing.now = True
        try:
            yield
        finally:
            _drawing.now = False


@contextmanager
def aside() -> Iterator[None]:
    """Lets other screens be drawn meanwhile, where this thread is drawing one."""
    if not getattr(_drawing, "now", False):
        yield
        return
    _drawing.now = False
    _turn.release()
    try:
        yield
    finally:
        _turn.acquire()
        _drawing.now = True
