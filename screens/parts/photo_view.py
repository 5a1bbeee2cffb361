"""A photo with every card outlined and named; a tap on a card asks which one it is."""

from dataclasses import asdict
from typing import Any

from scoring.cards import CODES
from screens import components, photos, state
from screens.parts import phone, questions
from screens.words import french_sign, t
from store import Drawing
from table.pile import NOT_A_CARD, PileCard
from table.view import TableView

SHORT_RANKS: tuple[str, ...] = ("A", "2", "3", "4", "5", "6", "7", "F", "C", "R")
"""Ranks 1 to 10 as the labels on a photo abbreviate them, in either language."""

SHORT_SUITS = {"d": "den", "c": "cop", "s": "spa", "b": "bas"}
"""Suits as the labels on a photo abbreviate them, by their letters."""


def photo_view(view: TableView, photo: int, *, number: int) -> None:
    """Shows one photo of the pile on the screen, the `number`th of it."""
    jpeg = photos.photo(photo)
    if jpeg is None:
        return
    width, height = photos.size_wh(jpeg)
    draft = view.piles[view.side]
    cards = [_mark(view, i) for i, one in enumerate(draft.detected) if one.photo == photo]
    data = phone.data_of(view) | {
        "src": phone.picture(view, photo),
        "alt": t("photo_number", number=number),
        "width": width,
        "height": height,
        "cards": cards,
        "labels": {code: _short(code) for code in CODES},
        "out": t("outline_out"),
        "head": t("choose_head"),
        "forty": [asdict(act) for act in questions.any_card({})],
        "close": t("close"),
    }
    components.show("shot", key=f"photo_{photo}", data=data)


def _mark(view: TableView, index: int) -> dict[str, Any]:
    """What the outline of a card shows, and the answers that are offered for it."""
    seen = view.piles[view.side].detected[index]
    unclear = seen.is_open or seen.is_unread
    kind = "ask" if unclear else "out" if seen.code is None else "sure"
    return {
        "seen": phone.detection_ref(seen),
        "label": _label(seen) + (" ?" if seen.is_open else ""),
        "suit": seen.code[-1] if seen.code else "n",
        "kind": kind,
        "more": [asdict(act) for act in questions.likely(view, index)],
    }


def _label(seen: PileCard) -> str:
    if seen.is_unread:
        return "?"
    if seen.code:
        return _short(seen.code)
    read = "" if seen.answer == NOT_A_CARD else seen.guess
    return t({"back": "outline_face_down", "x": "outline_no_card"}.get(read, "outline_out"))


def _short(code: str) -> str:
    """The name of a card in as few letters as a photo has room for."""
    if state.card_style() is Drawing.FRENCH:
        return french_sign(code)
    return f"{SHORT_RANKS[int(code[:-1]) - 1]} {SHORT_SUITS[code[-1]]}"
