"""How a rule set is taught: steps to look at, tables to try, counts to guess; all from its `Rules`.

A step shows cards that are played by these rules, with the sentences of the rules that it is about.
A task is a table and a played card: `judge` says whether taking certain cards is right, not the
best, or not allowed, and why. A guess is who gets a point for two piles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum, unique
from itertools import chain
from random import Random
from types import MappingProxyType

from scoring.captures import Ruling, Taken, Way, keeps_itself, rule_on
from scoring.cards import Card, Rank, Suit
from scoring.explain import GROUPS, described
from scoring.hand import HandScore, Side, score_hand
from scoring.locale import say
from scoring.play import random_hand
from scoring.rules import FIFTEEN, Aces, Rules

NAMES = ("Anna", "Bruno")
"""The sides of every lesson."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A card that is played to a table, and what it takes: nothing where it is laid."""

    table: Taken  # the cards on the table, in the order of the deck
    played: Card  # the card played
    taken: Taken  # the cards it takes
    is_scopa: bool = False  # whether that is a scopa
    is_last: bool = False  # whether it is the hand's last card: what lies there goes to a pile
    to_pile: bool = False  # whether the card goes to its player's pile although it takes nothing


@dataclass(frozen=True, kw_only=True)
class Step:
    """One of the steps in which a rule set is taught."""

    name: str  # "one", "several", "scopa", "last", "count"
    says: tuple[str, ...]  # what it teaches, a sentence each
    scenes: tuple[Scene, ...] = ()  # what is shown, one after the other
    score: HandScore | None = None  # a hand that is counted, in the last step
    sides: tuple[Side, ...] = ()  # its sides


@unique
class Verdict(StrEnum):
    """Whether it is right to take certain cards."""

    RIGHT = "right"
    NOT_BEST = "not-best"  # it is allowed, but something else gets more
    NOT_ALLOWED = "not-allowed"


@dataclass(frozen=True)
class Judgement:
    """A verdict and the sentence that says why."""

    verdict: Verdict
    why: str


@dataclass(frozen=True)
class Task:
    """A table and a card played to it, to be tried."""

    table: Taken  # the cards on the table, in the order of the deck
    played: Card  # the card played


@dataclass(frozen=True, kw_only=True)
class Guess:
    """Two piles, and the question who gets a point for them."""

    point: str  # the point's name
    piles: tuple[Taken, ...]  # the piles of `NAMES`
    winner: int | None  # the side that gets it; None where they are level
    why: str  # the sentence


_SAYS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "one": ("captures", "queen_eight", "forced"),
        "several": ("fewest_cards", "most_taken"),
        "scopa": ("scopa", "aces", "ace_takes_ace", "ace_takes_itself", "first_ace"),
        "last": ("last_card_scopa", *GROUPS["deal"][1:]),  # who may sit down is no matter of play
        "count": tuple(chain(*(GROUPS[one] for one in ("points", "primiera", "extra", "match")))),
    }
)
"""The settings whose sentences each step says."""

_TABLES = (
    *(("7c 5s 2b", "7d"), ("8c 5s 3b", "7d"), ("9c 6s 2b", "7d"), ("5s 2b 10c", "7d")),
    *(("5s 10d 3c", "1b"), ("1c 10s 3b", "1d"), ("5c 2d", "7b"), ("5c 3d", "7b")),
    *(("4c 3s 6b 1d", "7b"), ("7d 7s 2c", "7b"), ("8d 8s 2c", "7b"), ("2c 9d", "7b")),
    *(("6c 3d 10s", "6b"), ("5c 3d 10s", "7b"), ("8s", "7b"), ("10s 4b", "1d")),
    *(("1c 4s 1s 2d 8s 8d", "10b"), ("1c 2d 3s", "6b"), ("4d 9s 2c", "6b"), ("6c 1d", "9b")),
    *(("7c", "7b"), ("9s", "7b"), ("1c 4d 5d", "5b"), ("1c 3s 4c", "4b")),
)
"""Tables and played cards, from which each rule set takes those that tell something by it."""

_PILES = (
    ("7d 7c 6b 1s 10s", "7s 7b 6d 6c 9d"),
    ("7d 7c 7s 8d", "7b 1d 1c 1s"),
    ("7d 7c 6s 4b", "1d 1c 7s 7b"),
)
"""Piles for the guesses."""

_CONTESTED = ("primiera", "most-sevens", "denari", "carte")
"""The points that are guessed, the first that the rules play."""


MOST_TASKS = 10
"""The most tables that are tried under a rule set."""


def _cards(codes: str) -> Taken:
    return tuple(sorted(map(Card.from_code, codes.split()), key=lambda card: card.index))


def steps(rules: Rules, *, lang: str = "en") -> tuple[Step, ...]:
    """The five steps in which a rule set is taught.

    >>> [(step.name, len(step.scenes)) for step in steps(Rules())]
    [('one', 1), ('several', 1), ('scopa', 1), ('last', 2), ('count', 0)]
    """
    said = {
        name: one for group in described(rules, lang=lang).values() for name, one in group.items()
    }
    scenes: dict[str, list[Scene]] = {name: [] for name in _SAYS}
    scenes["one"] += _first(rules, lambda scene: len(scene.taken) == 1 < len(scene.table))
    scenes["several"] += _first(rules, lambda scene: 1 < len(scene.taken) < len(scene.table))
    scenes["scopa"] += _first(rules, lambda scene: scene.is_scopa and not _is_swept(scene, rules))
    if rules.aces is not Aces.ORDINARY:
        scenes["scopa"] += _first(rules, lambda scene: _is_swept(scene, rules))
    if rules.ace_takes_itself:
        scenes["scopa"].append(Scene(table=(), played=_cards("1b")[0], taken=(), to_pile=True))
    scenes["last"] += _first(rules, lambda scene: not scene.taken, is_last=True)
    scenes["last"] += _first(
        rules, lambda scene: len(scene.taken) == len(scene.table) == 1, is_last=True
    )
    sums = "fifteen" if not rules.captures.by_value else "value"
    found = []
    for name, settings in _SAYS.items():
        lead = f"lesson.{name}.{sums}" if name in {"one", "several"} else f"lesson.{name}"
        says = (say(lead, lang), *(said[one] for one in settings if one in said))
        found.append(Step(name=name, says=says, scenes=tuple(scenes[name])))
    sides = _played(rules)
    score = score_hand(sides, rules, lang=lang)
    return (*found[:-1], replace(found[-1], score=score, sides=sides))


def _is_swept(scene: Scene, rules: Rules) -> bool:
    """Whether an ace takes more than its value."""
    by_ace = scene.played.rank is Rank.ASSO and rules.aces is not Aces.ORDINARY
    return by_ace and sum(card.rank for card in scene.taken) > 1


def _first(
    rules: Rules, fits: Callable[[Scene], bool], *, is_last: bool = False
) -> Iterator[Scene]:
    """The first scene that fits, of what may be done best on each of the tables."""
    for task in _all_tasks():
        ruling = rule_on(task.table, task.played, rules=rules, last_card=is_last)
        ways = sorted(ruling.ways, key=lambda way: _worth(way, rules))[::-1]
        for way in ways or [Way(taken=(), is_scopa=False)]:
            scene = Scene(
                table=task.table,
                played=task.played,
                taken=way.taken,
                is_scopa=way.is_scopa,
                is_last=is_last,
            )
            if fits(scene):
                yield scene
                return


def _all_tasks() -> Iterator[Task]:
    for table, played in _TABLES:
        yield Task(_cards(table), Card.from_code(played))


def _played(rules: Rules) -> tuple[Side, ...]:
    """The sides of a hand that was played by the rules, with a scopa, won by one of them."""
    team = next((team for sides, team in rules.seatings if sides == len(NAMES)), 1)
    seated = rules if (2, team) in rules.seatings else rules.changed(seatings=((2, 1),))
    for seed in range(100):
        hand = random_hand(seated, Random(seed), names=NAMES, team=team)
        points = score_hand(hand.sides, rules).points
        whole = sum(len(side.pile) for side in hand.sides) == 40
        if whole and len(set(points)) > 1 and any(side.scope for side in hand.sides):
            break
    return hand.sides


def tasks(rules: Rules) -> tuple[Task, ...]:
    """Tables to try under a rule set: each tells something that those before do not."""
    found: dict[object, Task] = {}
    for task in _all_tasks():
        ruling = rule_on(task.table, task.played, rules=rules)
        worths = sorted(_worth(way, rules) for way in ruling.ways)
        matters = {_first_difference(one, worths[-1]) for one in worths[:-1]}
        scopa = any(way.is_scopa for way in ruling.ways)
        by_ace = task.played.rank is Rank.ASSO and rules.aces is not Aces.ORDINARY
        why = frozenset(barred.why for barred in ruling.barred)
        sizes = frozenset(len(way.taken) for way in ruling.ways)
        found.setdefault((sizes, frozenset(matters), scopa, by_ace, why), task)
    return tuple(found.values())[:MOST_TASKS]


def judge(task: Task, taken: Iterable[Card], rules: Rules, *, lang: str = "en") -> Judgement:
    """The verdict on taking some cards; on none: on laying the card.

    >>> task = Task(_cards("7c 5s 2b"), Card.from_code("7d"))
    >>> judge(task, _cards("5s 2b"), Rules())  # doctest: +ELLIPSIS
    Judgement(verdict=<Verdict.NOT_ALLOWED: 'not-allowed'>, why='a card of the same value lies ...')
    """
    wanted = tuple(sorted(taken, key=lambda card: card.index))
    ruling = rule_on(task.table, task.played, rules=rules, lang=lang)
    if not wanted:
        return _judge_laying(task, ruling, rules, lang)
    way = next((way for way in ruling.ways if way.taken == wanted), None)
    if way is None:
        barred = next((one.why for one in ruling.barred if one.taken == wanted), None)
        return Judgement(Verdict.NOT_ALLOWED, barred or _why_not(task, wanted, rules, lang))
    return _judge_way(way, ruling, rules, lang)


def _judge_laying(task: Task, ruling: Ruling, rules: Rules, lang: str) -> Judgement:
    if not ruling.may_lay:
        return Judgement(Verdict.NOT_ALLOWED, say(f"rule.forced.{rules.forced}", lang))
    if ruling.ways and not rules.perdere:
        return Judgement(Verdict.NOT_BEST, say("lesson.could_take", lang))
    if ruling.ways or keeps_itself(task.table, task.played, rules=rules):
        return Judgement(Verdict.RIGHT, say(f"rule.forced.{rules.forced}", lang))
    return Judgement(Verdict.RIGHT, ruling.why[0])


def _judge_way(way: Way, ruling: Ruling, rules: Rules, lang: str) -> Judgement:
    """The verdict on a capture that is allowed, beside the others that are."""
    best = (min if rules.perdere else max)(_worth(one, rules) for one in ruling.ways)
    own = _worth(way, rules)
    if rules.perdere and ruling.may_lay:
        return Judgement(Verdict.NOT_BEST, say("lesson.perdere", lang))
    if own != best:
        less = "lesson.perdere" if rules.perdere else f"lesson.less.{_first_difference(own, best)}"
        return Judgement(Verdict.NOT_BEST, say(less, lang))
    others = [_worth(one, rules) for one in ruling.ways if one != way]
    if best in others:
        return Judgement(Verdict.RIGHT, say("ruling.choose", lang))
    if others and not rules.perdere:
        matters = _first_difference(max(others), best)
        return Judgement(Verdict.RIGHT, say(f"lesson.best.{matters}", lang))
    return Judgement(Verdict.RIGHT, say("lesson.best.scopa", lang) if own[0] else ruling.why[0])


_MATTERS = ("scopa", "named", "coins", "sevens", "cards")
"""What makes one capture better than another, the most telling first."""


def _first_difference(one: tuple[int, ...], other: tuple[int, ...]) -> str:
    """The most telling of `_MATTERS` in which two captures differ; empty where they do not."""
    pairs = zip(_MATTERS, one, other, strict=True)
    return next((name for name, mine, others in pairs if mine != others), "")


def _worth(way: Way, rules: Rules) -> tuple[int, ...]:
    """What a capture is worth by the rules, as figures in the order of `_MATTERS`."""
    named = dict(rules.card_points)
    named["7d"] = named.get("7d", 0) + rules.settebello
    named["10d"] = named.get("10d", 0) + rules.re_bello
    by_sevens = rules.primiera or rules.most_sevens or rules.all_sevens or rules.settanta
    return (
        int(way.is_scopa and rules.scopa > 0),
        sum(named.get(card.code, 0) for card in way.taken),
        sum(card.suit is Suit.DENARI for card in way.taken) if rules.denari else 0,
        sum(card.rank is Rank.SETTE for card in way.taken) if by_sevens else 0,
        len(way.taken) if rules.carte else 0,
    )


def _why_not(task: Task, taken: Taken, rules: Rules, lang: str) -> str:
    """Why some cards cannot be taken: they do not add up, or an ace takes others."""
    if task.played.rank is Rank.ASSO and rules.aces is not Aces.ORDINARY:
        aces = any(card.rank is Rank.ASSO for card in task.table)
        name = (
            "rule.ace_takes_ace.yes" if rules.ace_takes_ace and aces else f"rule.aces.{rules.aces}"
        )
        return say(name, lang)
    total = sum(rules.value_of(card.rank) for card in taken)
    value = rules.value_of(task.played.rank)
    figures = {"sum": total, "value": value, "all": total + value, "fifteen": FIFTEEN}
    if not rules.captures.by_value:
        return say("lesson.not.fifteen", lang, **figures)
    either = rules.captures.to_fifteen
    return say("lesson.not.either" if either else "lesson.not.value", lang, **figures)


def guesses(rules: Rules, *, lang: str = "en") -> tuple[Guess, ...]:
    """Piles with the question who gets the point that the rules contest most.

    >>> [(guess.point, guess.winner) for guess in guesses(Rules())]
    [('primiera', 1), ('primiera', 1), ('primiera', None)]
    """
    found = []
    for codes in _PILES:
        piles = tuple(map(_cards, codes))
        sides = [Side(name, pile) for name, pile in zip(NAMES, piles, strict=True)]
        lines = score_hand(sides, rules, lang=lang).lines
        contested = [line for name in _CONTESTED for line in lines if line.point == name]
        if contested:
            level = len([line for line in contested if line.point == contested[0].point]) > 1
            winner = None if level else contested[0].winner
            found.append(
                Guess(point=contested[0].point, piles=piles, winner=winner, why=contested[0].why)
            )
    return tuple(found)
