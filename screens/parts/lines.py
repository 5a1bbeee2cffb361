"""The points of a hand, line by line, with why and the cards each line speaks of."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from scoring.explain import described, point_name
from scoring.hand import HandScore, Line
from scoring.rules import Rules
from screens import navigation, render, state
from screens.words import CODE, deck, short_card, t, the_card

FEW = 10
"""Most cards of a side that a line shows as pictures; of more it says the number only."""


@dataclass(frozen=True, kw_only=True)
class ShownLine:
    """A line of a hand's score, in words."""

    point: str
    who: str
    """The winner's name, or that nobody won it."""
    is_won: bool
    amount: str
    """` +2`, empty where it brings nothing."""
    why: Markup
    cards: Sequence[tuple[str, Sequence[str]]]
    """Codes of the cards it speaks of by side; the name is empty where it says the winner's."""
    winning: Sequence[str]
    """Codes of the winner's cards."""


def table(score: HandScore, names: Sequence[str], *, rules: Rules) -> Markup:
    """HTML of all lines of a hand, with why, cards and what the point is; nobody's lines too."""
    helped = [help_of(line.point, rules) for line in score.lines]
    learn = navigation.path("learn", navigation.way(state.address().table or None))
    return _template().table(list(zip(_shown(score, names), helped, strict=True)), learn)


HELPED = {
    "carte": ("carte", "carte_needed"),
    "denari": ("denari", "denari_needed"),
    "settebello": ("settebello",),
    "primiera": ("primiera", "missing_suit"),
    "scope": ("scopa", "last_card_scopa"),
}
"""Points that guests are told about, with the settings that say how they are played here."""


def help_of(point: str, rules: Rules) -> str:
    """What a point is, in two sentences: what it is for, and what it counts at this table."""
    if point not in HELPED:
        return ""
    told = {
        name: sentence
        for sentences in described(rules, lang=state.language()).values()
        for name, sentence in sentences.items()
    }
    here = "; ".join(told[name] for name in HELPED[point] if name in told)
    seven = the_card("7d")
    first = t(f"help_{point}", card=seven[:1].upper() + seven[1:])
    return f"{first} {t('help_here', rules=here)}" if here else first


def short(score: HandScore, names: Sequence[str]) -> Markup:
    """HTML of a hand in one row a point: what, who, how much, why."""
    return _template().short(_shown(score, names))


def tiles(score: HandScore, names: Sequence[str]) -> Markup:
    """HTML of a hand as the board shows it: a tile a point, with the cards that won it."""
    return _template().tiles(_shown(score, names))


def sum_of(score: HandScore, names: Sequence[str], *, totals: Sequence[int]) -> Markup:
    """HTML of what the hand makes and what stands after it."""
    return _template().sum(zip(names, score.points, totals, strict=True))


def _template() -> render.Macros:
    return render.macros("lines.html")


def _shown(score: HandScore, names: Sequence[str]) -> list[ShownLine]:
    return [_line(line, names) for line in score.lines]


def _line(line: Line, names: Sequence[str]) -> ShownLine:
    winner = line.winner
    few = [side for side, cards in enumerate(line.cards) if 0 < len(cards) <= FEW]
    named = few != [winner]  # else the winner's name stands above
    winning = line.cards[winner] if winner is not None and line.cards else ()
    return ShownLine(
        point=point_name(line.point, lang=state.language()).capitalize(),
        who=t("nobody_won") if winner is None else names[winner],
        is_won=winner is not None,
        amount=f" {line.amount:+}" if winner is not None and line.amount else "",
        why=_why(line),
        cards=[
            (names[side] if named else "", [card.code for card in line.cards[side]]) for side in few
        ],
        winning=[card.code for card in winning][:FEW],
    )


def _why(line: Line) -> Markup:
    """The reason without the point's name, which stands beside it; codes in colours of suits."""
    reason = str(escape(line.why.split(": ", 1)[-1]))
    return Markup(CODE.sub(lambda found: _code(found[0]), reason))


def _code(code: str) -> Markup:
    suit = code[-1]
    colour = suit if deck() == "italian" else "c" if suit in "dc" else ""
    return _template().code(short_card(code), colour)
