"""The players of a season as a table that becomes a list of cards on a phone."""

from collections.abc import Iterator

from markupsafe import Markup

from screens.parts.past.moments import day
from screens.words import say
from table.season import HeadToHead, Result, Season, Standing

FIGURES = (
    *("won", "matches", "points", "scope", "settebelli", "primiere", "napole", "streak", "longest"),
)
"""The columns after the player."""

LAST = 5
"""How many matches of two players are told."""


def table(season: Season) -> Markup:
    """Gives HTML of every player's season, the most matches won first.

    It says its roles, as a table that is laid out as cards is no table for a screen reader else.
    """
    heads = (
        Markup('<th role="columnheader">{}</th>').format(say(f"season_{name}")) for name in FIGURES
    )
    rows = (_row(place, one) for place, one in enumerate(season.standings, start=1))
    return Markup(
        '<table class="season" role="table"><thead><tr role="row"><th role="columnheader">{player}'
        "</th>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    ).format(player=say("season_player"), heads=Markup("").join(heads), rows=Markup("").join(rows))


def _row(place: int, one: Standing) -> Markup:
    cells = (
        Markup('<td role="cell" class="{}" data-label="{}">{}</td>').format(
            name, say(f"season_{name}"), _figure(one, name)
        )
        for name in FIGURES
    )
    return Markup('<tr role="row"><th role="rowheader" translate="no">{}. {}</th>{}</tr>').format(
        place, one.name, Markup("").join(cells)
    )


def _figure(one: Standing, name: str) -> str:
    if name == "streak":
        return say("streak_won" if one.streak > 0 else "streak_lost", count=abs(one.streak))
    return str(getattr(one, name))


def head_to_head(met: HeadToHead) -> Markup:
    """Gives HTML of what two players did against each other."""
    rows = (
        Markup("<tr><td>{}</td><th scope=row>{}</th><td>{}</td></tr>").format(
            figures[0], say(f"season_{name}"), figures[1]
        )
        for name, figures in (("points", met.points), ("scope", met.scope))
    )
    last = (Markup("<li>{}</li>").format(_told(result)) for result in met.last[:LAST])
    return Markup(
        '<div class="duel"><div class="sides"><b translate="no">{one}</b><i>{won} : {lost}</i>'
        '<b translate="no">{other}</b></div><table>{rows}</table><ul>{last}</ul></div>'
    ).format(
        one=met.names[0],
        other=met.names[1],
        won=met.won[0],
        lost=met.won[1],
        rows=Markup("").join(rows),
        last=Markup("").join(last),
    )


def _told(result: Result) -> str:
    """One match: when, and with how many points for whom."""
    return f"{day(result.played_at)} · {points_told(result)}"


def points_told(result: Result) -> str:
    """Gives "Anna 11 · Bruno 8"."""
    pairs = zip(result.names, result.points, strict=True)
    return " · ".join(f"{name} {points}" for name, points in pairs)


def span(season: Season) -> str:
    """Says which matches count: how many, from when to when, and what does not count yet."""
    said = say(
        "season_counted",
        n=len(season.results),
        first=day(season.results[0].played_at),
        last=day(season.results[-1].played_at),
    )
    return " ".join((said, *_open(season)))


def _open(season: Season) -> Iterator[str]:
    if season.still_open:
        yield say("season_open", n=season.still_open)
