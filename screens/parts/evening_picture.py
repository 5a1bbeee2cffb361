"""A picture of the standings of an evening to send around, drawn as SVG as that of a match is."""

from markupsafe import Markup

from screens import components, render
from screens.parts import evening as parts
from screens.parts.match_picture import HEIGHT, MARGIN, SANS, SERIF, WIDTH, Text, fitted
from screens.words import t
from table.evening_view import EveningView

MOST = 16
"""How many rows of the standings are on the picture."""

BAND, TOP_Y, FOOT_Y = 300, 380, HEIGHT - 48
"""Height of the band on top, where the rows begin, and the line at the bottom, in px."""

FIGURES_PX = 230
"""Room for points and difference at the end of a row."""


def draw(view: EveningView) -> None:
    """Shows the picture, with the button that sends or saves it."""
    data = {
        "svg": picture(view),
        "width": WIDTH,
        "height": HEIGHT,
        "name": f"{t('file_evening')}-{view.code}.png",
        "alt": parts.progress(view.evening),
        "send": t("picture_send"),
    }
    components.show("picture", key="picture", data=data)


def picture(view: EveningView) -> Markup:
    """The SVG of the standings."""
    evening = view.evening
    room = WIDTH - 2 * MARGIN
    rows = evening.standings[:MOST]
    step = min(84, (FOOT_Y - 60 - TOP_Y) // max(1, len(rows)))
    where = parts.title(evening).removeprefix(evening.plan.name).removeprefix(" · ")
    lines = [
        fitted(Text(evening.plan.name, MARGIN, 150, 84, "#fff", SERIF), room),
        fitted(Text(where or parts.progress(evening), MARGIN, 236, 38, "#dce8d6"), room),
        Text(f"{t('title')} · {view.code}", MARGIN, FOOT_Y, 30, "#55605a"),
    ]
    for place, row in enumerate(rows):
        y, size = TOP_Y + place * step, min(46, step * 0.6)
        ink = "#a63c22" if row.rank == 1 else "#1d2925"
        name = f"{row.rank}. {parts.winner(evening, row.entrant)}"
        figures = f"{row.match_points} ({row.difference:+})"
        lines.append(fitted(Text(name, MARGIN, y, size, ink, SERIF), room - FIGURES_PX - 24))
        at = WIDTH - MARGIN - FIGURES_PX
        lines.append(fitted(Text(figures, at, y, size, ink, SANS), FIGURES_PX))
    return render.template("evening.svg", width=WIDTH, height=HEIGHT, band=BAND, lines=lines)
