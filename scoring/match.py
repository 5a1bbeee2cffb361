"""A match: the hands recorded, replayed under a rule set; undo and edit recompute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from scoring.ending import Ending, added, ending_of
from scoring.errors import InputError, MatchError
from scoring.facts import HandFacts
from scoring.hand import HandScore, score_hand
from scoring.rules import Rules, read_rules


@dataclass(frozen=True)
class Match:
    """A match as facts: rules, names and hands. All else is computed from these.

    Raises:
        MatchError: fewer than two or more than six names, or two the same.
    """

    rules: Rules
    """The rules it is played by."""
    names: tuple[str, ...]
    """The sides' names."""
    hands: tuple[HandFacts, ...] = ()
    """The hands recorded, oldest first."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "hands", tuple(self.hands))
        if not 2 <= len(self.names) <= 6 or len(set(self.names)) < len(self.names):
            shown = ", ".join(self.names) or "none"
            raise MatchError(f"expected 2 to 6 different names, got {shown}")
        for hand_no, hand in enumerate(self.hands):
            if len(hand.sides) != len(self.names):
                wanted, came = len(self.names), len(hand.sides)
                message = f"hand {hand_no + 1}: expected {wanted} sides, got {came}"
                raise MatchError(message, hand_no=hand_no)

    def record(self, hand: HandFacts) -> Match:
        """This match with one hand more.

        Raises:
            MatchError: it is over already, or the hand has another number of sides.

        >>> from scoring.hand import Side
        >>> match = Match(Rules(), ("Anna", "Bruno"))
        >>> hand = HandFacts((Side("Anna", (), 2), Side("Bruno", (), 1)))
        >>> match.record(hand).standings
        ((2, 1),)
        """
        if self.ending is not None:
            winner, last = self.names[self.ending.winner], self.ending.hand_no
            message = f"{winner} won with hand {last + 1}: start a new match for another hand"
            raise MatchError(message, hand_no=last)
        return replace(self, hands=(*self.hands, hand))

    def edit(self, hand_no: int, hand: HandFacts) -> Match:
        """This match with one hand put right; hands count from 0.

        Raises:
            MatchError: there is no such hand.
        """
        if not 0 <= hand_no < len(self.hands):
            message = f"expected a hand from 0 to {len(self.hands) - 1}, got {hand_no}"
            raise MatchError(message, hand_no=hand_no)
        return replace(self, hands=(*self.hands[:hand_no], hand, *self.hands[hand_no + 1 :]))

    def undo(self) -> Match:
        """This match without its last hand.

        Raises:
            MatchError: there is none.
        """
        if not self.hands:
            raise MatchError("no hand is recorded: there is nothing to undo")
        return replace(self, hands=self.hands[:-1])

    def under(self, rules: Rules) -> Match:
        """The same hands under other rules.

        >>> Match(Rules(), ("Anna", "Bruno")).under(Rules(target=21)).rules.target
        21
        """
        return replace(self, rules=rules)

    def score(self, hand_no: int, *, lang: str = "en") -> HandScore:
        """The score of one hand, its sentences in a language and with this match's names."""
        sides = [
            replace(side, name=name)
            for side, name in zip(self.hands[hand_no].sides, self.names, strict=True)
        ]
        return score_hand(sides, self.rules, lang=lang)

    @cached_property
    def scores(self) -> tuple[HandScore, ...]:
        """The score of every hand recorded, in English."""
        return tuple(self.score(hand_no) for hand_no in range(len(self.hands)))

    @cached_property
    def ending(self) -> Ending | None:
        """How it ended, or None while it goes on."""
        return ending_of(self.scores, self.rules)

    @property
    def winner(self) -> int | None:
        """Index of the side that won, or None."""
        return None if self.ending is None else self.ending.winner

    @property
    def counted(self) -> int:
        """How many hands count: those up to the end."""
        return len(self.hands) if self.ending is None else self.ending.hand_no + 1

    @property
    def standings(self) -> tuple[tuple[int, ...], ...]:
        """The totals after each hand that counts."""
        totals: tuple[int, ...] = (0,) * len(self.names)
        after = []
        for score in self.scores[: self.counted]:
            totals = added(totals, score.points)
            after.append(totals)
        return tuple(after)

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each side now."""
        return self.standings[-1] if self.hands else (0,) * len(self.names)

    def to_dict(self) -> dict[str, Any]:
        """The match as plain JSON values; `from_dict` reads them back."""
        return {
            "rules": self.rules.to_dict(),
            "names": list(self.names),
            "hands": [hand.to_dict() for hand in self.hands],
        }

    @classmethod
    def from_dict(cls, data: Any) -> Match:
        """The match of a mapping {"rules", "names", "hands"}; names default to the first hand's.

        A hand that names the same sides in another order is put in theirs; one that names quite
        other sides means them in their order.

        Raises:
            InputError: a part has not its shape.
            RulesError: the rules do not hold.
            MatchError: names or hands that do not fit together.

        >>> match = Match(Rules(), ("Anna", "Bruno"))
        >>> Match.from_dict(match.to_dict()) == match
        True
        """
        if not isinstance(data, Mapping) or not isinstance(data.get("hands"), list):
            raise InputError('match: expected {"rules", "hands": [...]}', where="match")
        hands = tuple(
            HandFacts.from_dict(hand, where=f"hands[{index}]")
            for index, hand in enumerate(data["hands"])
        )
        names = data.get("names")
        if names is None:
            names = [side.name for side in hands[0].sides] if hands else []
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise InputError(f"names: expected a list of names, got {names!r}", where="names")
        for index, hand in enumerate(hands):
            _check_names(hand, names, where=f"hands[{index}]")
        seated = tuple(hand.seated_as(names) for hand in hands)
        return cls(read_rules(data.get("rules")), tuple(names), seated)


def _check_names(hand: HandFacts, names: Sequence[str], *, where: str) -> None:
    """Refuses a hand that names a side twice, or only some of the match's sides besides others.

    With all the match's names, or none of them, it is clear which side is which.
    """
    own = [side.name for side in hand.sides]
    if len(set(own)) < len(own) or (set(own) & set(names) and set(own) != set(names)):
        message = f"{where}: expected the sides {', '.join(names)}, got {', '.join(own)}"
        raise InputError(message, where=where)
