"""The board: names and scores to be read from three metres. It needs no hand and stays awake."""

# ruff: noqa: D103  the functions of a page are its own

from dataclasses import replace

import streamlit as st

from screens import components, navigation, render, state
from screens.parts import board, frame, phone, sides
from screens.words import t
from store import log
from table import opening
from table.view import TableView, board_fingerprint


def watching(view: TableView) -> None:
    """Says how whoever watches could score.

    A table of an early release has no scorers' link: the first who wants it takes it over.
    """
    if view.table.is_closed:
        return  # the board says so
    if view.table.link_hash is not None:
        render.quiet(t("watching"))
    elif st.button(t("take_over"), key="take_over", width="stretch"):
        with frame.flash_errors():
            opening.take_over(state.store(), view.code, link=state.pending_link())
            link = state.pending_link()
            state.forget_link()
            phone.enter(navigation.join_path(view.code, link))
        st.rerun()


def menu(view: TableView) -> None:
    ways = {name: t(name) for name in ("history", "season", "referee", navigation.HOME)}
    if view.role.may_write:
        ways["invite"] = t("invite")
        if not view.match.is_over:
            ways = {"play": t("next_hand", hand=view.hand_no), **ways}
    with st.container(key="board_menu"), st.popover(t("menu")):
        with st.container(horizontal=True, vertical_alignment="center", key="ways"):
            for screen, label in ways.items():
                table = None if screen == navigation.HOME else view.code
                navigation.link(screen, label, table)
            frame.language_button()
        frame.theme_buttons()
        if not view.role.may_write:
            watching(view)


def main() -> None:
    with state.store().reading():  # one snapshot
        view = frame.require_view()
        with state.store().read(view.code) as table:
            proposals = len(log.conflicts(table))
        fingerprint = board_fingerprint(view, conflicts=proposals)
        shown = board.board(view)
    state.note_rendered(replace(state.rendered(), board=fingerprint))
    with st.container(key="board"):
        st.html(shown)
        components.show("board", key="awake")  # keeps it awake, opens it again after a sleep
    with st.container(key="board_notes"):
        frame.sample_mark(view)
        frame.flashes()
        if view.role.may_write:
            sides.proposals(view)
    menu(view)
    if not view.role.may_write:
        return
    if view.match.is_over:
        sides.rematch(view)
        return
    with st.container(key="board_steps"):
        label = t("next_hand", hand=view.hand_no)
        if st.button(label, key="next", type="primary", width="stretch"):
            navigation.go("play", view.code)


main()
