"""The players of a season: a table, a list of cards on a phone; and two players compared."""

from markupsafe import Markup

from screens import render
from screens.times import day
from screens.words import isolated, standings, t
from table.season import HeadToHead, Season

FIGURES = ("won", "level", "matches", "points", "scope", "settebelli", "primiere", "napole")
"""The columns after the player; that of level matches only where there are any."""

LAST = 5
"""How many matches of two players are listed."""


def season_table(season: Season) -> Markup:
    """HTML of every player's season, the most matches won first."""
    level = any(one.level for one in season.standings)
    figures = [name for name in FIGURES if name != "level" or level]
    return _template().table(season.standings, figures)


def head_to_head(met: HeadToHead) -> Markup:
    """HTML of what two players did against each other."""
    last = [
        f"{day(result.played_at)} · {standings(map(isolated, result.names), result.points)}"
        for result in met.last[:LAST]
    ]
    return _template().head_to_head(met, last)


def _template() -> render.Macros:
    return render.macros("season.html")


def span(season: Season) -> str:
    """Says which matches count: how many, from when to when, and what does not count yet."""
    counted = t(
        "season_counted",
        n=len(season.results),
        first=day(season.results[0].played_at),
        last=day(season.results[-1].played_at),
    )
    return f"{counted} {t('season_open', n=season.still_open)}" if season.still_open else counted
