"""The organiser's screen, behind the passphrase: all tables of the club and what is done there."""

from collections.abc import Sequence

import streamlit as st
from markupsafe import Markup

from scoring.errors import ScoringError
from screens import navigation, state
from screens.look import theme
from screens.parts import frame, phone
from screens.parts.past import moments, take_away
from screens.words import say, why
from store import Table
from table import commands
from table.sitting import sit

SHOWN = 40
"""The most tables of an evening, and of the evenings before, the latest first."""


def how_it_is(row: Table) -> str:
    """Says how far a table is: closed, won, or at which hand."""
    if row.is_closed:
        return say("club_is_closed")
    if row.winner is not None:
        return say("club_is_won", name=row.side_names[row.winner])
    return say("club_is_playing", hand=row.hands + 1)


def told(row: Table, *, today: bool) -> Markup:
    """Gives HTML of a table: its standing, its code, since when it is there, how far it is."""
    standings = " · ".join(f"{n} {t}" for n, t in zip(row.side_names, row.totals, strict=True))
    since = moments.hour(row.opened_at) if today else moments.when(row.opened_at)
    return Markup(
        '<div class="club-row{closed}"><b translate="no">{standings}</b>'
        '<span><i translate="no">{code}</i> · {since} · {how}</span></div>'
    ).format(
        closed=" closed" if row.is_closed else "",
        standings=standings,
        code=row.code,
        since=since,
        how=how_it_is(row),
    )


def turn(row: Table) -> None:
    """Closes a table, or opens it again."""
    with frame.spoken():
        sitting = sit(state.store(), row.code, held=state.held())
        if row.is_closed:
            commands.open_again(state.store(), sitting)
            state.tell(say("club_opened_again", code=row.code))
        else:
            commands.close_table(state.store(), sitting)
            state.tell(say("club_closed", code=row.code))


def table(row: Table, *, today: bool) -> None:
    """Draws one table and what the organiser can do there."""
    with st.container(key=f"club_{row.code}", border=True):
        st.html(told(row, today=today))
        with st.container(horizontal=True, key=f"acts_{row.code}"):
            if st.button(say("club_correct"), key=f"correct_{row.code}"):
                navigation.go("history", row.code)
            if st.button(say("board"), key=f"board_{row.code}"):
                navigation.go("board", row.code)
            label = say("club_open_again" if row.is_closed else "club_close")
            if st.button(label, key=f"turn_{row.code}"):
                turn(row)
                st.rerun()


def tables(rows: Sequence[Table], *, today: bool) -> None:
    """Draws some tables side by side, as many as the screen has room for."""
    with st.container(key="club_today" if today else "club_before"):
        for row in rows:
            table(row, today=today)


def everything() -> None:
    """Draws the tables of today, and those of before where somebody asks for them."""
    try:
        rows = state.store().list_tables(since=moments.evening(), most=SHOWN)
        st.subheader(say("club_today", n=len(rows)))
        st.button(say("club_anew"), key="club_anew")  # any tap draws the list anew
        tables(rows, today=True)
        if st.toggle(say("club_earlier"), key="club_earlier"):
            last = rows[-1] if rows else None
            tables(state.store().list_tables(before=last, most=SHOWN), today=False)
    except ScoringError as error:
        theme.note(why(error), kind="stop")


def files() -> None:
    """Offers all matches of the club as files."""
    try:
        rows = state.matches()
    except ScoringError as error:
        theme.note(why(error), kind="stop")
        return
    if rows:
        st.subheader(say("club_files"))
        take_away.downloads(rows, name=say("file_club"), with_players=True)


def main() -> None:
    """Draws the list, or asks for the passphrase."""
    with st.container(key="bar", horizontal=True, vertical_alignment="center"):
        home = navigation.script(navigation.HOME)
        st.page_link(home, label="‹", query_params=navigation.way())
        frame.language_button()
    frame.sentences()
    st.header(say("page_club"))
    if not state.guard().organiser.is_there:
        theme.note(say("club_none"), kind="ask")
    elif not state.held().is_organiser:
        phone.passphrase(is_inside=False)
    else:
        everything()
        files()
        phone.passphrase(is_inside=True)


main()
