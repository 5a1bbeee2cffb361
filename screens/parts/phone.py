"""The components that work on the phone: they keep what somebody does until the server has it.

Each is a piece of HTML with a script beside it in `screens/look`. They send through the outbox of
`door/`, so they work while the line is down and while the server is busy; what they show is what
the server said last, with what is still on its way added.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from screens import state
from screens.look import theme
from screens.words import door_errors, refusal, say
from table.sitting import Sitting
from table.store import UploadRow, UploadState

OUTBOX = "/door/outbox.js"
"""Where the outbox's script is served."""

_messenger = st.components.v2.component(
    "settebello_messenger",
    html='<div class="messenger"></div>',
    css=theme.PHONE_CSS.read_text(encoding="utf-8"),
    js=theme.script("messenger"),
    isolate_styles=False,
)

_tally = st.components.v2.component(
    "settebello_tally",
    html='<div class="tally"><div class="scope"><span class="made"></span> <b></b></div>'
    '<button class="more"></button><button class="less"></button></div>',
    js=theme.script("tally"),
    isolate_styles=False,
)

_snap = st.components.v2.component(
    "settebello_snap",
    html='<div class="snap"><ul aria-live="polite"></ul>'
    '<label class="camera"><span></span><input type="file" accept="image/*" capture="environment">'
    '</label><label class="files"><span></span>'
    '<input type="file" accept="image/*,.heic,.heif,.avif" multiple></label></div>',
    js=theme.script("snap"),
    isolate_styles=False,
)


_enter = st.components.v2.component("settebello_enter", js=theme.file_text("enter.js"))

_passphrase = st.components.v2.component(
    "settebello_passphrase",
    html='<form class="passphrase"><label><span></span><input type="password" '
    'autocomplete="current-password" required></label><button></button>'
    '<p role="alert"></p></form>',
    css=theme.PHONE_CSS.read_text(encoding="utf-8"),
    js=theme.file_text("passphrase.js"),
    isolate_styles=False,
)


def enter(path: str) -> NoReturn:
    """Leaves for a path of the door that gives this phone its pass; it leads back to a screen."""
    _enter(key="enter", data={"to": path})
    st.stop()


def passphrase(*, is_inside: bool) -> None:
    """Lets the organiser in by the passphrase, or out; the page is loaded anew then."""
    data = {
        "inside": is_inside,
        "label": say("club_passphrase"),
        "button": say("club_leave" if is_inside else "club_enter"),
        "errors": door_errors(),
        "lost": say("lost_connection"),
    }
    _passphrase(key="passphrase", data=data)


def messenger(place: DeltaGenerator) -> None:
    """Listens for changes of the table on the screen, and says what is on its way to it."""
    revision, drawn = state.drawn()
    data = {
        "code": drawn.table,
        "revision": revision,
        "script": OUTBOX,
        "waiting": say("on_their_way", count="{count}"),
        "errors": door_errors(),
    }
    with place:
        _messenger(key="messenger", data=data, on_heard_change=lambda: None)


def tally(sitting: Sitting, side: int) -> None:
    """Shows the scope that a side has made, with the buttons for one more and one less."""
    data = {
        "told": _told(sitting, side=side),
        "revision": sitting.table.revision,
        "script": OUTBOX,
        "scope": sitting.scope[side],
        "made": say("scope_made"),
        "more": say("scopa"),
        "less": say("scopa_undo"),
    }
    _tally(key=f"tally_{side}", data=data)


def snap(sitting: Sitting, uploads: Sequence[UploadRow]) -> None:
    """Lets somebody take or choose photos of the pile, and shows how far each is."""
    data = {
        "told": _told(sitting, side=sitting.side),
        "revision": sitting.table.revision,
        "script": OUTBOX,
        "camera": say("snap_take"),
        "files": say("snap_choose"),
        "sending": say("photo_sending", name="{name}"),
        "forget": say("photo_forget"),
        "uploads": [_told_upload(upload) for upload in uploads if upload.side == sitting.side],
    }
    _snap(key="snap_photos", data=data)


def _told(sitting: Sitting, *, side: int) -> dict[str, Any]:
    """What every delivery from this screen says: the hand on it, and who holds the phone."""
    return {
        "code": sitting.code,
        "match": sitting.row.match_no,
        "hand": sitting.hand_no,
        "mending": sitting.mending is not None,
        "side": side,
        "me": sitting.me,
    }


def _told_upload(upload: UploadRow) -> Mapping[str, str | int]:
    """How far a photo is that the server has: in line, or refused, and why."""
    if upload.state is UploadState.REFUSED and upload.refusal is not None:
        return {"id": upload.id, "kind": "refused", "text": refusal(upload.refusal)}
    before = state.store().waiting_before(upload.id)
    key = "photo_in_line" if before else "photo_being_read"
    return {"kind": "waiting", "text": say(key, name=upload.name, before=before)}
