"""A picture of a match to share, drawn as SVG: the winner, the totals, the running score.

It contains everything it needs, including our drawing of the cards, so that a browser turns it into
a PNG without a request.
"""

import re
from dataclasses import dataclass

from markupsafe import Markup

from assets.deck import card_svg
from scoring.match import Match
from screens import components, look, render, state
from screens.parts import rules
from screens.parts.charts import COLOURS, DASHES
from screens.times import day
from screens.words import SIGNS, t
from store import PlayedMatch, season
from table.view import TableView

WIDTH, HEIGHT = 1080, 1350
"""Size of the picture in px: a phone shows it without scrolling."""

MARGIN, GAP = 60, 24
"""Margin of the picture, and space between the boxes, in px."""

BOXES_Y, BOX_HEIGHT = 400, 250
"""Top of the boxes with the totals, and their height, in px."""

CHART_LEFT, CHART_Y, CHART_HEIGHT, NAMES_PX = MARGIN + 56, 730, 490, 250
"""Left end of the lines, top of the chart, its height, and the most space for the names next to it,
in px."""

NAME_SIZE, FIGURE_SIZE, MOST_NUMBERS = 34, 28, 12
"""Size of the names at the lines and of the figures at the axes; most hands that are numbered."""

QUIET = "#55605a"
"""The colour of figures and of the line at the foot."""

CARDS_Y, CARD_WIDTH = 74, 130
"""Top of the cards, and their width, in px."""

SERIF = "'Young Serif',georgia,serif"
SANS = "'Atkinson Hyperlegible Next',system-ui,sans-serif"
"""The typefaces of the app, which `picture.js` embeds, and like ones that every device has."""

FONTS = (
    ("Young Serif", "young-serif.woff2"),
    ("Atkinson Hyperlegible Next", "atkinson-400.woff2"),
)
"""Family and file of each font to embed."""

GOLD = "#ffd98a"
"""The winner's colour."""

LETTER, WIDE_LETTER, WIDE = 0.6, 0.95, frozenset("MWmw@%")
"""Width of a letter divided by its size: of most letters, of wide ones; the wide ones."""

_SIZE = re.compile(r'width="\d+" height="\d+"')
"""The size of a drawing, at its start."""


@dataclass(frozen=True)
class Text:
    """A line of text in the picture; x, y and sizes in px."""

    text: str
    x: float
    y: float
    size: float
    fill: str
    font: str = SANS

    @property
    def weight(self) -> int:
        """The font weight, as in CSS."""
        return 700 if self.font == SERIF else 500


def row_of(view: TableView) -> PlayedMatch | None:
    """Return the match on the screen; None before its first hand."""
    if not view.match.hands:
        return None
    with state.store().reading() as session:
        [row] = season.played(session, [view.code], match_no=view.row.match_no)
    return row


def draw(row: PlayedMatch) -> None:
    """Draw the button that shares the picture or, if the browser cannot, saves it."""
    data = {
        "svg": picture(row),
        "width": WIDTH,
        "height": HEIGHT,
        "name": f"{t('file_match')}-{row.code}-{row.match_no}.png",
        "send": t("picture_send"),
        "fonts": [{"family": family, "src": look.address(file)} for family, file in FONTS],
    }
    components.show("picture", key="picture", data=data)


def outcome(played: Match) -> str:
    """Return the winner of a match in words, or that it is still being played."""
    if played.winner is None:
        return t("ends_level" if played.is_over else "still_played")
    return t("wins", name=played.names[played.winner])


def picture(row: PlayedMatch) -> Markup:
    """Return the SVG of a match."""
    match = row.match
    room = WIDTH - 2 * MARGIN - 2 * CARD_WIDTH
    subtitle = f"{day(row.opened_at)} · {t('picture_hands', n=match.counted)}"
    played_by = " · ".join(rules.played_by(match))
    return render.template(
        "match.svg",
        width=WIDTH,
        height=HEIGHT,
        left=CHART_LEFT,
        right=_right(match),
        band=BOXES_Y - 40,
        head=[
            fitted(Text(outcome(match), MARGIN, 178, 84, "#fff", SERIF), room),
            fitted(Text(subtitle, MARGIN, 246, 36, "#dce8d6"), room),
            fitted(Text(played_by, MARGIN, 336, 30, "#dce8d6"), WIDTH - 2 * MARGIN),
        ],
        cards=_cards(match),
        boxes=[_box(match, side) for side in range(len(match.names))],
        rules=[_y(match, figure) for figure in (0, match.rules.target)],
        figures=_figures(match),
        lines=_lines(match),
        foot=Text(f"{t('title')} · {row.code}", MARGIN, HEIGHT - 40, 30, QUIET),
    )


def _cards(match: Match) -> list[dict[str, object]]:
    """Return the settebello over the back of a card; before the first hand only the back."""
    left = WIDTH - MARGIN - CARD_WIDTH
    size = f'width="{CARD_WIDTH}" height="{CARD_WIDTH * render.face_aspect():.0f}"'
    codes = (("back", left - 62, -9), ("7d", left - 6, 6))
    return [
        {
            "x": x,
            "y": CARDS_Y,
            "turned": turned,
            "svg": Markup(_SIZE.sub(size, card_svg(code, style=state.card_style()), count=1)),
        }
        for code, x, turned in codes[: 2 if match.hands else 1]
    ]


def _box(match: Match, side: int) -> dict[str, object]:
    """Return a side's name and total in its colour, with a golden frame and star if it won."""
    count = len(match.names)
    width = (WIDTH - 2 * MARGIN - (count - 1) * GAP) / count
    x = MARGIN + side * (width + GAP)
    room, won = width - 48, match.winner == side
    return {
        "x": x,
        "y": BOXES_Y,
        "width": width,
        "height": BOX_HEIGHT,
        "fill": COLOURS[side],
        "stroke": GOLD if won else COLOURS[side],
        "lines": [
            Text(SIGNS[side], x + 24, BOXES_Y + 60, 34, "#fff"),
            fitted(Text(match.names[side], x + 68, BOXES_Y + 62, 44, "#fff", SERIF), room - 44),
            fitted(Text(str(match.totals[side]), x + 24, BOXES_Y + 212, 150, "#fff", SERIF), room),
            Text("★" if won else "", x + width - 76, BOXES_Y + 206, 52, GOLD),
        ],
    }


def _lines(match: Match) -> list[dict[str, object]]:
    """Return a line per side for the totals after each hand, with its name at the end."""
    after = ((0,) * len(match.names), *match.standings)
    return [
        {
            "points": " ".join(
                f"{_x(match, step):.0f},{_y(match, totals[side]):.0f}"
                for step, totals in enumerate(after)
            ),
            "colour": COLOURS[side],
            "dashes": _dashes(side),
            "label": fitted(
                Text(f"{name} {total}", _right(match) + 18, label_y, NAME_SIZE, COLOURS[side]),
                NAMES_PX - 18,
            ),
        }
        for side, (name, total, label_y) in enumerate(
            zip(match.names, match.totals, _label_ys(match), strict=True)
        )
    ]


def _figures(match: Match) -> list[Text]:
    """Return the target and 0 at the left of their lines, and the numbers of the hands below."""
    count = len(match.standings)
    numbered = range(1, count + 1, -(-count // MOST_NUMBERS) or 1)
    below = CHART_Y + CHART_HEIGHT + 40
    return [
        *(
            Text(str(figure), MARGIN, _y(match, figure) + 10, FIGURE_SIZE, QUIET)
            for figure in (0, match.rules.target)
        ),
        *(
            Text(str(hand), _x(match, hand) - 8 * len(str(hand)), below, FIGURE_SIZE, QUIET)
            for hand in numbered
        ),
    ]


def _right(match: Match) -> float:
    """Return the x at which the lines end and the names begin, in px."""
    labels = map("{} {}".format, match.names, match.totals)
    names_px = min(NAMES_PX, 18 + max(map(letters, labels)) * NAME_SIZE)
    return WIDTH - MARGIN - names_px


def _x(match: Match, hand: int) -> float:
    """Return the x of the totals after a hand, in px."""
    return CHART_LEFT + hand * (_right(match) - CHART_LEFT) / max(1, len(match.standings))


def _y(match: Match, figure: int) -> float:
    """Return the y of a total, in px."""
    top = max([1, match.rules.target, *(max(totals) for totals in match.standings)])
    return CHART_Y + CHART_HEIGHT * (1 - figure / top)


def _label_ys(match: Match) -> list[float]:
    """Return the y of each side's label: at the end of its line, spread so that none overlap."""
    ys, lowest = [0.0] * len(match.names), 0.0
    for side in sorted(range(len(match.names)), key=lambda one: -match.totals[one]):
        ys[side] = max(lowest, _y(match, match.totals[side]) + 11)
        lowest = ys[side] + 40
    return ys


def _dashes(side: int) -> str:
    """Return the dashes of a side's line, scaled to its width; empty for a solid line."""
    drawn, *others = DASHES[side]
    return "" if others == [0] else " ".join(str(3 * one) for one in (drawn, *others))


def fitted(line: Text, room_px: float) -> Text:
    """Return the text, made smaller if it does not fit."""
    size = min(line.size, room_px / max(letters(line.text), LETTER))
    return Text(line.text, line.x, line.y, size, line.fill, line.font)


def letters(text: str) -> float:
    """Return the width of a text divided by its size."""
    return sum(WIDE_LETTER if letter in WIDE else LETTER for letter in text)
