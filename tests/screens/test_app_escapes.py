"""What people type is shown as they typed it, on every screen: never as HTML, never as Markdown."""

import re
from html import unescape

import pytest
from app_driving import ANNA, BRUNO, app, facts, lay, open_table, record
from streamlit.testing.v1 import AppTest

from screens import render, state
from screens.navigation import SCREENS
from store import ConflictError, Table

pytestmark = pytest.mark.slow

HTML = "<img src=x onerror=alert(1)>"
MARKDOWN = "**[Bruno](http://x.example)**"
UNESCAPED = re.compile(r"(?<!\\)(\*|\[|<img)")


def table_of_hostile_names() -> Table:
    """A table with a hand confirmed, one that another phone sent too, and the next one begun."""
    table = open_table(HTML, MARKDOWN)
    record(table, scope=(1, 0))
    revision = state.store().match_of(table).revision
    record(table)
    hand = facts(BRUNO, ANNA, names=table.side_names, scope=(0, 0))
    with pytest.raises(ConflictError):
        state.store().record_hand(table, hand, key="late", expected=revision, device=HTML)
    lay(table, ANNA[:-1], BRUNO[:-2], hand_no=3)
    return table


def html_of(at: AppTest) -> str:
    shown = "".join(str(getattr(element, "value", "")) for element in at.get("html"))
    return re.sub(r"<style>.*?</style>", "", shown, flags=re.DOTALL)


NAMELESS = {"deck", "house"}
"""Screens on which no player's name stands."""


def labels_of(at: AppTest) -> list[str]:
    written = [str(element.value) for element in (*at.header, *at.subheader, *at.markdown)]
    return written + [str(element.label) for element in (*at.button, *at.expander)]


@pytest.mark.parametrize("screen", sorted({*SCREENS, "home of a table"} - NAMELESS))
def test_a_name_is_shown_as_it_was_typed(screen: str) -> None:
    table = table_of_hostile_names()
    at = app(
        screen.removesuffix(" of a table"), **({} if screen == "home" else {"table": table.code})
    )
    assert not at.exception
    assert "<img src=x" not in html_of(at)
    assert not [label for label in labels_of(at) if UNESCAPED.search(label)]
    assert HTML in unescape(html_of(at)) + "".join(labels_of(at)).replace("\\", "")


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("", ""),
        ("Anna", "Anna"),
        ("A_B", r"A\_B"),
        ("$x$", r"\$x\$"),
        (":red[x]", r"\:red\[x\]"),
        ("Mazzetto di Noi: 3", "Mazzetto di Noi: 3"),
    ],
)
def test_markdown_is_escaped_where_it_would_mean_something(typed: str, written: str) -> None:
    assert render.plain(typed) == written
