"""The organiser's screen: all tables of the club, behind the passphrase."""

import streamlit as st

from scoring.errors import ScoringError
from screens import navigation, state
from screens.look import theme
from screens.parts import frame, phone
from screens.words import say, why
from table.store import TableRow

SHOWN = 40
"""The most tables on the screen, the latest first."""


def table(row: TableRow) -> None:
    """Offers one table."""
    standings = " · ".join(f"{n} {t}" for n, t in zip(row.side_names, row.totals, strict=True))
    label = say("recent", standings=standings, code=row.code)
    if st.button(theme.plain(label), key=f"club_{row.code}", width="stretch"):
        navigation.go("play", row.code)


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
        try:
            for row in state.store().list_tables(most=SHOWN):
                table(row)
        except ScoringError as error:
            theme.note(why(error), kind="stop")
        phone.passphrase(is_inside=True)


main()
