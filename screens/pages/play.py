"""During play: one tap per scopa, and the red button is the camera. Then: who won, a rematch."""

# ruff: noqa: D103  the functions of a page are its own

from dataclasses import replace

import streamlit as st

from screens import navigation, state
from screens.parts import board, frame, guide, match_picture, phone, questions, sides
from screens.parts.saved import saved, undo
from screens.words import t
from table.view import TableView


def count(view: TableView) -> None:
    """Draw the camera for the next pile, and the ways to count without it."""
    taken, left = state.session().taken, sides.to_snap(view)
    if taken is not None:
        navigation.go("settle", view.code, side=taken)
    side = left[0] if left else None
    if view.is_settled:
        side = view.side
        if st.button(t("to_points"), key="onward", type="primary", width="stretch"):
            navigation.go("points", view.code, side=side)
    elif side is None:
        if st.button(t("go_on"), key="go_on", type="primary", width="stretch"):
            asked = questions.sides_of(view, view.questions.next_step)
            side = view.me if view.me in asked else asked[0]
            navigation.go("settle", view.code, side=side)
    else:
        label = t("snap_pile", name=view.names[side])
        bad = guide.useless_photos(view.piles)
        phone.snap(view, side, label, then=left[1:], replaces=bad)
    with st.container(key="other_ways", horizontal=True):
        begun = sides.begun_by(view)
        if side is not None:  # otherwise the red button leads there
            by_cards = begun == "cards"
            label = t("go_on" if by_cards else "tap_cards")
            navigation.link(
                "settle", label, view.code, side=side, by_hand=None if by_cards else True
            )
        navigation.link("quick", t("go_on" if begun == "quick" else "quick"), view.code)
        saved(view)


def end(view: TableView) -> None:
    """Draw a match that is over: who won, its picture, and for some seconds *Undo*."""
    st.html(board.end(view))
    with st.container(key="end_acts"):
        if row := match_picture.row_of(view):
            match_picture.draw(row)
        if state.session().offers_undo and view.row.can_undo:
            phone.buttons(view, [replace(undo(view), kind="quiet")], key="end_undo")
    sides.rematch(view)


def main() -> None:
    view = frame.require_view(for_scorers=True)
    frame.band(view)
    with st.container(key="fold"):
        if view.match.is_over:
            with st.container(key="end"):
                end(view)
        else:
            with st.container(key="sides"):
                for side in range(len(view.names)):
                    sides.seat(view, side)
            with st.container(key="steps"):
                count(view)


main()
