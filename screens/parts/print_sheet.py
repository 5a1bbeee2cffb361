"""A match and a season on paper, and the players of a season as a table.

The table becomes a list of cards on a phone; what is printed does not show on the screen.
"""

from markupsafe import Markup

from scoring.match import Match
from screens import components, render, state
from screens.parts import lines, rules
from screens.times import day
from screens.words import point_label, standings, t
from store import PlayedMatch
from table.rating import ratings
from table.season import HeadToHead, Result, Season

FIGURES = (
    *("won", "level", "matches", "points", "scope", "settebelli", "primiere", "napole"),
    *("streak", "longest"),
)
"""The columns after the player; that of level matches only where there are any."""

LAST = 5
"""How many matches of two players are listed."""


def print_button() -> None:
    """Draws the button that opens the browser's print dialog."""
    components.show("printer", key="printer", data={"label": t("print")})


def season_table(season: Season, *, rates: bool = False) -> Markup:
    """HTML of every player's season, the most matches won first; with `rates`, their ratings."""
    found = ratings(season.results) if rates else {}
    rated = {player: t("rating_is", mu=f"{one.mu:.1f}", off=f"{2 * one.sigma:.1f}")
             for player, one in found.items()}  # fmt: skip
    level = any(one.level for one in season.standings)
    figures = [name for name in FIGURES if name != "level" or level]
    return _template().table(season.standings, figures, rated)


def career(season: Season, player: str) -> Markup:
    """HTML of what a player came to: matches, where the points come from, against whom."""
    one = next(row for row in season.standings if row.player == player)
    kinds = sorted(one.by_kind.items(), key=lambda kind: -kind[1])
    points = [(point_label(name), made) for name, made in kinds]
    return _template().career(one, points, season.met_by(player))


def head_to_head(met: HeadToHead) -> Markup:
    """HTML of what two players did against each other."""
    last = [
        f"{day(result.played_at)} · {standings(result.names, result.points)}"
        for result in met.last[:LAST]
    ]
    return _template().head_to_head(met, last)


def season(season: Season) -> Markup:
    """HTML of the printed season: the table, and every match with its points."""
    matches = [
        (day(result.played_at), _first(result), standings(result.names, result.points))
        for result in season.results
    ]
    return _template().printed(span(season), season_table(season), matches)


def _first(result: Result) -> str:
    names = [result.names[side] for side in result.first]
    return names[0] if len(names) == 1 else t("season_level_of", names=" – ".join(names))


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


def match(row: PlayedMatch) -> Markup:
    """HTML of a printed match: its hands with their totals, and the points with why."""
    played = row.match
    language = state.language()
    hands = [
        None if hand.is_empty else lines.short(played.score(place, lang=language), played.names)
        for place, hand in enumerate(played.hands)
    ]
    points = [played.scores[place].points for place in range(len(played.standings))]
    return render.template(
        "match.html",
        totals=standings(played.names, played.totals),
        when=f"{row.code} · {day(row.opened_at)} · {outcome(played)}",
        played_by=rules.played_by(played),
        names=played.names,
        rows=list(zip(points, played.standings, strict=True)),
        hands=hands,
    )


def outcome(played: Match) -> str:
    """Says who won a match, or that it goes on."""
    if played.winner is None:
        return t("ends_level" if played.is_over else "still_played")
    return t("wins", name=played.names[played.winner])
