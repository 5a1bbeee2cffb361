"""Many matches together: the players, two players compared, charts and files."""

# ruff: noqa: D103  the functions of a page are its own

from collections.abc import Sequence

import streamlit as st

from screens import render, state
from screens.parts import charts, downloads, frame, players
from screens.words import t
from store import PlayedMatch
from table.season.statistics import Season, season_of


def matches_shown() -> tuple[PlayedMatch, ...]:
    """Draw the band and return the matches that count.

    These are the matches of the address's table. Without a table, they are those of this device's
    tables, or for the organiser those of all tables.
    """
    if state.address().table:
        view = frame.require_view()
        frame.band(view, back="play")
        return state.matches([view.code])
    frame.bar(t("season_all" if state.credentials().is_organiser else "season_mine"))
    frame.flashes()
    return state.matches(None if state.credentials().is_organiser else state.my_tables())


def two_players(season: Season) -> None:
    names = {one.player: one.name for one in season.standings}
    st.subheader(t("duel_head"))
    with st.container(key="duel"):
        one = st.selectbox(
            t("duel_one"), names, index=0, key="duel_one", format_func=names.__getitem__
        )
        others = [player for player in names if player != one]
        other = st.selectbox(
            t("duel_other"), others, index=0, key="duel_other", format_func=names.__getitem__
        )
    met = season.between(one or others[0], other or others[0])
    if met.matches:
        st.html(players.head_to_head(met))
    else:
        st.write(render.plain(t("duel_never", one=met.names[0], other=met.names[1])))


def season_drawn(season: Season) -> None:
    render.quiet(players.span(season))
    st.html(players.season_table(season))
    if len(season.results) > 1:
        st.subheader(t("season_chart"))
        best = season.standings[: charts.MOST]
        description = " · ".join(f"{one.name} {one.points}" for one in best)
        charts.draw(charts.season_points(season), "season", description=description)
        if len(season.standings) > charts.MOST:
            few = t("season_chart_few", count=charts.MOST)
            render.quiet(few)
    two_players(season)


def files(rows: Sequence[PlayedMatch]) -> None:
    if rows:
        st.subheader(t("take_away"))
        downloads.season_files(rows, name=t("file_season"))
    club = state.auth().organiser
    if not state.address().table and (state.credentials().is_organiser or not club.exists):
        downloads.bring_in()


def main() -> None:
    rows = matches_shown()
    season = season_of(rows)
    st.header(t("season_head"))
    if season.results:
        season_drawn(season)
    else:
        st.write(t("season_empty"))
    files(rows)


main()
