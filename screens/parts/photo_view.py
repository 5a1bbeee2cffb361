"""A photo with every card outlined and named; a tap on a card reports which one it was."""

from collections.abc import Sequence

import streamlit as st

from screens.look import theme
from screens.words import say
from table.seen import NOT_HERE, Seen

SHORT_RANKS: tuple[str, ...] = ("A", "2", "3", "4", "5", "6", "7", "F", "C", "R")
"""Ranks 1 to 10 as the labels on a photo abbreviate them, in either language."""

SHORT_SUITS = {"d": "den", "c": "cop", "s": "spa", "b": "bas"}
"""Suits as the labels on a photo abbreviate them, by their letters."""

_outlined = st.components.v2.component(
    "settebello_outlined",
    html='<div class="outlined"><svg role="group"></svg></div>',
    css=theme.OUTLINE_CSS.read_text(encoding="utf-8"),
    js=theme.OUTLINE_JS.read_text(encoding="utf-8"),
    isolate_styles=False,
)


def photo_view(
    photo: int, jpeg: bytes, *, seen: Sequence[tuple[int, Seen]], size_wh: tuple[int, int]
) -> int | None:
    """Shows one photo and gives the card that was just tapped, None if none was.

    `seen` pairs each card with its index in the draft; the index of the tapped one is given.
    """
    marks = [_mark(index, one) for index, one in seen]
    data = {"width": size_wh[0], "height": size_wh[1], "cards": marks}
    with st.container(key=f"shot_{photo}"):
        st.image(jpeg, width="stretch")
        result = _outlined(key=f"photo_{photo}", data=data, on_tap_change=lambda: None)
    tap = result.get("tap")
    return None if tap is None else int(tap)


def _mark(index: int, seen: Seen) -> dict[str, object]:
    unclear = seen.is_open or seen.is_unread
    kind = "ask" if unclear else "out" if seen.code is None else "sure"
    return {
        "index": index,
        "corners": [list(corner) for corner in seen.corners],
        "label": _label(seen) + (" ?" if seen.is_open else ""),
        "suit": seen.code[-1] if seen.code else "n",
        "kind": kind,
    }


def _label(seen: Seen) -> str:
    if seen.is_unread:
        return "?"
    if seen.code:
        return f"{SHORT_RANKS[int(seen.code[:-1]) - 1]} {SHORT_SUITS[seen.code[-1]]}"
    read = "" if seen.answer == NOT_HERE else seen.guess
    return say({"back": "outline_face_down", "x": "outline_no_card"}.get(read, "outline_out"))
