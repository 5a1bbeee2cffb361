"""What is printed: a sheet of its own that the screen does not show, and the button that prints."""

from pathlib import Path

import streamlit as st
from markupsafe import Markup

from scoring.match import Match
from screens import state
from screens.look import theme
from screens.parts import lines
from screens.parts.past import standings
from screens.parts.past.moments import day
from screens.words import say
from store import PlayedMatch
from table.season import Season

STYLE_SHEETS = ("past.css", "print.css")
"""Style of what was played, on the screen and on paper."""

_printer = st.components.v2.component(
    "settebello_printer",
    html='<button class="plain"></button>',
    js=Path(theme.__file__).with_name("printer.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def dress() -> None:
    """Puts the style of what was played into the page."""
    for name in STYLE_SHEETS:
        st.html(theme.LOOK / name)


def print_button() -> None:
    """Draws the button that opens the browser's print dialog."""
    _printer(key="printer", data={"label": say("print")})


def season(season: Season) -> Markup:
    """Gives HTML of the printed season: the table, and every match with its points."""
    rows = (
        Markup('<tr><td>{}</td><td translate="no">{}</td><td translate="no">{}</td></tr>').format(
            day(result.played_at), result.names[result.winner], standings.points_told(result)
        )
        for result in season.results
    )
    return Markup(
        '<div class="printed"><h1>{head}</h1><p>{span}</p>{table}'
        '<table class="figures"><thead><tr><th>{day}</th><th>{won}</th><th>{points}</th></tr>'
        "</thead><tbody>{rows}</tbody></table></div>"
    ).format(
        head=say("season_head"),
        span=standings.span(season),
        table=standings.table(season),
        day=say("sheet_day"),
        won=say("sheet_won"),
        points=say("season_points"),
        rows=Markup("").join(rows),
    )


def match(row: PlayedMatch) -> Markup:
    """Gives HTML of a printed match: its hands with their totals, and the points with why."""
    played = row.match
    hands = (_hand(played, place) for place in range(len(played.hands)))
    return Markup(
        '<div class="printed"><h1 translate="no">{names}</h1><p>{when}</p>{table}{hands}</div>'
    ).format(
        names=" · ".join(f"{n} {t}" for n, t in zip(played.names, played.totals, strict=True)),
        when=f"{row.code} · {day(row.opened_at)} · {outcome(played)}",
        table=totals_table(played),
        hands=Markup("").join(hands),
    )


def outcome(played: Match) -> str:
    """Says who won a match, or that it goes on."""
    if played.winner is None:
        return say("still_played")
    return say("wins", name=played.names[played.winner])


def totals_table(played: Match) -> Markup:
    """Gives HTML of the points of each hand, with the totals after it."""
    heads = (Markup('<th scope=col translate="no">{}</th>').format(n) for n in played.names)
    rows = []
    for place, totals in enumerate(played.standings):
        points = played.scores[place].points
        cells = (
            Markup("<td>+{} <b>{}</b></td>").format(*pair)
            for pair in zip(points, totals, strict=True)
        )
        label = say("hand_row", hand=place + 1)
        rows.append(
            Markup("<tr><th scope=row>{}</th>{}</tr>").format(label, Markup("").join(cells))
        )
    return Markup(
        '<table class="figures"><thead><tr><td></td>{}</tr></thead><tbody>{}</tbody></table>'
    ).format(Markup("").join(heads), Markup("").join(rows))


def _hand(played: Match, place: int) -> Markup:
    """One printed hand."""
    told = lines.short(played.score(place, lang=state.language()), played.names)
    if played.hands[place].is_empty:
        told = Markup("<p>{}</p>").format(say("hand_out"))
    return Markup("<section><h2>{}</h2>{}</section>").format(say("hand_row", hand=place + 1), told)
