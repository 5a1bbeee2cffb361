"""The points of a hand, line by line, with why and the cards each line speaks of."""

from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

from scoring.explain import point_name
from scoring.hand import HandScore, Line
from screens import state
from screens.look import theme
from screens.words import CODE, deck, say, short_card

FEW = 10
"""Most cards of a side that a line shows as pictures; of more it tells the number only."""


def table(score: HandScore, names: Sequence[str]) -> Markup:
    """Gives HTML of all lines of a hand, nobody's too."""
    rows = (_row(line, names) for line in score.lines)
    return Markup('<table class="lines"><tbody>{}</tbody></table>').format(_joined(rows))


def _row(line: Line, names: Sequence[str]) -> Markup:
    amount = f" +{line.amount}" if line.winner is not None and line.amount else ""
    return Markup(
        '<tr><td class="point" translate="no">{point}</td>'
        '<td class="who{none}" translate="no">{who}{amount}</td></tr>'
        '<tr class="tail"><td colspan="2"><span class="why">{why}</span>{cards}</td></tr>'
    ).format(
        point=_point(line),
        none=" none" if line.winner is None else "",
        who=_who(line, names),
        amount=amount,
        why=_why(line),
        cards=_cards(line, names),
    )


def _point(line: Line) -> str:
    return point_name(line.point, lang=state.language()).capitalize()


def _who(line: Line, names: Sequence[str]) -> str:
    return say("nobody_won") if line.winner is None else names[line.winner]


def _why(line: Line) -> Markup:
    """Gives the reason without the point's name, which stands beside it, codes as small words."""
    told = str(escape(line.why.split(": ", 1)[-1]))
    return Markup(CODE.sub(lambda found: _code_told(found[0]), told))


def _code_told(code: str) -> Markup:
    """A card in its suit's colour: of French cards red or black."""
    suit = code[-1]
    colour = suit if deck() == "italian" else "c" if suit in "dc" else ""
    return Markup('<b class="{}" translate="no">{}</b>').format(colour, short_card(code))


def _cards(line: Line, names: Sequence[str]) -> Markup:
    few = [side for side, cards in enumerate(line.cards) if 0 < len(cards) <= FEW]
    named = few != [line.winner]  # else the winner's name stands above
    head = Markup('<span translate="no">{}</span>')
    shown = (
        Markup("<div>{}{}</div>").format(
            head.format(names[side]) if named else "",
            theme.faces([card.code for card in line.cards[side]], width_px=30),
        )
        for side in few
    )
    return Markup('<div class="shown">{}</div>').format(_joined(shown)) if few else Markup("")


def short(score: HandScore, names: Sequence[str]) -> Markup:
    """Gives HTML of a hand in one line a point: what, who, how much."""
    rows = (_short_row(line, names) for line in score.lines)
    return Markup('<table class="short"><tbody>{}</tbody></table>').format(_joined(rows))


def _short_row(line: Line, names: Sequence[str]) -> Markup:
    won = line.winner is not None and line.amount
    row = Markup(
        '<tr><td translate="no">{}</td><td><b translate="no">{}</b></td><td>{}</td>'
        '<td class="why">{}</td></tr>'
    )
    amount = f"+{line.amount}" if won else "–"
    return row.format(_point(line), _who(line, names), amount, _why(line))


def tiles(score: HandScore, names: Sequence[str]) -> Markup:
    """Gives HTML of a hand as the board shows it: a tile a point, with the cards that won it."""
    return Markup('<div class="tiles">{}</div>').format(
        _joined(_tile(line, names) for line in score.lines)
    )


def _tile(line: Line, names: Sequence[str]) -> Markup:
    won = line.winner is not None and line.amount
    cards = line.cards[line.winner] if line.winner is not None and line.cards else ()
    shown = [card.code for card in cards][:FEW]
    return Markup(
        '<div class="tile{none}" style="--more:{more}">{faces}'
        '<div class="told"><div class="what" translate="no"><b>{point}</b>'
        "<span>{who}{amount}</span></div>"
        '<div class="why">{why}</div></div></div>'
    ).format(
        none="" if won else " none",
        more=len(shown) - 1,
        faces=theme.faces(shown, width_px=28) if shown else "",
        point=_point(line),
        who=_who(line, names),
        amount=f" +{line.amount}" if won else "",
        why=_why(line),
    )


def sum_of(score: HandScore, names: Sequence[str], *, totals: Sequence[int]) -> Markup:
    """Gives HTML of what the hand makes and what stands after it."""
    box = Markup('<div><span translate="no">{}</span><b>+{}</b><i>{}</i></div>')
    made = (box.format(*told) for told in zip(names, score.points, totals, strict=True))
    return Markup('<div class="sum">{}</div>').format(_joined(made))


def _joined(pieces: Iterable[Markup]) -> Markup:
    return Markup("").join(pieces)
