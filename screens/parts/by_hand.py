"""What is added to a hand by hand: points declared in play, corrections with a reason, the bell.

One call on a screen of a hand: `is_last = by_hand.ask(view)`. The points are kept at the table with
the piles, so that every phone shows them, and `TableView.facts` holds them.
"""

from dataclasses import replace

import streamlit as st

from scoring.record import MOST, REASON_LETTERS
from screens import render, state
from screens.parts import frame
from screens.words import t
from table import actions
from table.pile import ByHand
from table.requests import Request
from table.view import TableView


def ask(view: TableView) -> bool:
    """Draws the fields, folded away where the rules declare nothing; says whether the bell rang."""
    rules = view.match.rules
    added = any(side.declared or side.correction for side in view.facts.sides)
    with st.expander(t("points_by_hand"), key="by_hand", expanded=rules.declared or added):
        for side, name in enumerate(view.names):
            with st.container(key=f"by_hand_{side}"):
                _side(view, side, name)
    return rules.bell and st.toggle(t("bell_rang"), key=f"bell_{_hand(view)}")


def _hand(view: TableView) -> str:
    return state.hand_name(match_no=view.row.match_no, hand_no=view.hand_no)


def _side(view: TableView, side: int, name: str) -> None:
    """The fields of one side; what another phone changed shows in them with the next run."""
    rules, kept = view.match.rules, view.by_hand(side)
    keys = {
        one: f"by_hand_{one}_{_hand(view)}_{side}_{value}"
        for one, value in (
            ("declared", kept.declared),
            ("correction", kept.correction),
            ("reason", kept.reason),
        )
    }

    def keep() -> None:
        values = {
            one: st.session_state[key] for one, key in keys.items() if key in st.session_state
        }
        _put(view, side, replace(kept, **values))

    st.html(render.piece("bold", name))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if rules.declared:
            st.number_input(
                t("declared"), 0, MOST, kept.declared, key=keys["declared"], on_change=keep
            )
            for setting in ("small_hand", "three_alike"):
                if points := getattr(rules, setting):
                    more = replace(kept, declared=kept.declared + points)
                    label = t(f"declare_{setting}", points=points)
                    key = f"declare_{setting}_{side}"
                    st.button(label, key=key, on_click=_put, args=(view, side, more))
        st.number_input(
            t("correction"), -MOST, MOST, kept.correction, key=keys["correction"], on_change=keep
        )
        st.text_input(
            t("correction_reason"),
            kept.reason,
            max_chars=REASON_LETTERS,
            key=keys["reason"],
            on_change=keep,
        )


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
