"""The points of a hand, one row per point, with reasons and cards."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup, escape

from assets.deck import CardStyle
from scoring.explain import described, explain
from scoring.hand import HandScore, Line
from scoring.rules import Rules
from screens import navigation, render, state
from screens.words import CODE, capital, card, french_sign, isolated, point_label, t, the_card
from table.view import TableView

FEW = 10
"""Most cards of a side that a line shows as pictures; of more it shows the number."""

COUNTED = ("carte", "denari", "primiera", "scope")
"""Points whose row shows each side's figure, however small it is."""


@dataclass(frozen=True, kw_only=True)
class ShownLine:
    """A line of a hand's score, in words."""

    point: str
    who: str
    """The winner's name, or the words for a point that no side won."""
    amount: str
    """` +2`; empty if it brings no point."""
    why: Markup
    cards: Sequence[tuple[str, Sequence[str]]]
    """Codes of its cards by side; the name is empty if it is the winner's."""


@dataclass(frozen=True, kw_only=True)
class ShownPoint:
    """A row of a hand's score: a point, of which each side may have won a part."""

    point: str
    figures: Sequence[int | None]
    """The figure of each side; None if there is none to show."""
    is_scope: bool
    """Whether it is the row of scope, which a tap changes at once."""
    won: Sequence[tuple[int, str, int]]
    """Who won it: seat, name and amount."""
    lines: Sequence[ShownLine]
    help: str
    """What the point is; empty if it needs no explanation."""


def table(score: HandScore, names: Sequence[str], *, rules: Rules) -> Markup:
    """Return HTML of a hand, one row per point: figures and winner; reasons and help unfold."""
    rows = _points(score, names, rules=rules)
    rules_page = navigation.path("rules", navigation.way(state.address().table or None))
    return _template().table(rows, list(enumerate(names)), rules_page)


def _points(
    score: HandScore, names: Sequence[str], *, rules: Rules | None = None
) -> list[ShownPoint]:
    """Return the rows of a hand; without `rules` there is no help."""
    return [
        _point(list(lines), names, rules=rules)
        for _, lines in groupby(score.lines, key=lambda line: line.point)
    ]


def _point(lines: Sequence[Line], names: Sequence[str], *, rules: Rules | None) -> ShownPoint:
    first = lines[0]
    counts = first.figures and (first.point in COUNTED or max(first.figures) > 1)
    return ShownPoint(
        point=point_label(first.point),
        figures=first.figures if counts else (None,) * len(names),
        is_scope=first.point == "scope",
        won=[
            (line.winner, names[line.winner], line.amount)
            for line in lines
            if line.winner is not None
        ],
        lines=[_line(line, names) for line in lines],
        help="" if rules is None else help_of(first.point, rules),
    )


HELPED = {
    "carte": ("carte", "carte_needed"),
    "denari": ("denari", "denari_needed"),
    "settebello": ("settebello",),
    "primiera": ("primiera", "missing_suit"),
    "scope": ("scopa", "last_card_scopa"),
}
"""Points that are explained to guests, with the settings that say how they are played here."""


def help_of(point: str, rules: Rules) -> str:
    """Return what a point is, in two sentences: in general, and at this table."""
    if point not in HELPED:
        return ""
    sentences = {
        name: sentence
        for sentences in described(rules, lang=state.language()).values()
        for name, sentence in sentences.items()
    }
    here = "; ".join(sentences[name] for name in HELPED[point] if name in sentences)
    seven = the_card("7d")
    first = t(f"help_{point}", card=capital(seven))
    return f"{first} {t('help_here', rules=here)}" if here else first


def strip(score: HandScore, names: Sequence[str]) -> Markup:
    """Return HTML of a hand for the board: each point with the sign of its winner."""
    return _template().strip(_points(score, names))


def sheet_head(names: Sequence[str]) -> Markup:
    """Return HTML of the names above the hands of a match."""
    return _template().sheet_head(list(enumerate(names)))


def sheet_foot(totals: Sequence[int]) -> Markup:
    """Return HTML of the totals below the hands of a match."""
    return _template().sheet_foot(totals)


def sum_of(view: TableView, *, totals: Sequence[int]) -> Markup:
    """Return HTML of what the hand brings and of the totals after it.

    `messenger.js` adds taps on scope to it before the server has drawn them, where each is worth
    the same.
    """
    sides = zip(range(len(view.names)), view.names, view.score.points, totals, strict=True)
    live = {
        "match": view.row.match_no,
        "hand": view.hand_no,
        "revision": view.table.revision,
        "keys": " ".join(view.keys),
        "worth": 0 if view.rules.ponino else view.rules.scopa,
    }
    return _template().sum(list(sides), live)


def _template() -> render.Macros:
    return render.macros("lines.html")


def _line(line: Line, names: Sequence[str]) -> ShownLine:
    winner = line.winner
    few = [side for side, cards in enumerate(line.cards) if 0 < len(cards) <= FEW]
    named = few != [winner]  # otherwise the winner's name is shown already
    return ShownLine(
        point=point_label(line.point),
        who=t("nobody_won") if winner is None else names[winner],
        amount=f" {line.amount:+}" if winner is not None and line.amount else "",
        why=_why(line, names),
        cards=[
            (names[side] if named else "", [card.code for card in line.cards[side]]) for side in few
        ],
    )


def _why(line: Line, names: Sequence[str]) -> Markup:
    """Return the reason without the point's name, which is shown next to it."""
    return suited(explain(line, [*map(isolated, names)], lang=state.language()).split(": ", 1)[-1])


def suited(sentence: str) -> Markup:
    """Return HTML of a sentence, with cards as their ranks and drawn suit signs."""
    return Markup(CODE.sub(lambda found: _code(found[0]), str(escape(sentence))))


def _code(code: str) -> Markup:
    if state.card_style() is CardStyle.ITALIAN:
        return _template().code(code[:-1], code[-1], card(code))
    return _template().code(french_sign(code), "", card(code))
