"""Explain a rule set, and why each point was or was not awarded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.cards import cards_of
from scoring.hand import Answered, Contest, Line
from scoring.locale import SENTENCES, say
from scoring.points import (
    CARD,
    COMPLETE,
    Evidence,
    Point,
    cascade_counts,
    missing_suits,
    scale_of,
)
from scoring.rules import GROUPS, SETTINGS, Aces, Faces, Rules

_STEPS = (
    "cascade.sevens",
    "cascade.sixes",
    "cascade.aces",
    "cascade.fives",
    "cascade.fours",
    "cascade.threes",
    "cascade.twos",
    "cascade.faces",
)
"""The key of each step of the cascade, in the order of `scoring.points.CASCADE`."""

MOST_NAMED = 4
"""With more sides than this, a sentence counts those that lack a suit and does not name them."""


def point_name(point: str, *, lang: str = "en") -> str:
    """Return a point's name as people say it; that of a single card is its code.

    >>> point_name("re-bello", lang="it"), point_name("card-8s")
    ('re bello', '8s')
    """
    if point.startswith(CARD):
        return point.removeprefix(CARD)
    return say(f"point.{point}", lang)


def explain(line: Line, names: Sequence[str], *, lang: str = "en") -> str:
    """Return the sentence that says why a side wins a point of a hand, or why no side does.

    Args:
        line: The point, as `scoring.hand.score_hand` gives it.
        names: The sides' names.
        lang: The language, one of `scoring.locale.SENTENCES.languages`.

    >>> from scoring.cards import Card
    >>> from scoring.hand import Side, score_hand
    >>> codes = {"Anna": ("7d", "7c", "6b", "1s"), "Bruno": ("7s", "2d")}
    >>> sides = [Side(name, map(Card.from_code, pile)) for name, pile in codes.items()]
    >>> for line in score_hand(sides, Rules()).lines:
    ...     print(explain(line, [*codes]))
    carte: Anna 4, Bruno 2
    denari: Anna 1, Bruno 1, a tie, nobody's point
    settebello: Anna has 7d
    primiera: 7d 7c 6b 1s = 76 against Bruno, who lacks coppe and bastoni
    scope: nobody made one
    """
    facts = line.facts
    if isinstance(facts, Contest):
        return _Piles(names=names, masks=facts.piles, lang=lang).why(facts.point, facts.measured)
    if isinstance(facts, Answered):
        return _answered(line, facts, names, lang=lang)
    if line.winner is None:
        return say(facts.key, lang)
    name, count = names[line.winner], facts.figures[line.winner] if facts.figures else 0
    if facts.key != "correction":
        return say(facts.key, lang, name=name, count=count)
    reason = facts.reason or say("correction.unsaid", lang)
    return say(facts.key, lang, name=name, points=f"{count:+}", reason=reason)


def _answered(line: Line, facts: Answered, names: Sequence[str], *, lang: str) -> str:
    """Return the sentence of a point that a user answered, with what is known from the cards."""
    name = point_name(line.point, lang=lang)
    known = explain_known(facts.point, facts.piles, names, lang=lang)
    if known and facts.point.decided(facts.piles) == facts.answers:
        return say("figures", lang, point=name, figures=known)
    if line.winner is None:
        why = say("counted.nobody", lang, point=name)
    else:
        why = say("counted", lang, point=name, name=names[line.winner])
    return f"{why} ({known})" if known else why


def explain_known(
    point: Point, piles: tuple[int, ...], names: Sequence[str], *, lang: str = "en"
) -> str:
    """Return what some cards of each side, as masks, say of a point, such as "Anna 18"."""
    told = _Piles(names=names, masks=piles, lang=lang)
    sides = [side for side, pile in enumerate(piles) if point.tells(pile)]
    known = ", ".join([told.known(point, side) for side in sides])
    is_cascade = known and point.evidence is Evidence.CASCADE
    return f"{say(_STEPS[0], lang)}: {known}" if is_cascade else known


@dataclass(frozen=True, kw_only=True)
class _Piles:
    """Writes sentences about points from the piles of a hand."""

    names: Sequence[str]  # the sides' names
    masks: tuple[int, ...]  # the sides' piles as masks, see `scoring.cards.mask_of`
    lang: str

    def why(self, point: Point, figures: Sequence[int]) -> str:
        """Return the sentence of a point that the piles decide, from its figure for each."""
        winner = point.winner(figures)
        if point.evidence is Evidence.HELD:
            return self._held_or_not(point, winner)
        if point.evidence is Evidence.PRIME and winner is not None:
            return self._prime_won(point, figures, winner=winner)
        if point.evidence is Evidence.CASCADE:
            return self._cascade(point, figures, won=winner is not None)
        return self._figures(point, figures, won=winner is not None)

    def known(self, point: Point, side: int) -> str:
        """Return what is known of a point from some cards of one side."""
        mask = self.masks[side]
        if point.evidence is Evidence.HELD:
            return f"{self.names[side]} {_codes(point.cards(mask))}"
        figure = point.measure(mask)
        if point.evidence is Evidence.CASCADE:
            figure = cascade_counts(mask)[0]
        return self._figure(point, side, figure=figure)

    def _name(self, point: Point) -> str:
        return point_name(point.name, lang=self.lang)

    def _held_or_not(self, point: Point, winner: int | None) -> str:
        """Return the sentence of a point for holding certain cards."""
        if winner is not None:
            name, cards = self.names[winner], _codes(point.cards(self.masks[winner]))
            return say("held", self.lang, point=self._name(point), name=name, cards=cards)
        single = point.name.startswith(CARD)
        wanted = self._name(point) if single else say(f"wanted.{point.name}", self.lang)
        return say("not-held", self.lang, point=self._name(point), cards=wanted)

    def _figures(self, point: Point, figures: Sequence[int], *, won: bool) -> str:
        """Return the sentence that lists each side's figure."""
        short = self._short_of_suits(point, figures)
        texts = [
            self._figure(point, side, figure=figure)
            for side, figure in enumerate(figures)
            if side not in short
        ]
        texts += [say("prime.sides-lack", self.lang, n=len(short))] if short else []
        facts = {"point": self._name(point), "figures": ", ".join(texts)}
        if won:
            return say("figures", self.lang, **facts)
        top = max(figures)
        if not top:
            return say("none", self.lang, **facts)
        if figures.count(top) > 1:
            return say(self._tie(point, figures), self.lang, **facts)
        return say("too-few", self.lang, needed=point.least, **facts)

    def _figure(self, point: Point, side: int, *, figure: int) -> str:
        """Return one side's figure: "Anna 22", "Anna 7d 7c 6b 1s = 76", "Anna lacks coppe"."""
        if point.evidence is not Evidence.PRIME:
            return f"{self.names[side]} {figure}"
        if not figure and missing_suits(self.masks[side]):
            return self._lacks("prime.lacks", side)
        return f"{self.names[side]} {_sum(point.cards(self.masks[side]), figure)}"

    def _lacks(self, key: str, side: int) -> str:
        """Return the words, in the form of a key, for the suits that a side lacks."""
        if not self.masks[side]:
            return say("prime.empty", self.lang, name=self.names[side])
        suits = [
            say(f"suit.{suit.name.lower()}", self.lang) for suit in missing_suits(self.masks[side])
        ]
        joined = say("nor", self.lang).join(suits)
        return say(key, self.lang, name=self.names[side], suits=joined)

    def _prime_won(self, point: Point, figures: Sequence[int], *, winner: int) -> str:
        """Return the sentence that sets the winner's prime against the others."""
        short = self._short_of_suits(point, figures)
        others = [
            self._against(side, figure, figures)
            for side, figure in enumerate(figures)
            if side != winner and side not in short
        ]
        others += [say("prime.sides-lack", self.lang, n=len(short))] if short else []
        prime = _sum(point.cards(self.masks[winner]), figures[winner])
        joined = say("and", self.lang).join(others)
        return say("prime", self.lang, point=self._name(point), prime=prime, others=joined)

    def _against(self, side: int, figure: int, figures: Sequence[int]) -> str:
        """Return a losing prime: its sum, or the suits it lacks where those made it lose."""
        if self._is_barred(side, figure, figures):
            return self._lacks("prime.who-lacks", side)
        return str(figure % COMPLETE)

    def _short_of_suits(self, point: Point, figures: Sequence[int]) -> Sequence[int]:
        """Return the sides that lack suits, if they are to be counted rather than named."""
        if point.evidence is not Evidence.PRIME or len(figures) <= MOST_NAMED:
            return ()
        short = [
            side for side, figure in enumerate(figures) if self._is_barred(side, figure, figures)
        ]
        return short if len(short) > 1 else ()

    def _is_barred(self, side: int, figure: int, figures: Sequence[int]) -> bool:
        """Return whether a side has no prime, or a worse one, because it lacks suits."""
        barred = not figure or figure < COMPLETE <= max(figures)
        return barred and bool(missing_suits(self.masks[side]))

    def _tie(self, point: Point, figures: Sequence[int]) -> str:
        """Return the key of what happens to a point when several sides are tied."""
        return f"tie.{point.ties}" if any(point.awards(figures)) else "tie"

    def _cascade(self, point: Point, figures: Sequence[int], *, won: bool) -> str:
        """Return the sentence of the deciding step of the cascade; of the first if none decides."""
        steps = list(zip(*map(cascade_counts, self.masks), strict=True))
        shown = _decisive(steps) if won else 0
        counts = enumerate(steps[shown])
        texts = ", ".join([f"{self.names[side]} {count}" for side, count in counts])
        facts = {"point": self._name(point), "figures": f"{say(_STEPS[shown], self.lang)}: {texts}"}
        return say("figures" if won else self._tie(point, figures), self.lang, **facts)


def _decisive(steps: Sequence[Sequence[int]]) -> int:
    """Return the number of the step of the cascade that leaves one side alone in front."""
    ahead, decisive = list(range(len(steps[0]))), -1
    while len(ahead) > 1:
        decisive += 1
        top = max(steps[decisive][side] for side in ahead)
        ahead = [side for side in ahead if steps[decisive][side] == top]
    return decisive


_BEST_FIRST = scale_of(Rules(faces=Faces.DESCENDING))
"""The one scale that tells king, knight and jack apart."""


def _codes(mask: int) -> str:
    return " ".join([card.code for card in cards_of(mask)])


def _sum(mask: int, figure: int) -> str:
    """Return a prime's cards, best first, and their sum: "7d 7c 6b 1s = 76"."""
    cards = sorted(cards_of(mask), key=lambda card: -_BEST_FIRST[card.rank - 1])
    return f"{' '.join([card.code for card in cards])} = {figure % COMPLETE}"


def describe(rules: Rules, *, lang: str = "en") -> tuple[str, ...]:
    """Return what a rule set plays, one sentence a setting; points not played are left out.

    >>> describe(Rules())[0]
    'a card takes one of its value; a set adding up to it only where there is none'
    """
    return tuple(sentence for _, sentence in _sentences(rules, lang))


def described(rules: Rules, *, lang: str = "en") -> Mapping[str, Mapping[str, str]]:
    """Return what a rule set plays: for each group of `GROUPS`, settings with their sentences.

    >>> described(Rules())["match"]["target"]
    'the match goes to 11'
    """
    by_setting = dict(_sentences(rules, lang))
    groups = {
        group: {name: by_setting[name] for name in settings if name in by_setting}
        for group, settings in GROUPS.items()
    }
    return {group: sentences for group, sentences in groups.items() if sentences}


def _sentences(rules: Rules, lang: str) -> Iterator[tuple[str, str]]:
    """Yield each setting that has a sentence, with its sentence, in the order of the settings."""
    for name, known in SETTINGS.items():
        given = getattr(rules, name)
        key = _key(name, given)
        if SENTENCES.knows(key) and known.matters(rules):
            yield name, say(key, lang, figure=_shown(given))


def _key(setting: str, given: object) -> str:
    """Return the key rule.SETTING.CHOICE, rule.SETTING.yes or .no, or rule.SETTING.

    A setting without a sentence under its key is left out of descriptions.
    """
    if isinstance(given, StrEnum):
        return f"rule.{setting}.{given.value}"
    if isinstance(given, bool) or not given:
        return f"rule.{setting}.{'yes' if given else 'no'}"
    return f"rule.{setting}"


def disputed(rules: Rules, *, lang: str = "en") -> tuple[str, ...]:
    """Return the rules that vary between houses, one sentence each, if they matter under `rules`.

    >>> disputed(Rules())[0]
    'some take a sum although a card of the same value lies there'
    """
    plays = {
        "captures": rules.captures.by_value,
        "fewest_cards": not rules.fewest_cards,
        "forced": True,
        "last_card_scopa": True,
        "aces": rules.aces is not Aces.ORDINARY,
        "void_kings": rules.kings_stay and rules.table_cards > 0,
        "dealt_fifteen": rules.captures.to_fifteen,
        "missing_suit": rules.has_prime,
        "faces": rules.has_prime,
        "primiera_form": bool(rules.primiera),
        "carte_needed": bool(rules.carte) and any(sides > 2 for sides, _ in rules.seatings),
        "end": True,
    }
    return tuple(say(f"disputed.{name}", lang) for name, bears in plays.items() if bears)


@dataclass(frozen=True, kw_only=True)
class Change:
    """A setting under two rule sets. A sentence is empty if a rule set leaves the setting out."""

    setting: str  # its name
    before: str  # its sentence under the one
    after: str  # its sentence under the other


def differences(before: Rules, after: Rules, *, lang: str = "en") -> tuple[Change, ...]:
    """Return what changes if one rule set replaces another, in the order of `GROUPS`.

    >>> [(change.before, change.after) for change in differences(Rules(), Rules(target=21))]
    [('the match goes to 11', 'the match goes to 21')]
    """
    old, new = dict(_sentences(before, lang)), dict(_sentences(after, lang))
    names = [name for group in GROUPS.values() for name in group]
    changes = (
        Change(setting=name, before=old.get(name, ""), after=new.get(name, "")) for name in names
    )
    return tuple(change for change in changes if change.before != change.after)


def _shown(given: object) -> str:
    if isinstance(given, tuple):
        return ", ".join(
            f"{one} = {other}" if isinstance(one, str) else f"{one} x {other}"
            for one, other in given
        )
    return str(given)
