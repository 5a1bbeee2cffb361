"""A rule set in sentences, and the sentences that say why a point is won, or why by nobody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from types import MappingProxyType

from scoring.cards import cards_of
from scoring.locale import SENTENCES, say
from scoring.points import COMPLETE, SCALES, Evidence, Point, cascade_counts, missing_suits
from scoring.rules import Faces, PrimieraForm, Rules

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
"""The key of each step of the cascade, in the order of `scoring.prime.CASCADE`."""


def point_name(point: str, *, lang: str = "en") -> str:
    """A point's name as people say it."""
    return say(f"point.{point}", lang)


@dataclass(frozen=True, kw_only=True)
class Explainer:
    """Explains the points of one hand: it knows the sides, their piles and the language."""

    names: tuple[str, ...]  # the sides' names
    masks: tuple[int, ...]  # the sides' piles as masks, see `scoring.cards.mask_of`
    lang: str  # the language of the sentences, one of `scoring.locale.LANGUAGES`

    def why(self, point: Point, figures: Sequence[int], *, winner: int | None) -> str:
        """The sentence for a point that is won by one side or by nobody."""
        if point.evidence is Evidence.HELD:
            return self._held_or_not(point, winner)
        if point.evidence is Evidence.PRIME and winner is not None:
            return self._prime_won(point, figures, winner=winner)
        if point.evidence is Evidence.CASCADE:
            return self._cascade(point, won=winner is not None)
        return self._figures(point, figures, won=winner is not None)

    def held(self, point: Point, side: int, *, cards: int) -> str:
        """The sentence that a side holds some cards, given as a mask."""
        name = self._name(point)
        return say("held", self.lang, point=name, name=self.names[side], cards=_codes(cards))

    def shown(self, point: Point, figures: tuple[int, ...]) -> tuple[int, ...]:
        """The figures as a person counts them.

        The figure of a prime of four suits holds `COMPLETE` besides its sum, and that of a cascade
        all of its steps: shown are the sum, and the number of sevens.
        """
        if point.evidence is Evidence.PRIME:
            return tuple(figure % COMPLETE for figure in figures)
        if point.evidence is Evidence.CASCADE:
            return tuple(cascade_counts(mask)[0] for mask in self.masks)
        return figures

    def _name(self, point: Point) -> str:
        return point_name(point.name, lang=self.lang)

    def _held_or_not(self, point: Point, winner: int | None) -> str:
        """The sentence of a point for holding certain cards."""
        if winner is not None:
            return self.held(point, winner, cards=point.cards(self.masks[winner]))
        wanted = say(f"wanted.{point.name}", self.lang)
        return say("not-held", self.lang, point=self._name(point), cards=wanted)

    def _figures(self, point: Point, figures: Sequence[int], *, won: bool) -> str:
        """The sentence that lists each side's figure."""
        texts = [self._figure(point, side, figure=figure) for side, figure in enumerate(figures)]
        facts = {"point": self._name(point), "figures": ", ".join(texts)}
        if won:
            return say("figures", self.lang, **facts)
        top = max(figures)
        if not top:
            return say("none", self.lang, **facts)
        if figures.count(top) > 1:
            return say("tie", self.lang, **facts)
        return say("too-few", self.lang, needed=point.least, **facts)

    def _figure(self, point: Point, side: int, *, figure: int) -> str:
        """One side's figure: "Anna 22", "Anna 7d 7c 6b 1s = 76", "Anna lacks coppe"."""
        if point.evidence is not Evidence.PRIME:
            return f"{self.names[side]} {figure}"
        if not figure and missing_suits(self.masks[side]):
            return self._lacks("prime.lacks", side)
        return f"{self.names[side]} {_sum(point.cards(self.masks[side]), figure)}"

    def _lacks(self, key: str, side: int) -> str:
        """The words, in the form of a key, for the suits that a side lacks."""
        if not self.masks[side]:
            return say("prime.empty", self.lang, name=self.names[side])
        suits = [
            say(f"suit.{suit.name.lower()}", self.lang) for suit in missing_suits(self.masks[side])
        ]
        joined = say("nor", self.lang).join(suits)
        return say(key, self.lang, name=self.names[side], suits=joined)

    def _prime_won(self, point: Point, figures: Sequence[int], *, winner: int) -> str:
        """The sentence that sets the winner's prime against the others."""
        others = [
            self._against(side, figure, best=figures[winner])
            for side, figure in enumerate(figures)
            if side != winner
        ]
        prime = _sum(point.cards(self.masks[winner]), figures[winner])
        joined = say("and", self.lang).join(others)
        return say("prime", self.lang, point=self._name(point), prime=prime, others=joined)

    def _against(self, side: int, figure: int, *, best: int) -> str:
        """A losing prime: its sum, or the suits it lacks where those made it lose."""
        barred = not figure or figure < COMPLETE <= best
        if barred and missing_suits(self.masks[side]):
            return self._lacks("prime.who-lacks", side)
        return str(figure % COMPLETE)

    def _cascade(self, point: Point, *, won: bool) -> str:
        """The sentence of the step of the cascade that decides; of its first where none does."""
        steps = list(zip(*map(cascade_counts, self.masks), strict=True))
        shown = _decisive(steps) if won else 0
        counts = zip(self.names, steps[shown], strict=True)
        texts = ", ".join([f"{name} {count}" for name, count in counts])
        facts = {"point": self._name(point), "figures": f"{say(_STEPS[shown], self.lang)}: {texts}"}
        return say("figures", self.lang, **facts) if won else say("tie", self.lang, **facts)


def _decisive(steps: Sequence[Sequence[int]]) -> int:
    """The number of the step of the cascade that leaves one side alone in front."""
    ahead, decisive = list(range(len(steps[0]))), -1
    while len(ahead) > 1:
        decisive += 1
        top = max(steps[decisive][side] for side in ahead)
        ahead = [side for side in ahead if steps[decisive][side] == top]
    return decisive


def _codes(mask: int) -> str:
    return " ".join([card.code for card in cards_of(mask)])


def _sum(mask: int, figure: int) -> str:
    """A prime's cards, best first, and their sum: "7d 7c 6b 1s = 76"."""
    scale = SCALES[Faces.DESCENDING]  # the one scale that tells king, knight and jack apart
    cards = sorted(cards_of(mask), key=lambda card: -scale[card.rank - 1])
    return f"{' '.join([card.code for card in cards])} = {figure % COMPLETE}"


def describe(rules: Rules, *, lang: str = "en") -> tuple[str, ...]:
    """What a rule set plays, one sentence a setting; points not played are left out.

    >>> describe(Rules())[0]
    'a card takes one of its value; a set adding up to it only where there is none'
    """
    return tuple(sentence for _, sentence in _sentences(rules, lang))


def described(rules: Rules, *, lang: str = "en") -> Mapping[str, Mapping[str, str]]:
    """What a rule set plays, by the groups of `GROUPS`: in each the settings with their sentences.

    >>> described(Rules())["match"]["target"]
    'the match goes to 11'
    """
    by_setting = dict(_sentences(rules, lang))
    groups = {
        group: {name: by_setting[name] for name in settings if name in by_setting}
        for group, settings in GROUPS.items()
    }
    return {group: sentences for group, sentences in groups.items() if sentences}


GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "captures": ("captures", "forced", "aces", "ace_takes_ace", "scopa", "last_card_scopa"),
        "deal": (
            "seatings",
            "hand_cards",
            "table_cards",
            "clockwise",
            "void_kings",
            "void_aces",
            "dealt_fifteen",
        ),
        "points": ("carte", "carte_needed", "denari", "denari_needed", "settebello", "re_bello"),
        "primiera": (
            *("primiera", "primiera_form", "faces", "missing_suit"),
            *("most_sevens", "all_sevens", "settanta"),
        ),
        "extra": ("napola", "piccola", "trente", "grande", "frac", "ponino", "declared"),
        "match": (
            *("target", "end", "sudden_death", "cappotto"),
            *("all_coins_win", "napola_wins", "trente_wins", "perdere"),
        ),
    }
)
"""The settings by what they are about. All but the name of the rules stand in one group."""


def _sentences(rules: Rules, lang: str) -> Iterator[tuple[str, str]]:
    """The settings that say something, each with its sentence, in the order of the settings."""
    for setting in fields(rules):
        given = getattr(rules, setting.name)
        key = _key(setting.name, given)
        if SENTENCES.knows(key) and not _irrelevant(rules, setting.name):
            yield setting.name, say(key, lang, figure=_shown(given))


def _key(setting: str, given: object) -> str:
    """The key rule.SETTING.CHOICE, rule.SETTING.yes or .no, or rule.SETTING.

    A setting that has no sentence under its key says nothing.
    """
    if isinstance(given, StrEnum):
        return f"rule.{setting}.{given.value}"
    if isinstance(given, bool) or not given:
        return f"rule.{setting}.{'yes' if given else 'no'}"
    return f"rule.{setting}"


def _irrelevant(rules: Rules, setting: str) -> bool:
    """Whether a setting changes nothing because of what another one is."""
    if setting == "primiera_form":
        return not rules.primiera
    if setting == "void_kings":
        return not rules.kings_stay
    prime = rules.primiera and rules.primiera_form is PrimieraForm.PRIME
    return setting in {"faces", "missing_suit"} and not prime


def _shown(given: object) -> str:
    if isinstance(given, tuple):
        return ", ".join(f"{sides} x {players}" for sides, players in given)
    return str(given)
