"""A photo with every card outlined; a tap on a card asks which card it is."""

from dataclasses import asdict
from typing import Any

from scoring.cards import CODES
from screens import components, photos
from screens.parts import phone, questions
from screens.parts.phone import Button
from screens.words import card, t
from table.hand.pile import NOT_A_CARD, CardRef, PileCard
from table.view import TableView


def photo_view(view: TableView, photo: int, *, number: int) -> None:
    """Show the `number`th photo of the pile on the screen, in its side's colour."""
    jpeg = photos.photo(photo)
    if jpeg is None:
        return
    width, height = photos.size_wh(jpeg)
    draft = view.piles[view.side]
    cards = [_mark(view, i) for i, one in enumerate(draft.detected) if one.photo == photo]
    sure = drop_button(photo, number=number)
    data = phone.data_of(view) | {
        "src": phone.picture(view, photo),
        "alt": t("photo_alt", number=number, name=view.names[view.side], n=len(cards)),
        "width": width,
        "height": height,
        "cards": cards,
        "names": {code: card(code) for code in CODES},
        "out": t("outline_out"),
        "head": t("choose_head"),
        "forty": [asdict(act) for act in questions.any_card({})],
        "drop": asdict(Button(id="drop", label="×", head=t("photo_drop_sure"), more=(sure,))),
        "dropLabel": sure.label,
        "close": t("close"),
    }
    components.show("shot", key=f"photo_{photo}", data=data)


def drop_button(photo: int, *, number: int) -> Button:
    """Return the button that removes the photo and its cards from the pile."""
    action = {"do": "remove", "photo": photo}
    return Button(id=f"drop_{number}", label=t("photo_drop", number=number), action=action)


def _mark(view: TableView, index: int) -> dict[str, Any]:
    """Return the outline of a card, and the answers offered for it."""
    seen = view.piles[view.side].detected[index]
    asks = view.is_unclear(CardRef(view.side, index))
    kind = "ask" if asks else "out" if seen.code is None else "sure"
    return {
        "seen": phone.detection_ref(seen),
        "label": _label(seen, asks=asks),
        "kind": kind,
        "more": [asdict(act) for act in questions.likely(view, index)],
    }


def _label(seen: PileCard, *, asks: bool) -> str:
    """Return what a screen reader says for an outline, and whether the card is in question."""
    if seen.code:
        name = card(seen.code)
        return t("picker_card", card=name, state=t("state_ask")) if asks else name
    read = "" if seen.answer == NOT_A_CARD or seen.is_unread else seen.guess
    return t({"back": "outline_face_down", "x": "outline_no_card"}.get(read, "outline_out"))
