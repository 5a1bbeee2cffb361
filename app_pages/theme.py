"""The look: one style sheet, the card pictures as CSS classes, small pieces of HTML."""

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from pathlib import Path

import streamlit as st

from app_pages.drafts import DECK_CODES
from assets.deck import card_uri

LOOK = Path(__file__).with_name("look.css")
"""The style sheet every screen wears."""


def dress() -> None:
    """Puts the style sheet and the forty card pictures into the page."""
    st.html(LOOK)
    st.html(face_styles())


@cache
def face_styles() -> str:
    """Gives the style that shows a card's picture on `.f<code>` and on its picker button."""
    rules = (_face_rule(code) for code in DECK_CODES)
    return f"<style>{''.join(rules)}</style>"


def faces(codes: Iterable[str], *, width_px: int = 34) -> str:
    """Gives HTML that shows these cards side by side, in the deck's order."""
    held = frozenset(codes)
    style = f"width:{width_px}px;height:{round(width_px * 1.88)}px"
    spans = (
        f'<span class="face f{code}" style="{style}" title="{code}"></span>'
        for code in DECK_CODES
        if code in held
    )
    return f'<div class="faces">{"".join(spans)}</div>'


def _face_rule(code: str) -> str:
    worn_by = f".f{code}, .st-key-card_{code} button, .st-key-choose_{code} button"
    return f'{worn_by} {{ background-image: url("{card_uri(code)}"); }}'


def safe(text: str) -> str:
    """Gives a text that people typed so that HTML shows it as it is.

    >>> safe("<b>Anna")
    '&lt;b&gt;Anna'
    """
    return escape(text)


def note(sentence: str, *, kind: str = "") -> None:
    """Shows a sentence in a box: calm, `ask` (look!) or `stop` (it holds things up)."""
    st.html(f'<div class="note {kind}" role="status">{escape(sentence)}</div>')


def snap_label(label: str) -> None:
    """Writes our own words on the uploader's button."""
    selector = ".st-key-snap section button::after"
    st.html(f'<style>{selector} {{ content: "{_css_text(label)}"; }}</style>')


def picker_styles(
    *,
    here: Iterable[str],
    asked: Iterable[str],
    twice: Iterable[str],
    other: Sequence[tuple[str, str]],
) -> str:
    """Gives the style of the picker's states: in this pile, to answer, in two piles, elsewhere.

    `other` holds pairs of a code and the mark (a side's first letters) it wears.
    """
    marks = "".join(
        f'.st-key-card_{code} button::after {{ content: "{_css_text(mark)}"; }}'
        for code, mark in other
    )
    veils = "".join(
        f'.st-key-card_{code} button::before {{ content: ""; background: rgba(250,246,236,0.66); }}'
        for code, _ in other
    )
    return (
        "<style>"
        + _state(
            here,
            "border: 3px solid var(--green); box-shadow: 0 0 0 1px var(--green);",
            mark="✓",
            colour="--green",
        )
        + _state(
            asked,
            "border: 3px solid var(--warn); background-color: var(--warn-paper);",
            mark="?",
            colour="--warn",
        )
        + _state(twice, "border: 3px solid var(--accent);", mark="!", colour="--accent")
        + _state(
            (code for code, _ in other),
            "border: 1px solid var(--line);",
            mark="·",
            colour="--quiet",
        )
        + veils
        + marks
        + "</style>"
    )


def _state(codes: Iterable[str], look: str, *, mark: str, colour: str) -> str:
    chosen = [f".st-key-card_{code} button" for code in codes]
    if not chosen:
        return ""
    marks = ",".join(f"{one}::after" for one in chosen)
    return (
        f"{','.join(chosen)} {{ {look} }}"
        f'{marks} {{ content: "{mark}"; background: var({colour}); }}'
    )


def _css_text(text: str) -> str:
    return "".join(f"\\{ord(letter):x} " for letter in text)
