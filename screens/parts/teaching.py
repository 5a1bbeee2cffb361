"""A deck that is being taught: its cards as they were seen, and what is still to be done."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import streamlit as st

from scoring.cards import CODES
from screens import components, render
from screens.photos import TAUGHT_WH, card_of_deck
from screens.words import card, cards, t
from store import ReferenceImage
from table.decks import LEAST_CARDS, check_of, unnamed

LAID = tuple(CODES[:10])
"""The cards of the drawn example."""
MOST_NAMED = 6
"""No more cards than this are named in a sentence."""


@dataclass(frozen=True, kw_only=True)
class Named:
    """What somebody said of a card of a deck."""

    view: int
    """The number of its picture."""
    code: str | None
    """The card, or None: none of this deck."""


def picture_of_it() -> None:
    """Shows how to lay a deck out."""
    st.html(render.piece("laid_deck", LAID))


def tiles(views: Sequence[ReferenceImage], *, key: str) -> Named | None:
    """Draws cards of a deck; gives what somebody has said of one of them just now."""
    twice = frozenset(check_of(views).twice)
    width, height = TAUGHT_WH
    data = {
        "cards": [_tile(view, is_twice=view.code in twice) for view in views],
        "faces": [{"face": code, "label": card(code)} for code in CODES],
        "out": t("deck_not_of_it"),
        "close": t("close"),
        "wide": width,
        "high": height,
    }
    result = components.show("taught", key=key, data=data, on_answered_change=lambda: None)
    answered: Any = result.answered
    if not answered or answered.get("code") not in {None, *CODES}:
        return None
    return Named(view=int(answered["view"]), code=answered["code"])


def to_do(views: Sequence[ReferenceImage]) -> bool:
    """Says what is known and what is still to be done; whether the deck may be kept."""
    check, left = check_of(views), unnamed(views)
    known = len(CODES) - len(check.missing)
    st.html(render.piece("deck_known", known))
    if left:
        render.note(t("deck_unnamed", n=len(left)), kind="ask")
    covered = sum(view.is_covered and not view.is_out for view in views)
    if covered:
        render.note(t("deck_covered", n=covered), kind="ask")
    if check.twice:
        render.note(t("deck_twice", cards=cards(check.twice)), kind="ask")
    if 0 < len(check.again) <= MOST_NAMED:
        render.note(t("deck_again", cards=cards(check.again)), kind="ask")
    if 0 < len(check.missing) <= MOST_NAMED:
        missing = cards(check.missing)
        render.note(t("deck_missing", cards=missing, n=len(check.missing)), kind="ask")
    elif check.missing:
        render.note(t("deck_missing_many", n=len(check.missing)), kind="ask")
    return known >= LEAST_CARDS and not left and not check.twice


def alike(pairs: Sequence[tuple[str, str]]) -> None:
    """Says which cards a deck may take for one another, and what to do."""
    if pairs:
        named = ", ".join(f"{card(one)} / {card(other)}" for one, other in pairs[:MOST_NAMED])
        render.note(t("deck_alike", pairs=named))


def _tile(view: ReferenceImage, *, is_twice: bool) -> dict[str, Any]:
    is_card = view.code in CODES
    name = card(view.code) if is_card else t("deck_which")
    state = _state(view, is_twice=is_twice)
    return {
        "view": view.id,
        "picture": _uri(view.jpeg),
        "code": view.code if is_card else None,
        "name": name if state != "out" else t("deck_out"),
        "state": state,
        "label": t("deck_tile", card=name, state=t(f"deck_state_{state}")),
        "question": t("deck_question", card=name) if is_card else t("deck_question_open"),
        "right": t("deck_right", card=name),
    }


def _state(view: ReferenceImage, *, is_twice: bool) -> str:
    if view.is_out:
        return "out"
    if view.is_covered:
        return "covered"
    if view.code not in CODES or not view.is_sure:
        return "ask"
    return "twice" if is_twice else "known"


@lru_cache(maxsize=512)
def _uri(jpeg: bytes) -> str:
    return f"data:image/jpeg;base64,{b64encode(card_of_deck(jpeg)).decode()}"
