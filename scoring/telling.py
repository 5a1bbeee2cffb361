"""The sentence why: which figures decided a point, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.cards import cards_of
from scoring.points import Point, Telling
from scoring.prime import COMPLETE, SCALES, cascade_counts, missing_suits
from scoring.rules.choices import Faces
from scoring.words import say


@dataclass(frozen=True, kw_only=True)
class Piles:
    """The piles of a hand and the language to speak of them in."""

    names: tuple[str, ...]
    """The sides' names."""
    masks: tuple[int, ...]
    """Their piles as masks."""
    lang: str
    """The language of the sentences."""

    def why(self, point: Point, figures: Sequence[int], *, winner: int | None) -> str:
        """The sentence for a point that is won by one side or by nobody."""
        if point.telling is Telling.HELD:
            return self._held_or_not(point, winner)
        if point.telling is Telling.PRIME and winner is not None:
            return self._prime_won(point, figures, winner=winner)
        if point.telling is Telling.CASCADE:
            return self._cascade(point, tied=winner is None)
        texts = [self._figure(point, place, figure=figure) for place, figure in enumerate(figures)]
        return self._figures(point, texts, tied=winner is None, figures=figures)

    def held(self, name: str, place: int, *, mask: int) -> str:
        """The sentence that a side holds some cards."""
        return say(
            "held",
            self.lang,
            point=self._name(name),
            name=self.names[place],
            cards=_codes(mask),
        )

    def shown(self, point: Point, figures: tuple[int, ...]) -> tuple[int, ...]:
        """The figures as a person counts them: a prime without its rank, sevens of a cascade."""
        if point.telling is Telling.PRIME:
            return tuple(figure % COMPLETE for figure in figures)
        if point.telling is Telling.CASCADE:
            return tuple(cascade_counts(mask)[0] for mask in self.masks)
        return figures

    def _name(self, point: str) -> str:
        """A point's name in the language."""
        return say(f"point.{point}", self.lang)

    def _held_or_not(self, point: Point, winner: int | None) -> str:
        """The sentence of a point for holding certain cards."""
        if winner is not None:
            return self.held(point.name, winner, mask=point.cards(self.masks[winner]))
        wanted = say(f"wanted.{point.name}", self.lang)
        return say("not-held", self.lang, point=self._name(point.name), cards=wanted)

    def _figures(
        self, point: Point, texts: Sequence[str], *, tied: bool, figures: Sequence[int]
    ) -> str:
        """The sentence of a point by each side's figure."""
        top = max(figures)
        key = "figures"
        if tied:
            at_top = [figure for figure in figures if figure == top]
            key = "none" if not top else "tie" if len(at_top) > 1 else "too-few"
        facts = {"point": self._name(point.name), "figures": ", ".join(texts)}
        return say(key, self.lang, needed=point.least, **facts)

    def _figure(self, point: Point, place: int, *, figure: int) -> str:
        """One side's figure: "Anna 22", "Anna 7d 7c 6b 1s = 76"."""
        if point.telling is Telling.PRIME:
            return self._prime(point, place, figure=figure)
        return f"{self.names[place]} {figure}"

    def _prime(self, point: Point, place: int, *, figure: int) -> str:
        """One side's prime with its name, or the suits it lacks."""
        if not figure and missing_suits(self.masks[place]):
            return self._lacks("prime.lacks", place)
        return f"{self.names[place]} {_sum(point.cards(self.masks[place]), figure)}"

    def _lacks(self, key: str, place: int) -> str:
        """That a side lacks some suits."""
        if not self.masks[place]:
            return say("prime.empty", self.lang, name=self.names[place])
        suits = [say(f"suit.{suit}", self.lang) for suit in missing_suits(self.masks[place])]
        joined = say("nor", self.lang).join(suits)
        return say(key, self.lang, name=self.names[place], suits=joined)

    def _prime_won(self, point: Point, figures: Sequence[int], *, winner: int) -> str:
        """The winner's prime against the others."""
        others = [
            self._against(place, figure, best=figures[winner])
            for place, figure in enumerate(figures)
            if place != winner
        ]
        prime = _sum(point.cards(self.masks[winner]), figures[winner])
        joined = say("and", self.lang).join(others)
        return say("prime", self.lang, point=self._name(point.name), prime=prime, others=joined)

    def _against(self, place: int, figure: int, *, best: int) -> str:
        """A losing prime: its sum, or the suits it lacks."""
        barred = not figure or figure < COMPLETE <= best
        if barred and missing_suits(self.masks[place]):
            return self._lacks("prime.who-lacks", place)
        return str(figure % COMPLETE)

    def _cascade(self, point: Point, *, tied: bool) -> str:
        """The step of the cascade that decides, or that none does."""
        steps = list(zip(*map(cascade_counts, self.masks), strict=True))
        decisive = 0 if tied else _decisive(steps)
        counts = zip(self.names, steps[decisive], strict=True)
        texts = ", ".join([f"{name} {count}" for name, count in counts])
        figures = f"{say(f'cascade.{decisive}', self.lang)}: {texts}"
        key = "tie" if tied else "figures"
        return say(key, self.lang, point=self._name(point.name), figures=figures)


def _decisive(steps: Sequence[Sequence[int]]) -> int:
    """The step of the cascade that leaves one side in front."""
    ahead, decisive = list(range(len(steps[0]))), -1
    while len(ahead) > 1:
        decisive += 1
        top = max(steps[decisive][side] for side in ahead)
        ahead = [side for side in ahead if steps[decisive][side] == top]
    return decisive


def _codes(mask: int) -> str:
    """The codes of some cards: "7d 7c"."""
    return " ".join([card.code for card in cards_of(mask)])


def _sum(mask: int, figure: int) -> str:
    """A prime's cards, best first, and their sum: "7d 7c 6b 1s = 76"."""
    scale = SCALES[Faces.DESCENDING]
    cards = sorted(cards_of(mask), key=lambda card: -scale[card.rank - 1])
    return f"{' '.join([card.code for card in cards])} = {figure % COMPLETE}"
