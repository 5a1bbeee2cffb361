"""A match: recorded hands, replayed for the standings, the end and what each side needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, unique
from functools import cached_property
from itertools import groupby
from typing import Any

from scoring.errors import InputError, MatchError
from scoring.hand import HandScore, name_keys, score_hand
from scoring.locale import say
from scoring.presets import read_rules
from scoring.record import HandRecord
from scoring.rules import MatchEnd, Rules


@unique
class Reason(StrEnum):
    """What ended a match."""

    HIGHEST = "highest"  # at or over the target and strictly highest
    LAST_HAND = "last-hand"  # of several sides at the target, most points in the last hand
    # First to reach the target while the points of the hand are counted one after the other
    COUNTED = "counted"
    # First, after a tie, to gain a point that the other tied sides do not gain
    SUDDEN_DEATH = "sudden-death"
    CAPPOTTO = "cappotto"  # as many points as the rules ask for, against sides with none
    OUTRIGHT = "outright"  # a pile that wins the match at once
    LOWEST = "lowest"  # a perdere: strictly lowest when a side reached the target
    HANDS = "hands"  # ahead, or tied, after as many hands as the rules allow
    BELL = "bell"  # ahead, or tied, after the hand in which the bell rang


@dataclass(frozen=True)
class Ending:
    """How a match ended."""

    winner: int | None  # index of the side that won; None for a tie
    hand_no: int  # the hand that decided, counted from 0
    reason: Reason  # what ended it


def _ending_of(match: Match) -> Ending | None:
    """Return the end of a match, or None while it goes on; hands after the end do not count."""
    tied: tuple[int, ...] = ()
    before: tuple[int, ...] = (0,) * len(match.names)
    has_rung = False
    for hand_no, score in enumerate(match.scores):
        rules = match.rules_of(hand_no)
        has_rung = has_rung or (rules.bell and match.hands[hand_no].is_last)
        winner, reason = _decided(score, rules, before=before, tied=tied)
        if winner is not None:
            return Ending(winner, hand_no, reason)
        before = _added(before, score.points)
        stop = _stop(hand_no, rules, has_rung=has_rung)
        ahead = _leader([-total for total in before] if rules.perdere else before)
        if stop is not None and (rules.draw or ahead is not None):
            return Ending(ahead, hand_no, stop)
        tied = _tied_after(score, rules, totals=before)
    return None


def _stop(hand_no: int, rules: Rules, *, has_rung: bool) -> Reason | None:
    """Why the match ends with a hand regardless of the target, or None if it goes on."""
    if has_rung:
        return Reason.BELL
    return Reason.HANDS if 0 < rules.hands <= hand_no + 1 else None


def _decided(
    score: HandScore, rules: Rules, *, before: tuple[int, ...], tied: tuple[int, ...]
) -> tuple[int | None, Reason]:
    """Return the winner after a hand, or None if the match goes on, and the reason for a win."""
    totals = _added(before, score.points)
    if score.outright is not None:
        return score.outright, Reason.OUTRIGHT
    first = _first_gain(score, tied) if tied and rules.sudden_death else None
    if first is not None:
        return first, Reason.SUDDEN_DEATH
    with_points = [side for side, total in enumerate(totals) if total]
    if rules.cappotto and len(with_points) == 1 and max(totals) >= rules.cappotto:
        return with_points[0], Reason.CAPPOTTO
    if max(totals) < rules.target:
        return None, Reason.HIGHEST
    if rules.perdere:
        return _leader([-total for total in totals]), Reason.LOWEST
    if rules.end is MatchEnd.COUNTED:
        return _first_across(score, rules, before=before), Reason.COUNTED
    if rules.end is MatchEnd.LAST_HAND:
        return _leader(_hand_points(score, rules, totals=totals)), Reason.LAST_HAND
    return _leader(totals), Reason.HIGHEST


def _added(totals: Sequence[int], points: Sequence[int]) -> tuple[int, ...]:
    return tuple(total + point for total, point in zip(totals, points, strict=True))


def _leader(figures: Sequence[int]) -> int | None:
    """Return the side alone in front, or None."""
    top = max(figures)
    return figures.index(top) if figures.count(top) == 1 else None


def _hand_points(score: HandScore, rules: Rules, *, totals: Sequence[int]) -> list[int]:
    """Return the points in this hand of each side at the target; -1 for the others."""
    pairs = zip(totals, score.points, strict=True)
    return [points if total >= rules.target else -1 for total, points in pairs]


def _gains(score: HandScore) -> Iterator[list[int]]:
    """For each point of a hand, in the order of counting, what each side gains by it."""
    for _, lines in groupby(score.lines, key=lambda line: line.point):
        gains = [0] * score.sides
        for line in lines:
            if line.winner is not None:
                gains[line.winner] += line.amount
        yield gains


def _first_across(score: HandScore, rules: Rules, *, before: tuple[int, ...]) -> int | None:
    """Return the side that reaches the target first when points are counted one after the other."""
    running = before
    for gains in _gains(score):
        running = _added(running, gains)
        winner = _leader(running)
        if winner is not None and running[winner] >= rules.target:
            return winner
    return None


def _first_gain(score: HandScore, tied: tuple[int, ...]) -> int | None:
    """Return the tied side that is first to gain more than the others tied with it."""
    for gains in _gains(score):
        winner = _leader([gains[side] for side in tied])
        if winner is not None:
            return tied[winner]
    return None


def _tied_after(score: HandScore, rules: Rules, *, totals: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sides between which a tie at the target leaves the match open after a hand."""
    if max(totals) < rules.target:
        return ()
    figures = list(totals)
    if rules.end is MatchEnd.LAST_HAND:
        figures = _hand_points(score, rules, totals=totals)
    return tuple(side for side, figure in enumerate(figures) if figure == max(figures))


@dataclass(frozen=True)
class Match:
    """A match as facts: rules, names and hands. All else is computed from these.

    If the rules changed in mid-match, each hand is scored by the rules it was played by. Only the
    target is common to all hands: it is that of the newest rules.

    Raises:
        MatchError: fewer than two or more than six names, or two the same.
    """

    rules: Rules  # the rules it is played by: those of the next hand
    names: tuple[str, ...]  # the sides' names
    hands: tuple[HandRecord, ...] = ()  # the hands recorded, oldest first
    # Earlier rules, each with the number of hands that had been played when others replaced them
    earlier: tuple[tuple[int, Rules], ...] = ()

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
                raise MatchError(message)

    def record(self, hand: HandRecord) -> Match:
        """This match with one hand more.

        Raises:
            MatchError: it is over already, or the hand has another number of sides.

        >>> from scoring.hand import Side
        >>> match = Match(Rules(), ("Anna", "Bruno"))
        >>> hand = HandRecord((Side("Anna", (), 2), Side("Bruno", (), 1)))
        >>> match.record(hand).standings
        ((2, 1),)
        """
        if self.ending is not None:
            winner, last = self.winner, self.ending.hand_no + 1
            how = "it ended level" if winner is None else f"{self.names[winner]} won"
            raise MatchError(f"{how} with hand {last}: start a new match for another hand")
        return replace(self, hands=(*self.hands, hand))

    def edit(self, hand_no: int, hand: HandRecord) -> Match:
        """This match with one hand replaced; hands count from 0.

        Raises:
            MatchError: there is no such hand.
        """
        if not 0 <= hand_no < len(self.hands):
            message = f"expected a hand from 0 to {len(self.hands) - 1}, got {hand_no}"
            raise MatchError(message)
        return replace(self, hands=(*self.hands[:hand_no], hand, *self.hands[hand_no + 1 :]))

    def rules_of(self, hand_no: int) -> Rules:
        """Return the rules of a hand, counted from 0, with the match's target.

        >>> match = Match(Rules(), ("Anna", "Bruno")).under(Rules(settebello=2), since=3)
        >>> match.rules_of(2).settebello, match.rules_of(3).settebello
        (1, 2)
        """
        own = next((rules for until, rules in self.earlier if hand_no < until), None)
        return self.rules if own is None else own.changed(target=self.rules.target)

    def under(self, rules: Rules, *, since: int) -> Match:
        """Return this match with other rules for its hands from `since` on, counted from 0.

        If `since` is 0, all hands are scored again.
        """
        kept = tuple(one for one in self.earlier if one[0] < since)
        before = next((one for until, one in self.earlier if since <= until), self.rules)
        if since and before.changed(target=rules.target) != rules:
            kept = (*kept, (since, before))
        return replace(self, rules=rules, earlier=kept)

    @property
    def has_mixed_rules(self) -> bool:
        """Whether the rules differ between any of its hands, the next one included."""
        return len({self.rules_of(hand_no) for hand_no in range(len(self.hands) + 1)}) > 1

    def score(self, hand_no: int) -> HandScore:
        """Return the score of one hand."""
        sides = [
            side if side.name == name else replace(side, name=name)
            for side, name in zip(self.hands[hand_no].sides, self.names, strict=True)
        ]
        return score_hand(sides, self.rules_of(hand_no))

    @cached_property
    def scores(self) -> tuple[HandScore, ...]:
        """The score of every hand recorded."""
        return tuple(self.score(hand_no) for hand_no in range(len(self.hands)))

    @cached_property
    def ending(self) -> Ending | None:
        """How it ended, or None while it goes on."""
        return _ending_of(self)

    @property
    def is_over(self) -> bool:
        """Whether it has ended, by a win or in a tie."""
        return self.ending is not None

    @property
    def winner(self) -> int | None:
        """Index of the side that won; None during play and after a tie."""
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
            totals = _added(totals, score.points)
            after.append(totals)
        return tuple(after)

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each side now."""
        return self.standings[-1] if self.hands else (0,) * len(self.names)

    def to_dict(self) -> dict[str, Any]:
        """Return the match as plain JSON values; `from_dict` reads them back."""
        before = [{"hands": until, "rules": rules.to_dict()} for until, rules in self.earlier]
        return {
            "rules": self.rules.to_dict(),
            "names": list(self.names),
            "hands": [hand.to_dict() for hand in self.hands],
        } | ({"earlier": before} if before else {})

    @classmethod
    def from_dict(cls, data: Any) -> Match:
        """Return the match of a mapping {"rules", "names", "hands", "earlier"}.

        Names default to the first hand's. "earlier" is a list of {"hands", "rules"}: rules
        that were replaced in mid-match, with the number of hands played until then. If a hand has
        the same sides in another order or with other capitals, it is changed to match the names.

        Raises:
            InputError: a part is malformed, or a hand has other sides than the match.
            RulesError: the rules are invalid, or do not allow this number of sides.
            MatchError: fewer than two or more than six names, or two the same.

        >>> match = Match(Rules(), ("Anna", "Bruno"))
        >>> Match.from_dict(match.to_dict()) == match
        True
        """
        if not isinstance(data, Mapping) or not isinstance(data.get("hands"), list):
            raise InputError('match: expected {"rules", "hands": [...]}', where="match")
        hands = tuple(
            HandRecord.from_dict(hand, where=f"hands[{index}]")
            for index, hand in enumerate(data["hands"])
        )
        names = data.get("names")
        if names is None:
            names = [side.name for side in hands[0].sides] if hands else []
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise InputError(f"names: expected a list of names, got {names!r}", where="names")
        for index, hand in enumerate(hands):
            own = [side.name for side in hand.sides]
            if sorted(name_keys(own)) != sorted(name_keys(names)):
                where = f"hands[{index}]"
                message = f"{where}: expected the sides {', '.join(names)}, got {', '.join(own)}"
                raise InputError(message, where=where)
        seated = tuple(hand.seated_as(names) for hand in hands)
        earlier = _read_earlier(data.get("earlier", []), hands=len(hands))
        match = cls(read_rules(data.get("rules")), tuple(names), seated, earlier)
        for rules in (match.rules, *(rules for _, rules in earlier)):
            rules.played_by(len(names))
        return match


def _read_earlier(data: Any, *, hands: int) -> tuple[tuple[int, Rules], ...]:
    """Return the rules of earlier hands of a JSON list of {"hands", "rules"}."""
    expected = f'earlier: expected a list of {{"hands": 1 to {hands}, rising, "rules"}}'
    if not isinstance(data, list) or not all(isinstance(one, Mapping) for one in data):
        raise InputError(expected, where="earlier")
    counts = [one.get("hands") for one in data]
    if any(type(count) is not int for count in counts) or counts != sorted({*counts}):
        raise InputError(expected, where="earlier")
    if counts and not 1 <= counts[0] <= counts[-1] <= hands:
        raise InputError(expected, where="earlier")
    return tuple((one["hands"], read_rules(one.get("rules"))) for one in data)


@dataclass(frozen=True)
class Need:
    """What one side needs in the next hand."""

    side: int  # index of the side
    # The fewest points with which it can win (or, a perdere, lose) if no other side makes any
    points: int
    why: str  # the sentence


def needs(match: Match, *, lang: str = "en") -> tuple[Need, ...]:
    """Return what each side needs to win with the next hand; nothing once the match is over.

    >>> from scoring.hand import Side
    >>> hand = HandRecord((Side("Anna", (), 7), Side("Bruno", (), 8)))
    >>> for need in needs(Match(Rules(), ("Anna", "Bruno"), (hand,))):
    ...     print(need.why)
    Anna wins this hand with 4 points or more, if that puts Anna ahead
    Bruno wins this hand with 3 points or more, if that puts Bruno ahead
    """
    if match.ending is not None:
        return ()
    return tuple(_need(match, side, lang) for side in range(len(match.names)))


def _need(match: Match, side: int, lang: str) -> Need:
    rules, totals = match.rules, match.totals
    to_target = max(rules.target - totals[side], 0)
    best = max(total for other, total in enumerate(totals) if other != side)
    ahead = best - totals[side] + 1
    key, points = f"need.{rules.end}", max(to_target, ahead)
    if _stop(len(match.hands), rules, has_rung=False) and not rules.perdere:
        return Need(side, max(ahead, 0), _needed("need.highest", match, side, max(ahead, 0), lang))
    if rules.end is MatchEnd.LAST_HAND:
        points = max(to_target, 1)
    elif rules.perdere:
        key, points = "need.perdere", to_target
    tied = match.hands and _tied_after(match.scores[-1], rules, totals=totals)
    if rules.sudden_death and tied and side in tied:
        key = "need.sudden-death"
    return Need(side, points, _needed(key, match, side, points, lang))


def _needed(key: str, match: Match, side: int, points: int, lang: str) -> str:
    counted = say("need.points", lang, n=points)
    return say(key, lang, name=match.names[side], points=counted)
