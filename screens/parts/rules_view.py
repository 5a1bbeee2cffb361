"""The rules of a table as a page tells them: what they say of a card, and they themselves."""

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from scoring.captures import Ruling, Way
from scoring.cards import Card, Rank
from scoring.explain import described
from scoring.hand import score_hand
from scoring.match import Match
from scoring.points import SCALES
from scoring.rules import PrimieraForm, Rules
from screens import state
from screens.look import theme
from screens.words import card, in_signs, rank, say

EXAMPLE = ("7d", "7c", "6b", "1s")
"""The best cards of a pile that docs/rules.md counts: 76."""


def ruling(told: Ruling, played: Card) -> Markup:
    """Gives HTML of what a played card may do, and why."""
    count = len(told.ways)
    head = (
        say("takes", n=count, card=card(played.code))
        if count
        else say("takes_nothing", card=card(played.code))
    )
    ways = [_way(way) for way in told.ways]
    if told.may_lay and told.ways:
        ways.append(Markup('<div class="way">{}</div>').format(say("may_lay")))
    ways += [
        Markup('<div class="way barred">{}{}</div>').format(_faces(taken), say("barred"))
        for taken in told.barred
    ]
    return Markup('<div class="ruling" role="status"><h3>{}</h3>{}{}</div>').format(
        head, _joined(ways), _list(map(in_signs, told.why))
    )


def _way(way: Way) -> Markup:
    return Markup('<div class="way{}">{}<b>{}</b></div>').format(
        " scopa" if way.is_scopa else "",
        _faces(way.taken),
        say("is_scopa") if way.is_scopa else "",
    )


def _faces(cards: Iterable[Card]) -> Markup:
    return theme.faces([one.code for one in cards], width_px=40)


def in_words(rules: Rules) -> Markup:
    """Gives HTML of a rule set in sentences, by what they are about."""
    told = described(rules, lang=state.language())
    seats = say("seatings_are", ways=seatings(rules.seatings))
    sections = (
        Markup("<section><h3>{}</h3>{}</section>").format(
            say(f"group_{group}"),
            _list(seats if name == "seatings" else one for name, one in sentences.items()),
        )
        for group, sentences in told.items()
    )
    return Markup('<div class="rules">{}</div>').format(_joined(sections))


def seatings(ways: Iterable[tuple[int, int]]) -> str:
    """Gives ways to sit in words: "2 players, 2 teams of 2"."""
    return ", ".join(seating(way) for way in ways)


def seating(way: tuple[int, int]) -> str:
    """Gives one way to sit in words."""
    sides, players = way
    if players == 1:
        return say("seating_players", n=sides)
    return say("seating_teams", sides=sides, players=players)


def primiera(match: Match) -> Markup:
    """Gives HTML of what cards count in the prime, with the last hand as an example.

    Nothing where these rules add up no prime.
    """
    rules = match.rules
    if not rules.primiera or rules.primiera_form is not PrimieraForm.PRIME:
        return Markup("")
    return Markup(
        '<div class="rules-prime"><h3>{}</h3>{}<div class="primes">{}</div></div>'
    ).format(say("prime_head"), _scale(rules), _joined(_primes(match)))


def _scale(rules: Rules) -> Markup:
    values = SCALES[rules.faces]
    ranks = sorted(Rank, key=lambda one: (-values[one - 1], one))
    cells = (
        Markup("<div><b>{}</b><span>{}</span></div>").format(values[one - 1], rank(one))
        for one in ranks
    )
    return Markup('<div class="scale" translate="no">{}</div>').format(_joined(cells))


def _primes(match: Match) -> Iterable[Markup]:
    """The primes of the last hand that counts; before the first one, that of an example."""
    rules = match.rules
    if match.hands:
        sides = match.hands[match.counted - 1].sides
        score = score_hand(sides, rules)
        line = next(line for line in score.lines if line.point == "primiera")
        yield Markup("<div>{}</div>").format(say("prime_last", hand=match.counted))
        for name, cards in zip(match.names, line.cards, strict=True):
            yield _prime(name, cards, rules=rules)
        return
    yield Markup("<div>{}</div>").format(say("prime_example"))
    yield _prime("", [Card.from_code(code) for code in EXAMPLE], rules=rules)


def _prime(name: str, cards: Sequence[Card], *, rules: Rules) -> Markup:
    values = [SCALES[rules.faces][one.rank - 1] for one in cards]
    told = f"{' + '.join(map(str, values))} = {sum(values)}" if values else "0"
    return Markup('<div class="prime" translate="no"><b>{}</b>{}<span>{}</span></div>').format(
        name, theme.faces([one.code for one in cards], width_px=30), told
    )


def _list(sentences: Iterable[str]) -> Markup:
    lines = (Markup("<li>{}</li>").format(f"{one[:1].upper()}{one[1:]}") for one in sentences)
    return Markup("<ul>{}</ul>").format(_joined(lines))


def _joined(pieces: Iterable[Markup]) -> Markup:
    return Markup("").join(pieces)
