"""The photos of a pile with every card outlined; a tap on a card asks which card it is."""

from dataclasses import asdict
from typing import Any

from scoring.cards import CODES
from screens import components, photos, state
from screens.parts import guide, phone, questions, sides
from screens.parts.phone import Button
from screens.words import card, t
from store import Upload, uploads
from table.hand.pile import NOT_A_CARD, CardRef, PileCard
from table.registry import READ_AGAIN
from table.view import TableView


def draw(view: TableView) -> None:
    """Show the photos of the pile on the screen, and those on their way, in its side's colour."""
    draft = view.piles[view.side]
    owners = [
        Button(id=f"owner_{side}", label=t("photo_is_of", name=name), side=side, kind="wide")
        for side, name in enumerate(view.names)
    ]
    data = phone.data_of(view) | {
        "photos": [
            _photo(view, photo, number=number) for number, photo in enumerate(draft.photos, start=1)
        ],
        "waiting": [
            _waiting(view, upload)
            for upload in view.uploads
            if phone.is_waiting(upload) and upload.name != READ_AGAIN
        ],
        "count": _count(view),
        "replaces": guide.useless_photos(view.piles).get(view.side),
        "sides": view.names,
        "named": {code: card(code) for code in CODES},
        "out": t("outline_out"),
        "head": t("choose_head"),
        "forty": [asdict(act) for act in questions.any_card(view)],
        "owners": [asdict(owner) for owner in owners],
        "whose": t("photo_whose"),
        "moved": t("photo_moved", name="{name}"),
        "drop": t("photo_drop_sending"),
        "dropped": t("photo_dropped"),
        "deleted": t("crop_gone"),
        "undo": t("undo"),
        "another": t("snap_more"),
        "files": t("snap_choose"),
        "sending": t("photo_sending", name="{name}"),
        "reading": t("photo_being_read", name="{name}"),
        "close": t("close"),
    }
    components.show("photos", key="photos", data=data)


def _count(view: TableView) -> str:
    """Return how many cards the pile on the screen has: "18 ✓", or "18 of 19" with a doubt."""
    certain, number = sides.counted(view, view.side)
    if not number:
        return ""
    both = t("captured_of", certain=certain, number=number)
    return f"{number} ✓" if certain == number else both


def _photo(view: TableView, photo: int, *, number: int) -> dict[str, Any]:
    """Return the `number`th photo of the pile; a deleted one has no address."""
    jpeg = photos.photo(photo)
    width, height = (3, 4) if jpeg is None else photos.size_wh(jpeg)
    cards = [
        _mark(view, index)
        for index, one in enumerate(view.piles[view.side].detected)
        if one.photo == photo and jpeg is not None
    ]
    drop = Button(
        id=f"drop_{number}",
        label=t("photo_drop", number=number),
        action={"do": "remove", "photo": photo},
    )
    return {
        "id": photo,
        "src": "" if jpeg is None else phone.picture(view, photo),
        "alt": t("photo_alt", number=number, name=view.names[view.side], n=len(cards)),
        "width": width,
        "height": height,
        "cards": cards,
        "drop": asdict(drop),
    }


def _waiting(view: TableView, upload: Upload) -> dict[str, Any]:
    """Return a photo that waits for a worker or is being read, and how many are before it."""
    with state.store().reading() as session:
        before = uploads.waiting_before(session, upload.id)
    name = view.names[upload.side]
    wait = t("photo_in_line", name=name, before=before) if before else ""
    return {
        "id": upload.id,
        "key": upload.key,
        "side": upload.side,
        "text": wait or t("photo_being_read", name=name),
        "wait": wait,
    }


def _mark(view: TableView, index: int) -> dict[str, Any]:
    """Return the outline of a card, and the answers offered for it."""
    seen = view.piles[view.side].detected[index]
    asks = view.is_unclear(CardRef(view.side, index))
    kind = "ask" if asks else "out" if seen.code is None else "sure"
    return {
        "seen": phone.detection_ref(seen),
        "code": seen.code,
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
