"""Every component of the screens: the pieces with a script of their own, by name.

A component `x` is `static/x.js`, with its markup in `static/x.html`, if it has any. Its script is
put together from the shared ones that it names: `storage` and `outbox` keep what somebody does on
the phone until the server has it, `shrink` makes photos smaller, `stream` and `listening` hear of
changes, `part` redraws a component when something new came, `choice` is the bottom sheet, `theme`
has Streamlit's colours follow ours.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

STATIC = Path(__file__).with_name("static")
"""The folder of scripts, style sheets and themes."""


SCRIPTS: dict[str, Sequence[str]] = {}
"""The scripts of each component by name, its own the last."""


def static_text(name: str) -> str:
    """The text of a file in `static/`."""
    return (STATIC / name).read_text(encoding="utf-8")


def _component(name: str, *shared: str) -> Callable[..., Any]:
    markup = static_text(f"{name}.html") if (STATIC / f"{name}.html").exists() else None
    SCRIPTS[name] = (*shared, name)
    return st.components.v2.component(
        f"settebello_{name}",
        html=markup,
        js="".join(static_text(f"{one}.js") for one in SCRIPTS[name]),
        isolate_styles=markup is None,  # what is shown takes the page's style sheets
    )


ON_PHONE = ("storage", "shrink", "outbox", "part")
"""What a component begins with that works while the line is down."""

COMPONENTS: Mapping[str, Callable[..., Any]] = {
    # of every screen
    "page": _component("page", "theme"),
    "messenger": _component("messenger", *ON_PHONE, "choice", "stream", "listening"),
    "themes": _component("themes", "theme"),
    "enter": _component("enter"),
    "passphrase": _component("passphrase"),
    # of a hand: they work while the line is down
    "buttons": _component("buttons", *ON_PHONE, "choice"),
    "tally": _component("tally", *ON_PHONE),
    "cards": _component("cards", *ON_PHONE),
    "snap": _component("snap", *ON_PHONE),
    "samples": _component("samples", *ON_PHONE, "choice"),
    "shot": _component("shot", *ON_PHONE, "choice"),
    # of one screen
    "phone_awake": _component("phone_awake", "awake"),
    "seats": _component("seats", "part"),
    "choosing": _component("choosing"),
    "file": _component("file", "shrink"),
    "picture": _component("picture"),
    "share": _component("share"),
}


def show(name: str, *, key: str, data: Mapping[str, Any] | None = None, **options: Any) -> Any:
    """Puts a component on the screen; gives what its script says, if anything.

    Args:
        name: Its name in `COMPONENTS`.
        key: Names it on the screen.
        data: What its script is given.
        options: `default` and `on_<event>_change`, as Streamlit's components take them.
    """
    return COMPONENTS[name](key=key, data=data, **options)
