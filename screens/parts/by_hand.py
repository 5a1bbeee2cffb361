"""Points added to a hand by hand: declared in play, or corrected with a reason; the bell.

A screen of a hand calls `is_last = by_hand.ask(view)`. The points are stored at the table with the
piles, so that every phone shows them. They are part of `TableView.facts`.
"""

from dataclasses import replace
from typing import Any

import streamlit as st

from scoring.record import MOST, REASON_LETTERS
from screens import render, state
from screens.parts import frame
from screens.words import t
from table import actions
from table.hand.pile import ByHand
from table.requests import Request
from table.view import TableView


def ask(view: TableView) -> bool:
    """Draw the fields, with corrections collapsed; return whether the bell was rung."""
    if view.rules.declared:
        st.subheader(t("declared"))
        for side, name in enumerate(view.names):
            _declared(view, side, name)
    corrected = any(side.correction for side in view.facts.sides)
    with st.expander(t("corrections"), key="by_hand", expanded=corrected):
        for side, name in enumerate(view.names):
            _corrected(view, side, name)
    rang = bool(view.editing) and view.match.hands[view.hand_no - 1].is_last
    return view.rules.bell and st.toggle(t("bell_rang"), rang, key=f"bell_{_hand(view)}")


def _hand(view: TableView) -> str:
    return f"{view.row.match_no}-{view.hand_no}"


def _key(view: TableView, side: int, field: str) -> str:
    """Return the key of a field; a change from another phone gives it a new key and value."""
    return f"by_hand_{field}_{_hand(view)}_{side}_{getattr(view.by_hand(side), field)}"


def _keep(view: TableView, side: int, *fields: str) -> None:
    """Store what was typed into some fields of a side."""
    typed = {field: st.session_state[_key(view, side, field)] for field in fields}
    _put(view, side, replace(view.by_hand(side), **typed))


def _declared(view: TableView, side: int, name: str) -> None:
    """Draw a side's declared points, with a button for each declarable combination."""
    kept = view.by_hand(side)
    row = st.container(
        horizontal=True, vertical_alignment="bottom", gap="xsmall", key=f"declared_{side}"
    )
    with row:
        st.number_input(
            render.plain(name),
            0,
            MOST,
            kept.declared,
            key=_key(view, side, "declared"),
            on_change=_keep,
            args=(view, side, "declared"),
            width=90,
        )
        for setting in ("small_hand", "three_alike"):
            if points := getattr(view.rules, setting):
                more = replace(kept, declared=kept.declared + points)
                label = t(f"declare_{setting}", points=points)
                key = f"declare_{setting}_{side}"
                st.button(label, key=key, on_click=_put, args=(view, side, more))


def _corrected(view: TableView, side: int, name: str) -> None:
    kept, fields = view.by_hand(side), ("correction", "reason")
    correction, reason = (_key(view, side, field) for field in fields)
    keep: dict[str, Any] = {"on_change": _keep, "args": (view, side, *fields)}
    label = t("correction", name=render.plain(name))
    st.number_input(label, -MOST, MOST, kept.correction, key=correction, **keep)
    why = t("correction_reason")
    st.text_input(why, kept.reason, max_chars=REASON_LETTERS, key=reason, **keep)


def _put(view: TableView, side: int, points: ByHand) -> None:
    request = Request(
        do="by_hand",
        payload={"side": side, "points": points},
        match_no=view.row.match_no,
        hand_no=view.hand_no,
        is_editing=bool(view.editing),
        side=view.side,
        me=view.me,
    )
    with frame.flash_errors():
        actions.execute(state.store(), view.code, request, credentials=state.credentials())
