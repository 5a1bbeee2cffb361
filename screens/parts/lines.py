"""The points of a hand, line by line, with why and the cards each line speaks of."""

import re
from collections.abc import Sequence

from scoring.hand import HandScore, Line
from scoring.words import say as say_of_scoring
from screens.look import theme
from screens.words import say

FEW = 10
"""Lines that speak of more cards than this name their number only."""

_CODE = re.compile(r"\b(10|[1-9])([dcsb])\b")


def table(score: HandScore, names: Sequence[str]) -> str:
    """Gives HTML of all lines of a hand, nobody's too."""
    rows = "".join(_row(line, names) for line in score.lines)
    return f'<table class="lines"><tbody>{rows}</tbody></table>'


def _row(line: Line, names: Sequence[str]) -> str:
    amount = f" +{line.amount}" if line.winner is not None and line.amount else ""
    winner = "who none" if line.winner is None else "who"
    return (
        f'<tr><td class="point">{_point(line)}</td>'
        f'<td class="{winner}">{_who(line, names)}{amount}</td></tr>'
        f'<tr class="tail"><td colspan="2"><span class="why">{_why(line)}</span>'
        f"{_cards(line, names)}</td></tr>"
    )


def _point(line: Line) -> str:
    return say_of_scoring(f"point.{line.point}").capitalize()


def _who(line: Line, names: Sequence[str]) -> str:
    return say("nobody_won") if line.winner is None else theme.safe(names[line.winner])


def _why(line: Line) -> str:
    """Gives the reason without the point's name, which stands beside it, codes as small words."""
    told = line.why.split(": ", 1)[-1]
    return _CODE.sub(r'<b class="\2">\1\2</b>', theme.safe(told))


def _cards(line: Line, names: Sequence[str]) -> str:
    few = [side for side, cards in enumerate(line.cards) if 0 < len(cards) <= FEW]
    heads = [f"<span>{theme.safe(names[side])}</span>" for side in few]
    if few == [line.winner]:
        heads = [""]  # the winner's name stands above
    faces = [theme.faces([card.code for card in line.cards[side]], width_px=30) for side in few]
    pairs = zip(heads, faces, strict=True)
    shown = "".join(f"<div>{head}{cards}</div>" for head, cards in pairs)
    return f'<div class="shown">{shown}</div>' if shown else ""


def short(score: HandScore, names: Sequence[str]) -> str:
    """Gives HTML of a hand in one line a point: what, who, how much."""
    rows = "".join(_short_row(line, names) for line in score.lines)
    return f'<table class="short"><tbody>{rows}</tbody></table>'


def _short_row(line: Line, names: Sequence[str]) -> str:
    won = line.winner is not None and line.amount
    return (
        f"<tr><td>{_point(line)}</td><td><b>{_who(line, names)}</b></td>"
        f'<td>{f"+{line.amount}" if won else "–"}</td><td class="why">{_why(line)}</td></tr>'
    )


def sum_of(score: HandScore, names: Sequence[str], *, totals: Sequence[int]) -> str:
    """Gives HTML of what the hand makes and what stands after it."""
    made = "".join(
        f"<div><span>{theme.safe(name)}</span><b>+{points}</b><i>{total}</i></div>"
        for name, points, total in zip(names, score.points, totals, strict=True)
    )
    return f'<div class="sum">{made}</div>'
