"""A picture of a match to send around, drawn as SVG: the winner, the totals, how it went.

It holds everything it needs, our own drawing of the cards too, so a browser turns it into a PNG
without asking anybody. Names are escaped as in all HTML of the screens.
"""

import re
from pathlib import Path

import streamlit as st
from markupsafe import Markup

from assets.deck import card_svg
from scoring.match import Match
from screens.look import theme
from screens.parts.past.charts import COLOURS, DASHES
from screens.parts.past.moments import day
from screens.parts.past.sheet import outcome
from screens.words import deck, say
from store import PlayedMatch

WIDTH, HEIGHT = 1080, 1350
"""Size of the picture in px: as tall as phones show without a scroll."""

MARGIN, GAP = 60, 24
"""Space around everything, and between the boxes, in px."""

BOXES_Y, BOX_HEIGHT = 400, 250
"""Where the boxes with the totals begin, and their height, in px."""

CHART_Y, CHART_HEIGHT, NAMES_PX = 730, 500, 250
"""Where the lines of the totals begin, their height, and the room for names beside them, in px."""

CARDS_Y, CARD_WIDTH = 74, 130
"""Where the cards at the top begin, and their width, in px; a card is 1.88 times as tall."""

SERIF, SANS = "georgia,serif", "system-ui,sans-serif"
"""The typefaces of the app, as far as every device has them."""

LETTER, WIDE_LETTER, WIDE = 0.57, 0.95, frozenset("MWmw@%")
"""Width of a letter against its size, that of some wide ones, and which those are."""

_SIZE = re.compile(r'width="\d+" height="\d+"')
"""The size of a drawing, at its beginning."""

_sender = st.components.v2.component(
    "settebello_picture",
    html='<div class="picture"><img alt=""><button class="plain strong"></button></div>',
    js=Path(theme.__file__).with_name("picture.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def draw(row: PlayedMatch) -> None:
    """Shows the picture, with the button that sends it or, where a browser cannot, saves it."""
    data = {
        "svg": picture(row),
        "width": WIDTH,
        "height": HEIGHT,
        "name": f"{say('file_match')}-{row.code}-{row.match_no}.png",
        "told": _totals(row.match),
        "send": say("picture_send"),
    }
    _sender(key="picture", data=data)


def picture(row: PlayedMatch) -> Markup:
    """Gives the SVG of a match."""
    match = row.match
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}">'
        '<rect width="{w}" height="{h}" fill="#faf6ec"/>'
        '<rect width="{w}" height="{band}" fill="#1c5a44"/>{head}{cards}{boxes}{lines}{foot}</svg>'
    ).format(
        w=WIDTH,
        h=HEIGHT,
        band=BOXES_Y - 40,
        head=_head(row),
        cards=_cards(match),
        boxes=Markup("").join(_box(match, side) for side in range(len(match.names))),
        lines=_lines(match),
        foot=_text(f"{say('title')} · {row.code}", (MARGIN, HEIGHT - 48), size=30, fill="#55605a"),
    )


def _head(row: PlayedMatch) -> Markup:
    """The winner, the day and how many hands it took."""
    room = WIDTH - 2 * MARGIN - 2 * CARD_WIDTH
    told = f"{day(row.opened_at)} · {say('picture_hands', n=row.match.counted)}"
    return Markup("").join(
        (
            _text(outcome(row.match), (MARGIN, 178), size=84, room=room, fill="#fff", font=SERIF),
            _text(told, (MARGIN, 246), size=36, room=room, fill="#dce8d6"),
        )
    )


def _cards(match: Match) -> Markup:
    """The settebello, over the back of a card."""
    left = WIDTH - MARGIN - CARD_WIDTH
    codes = (("back", left - 62, -9), ("7d", left - 6, 6))
    return Markup("").join(
        Markup('<g transform="translate({} {}) rotate({})">{}</g>').format(
            x, CARDS_Y, turned, _card(code)
        )
        for code, x, turned in codes[: 2 if match.hands else 1]
    )


def _card(code: str) -> Markup:
    """Our drawing of a card, at the width of the cards of the picture."""
    sized = f'width="{CARD_WIDTH}" height="{CARD_WIDTH * theme.face_aspect():.0f}"'
    return Markup(_SIZE.sub(sized, card_svg(code, deck=deck()), count=1))


def _box(match: Match, side: int) -> Markup:
    """A side's name and its total."""
    count = len(match.names)
    width = (WIDTH - 2 * MARGIN - (count - 1) * GAP) / count
    x = MARGIN + side * (width + GAP)
    room, won = width - 48, match.winner == side
    name, total = match.names[side], str(match.totals[side])
    return Markup(
        '<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{height}" rx="28" fill="{fill}"/>'
        "{name}{total}{star}"
    ).format(
        x=x,
        y=BOXES_Y,
        width=width,
        height=BOX_HEIGHT,
        fill="#a63c22" if won else "#123c2e",
        name=_text(name, (x + 24, BOXES_Y + 62), size=44, room=room, fill="#fff", font=SERIF),
        total=_text(total, (x + 24, BOXES_Y + 212), size=150, room=room, fill="#fff", font=SERIF),
        star=_text("★" if won else "", (x + width - 76, BOXES_Y + 206), size=52, fill="#ffd98a"),
    )


def _lines(match: Match) -> Markup:
    """The totals after each hand, a line for each side, its name at the end."""
    after = ((0,) * len(match.names), *match.standings)
    top = max([1, match.rules.target, *(max(totals) for totals in after)])
    right = WIDTH - MARGIN - NAMES_PX
    across = (right - MARGIN) / max(1, len(after) - 1)
    drawn = [
        Markup(
            '<line x1="{x}" x2="{right}" y1="{y:.0f}" y2="{y:.0f}" stroke="#b9ae97" '
            'stroke-width="2"/>'
        ).format(x=MARGIN, right=right, y=_height(figure, top))
        for figure in (0, match.rules.target)
    ]
    for side, name in enumerate(match.names):
        points = " ".join(
            f"{MARGIN + step * across:.0f},{_height(totals[side], top):.0f}"
            for step, totals in enumerate(after)
        )
        drawn.append(
            Markup(
                '<polyline points="{}" fill="none" stroke="{}" stroke-width="7" '
                'stroke-linejoin="round" stroke-dasharray="{}"/>'
            ).format(points, COLOURS[side], _dashes(side))
        )
        y = _name_y(match, side, top=top)
        told = f"{name} {match.totals[side]}"
        drawn.append(_text(told, (right + 18, y), size=34, room=NAMES_PX - 18, fill=COLOURS[side]))
    return Markup("").join(drawn)


def _height(figure: int, top: int) -> float:
    """How far down in the picture a total lies."""
    return CHART_Y + CHART_HEIGHT * (1 - figure / top)


def _name_y(match: Match, side: int, *, top: int) -> float:
    """How far down the name of a side stands: beside the end of its line, none over another."""
    order = sorted(range(len(match.names)), key=lambda one: -match.totals[one])
    lowest, found = 0.0, 0.0
    for place in order:
        at = max(lowest, _height(match.totals[place], top) + 11)
        lowest = at + 40
        if place == side:
            found = at
    return found


def _dashes(side: int) -> str:
    """The dashes of a side's line, as wide as the line asks for."""
    drawn, *others = DASHES[side]
    return "" if others == [0] else " ".join(str(3 * one) for one in (drawn, *others))


def _totals(match: Match) -> str:
    """Says the totals, for whoever cannot see the picture."""
    pairs = zip(match.names, match.totals, strict=True)
    return " · ".join((outcome(match), *(f"{name} {total}" for name, total in pairs)))


def _text(
    told: str,
    at: tuple[float, float],
    *,
    size: int,
    fill: str,
    room: float | None = None,
    font: str = SANS,
) -> Markup:
    """A line of text, made smaller where it would not fit into its room."""
    wide = sum(WIDE_LETTER if letter in WIDE else LETTER for letter in told)
    fitting = size if room is None else min(size, room / max(wide, LETTER))
    return Markup(
        '<text x="{x:.0f}" y="{y:.0f}" font-family="{font}" font-size="{size:.0f}" '
        'font-weight="{weight}" fill="{fill}">{told}</text>'
    ).format(
        x=at[0],
        y=at[1],
        font=font,
        size=fitting,
        weight=700 if font == SERIF else 500,
        fill=fill,
        told=told,
    )
