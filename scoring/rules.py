"""One frozen set of house rules: every setting that a table can choose, and its checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum, unique
from types import MappingProxyType
from typing import Any, Self, TypeVar

from scoring.cards import CODES, Rank
from scoring.errors import RulesError

FIFTEEN = 15
"""What a capture to fifteen adds up to, the played card included."""


@unique
class Captures(StrEnum):
    """What a played card may take."""

    # A card of its value; a set adding up to it only if there is no such card
    SINGLE_FIRST = "single-first"
    FREE = "free"  # a card of its value or a set adding up to it, as the player likes
    FIFTEEN = "fifteen"  # any cards that make fifteen together with the played one
    # As FREE, and any cards that make fifteen with it (cirulla)
    VALUE_OR_FIFTEEN = "value-or-fifteen"
    # As SINGLE_FIRST, and any cards that make fifteen with it
    SINGLE_FIRST_OR_FIFTEEN = "single-first-or-fifteen"

    @property
    def by_value(self) -> bool:
        """Whether a card takes what adds up to its value."""
        return self is not Captures.FIFTEEN

    @property
    def to_fifteen(self) -> bool:
        """Whether a card takes what makes fifteen with it."""
        return self not in {Captures.SINGLE_FIRST, Captures.FREE}

    @property
    def single_first(self) -> bool:
        """Whether a card of the played one's value excludes sums of it."""
        return self in {Captures.SINGLE_FIRST, Captures.SINGLE_FIRST_OR_FIFTEEN}


@unique
class Forced(StrEnum):
    """Whether a card that can capture may be laid instead."""

    NEVER = "never"  # it may always be laid
    SAME_RANK = "same-rank"  # it must capture if a card of its rank is on the table
    ALWAYS = "always"  # it must capture whenever it can


@unique
class Aces(StrEnum):
    """What a played ace does."""

    ORDINARY = "ordinary"  # it captures as any other card
    SWEEP = "sweep"  # it takes the whole table, which is no scopa
    SWEEP_SCOPA = "sweep-scopa"  # it takes the whole table, and that is a scopa


@unique
class FirstAce(StrEnum):
    """What an ace may do as the first card of a hand, where aces sweep."""

    ANY = "any"  # what it always does
    BARRED = "barred"  # another card is played first
    TAKES_ACE = "takes-ace"  # it takes nothing but an ace


@unique
class DealtFifteen(StrEnum):
    """Who takes the first table cards if they make fifteen (one scopa) or thirty (two)."""

    NOBODY = "nobody"  # they stay on the table
    DEALER = "dealer"
    FIRST = "first"  # the player who begins


@unique
class PrimieraForm(StrEnum):
    """How the point of primiera is won."""

    PRIME = "prime"  # by the best card of each suit, added up
    # By most sevens; a tie goes down to sixes, aces, fives, fours, threes, twos, faces
    SEVENS = "sevens"
    SEVENS_TO_ACES = "sevens-to-aces"  # the same, but no further than to the aces
    SETTANTA = "settanta"  # by holding three or four sevens


@unique
class Ties(StrEnum):
    """Who gets a point for which several sides are tied."""

    NOBODY = "nobody"
    DIVIDED = "divided"  # they share its points, as far as these divide
    EACH = "each"  # each of them gets all of it


@unique
class Faces(StrEnum):
    """What a face card counts in the prime."""

    TEN = "10"  # ten each
    ZERO = "0"  # nothing
    DESCENDING = "10/9/8"  # king ten, knight nine, jack eight


@unique
class MissingSuit(StrEnum):
    """What becomes of a prime that lacks a suit."""

    NO_PRIMIERA = "cannot-score"  # the side cannot have the point
    ADDS_NOTHING = "adds-nothing"  # the other suits are added up and compared as they are
    # It loses to any prime of four suits; among themselves such primes are compared
    LOSES = "loses-to-complete"


@unique
class MatchEnd(StrEnum):
    """Who wins once the target is reached."""

    HIGHEST = "highest"  # the side strictly highest; a tie plays on
    # Of several sides at the target, the one with most points in that hand; a tie plays on
    LAST_HAND = "last-hand"
    COUNTED = "counted"  # the first to reach it when the hand's points are counted one by one


MOST_POINTS = 99
"""The most points for anything."""

_Read = Callable[[str, Any], Any]
"""Reads the plain value of the setting with this name; raises RulesError if it does not fit."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What is known of a setting: its checks, its widget and its place in explanations."""

    group: str  # what it is about, a key of `GROUPS`
    low: int  # the smallest value of a number
    high: int  # the largest
    read: _Read | None  # reads a value that is no choice, switch or number
    makes_points: bool  # whether it makes points in a hand by itself
    wins_match: bool  # whether a hand can win the match at once by it
    matters: Callable[[Rules], object]  # whether it changes anything under these rules

    def checked(self, name: str, given: Any, *, default: Any) -> Any:
        """Return a value of the setting in its own type, which is that of its default.

        Raises:
            RulesError: the value does not fit.
        """
        if self.read is not None:
            return self.read(name, given)
        if isinstance(default, StrEnum):
            return _choice(name, given, kind=type(default))
        if isinstance(default, bool):
            if isinstance(given, bool):
                return given
            raise RulesError(f"{name}: expected true or false, got {given!r}", setting=name)
        is_number = isinstance(given, int) and not isinstance(given, bool)
        if is_number and self.low <= given <= self.high:
            return given
        message = f"{name}: expected a whole number from {self.low} to {self.high}, got {given!r}"
        raise RulesError(message, setting=name)


_T = TypeVar("_T")


def setting(
    default: _T,
    *,
    group: str,
    low: int = 0,
    high: int = MOST_POINTS,
    read: _Read | None = None,
    makes_points: bool = False,
    wins_match: bool = False,
    matters: Callable[[Rules], object] = lambda _: True,
) -> _T:
    """Declare a setting of `Rules`: its default, and what `Setting` knows of it."""
    known = Setting(
        group=group,
        low=low,
        high=high,
        read=read,
        makes_points=makes_points,
        wins_match=wins_match,
        matters=matters,
    )
    return field(default=default, metadata={"setting": known})


def _choice(name: str, given: Any, *, kind: type[StrEnum]) -> StrEnum:
    try:
        return kind(given)
    except ValueError:
        words = ", ".join(member.value for member in kind)
        raise RulesError(f"{name}: expected one of {words}, got {given!r}", setting=name) from None


def _name(name: str, given: Any) -> str:
    if isinstance(given, str) and given.strip():
        return given
    raise RulesError(f"{name}: expected a name for the rules, got {given!r}", setting=name)


def _seatings(name: str, given: Any) -> tuple[tuple[int, int], ...]:
    """Return the ways to sit, as pairs of small whole numbers."""
    if isinstance(given, (list, tuple)) and given and all(map(_is_seating, given)):
        return tuple((sides, players) for sides, players in given)
    message = f"{name}: expected pairs (sides, players a side) for 2 to 6 players, got {given!r}"
    raise RulesError(message, setting=name)


def _card_points(name: str, given: Any) -> tuple[tuple[str, int], ...]:
    """Return the cards that make points, from pairs (code, points) or a mapping, in order."""
    pairs = list(given.items()) if isinstance(given, Mapping) else given
    if isinstance(pairs, (list, tuple)) and all(map(_is_card_point, pairs)):
        points = {str(code): int(made) for code, made in pairs}
        if len(points) == len(pairs):
            return tuple((code, points[code]) for code in CODES if code in points)
    wanted = f"codes with 1 to {MOST_POINTS} points, each once"
    raise RulesError(f"{name}: expected {wanted}, got {given!r}", setting=name)


def _is_card_point(given: Any) -> bool:
    if not isinstance(given, (list, tuple)) or [type(part) for part in given] != [str, int]:
        return False
    return given[0] in CODES and 1 <= given[1] <= MOST_POINTS


def _is_seating(given: Any) -> bool:
    """Return whether a value is (sides, players a side) for two to six players."""
    if not isinstance(given, (list, tuple)) or [type(part) for part in given] != [int, int]:
        return False
    sides, players = map(int, given)
    return sides >= 2 and players >= 1 and sides * players <= 6


def contradictions(settings: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the contradictions of a rule set: each setting at fault with a sentence.

    >>> from scoring.rules import Rules
    >>> settings = Rules().to_dict()
    >>> contradictions(settings | {"cappotto": 12})
    (('cappotto', 'more than the target, so never reached'),)
    """
    any_point = any(settings[name] for name, known in SETTINGS.items() if known.makes_points)
    any_outright = any(settings[name] for name, known in SETTINGS.items() if known.wins_match)
    sweeps = settings["aces"] != Aces.ORDINARY
    deal = settings["hand_cards"], settings["table_cards"]
    deals = any(deals_out(*deal, players=s * p) for s, p in settings["seatings"])
    fifteens = Captures(settings["captures"]).to_fifteen
    dealt = settings["small_hand"] or settings["three_alike"]
    by_hand = settings["end"] != MatchEnd.HIGHEST or settings["sudden_death"]
    perdere = settings["perdere"]
    found = (
        ("target", not any_point, "nothing makes a point, so no match could end"),
        ("ponino", settings["ponino"] and not settings["scopa"],
         "knights double scope, which make no point"),
        ("piccola", settings["piccola"] and settings["napola"],
         "piccola and napola count the same cards"),
        ("ace_takes_ace", settings["ace_takes_ace"] and not sweeps, "no ace sweeps"),
        ("first_ace", settings["first_ace"] != FirstAce.ANY and not sweeps, "no ace sweeps"),
        ("void_kings", settings["void_kings"] > settings["table_cards"],
         "more kings than table cards"),
        ("void_aces", settings["void_aces"] > settings["table_cards"],
         "more aces than table cards"),
        ("dealt_fifteen", settings["dealt_fifteen"] != DealtFifteen.NOBODY and not fifteens,
         "no card captures to fifteen"),
        ("declared", dealt and not settings["declared"], "points are not declared"),
        ("matta", settings["matta"] and not dealt, "no dealt cards make points"),
        ("seatings", not deals, "the deck deals out evenly for none of them"),
        ("napola_wins", settings["napola_wins"] and not settings["napola"],
         "napola is not played"),
        ("cappotto", settings["cappotto"] > settings["target"],
         "more than the target, so never reached"),
        ("draw", settings["draw"] and not (settings["hands"] or settings["bell"]),
         "only so many hands, or a bell, end a match level"),
        ("end", perdere and by_hand, "a perdere the lowest wins, whatever the hand"),
        ("perdere", perdere and any_outright, "a win outright contradicts a perdere"),
    )  # fmt: skip
    return tuple((name, sentence) for name, contradicts, sentence in found if contradicts)


def deals_out(hand_cards: int, table_cards: int, *, players: int) -> bool:
    """Return whether forty cards deal out evenly."""
    left = 40 - table_cards
    return left % (hand_cards * players) == 0


SEATINGS: tuple[tuple[int, int], ...] = ((2, 1), (3, 1), (4, 1), (6, 1), (2, 2), (2, 3), (3, 2))
"""Usual ways to sit: (sides, players a side)."""

FIVE: Mapping[str, Any] = MappingProxyType(
    {"hand_cards": 4, "table_cards": 0, "void_kings": 0, "void_aces": 0, "seatings": ((5, 1),)}
)
"""The deal for five: four cards each, twice, and none on the table. Threes do not come out even."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules a table plays by. Points set to 0 are not played.

    Raises:
        RulesError: a setting out of range, or two that contradict each other.

    >>> Rules(target=21).target
    21
    >>> Rules(target=0)
    Traceback (most recent call last):
    scoring.errors.RulesError: target: expected a whole number from 1 to 999, got 0
    """

    name: str = "silver-lake"  # what the table calls these rules

    # What a played card may take
    captures: Captures = setting(Captures.SINGLE_FIRST, group="captures")
    # Whether a card that can capture must capture, or may be laid instead
    forced: Forced = setting(Forced.ALWAYS, group="captures")
    # Of the sets that add up to a figure, only those of fewest cards
    fewest_cards: bool = setting(False, group="captures")
    # To capture, the knight (or queen) counts 8 and the jack 9
    queen_eight: bool = setting(False, group="captures")
    # What a played ace does
    aces: Aces = setting(Aces.ORDINARY, group="captures")
    # A sweeping ace takes only the ace if one is on the table
    ace_takes_ace: bool = setting(False, group="captures")
    # What an ace may do as the first card of a hand
    first_ace: FirstAce = setting(FirstAce.ANY, group="captures")
    # The hand's last card can make a scopa
    last_card_scopa: bool = setting(False, group="captures")
    # This many kings among the first table cards void the deal; 0 never
    void_kings: int = setting(3, high=4, group="deal", matters=lambda rules: rules.kings_stay)
    # This many aces among them void it; 0 never
    void_aces: int = setting(0, high=4, group="deal")
    # Who takes the first table cards if they make fifteen
    dealt_fifteen: DealtFifteen = setting(DealtFifteen.NOBODY, group="deal")
    # Cards dealt to a player at a time
    hand_cards: int = setting(3, low=1, high=20, group="deal")
    # Cards dealt to the table at the start
    table_cards: int = setting(4, high=12, group="deal")
    # Play and deal go to the left; else to the right, as is usual
    clockwise: bool = setting(False, group="deal")
    # Ways to sit that these rules know: (sides, players a side)
    seatings: tuple[tuple[int, int], ...] = setting(SEATINGS, read=_seatings, group="deal")

    # Points for each scopa
    scopa: int = setting(1, group="captures", makes_points=True)
    # All four knights double the side's scope
    ponino: bool = setting(False, group="extra")
    # Points for most cards
    carte: int = setting(1, group="points", makes_points=True)
    # Cards needed besides having most; 21 asks for more than half the deck
    carte_needed: int = setting(0, high=40, group="points")
    # Points for most coins
    denari: int = setting(1, group="points", makes_points=True)
    # Coins needed besides having most; 6 asks for more than half the coins
    denari_needed: int = setting(0, high=10, group="points")
    # Points for all ten coins, besides those for most
    all_coins: int = setting(0, group="points", makes_points=True)
    # Who gets carte, denari, primiera or most sevens in a tie
    ties: Ties = setting(Ties.NOBODY, group="points")
    # Points for the seven of coins
    settebello: int = setting(1, group="points", makes_points=True)
    # Points for the primiera
    primiera: int = setting(1, group="primiera", makes_points=True)
    # How the primiera is won
    primiera_form: PrimieraForm = setting(
        PrimieraForm.PRIME, group="primiera", matters=lambda rules: rules.primiera
    )
    # What face cards count in the prime
    faces: Faces = setting(Faces.TEN, group="primiera", matters=lambda rules: rules.has_prime)
    # What becomes of a prime that lacks a suit
    missing_suit: MissingSuit = setting(
        MissingSuit.NO_PRIMIERA, group="primiera", matters=lambda rules: rules.has_prime
    )
    # Points for most sevens
    most_sevens: int = setting(0, group="primiera", makes_points=True)
    # Points for all four sevens
    all_sevens: int = setting(0, group="primiera", makes_points=True)
    # Points for three or four sevens, besides the primiera
    settanta: int = setting(0, group="primiera", makes_points=True)
    # Ace, two and three of coins make 3, each further coin in the run 1 more
    napola: bool = setting(False, group="extra", makes_points=True)
    # The most points that a napola makes
    napola_most: int = setting(
        10,
        low=3,
        high=10,
        group="extra",
        matters=lambda rules: rules.napola and rules.napola_most < 10,
    )
    # Points for the king of coins
    re_bello: int = setting(0, group="points", makes_points=True)
    # Further cards that make points: (code, points)
    card_points: tuple[tuple[str, int], ...] = setting(
        (), read=_card_points, group="points", makes_points=True
    )
    # Ace, two and three of coins make 3, each further coin to the seven 1 more
    piccola: bool = setting(False, group="extra", makes_points=True)
    # Points for jack, knight and king of coins together
    grande: int = setting(0, group="extra", makes_points=True)
    # Points declared during play (cirulla) are added to the hand
    declared: bool = setting(False, group="extra")
    # Points to declare for three dealt cards that add up to nine or less
    small_hand: int = setting(0, group="extra")
    # Points to declare for three dealt cards of one rank
    three_alike: int = setting(0, group="extra")
    # The seven of cups counts as any card for these, and for `dealt_fifteen`
    matta: bool = setting(False, group="extra")

    # Points that end the match
    target: int = setting(11, low=1, high=999, group="match")
    # Who wins once the target is reached
    end: MatchEnd = setting(MatchEnd.HIGHEST, group="match")
    # After a tie at the target, the first point counted in the next hand decides
    sudden_death: bool = setting(False, group="match")
    # The match ends after this many hands, see `draw`; 0: no limit
    hands: int = setting(0, group="match")
    # The match ends with the hand in which the bell rings
    bell: bool = setting(False, group="match")
    # If hands or the bell end it, the match may end in a tie; else it goes on
    draw: bool = setting(False, group="match")
    # Points that win at once while no other side has any, as in 7-0; 0: never
    cappotto: int = setting(0, group="match", wins_match=True)
    # All ten coins in a hand win the match
    all_coins_win: bool = setting(False, group="match", wins_match=True)
    # A napola of ten wins the match
    napola_wins: bool = setting(False, group="match", wins_match=True)
    # Reaching the target loses: the lowest side wins
    perdere: bool = setting(False, group="match")

    def __post_init__(self) -> None:
        _name("name", self.name)
        settings = {
            name: known.checked(name, getattr(self, name), default=getattr(type(self), name))
            for name, known in SETTINGS.items()
        }
        for name, checked in settings.items():
            object.__setattr__(self, name, checked)
        for name, sentence in contradictions(settings):
            raise RulesError(f"{name}: {sentence}", setting=name)

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain JSON values, which `scoring.presets.read_rules` reads back.

        >>> Rules(target=16).to_dict()["target"]
        16
        """
        return {one.name: _plain(getattr(self, one.name)) for one in fields(self)}

    def changed(self, **changes: Any) -> Self:
        """Return these rules with some settings changed, checked again.

        >>> Rules().changed(target=16, name="ours").name
        'ours'
        """
        return replace(self, **changes)

    def for_sides(self, sides: int) -> Self | None:
        """Return these rules adapted to a number of sides; None if they do not allow it.

        Five players play with another deal, `FIVE`.

        >>> Rules().for_sides(6) == Rules(), Rules(seatings=((2, 2),)).for_sides(3)
        (True, None)
        >>> Rules().for_sides(5).hand_cards
        4
        """
        if sides in dict(self.seatings):
            return self
        return self.changed(**FIVE) if sides == 5 and (4, 1) in self.seatings else None

    def played_by(self, sides: int) -> Self:
        """Return these rules adapted to a number of sides, see `for_sides`.

        Raises:
            RulesError: they do not allow this number.

        >>> Rules(seatings=((2, 2),)).played_by(3)
        Traceback (most recent call last):
        scoring.errors.RulesError: seatings: silver-lake is for 2 sides, got 3
        """
        rules = self.for_sides(sides)
        if rules is None:
            known = " or ".join(str(number) for number in dict(self.seatings))
            message = f"seatings: {self.name} is for {known} sides, got {sides}"
            raise RulesError(message, setting="seatings")
        return rules

    @property
    def has_prime(self) -> bool:
        """Whether the primiera is won by the best card of each suit, added up."""
        return self.primiera > 0 and self.primiera_form is PrimieraForm.PRIME

    @property
    def kings_stay(self) -> bool:
        """Whether nothing but a king takes a king, so that several on the table bar any scopa."""
        return not self.captures.to_fifteen and self.aces is Aces.ORDINARY

    def value_of(self, rank: Rank) -> int:
        """Return what a card of a rank counts in captures.

        >>> Rules().value_of(Rank.CAVALLO), Rules(queen_eight=True).value_of(Rank.CAVALLO)
        (9, 8)
        """
        swaps = self.queen_eight and rank in {Rank.FANTE, Rank.CAVALLO}
        return Rank.FANTE + Rank.CAVALLO - rank if swaps else int(rank)


def _plain(value: Any) -> Any:
    """Return the JSON value of a setting."""
    if isinstance(value, StrEnum):
        return value.value
    return [list(pair) for pair in value] if isinstance(value, tuple) else value


SETTINGS: Mapping[str, Setting] = MappingProxyType(
    {one.name: one.metadata["setting"] for one in fields(Rules) if one.name != "name"}
)
"""Every setting by its name, in the order in which `Rules` declares them."""

GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        group: tuple(name for name, known in SETTINGS.items() if known.group == group)
        for group in ("captures", "deal", "points", "primiera", "extra", "match")
    }
)
"""The names of the settings, by what they are about."""
