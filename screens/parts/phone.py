"""The components on the phone: they store what the user does until the server has it.

They send through the outbox (`static/outbox.js`), so they work without a connection and while the
server is busy. They show the server's last snapshot plus what is still on its way.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, NoReturn, Self

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from scoring.cards import CODES
from scoring.record import HandRecord
from screens import components, photos, state
from screens.words import SIGNS, card, refusal, request_errors, scope_words, t
from store import Upload, UploadState
from table.hand.pile import PileCard
from table.view import TableView, piles_as_json


@dataclass(frozen=True, kw_only=True)
class Button:
    """What one tap does: a button, or a card on a sheet."""

    id: str
    """Its name on the screen."""
    label: str
    """Its label."""
    action: Mapping[str, Any] = field(default_factory=dict)
    """The action to send: "do" and its fields. None: it opens or closes a sheet."""
    kind: str = ""
    """A class of the style sheet."""
    face: str = ""
    """The code of a card to show instead of the label."""
    head: str = ""
    """The question on its sheet."""
    more: tuple[Self, ...] = ()
    """The buttons on its sheet."""
    side: int | None = None
    """The side whose sign and colour it has; None for no side."""
    pressed: bool | None = None
    """Whether it is the chosen one; None if it is no choice."""
    to: str = ""
    """The address to open once the server has the action; empty to stay."""


def enter(path: str) -> NoReturn:
    """Open an address outside Streamlit: a route that sets a cookie, or a board."""
    components.show("enter", key="enter", data={"to": path})
    st.stop()


def passphrase(*, is_inside: bool) -> None:
    """Log the organiser in by the passphrase, or out; then the page reloads."""
    data = {
        "inside": is_inside,
        "label": t("club_passphrase"),
        "button": t("club_leave" if is_inside else "club_enter"),
        "errors": request_errors(),
        "lost": t("lost_connection"),
    }
    components.show("passphrase", key="passphrase", data=data)


def messenger(place: DeltaGenerator) -> None:
    """Receive changes of the screen's table, and show what is on its way to it."""
    rendered = state.session().rendered
    here = rendered.address
    saved = {"hand": "{hand_no}", "points": "{saved_points}"}
    data = {
        "code": here.table,
        "revision": rendered.revision,
        "names": rendered.names,
        "pile": rendered.pile,
        "evening": rendered.evening,
        "elsewhere": t("phone_elsewhere", name="{name}", pile="{pile}"),
        "unnamed": t("phone_elsewhere_unnamed", pile="{pile}"),
        "holder": state.NOBODY_HERE if here.is_board else here.me,
        "cookie": state.HOLDER + here.table,
        "ways": {way: t(key, count="{count}") for way, key in WAYS.items()},
        "unkept": t("unkept", count="{count}"),
        "silent": t("silent_since", time="{time}"),
        "noNetwork": t("no_network"),
        "clock": t("clock_off", minutes="{minutes}"),
        "errors": request_errors(),
        "versions": {
            "named": t("hand_saved_named", **saved, name="{device}"),
            "saved": t("hand_saved", **saved),
            "unsaved": t("hand_not_saved", **saved),
            "own": t("version_own", points="{own_points}"),
            "replace": t("version_replace"),
            "save": t("version_save"),
            "discard": t("version_discard"),
        },
        "aside": {one: t(f"aside_{one}", name="{name}", status="{status}") for one in ASIDE},
        "oneTap": t("aside_tap"),
        "again": t("try_again"),
        "letGo": t("let_go"),
        "dropHead": t("photo_kept_drop", name="{name}"),
        "drop": t("photo_kept_drop_yes"),
        "close": t("close"),
    }
    with place:
        components.show("messenger", key="messenger", data=data, on_heard_change=lambda: None)


def tally(view: TableView, side: int, *, seat: Mapping[str, Any] | None = None) -> None:
    """Show a side's scope, with buttons for one more and one less.

    Args:
        view: The table.
        side: The side.
        seat: On the screen "Play" its "total", the most "digits" of a total, "target" and "pile"
            (its state); None for name and scope only.
    """
    data = data_of(view, side=side) | {
        "name": view.names[side],
        "letters": max(map(len, view.names)),
        "sign": SIGNS[side],
        "seat": seat,
        "scope": view.scope[side],
        **scope_words(view.match.rules),
    }
    components.show("tally", key=f"tally_{side}", data=data)


def buttons(
    view: TableView,
    offered: Sequence[Button],
    *,
    key: str,
    is_column: bool = False,
    cut: Mapping[str, Any] | None = None,
) -> None:
    """Draw buttons in a row or a column; `cut` is shown on the sheets that they open."""
    data = data_of(view) | {
        "acts": [asdict(act) for act in offered],
        "row": "column" if is_column else "row",
        "close": t("close"),
        "cut": None if cut is None else dict(cut),
    }
    components.show("buttons", key=key, data=data)


def save_label(view: TableView, facts: HandRecord) -> str:
    """Return what saving a hand does: "Save hand 3", or at the end "Save – Anna wins"."""
    if view.editing:
        return t("confirm_edit", hand=view.hand_no)
    winner = view.with_hand(facts).winner
    if winner is None:
        return t("confirm", hand=view.hand_no)
    return t("confirm_wins", name=view.names[winner])


def confirm(view: TableView, facts: HandRecord, label: str) -> Button:
    """Return the button that saves a hand as the screen shows it."""
    action = {
        "do": "confirm",
        "facts": facts.to_dict(),
        "log": view.row.revision,
        "revision": view.table.revision,
    }
    return Button(id="confirm", label=label, action=action, kind="primary")


def forty(view: TableView) -> None:
    """Draw the forty cards with where each is, and the number of each pile."""
    numbers = range(len(CODES) + 1)
    data = data_of(view) | {
        "names": view.names,
        "signs": SIGNS,
        "piles": piles_as_json(view),
        "cards": [{"code": code, "name": card(code)} for code in CODES],
        "label": t("picker_card", card="{card}", state="{state}"),
        "states": {
            "here": t("state_here"),
            "ask": t("state_ask"),
            "two": t("state_two"),
            "other": t("state_other", name="{name}"),
            "none": t("state_none"),
        },
        "counts": {
            "here": [t("counts_here", n=n) for n in numbers],
            "other": [t("counts_other", n=n, name="{name}") for n in numbers],
            "missing": [t("counts_missing", n=n) for n in numbers],
        },
    }
    components.show("cards", key="forty", data=data)


def snap(
    view: TableView,
    side: int,
    label: str,
    *,
    then: Sequence[int] = (),
    sent: Sequence[Upload] | None = None,
    replaces: Mapping[int, int] = MappingProxyType({}),
    key: str = "snap",
) -> None:
    """Draw the camera of a side's pile, and what became of photos.

    Args:
        view: The table.
        side: The side whose pile is photographed.
        label: The label of the camera; empty for no camera.
        then: The sides whose piles are photographed after it.
        sent: The photos of the hand that the server has; None where the screen does not show them,
            so that those on their way are shown here.
        replaces: By side, a photo to remove once another is taken.
        key: Its name on the screen.
    """
    labels = {side: label} if label else {}
    labels |= {one: t("snap_pile", name=view.names[one]) for one in then}
    cameras = [
        {"side": one, "label": named, "replaces": replaces.get(one)}
        for one, named in labels.items()
    ]
    shown = None if sent is None else [_upload(one) for one in sent if not is_waiting(one)]
    data = data_of(view, side=side) | {
        "names": view.names,
        "cameras": cameras,
        "files": t("snap_choose"),
        "sending": t("photo_sending", name="{name}"),
        "again": t("photo_kept_send", name="{name}", side=view.names[side]),
        "forget": t("photo_forget"),
        "take": t("photo_late_take", side=view.names[side]),
        "uploads": shown,
    }

    # one event a side: a tap on a screen that Streamlit has left since comes without its value
    noted: dict[str, Any] = {
        f"on_taken_{one}_change": partial(_note_taken, one) for one in range(len(view.names))
    }
    components.show("snap", key=key, data=data, **noted)


def _note_taken(side: int) -> None:
    state.session().taken = side


WAYS: Mapping[str, str] = MappingProxyType({
    "open": "on_their_way",
    "closed": "on_their_way",
    "busy": "way_busy",
    "ill": "way_ill",
    "foreign": "way_foreign",
})  # fmt: skip
"""The sentence for what waits on the phone, by its cause (`outbox.js`)."""

ASIDE = ("too_large", "forbidden", "foreign", "unsent", "unreadable")
"""Reasons why an item was not delivered although the server answers."""


def detection_ref(seen: PileCard) -> dict[str, Any]:
    """Return how a phone refers to a card on a photo."""
    return {"photo": seen.photo, "corners": [list(corner) for corner in seen.corners]}


def picture(view: TableView, photo: int) -> str:
    """Return the address of a photo of the table."""
    return f"/door/{view.code}/pictures/{photo}"


def cut_of(view: TableView, seen: PileCard) -> dict[str, Any] | None:
    """Return the part of a photo around a card, for the phone to cut; None if it was deleted."""
    jpeg = photos.photo(seen.photo)
    if jpeg is None:
        return None
    width, height = photos.size_wh(jpeg)
    src = picture(view, seen.photo)
    return {"photo": src, "width": width, "height": height, "corners": seen.corners}


def data_of(view: TableView, *, side: int | None = None) -> dict[str, Any]:
    """Return what every component gets: the context of its actions, and what it already shows."""
    return {
        "context": _hand_of(view, side=view.side if side is None else side),
        "revision": view.table.revision,
        "keys": view.keys,
    }


def _hand_of(view: TableView, *, side: int) -> dict[str, Any]:
    """Return the context of every action from this screen: its hand, and who holds the phone."""
    return {
        "code": view.code,
        "match": view.row.match_no,
        "hand": view.hand_no,
        "mending": view.editing is not None,
        "side": side,
        "me": view.me,
    }


def is_waiting(upload: Upload) -> bool:
    """Return whether a photo waits for a worker, or is being read."""
    return upload.state is UploadState.WAITING


def _upload(upload: Upload) -> dict[str, str | int]:
    """Return a photo that was refused, and why, or one that came after its hand."""
    if upload.state is UploadState.REFUSED and upload.refusal is not None:
        return {"id": upload.id, "kind": "refused", "text": refusal(upload.refusal)}
    text = t("photo_late", name=upload.name, hand=upload.hand_no)
    return {"id": upload.id, "kind": "late", "text": text}
