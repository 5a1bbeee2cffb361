"""The organiser's screen, behind the passphrase: all tables of the club."""

# ruff: noqa: D103  the functions of a page are its own

from collections.abc import Sequence

import streamlit as st

from scoring.errors import ScoringError
from screens import navigation, render, state, times
from screens.parts import downloads, frame, phone
from screens.words import error_text, isolated, standings, t
from store import Table
from store.tables import newest

SHOWN = 40
"""Most tables to list for today, and for earlier days; the latest first."""


def how_it_is(row: Table) -> str:
    """Return a table's state: closed, won, or the hand being played."""
    if row.is_closed:
        return t("club_is_closed")
    if row.winner is not None:
        return t("club_is_won", name=isolated(row.side_names[row.winner]))
    if row.is_over:
        return t("ends_level")
    return t("club_is_playing", hand=row.hands + 1)


def turn(row: Table) -> None:
    with frame.flash_errors():
        if row.is_closed:
            state.execute(row.code, "reopen")
            state.flash(t("club_opened_again", code=row.code))
        else:
            state.execute(row.code, "close")
            state.flash(t("club_closed", code=row.code))


def table(row: Table, *, today: bool) -> None:
    with st.container(key=f"club_{row.code}", border=True):
        since = times.hour(row.opened_at) if today else times.when(row.opened_at)
        st.html(
            render.piece(
                "club_table",
                row,
                standings(map(isolated, row.side_names), row.totals),
                since,
                how_it_is(row),
            )
        )
        with st.container(horizontal=True, key=f"acts_{row.code}"):
            if st.button(t("club_correct"), key=f"correct_{row.code}"):
                navigation.go("history", row.code)
            navigation.board_link(row.code)
            label = t("club_open_again" if row.is_closed else "club_close")
            if st.button(label, key=f"turn_{row.code}"):
                turn(row)
                st.rerun()


def tables(rows: Sequence[Table], *, today: bool) -> None:
    with st.container(key="club_today" if today else "club_before"):
        for row in rows:
            table(row, today=today)


def everything() -> None:
    try:
        with state.store().reading() as session:
            rows = newest(session, since=times.evening(), most=SHOWN)
        st.subheader(t("club_today", n=len(rows)))
        st.button(t("club_anew"), key="club_anew")  # any tap draws the list again
        tables(rows, today=True)
        if st.toggle(t("club_earlier"), key="club_earlier"):
            last = rows[-1] if rows else None
            with state.store().reading() as session:
                older = newest(session, before=last, most=SHOWN)
            tables(older, today=False)
    except ScoringError as error:
        render.note(error_text(error), kind="stop")


def files() -> None:
    try:
        rows = state.matches()
    except ScoringError as error:
        render.note(error_text(error), kind="stop")
        return
    if rows:
        st.subheader(t("club_files"))
        downloads.season_files(rows, name=t("file_club"))


def main() -> None:
    frame.bar(t("page_club"))
    frame.flashes()
    if not state.auth().organiser.exists:
        render.note(t("club_none"), kind="ask")
    elif not state.credentials().is_organiser:
        phone.passphrase(is_inside=False)
    else:
        everything()
        files()
        phone.passphrase(is_inside=True)


main()
