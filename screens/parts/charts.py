"""Charts of a match and of a season: readable on a phone, without colours or hovering.

Lines differ in dashes and marks as well as in colour, and carry their names. The browser draws a
chart as SVG, which takes the colours of the theme by their names.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import streamlit as st

from scoring.match import Match
from screens.words import point_label, t
from table.season.statistics import Season, points_by_kind

INK, QUIET, LINE = "var(--ink)", "var(--quiet)", "var(--line)"
"""Colours of the theme; grid lines are fainter than frames."""

SIDES = tuple(f"var(--side-{seat})" for seat in range(1, 7))
"""A colour of the theme for each line, in the order of the seats."""

COLOURS = ("#1c5a44", "#1f4e8c", "#8a5a00", "#7a2f7a", "#00697a", "#3d4a4f")
"""The colours of the sides in the light theme, for pictures; all have a contrast of at least 5."""

DASHES = ((1, 0), (7, 3), (2, 3), (10, 3, 2, 3), (5, 5), (14, 4))
"""The dashes of each line: px drawn and px left out."""

STAR = "M0-1 .24-.32.95-.31.38.12.59.81 0 .4-.59.81-.38.12-.95-.31-.24-.32Z"
"""A star, as a path from -1 to 1."""

MARKS = ("circle", "triangle-up", "square", "diamond", STAR, "cross")
"""The mark at the points of each line."""

MOST = len(SIDES)
"""Most lines that can be told apart."""

HEIGHT_PX, AXIS_PX, NAME_GAP_PX, BAR_PX = 280, 54, 19, 29
"""Height of a line chart and of its axis, distance between two names, width of a bar."""

LETTERS_PX = 16
"""Size of the texts in a line chart."""

PADDING_PX = {"left": 5, "top": 5, "right": 16}
"""Space around a line chart: its names may be wider than the browser measures them."""

NAME_LETTERS = 8
"""Letters of a name that fit into a chart."""

FONT = "Atkinson Hyperlegible Next,system-ui,sans-serif"
"""The typeface of the app."""


Drawing = alt.LayerChart | alt.FacetChart
"""The type of several layers in altair."""


@dataclass(frozen=True)
class Series:
    """One line: a name, and its figures from the start."""

    name: str
    figures: tuple[int, ...]


def running_score(match: Match) -> Drawing:
    """Return the totals of each side after each hand, and the target."""
    after = ((0,) * len(match.names), *match.standings)
    figures = zip(match.names, zip(*after, strict=True), strict=True)
    series = [Series(name, totals) for name, totals in figures]
    return race(series, along=t("chart_hands"), target=match.rules.target)


def season_points(season: Season) -> Drawing:
    """Return the points of the players with the most wins, after each match of the season."""
    series = [
        Series(one.name, (0, *season.points_over_time(one.player)))
        for one in season.standings[:MOST]
    ]
    return race(series, along=t("chart_matches"))


def race(series: Sequence[Series], *, along: str, target: int | None = None) -> Drawing:
    """Return lines from a common start, each with its name and last figure at its end.

    Args:
        series: At most `MOST` lines of equal length.
        along: Label of the horizontal axis.
        target: Where to draw a horizontal line, such as the points that end a match.
    """
    top = max([target or 0, 1, *(max(one.figures) for one in series)])
    steps = len(series[0].figures) - 1
    x = alt.X("step:Q", title=along, axis=_axis(steps), scale=alt.Scale(domain=[0, max(steps, 1)]))
    y = alt.Y("figure:Q", title=None, axis=_axis(top), scale=alt.Scale(domain=[0, top]))
    kinds = [str(number) for number in range(len(series))]
    colour = alt.Color("line:N", legend=None, scale=alt.Scale(domain=kinds, range=list(SIDES)))
    dash = alt.StrokeDash(
        "line:N", legend=None, scale=alt.Scale(domain=kinds, range=list(map(list, DASHES)))
    )
    shape = alt.Shape("line:N", legend=None, scale=alt.Scale(domain=kinds, range=list(MARKS)))
    drawn = alt.Chart(_data(_steps(series))).encode(x, y, colour)
    marked = drawn.transform_filter(f"datum.step % {max(1, round(steps / 8))} == 0")
    names = alt.Chart(_data(_ends(series, top=top))).encode(x, y, colour, text="name:N")
    layers: list[alt.Chart] = [
        drawn.mark_line(strokeWidth=3).encode(dash),
        marked.mark_point(size=52, filled=True, opacity=1).encode(shape),
        names.mark_text(align="left", dx=9, fontSize=LETTERS_PX, fontWeight="bold", clip=False),
    ]
    if target is not None:
        across = alt.Chart(_data([{"figure": target}])).encode(y)
        layers.insert(0, across.mark_rule(color=QUIET, strokeDash=[3, 4]))
    return _dressed(alt.layer(*layers).properties(height=HEIGHT_PX, padding=PADDING_PX))


def sources(match: Match) -> Drawing:
    """Return where the points of each side came from: a bar per side, grouped by point."""
    rows = [
        {
            "point": point_label(point),
            "side": str(side),
            "amount": amount,
            "name": f"{_short(match.names[side])} {amount}",
        }
        for point, gains in points_by_kind(match).items()
        for side, amount in enumerate(gains)
        if amount
    ]
    points = list(dict.fromkeys(str(row["point"]) for row in rows))
    kinds = [str(side) for side in range(len(match.names))]
    most = max([1, *(max(gains) for gains in points_by_kind(match).values())])
    bars = alt.Chart(_data(rows)).encode(
        alt.X("amount:Q", title=None, axis=None, scale=alt.Scale(domain=[0, most])),
        alt.Y("point:N", title=None, sort=points, axis=alt.Axis(labelLimit=120, ticks=False)),
        alt.YOffset("side:N", sort=kinds, scale=alt.Scale(domain=kinds)),
        alt.Color("side:N", legend=None, scale=alt.Scale(domain=kinds, range=list(SIDES))),
    )
    named = bars.mark_text(align="left", dx=6, fontSize=14, clip=False).encode(text="name:N")
    layers = alt.layer(bars.mark_bar(), named)
    height = BAR_PX * len(kinds) * max(1, len(points))
    return _dressed(layers.properties(height=height), size=14)  # its names stand in the bars' room


def draw(chart: Drawing, key: str, *, description: str) -> None:
    """Show a chart, with a description for screen readers."""
    with st.container(key=f"chart_{key}"):
        st.altair_chart(
            chart.properties(description=description),
            theme=None,
            width="stretch",
            height=chart.height,
            key=f"drawn_{key}",
        )


def _data(values: Iterable[Mapping[str, object]]) -> Any:
    return alt.Data(values=list(values))  # type: ignore[no-untyped-call]


def _steps(series: Sequence[Series]) -> Iterator[dict[str, object]]:
    for number, one in enumerate(series):
        for step, figure in enumerate(one.figures):
            yield {"line": str(number), "step": step, "figure": figure}


def _ends(series: Sequence[Series], *, top: int) -> Iterator[dict[str, object]]:
    """Return the names at the ends of the lines, spread so that none overlap."""
    gap = top * NAME_GAP_PX / (HEIGHT_PX - AXIS_PX)
    order = sorted(range(len(series)), key=lambda number: series[number].figures[-1])
    lowest = 0.0
    for place, number in enumerate(order):
        above = len(order) - 1 - place  # so many names still need space above
        wanted = float(series[number].figures[-1])
        at = max(lowest, min(wanted, top - above * gap))
        lowest = at + gap
        name = f"{_short(series[number].name)} {series[number].figures[-1]}"
        step = len(series[number].figures) - 1
        yield {"line": str(number), "step": step, "figure": at, "name": name}


def _short(name: str) -> str:
    """Return a name, shortened to fit into a chart."""
    return name if len(name) <= NAME_LETTERS else f"{name[: NAME_LETTERS - 1]}…"


def _axis(most: int) -> alt.Axis:
    """Return an axis of whole numbers, few enough to be readable on a phone."""
    return alt.Axis(format="d", tickMinStep=1, tickCount=min(most, 6), labelOverlap=True)


def _dressed(chart: Drawing, *, size: int = LETTERS_PX) -> Drawing:
    dressed: Drawing = (
        chart.configure(background="transparent", font=FONT)
        .configure_view(stroke=None)
        .configure_axis(
            labelFontSize=size,
            labelColor=INK,
            titleFontSize=size,
            titleColor=QUIET,
            titleFontWeight="normal",
            gridColor=LINE,
            gridOpacity=0.4,
            domainColor=QUIET,
            tickColor=QUIET,
        )
    )
    return dressed
