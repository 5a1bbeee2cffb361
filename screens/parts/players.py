"""The players of a season: a table, on a phone a list of cards; and two players compared."""

from markupsafe import Markup

from screens import render
from screens.times import day
from screens.words import isolated, standings, t
from table.season.statistics import HeadToHead, Season

FIGURES = ("won", "level", "matches", "points", "scope", "settebelli", "primiere", "napole")
"""The columns after the player; ties only if there are any."""

LAST = 5
"""Number of matches of two players to list."""


def season_table(season: Season) -> Markup:
    """Return HTML of every player's season, the most wins first."""
    level = any(one.level for one in season.standings)
    figures = [name for name in FIGURES if name != "level" or level]
    return _template().table(season.standings, figures)


def head_to_head(met: HeadToHead) -> Markup:
    """Return HTML of two players' matches against each other."""
    last = [
        f"{day(result.played_at)} · {standings(map(isolated, result.names), result.points)}"
        for result in met.last[:LAST]
    ]
    return _template().head_to_head(met, last)


def _template() -> render.Macros:
    return render.macros("season.html")


def span(season: Season) -> str:
    """Return which matches count: how many, from when to when, and which do not yet."""
    counted = t(
        "season_counted",
        n=len(season.results),
        first=day(season.results[0].played_at),
        last=day(season.results[-1].played_at),
    )
    return f"{counted} {t('season_open', n=season.still_open)}" if season.still_open else counted
