"""Every component of the screens: the pieces that have a script, by name.

A component `x` is the module `static/x.js` and, if it has any, the markup `static/x.html`. Modules
import each other; `screens.look` serves them.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from screens import look


def _component(name: str, *, module: str = "") -> Callable[..., Any]:
    markup = look.STATIC / f"{name}.html"
    html = markup.read_text(encoding="utf-8") if markup.exists() else None
    address = look.address(f"{module or name}.js")
    return st.components.v2.component(
        f"settebello_{name}",
        html=html,
        # Streamlit runs this text from a blob, in which an import needs the whole address, and
        # takes a text of one line for a path
        js=f"const module = await import(location.origin + {json.dumps(address)});\n"
        "export default module.default;",
        isolate_styles=html is None,  # components with markup use the page's style sheets
    )


COMPONENTS: Mapping[str, Callable[..., Any]] = {
    name: _component(name)
    for name in (
        *("page", "messenger", "themes", "enter", "passphrase", "menu"),  # of every screen
        *("buttons", "tally", "cards", "snap", "photos"),  # of a hand
        *("phone_awake", "seats", "sample"),  # of one screen
        *("choosing", "file", "picture", "share"),
    )
} | {"dealers": _component("dealers", module="seats")}


def show(name: str, *, key: str, data: Mapping[str, Any] | None = None, **options: Any) -> Any:
    """Put a component on the screen; return what its script says, if anything.

    Args:
        name: Its name in `COMPONENTS`.
        key: Its name on the screen.
        data: The values that its script gets.
        options: `default` and `on_<event>_change`, as Streamlit's components take them.
    """
    return COMPONENTS[name](key=key, data=data, **options)
