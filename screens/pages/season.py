"""Many matches together: the players, two of them against each other, charts, files."""

from collections.abc import Sequence

import streamlit as st
from markupsafe import Markup

from screens import navigation, state
from screens.look import theme
from screens.parts import frame
from screens.parts.past import charts, sheet, standings, take_away
from screens.words import say
from store import PlayedMatch
from table.season import Season, season_of


def matches_shown() -> tuple[PlayedMatch, ...]:
    """Draws the band, and gives the matches that count.

    Those of the table of the address; without one, of the tables that this device was at, or of all
    tables for the organiser.
    """
    if state.address().table:
        sitting = frame.seated()
        frame.band(sitting, back="play")
        return state.matches([sitting.code])
    with st.container(key="bar", horizontal=True, vertical_alignment="center"):
        home = navigation.script(navigation.HOME)
        st.page_link(home, label="‹", query_params=navigation.way())
        st.html(
            Markup('<div class="band">{}</div>').format(
                say("season_all" if state.held().is_organiser else "season_mine")
            )
        )
        frame.language_button()
    frame.sentences()
    return state.matches(None if state.held().is_organiser else state.my_tables())


def two_players(season: Season) -> None:
    """Lets two players be chosen, and draws what they did against each other."""
    names = {one.player: one.name for one in season.standings}
    st.subheader(say("duel_head"))
    with st.container(key="duel"):
        one = st.selectbox(
            say("duel_one"), names, index=0, key="duel_one", format_func=names.__getitem__
        )
        others = [player for player in names if player != one]
        other = st.selectbox(
            say("duel_other"), others, index=0, key="duel_other", format_func=names.__getitem__
        )
    met = season.between(one or others[0], other or others[0])
    if met.matches:
        st.html(standings.head_to_head(met))
    else:
        st.write(theme.plain(say("duel_never", one=met.names[0], other=met.names[1])))


def season_drawn(season: Season) -> None:
    """Draws what the matches come to."""
    st.html(Markup('<p class="quiet">{}</p>').format(standings.span(season)))
    st.html(standings.table(season))
    if len(season.results) > 1:
        st.subheader(say("season_chart"))
        best = season.standings[: charts.MOST]
        told = " · ".join(f"{one.name} {one.points}" for one in best)
        charts.draw(charts.season_points(season), "season", told=told)
        if len(season.standings) > charts.MOST:
            few = say("season_chart_few", count=charts.MOST)
            st.html(Markup('<p class="quiet">{}</p>').format(few))
    two_players(season)
    st.html(sheet.season(season))


def files(rows: Sequence[PlayedMatch]) -> None:
    """Draws what can be taken away and brought in."""
    if rows:
        st.subheader(say("take_away"))
        take_away.downloads(rows, name=say("file_season"), with_players=True)
        sheet.print_button()
    club = state.guard().organiser
    if not state.address().table and (state.held().is_organiser or not club.is_there):
        take_away.bring_in()


def main() -> None:
    """Draws the season."""
    rows = matches_shown()
    sheet.dress()
    season = season_of(rows)
    st.header(say("season_head"))
    if season.results:
        season_drawn(season)
    else:
        st.write(say("season_empty"))
    files(rows)


main()
