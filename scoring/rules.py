"""One frozen set of house rules: every setting that a table can choose, and its checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum, unique
from types import MappingProxyType
from typing import Any, Self

from scoring.cards import CODES, Rank
from scoring.errors import RulesError

FIFTEEN = 15
"""What a capture to fifteen adds up to, the played card included."""


@unique
class Captures(StrEnum):
    """What a played card may take."""

    # A card of its value; a set adding up to it only where no such card lies
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
    SAME_RANK = "same-rank"  # it must capture where a card of its rank lies
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
    """Who takes the first table cards where they make fifteen: a scopa; thirty: two."""

    NOBODY = "nobody"  # they lie there as any others
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
    """Who gets a point for which several sides are level."""

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
    # Of several at the target, the one with more points in that hand; equal, play on
    LAST_HAND = "last-hand"
    COUNTED = "counted"  # the first across when the hand's points are counted one after the other


_CHOICES: Mapping[str, type[StrEnum]] = MappingProxyType(
    {
        "captures": Captures,
        "forced": Forced,
        "aces": Aces,
        "first_ace": FirstAce,
        "dealt_fifteen": DealtFifteen,
        "ties": Ties,
        "primiera_form": PrimieraForm,
        "faces": Faces,
        "missing_suit": MissingSuit,
        "end": MatchEnd,
    }
)
"""Settings that are a choice among words."""

_RANGES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "target": (1, 999),
        "cappotto": (0, 99),
        "napola_most": (3, 10),
        "void_kings": (0, 4),
        "void_aces": (0, 4),
        "hand_cards": (1, 20),
        "table_cards": (0, 12),
        "carte_needed": (0, 40),
        "denari_needed": (0, 10),
    }
)
"""Smallest and largest value of the settings that are no points."""

_POINTS_RANGE = (0, 99)
"""Smallest and largest number of points for anything."""


def range_of(name: str) -> tuple[int, int]:
    """The smallest and the largest value of a setting that is a number."""
    return _RANGES.get(name, _POINTS_RANGE)


def _checked_setting(name: str, given: Any, *, default: Any) -> Any:
    """A setting in its own type; `default` tells which type that is.

    Raises:
        RulesError: it does not fit.
    """
    if name in _CHOICES:
        return _choice(name, given)
    if name == "seatings":
        return _seatings(given)
    if name == "card_points":
        return _card_points(given)
    if name == "name":
        if isinstance(given, str) and given.strip():
            return given
        raise RulesError(f"name: expected a name for the rules, got {given!r}", setting=name)
    if isinstance(default, bool):
        if isinstance(given, bool):
            return given
        raise RulesError(f"{name}: expected true or false, got {given!r}", setting=name)
    low, high = range_of(name)
    if isinstance(given, int) and not isinstance(given, bool) and low <= given <= high:
        return given
    message = f"{name}: expected a whole number from {low} to {high}, got {given!r}"
    raise RulesError(message, setting=name)


def _choice(name: str, given: Any) -> StrEnum:
    kind = _CHOICES[name]
    try:
        return kind(given)
    except ValueError:
        words = ", ".join(member.value for member in kind)
        raise RulesError(f"{name}: expected one of {words}, got {given!r}", setting=name) from None


def _seatings(given: Any) -> tuple[tuple[int, int], ...]:
    """The ways to sit, as pairs of small whole numbers."""
    if isinstance(given, (list, tuple)) and given and all(map(_is_seating, given)):
        return tuple((sides, players) for sides, players in given)
    message = f"seatings: expected pairs (sides, players a side) for 2 to 6 players, got {given!r}"
    raise RulesError(message, setting="seatings")


def _card_points(given: Any) -> tuple[tuple[str, int], ...]:
    """The cards that make points, as pairs (code, points) or a mapping, in the deck's order."""
    pairs = list(given.items()) if isinstance(given, Mapping) else given
    if isinstance(pairs, (list, tuple)) and all(map(_is_card_point, pairs)):
        points = {str(code): int(made) for code, made in pairs}
        if len(points) == len(pairs):
            return tuple((code, points[code]) for code in CODES if code in points)
    low, high = 1, _POINTS_RANGE[1]
    message = f"card_points: expected codes with {low} to {high} points, each once, got {given!r}"
    raise RulesError(message, setting="card_points")


def _is_card_point(given: Any) -> bool:
    if not isinstance(given, (list, tuple)) or [type(part) for part in given] != [str, int]:
        return False
    return given[0] in CODES and 1 <= given[1] <= _POINTS_RANGE[1]


def _is_seating(given: Any) -> bool:
    """Whether a value is (sides, players a side) for two to six players."""
    if not isinstance(given, (list, tuple)) or [type(part) for part in given] != [int, int]:
        return False
    sides, players = map(int, given)
    return sides >= 2 and players >= 1 and sides * players <= 6


_POINTS = (
    "carte", "denari", "settebello", "primiera", "most_sevens", "all_sevens", "settanta",
    "re_bello", "grande", "scopa", "napola", "piccola", "all_coins", "card_points",
)  # fmt: skip
"""Settings that make points in a hand by themselves."""

_OUTRIGHT = ("cappotto", "all_coins_win", "napola_wins")
"""Settings by which a hand wins the match at once."""


def contradictions(settings: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Every contradiction in the settings of a rule set: the setting at fault and a sentence.

    >>> from scoring.rules import Rules
    >>> settings = Rules().to_dict()
    >>> contradictions(settings | {"cappotto": 12})
    (('cappotto', 'more than the target, so never reached'),)
    """
    any_point = any(settings[name] for name in _POINTS)
    any_outright = any(settings[name] for name in _OUTRIGHT)
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
    """Whether forty cards deal out evenly."""
    left = 40 - table_cards
    return left % (hand_cards * players) == 0


SEATINGS: tuple[tuple[int, int], ...] = ((2, 1), (3, 1), (4, 1), (6, 1), (2, 2), (2, 3), (3, 2))
"""Usual ways to sit: (sides, players a side)."""

FIVE: Mapping[str, Any] = MappingProxyType(
    {"hand_cards": 4, "table_cards": 0, "void_kings": 0, "void_aces": 0, "seatings": ((5, 1),)}
)
"""The deal for five: four cards each, twice, and none on the table. By threes it is not even."""


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

    captures: Captures = Captures.SINGLE_FIRST  # what a played card may take
    # Whether a card that can capture must capture, or may be laid instead
    forced: Forced = Forced.ALWAYS
    fewest_cards: bool = False  # of the sets that add up to a figure, only those of fewest cards
    queen_eight: bool = False  # to capture, the knight (or queen) counts 8 and the jack 9
    aces: Aces = Aces.ORDINARY  # what a played ace does
    ace_takes_ace: bool = False  # a sweeping ace takes only the ace where one lies on the table
    first_ace: FirstAce = FirstAce.ANY  # what an ace may do as the first card of a hand
    last_card_scopa: bool = False  # the hand's last card can make a scopa
    void_kings: int = 3  # this many kings among the first table cards void the deal; 0 never
    void_aces: int = 0  # this many aces among them void it; 0 never
    dealt_fifteen: DealtFifteen = DealtFifteen.NOBODY  # who takes a first table of fifteen
    hand_cards: int = 3  # cards dealt to a player at a time
    table_cards: int = 4  # cards dealt to the table at the start
    clockwise: bool = False  # play and deal go to the left; else to the right, as is usual
    # Ways to sit that these rules know: (sides, players a side)
    seatings: tuple[tuple[int, int], ...] = SEATINGS

    scopa: int = 1  # points for each scopa
    ponino: bool = False  # all four knights double the side's scope
    carte: int = 1  # points for most cards
    carte_needed: int = 0  # cards needed besides having most; 21 asks for more than half the deck
    denari: int = 1  # points for most coins
    denari_needed: int = 0  # coins needed besides having most; 6 asks for more than half the coins
    all_coins: int = 0  # points for all ten coins, besides those for most
    ties: Ties = Ties.NOBODY  # who gets carte, denari, primiera or most sevens in a tie
    settebello: int = 1  # points for the seven of coins
    primiera: int = 1  # points for the primiera
    primiera_form: PrimieraForm = PrimieraForm.PRIME  # how the primiera is won
    faces: Faces = Faces.TEN  # what face cards count in the prime
    missing_suit: MissingSuit = MissingSuit.NO_PRIMIERA  # what becomes of a prime that lacks a suit
    most_sevens: int = 0  # points for most sevens
    all_sevens: int = 0  # points for all four sevens
    settanta: int = 0  # points for three or four sevens, besides the primiera
    napola: bool = False  # ace, two and three of coins make 3, each further coin in the run 1 more
    napola_most: int = 10  # the most points that a napola makes
    re_bello: int = 0  # points for the king of coins
    card_points: tuple[tuple[str, int], ...] = ()  # further cards that make points: (code, points)
    # Ace, two and three of coins make 3, each further coin to the seven 1 more
    piccola: bool = False
    grande: int = 0  # points for jack, knight and king of coins together
    declared: bool = False  # points declared during play (cirulla) are added to the hand
    small_hand: int = 0  # points to declare for three dealt cards that add up to nine or less
    three_alike: int = 0  # points to declare for three dealt cards of one rank
    matta: bool = False  # the seven of cups is any card for these, and in a first table of fifteen

    target: int = 11  # points that end the match
    end: MatchEnd = MatchEnd.HIGHEST  # who wins once the target is reached
    # After a tie at the target, the first point counted in the next hand decides
    sudden_death: bool = False
    hands: int = 0  # the hand with which the match ends at the latest; 0: as many as it takes
    bell: bool = False  # the match ends with the hand in which the bell rings
    draw: bool = False  # where hands or the bell end it, the match may end level; else it goes on
    cappotto: int = 0  # points against none that end the match at once, as in 7-0; 0 never
    all_coins_win: bool = False  # all ten coins in a hand win the match
    napola_wins: bool = False  # a napola of ten wins the match
    perdere: bool = False  # reaching the target loses: the lowest side wins

    def __post_init__(self) -> None:
        settings = {
            field.name: _checked_setting(
                field.name, getattr(self, field.name), default=field.default
            )
            for field in fields(self)
        }
        for name, checked in settings.items():
            object.__setattr__(self, name, checked)
        for name, sentence in contradictions(settings):
            raise RulesError(f"{name}: {sentence}", setting=name)

    def to_dict(self) -> dict[str, Any]:
        """The settings as plain JSON values, which `scoring.rules.read_rules` reads back.

        >>> Rules(target=16).to_dict()["target"]
        16
        """
        settings = {field.name: getattr(self, field.name) for field in fields(self)}
        plain = {
            name: setting.value if isinstance(setting, StrEnum) else setting
            for name, setting in settings.items()
        }
        pairs = {name: [list(pair) for pair in plain[name]] for name in ("seatings", "card_points")}
        return plain | pairs

    def changed(self, **changes: Any) -> Self:
        """These rules with some settings changed, checked again.

        >>> Rules().changed(target=16, name="ours").name
        'ours'
        """
        return replace(self, **changes)

    def for_sides(self, sides: int) -> Self | None:
        """These rules as so many sides play them; None where they cannot.

        For five players the deal becomes another: `FIVE`.

        >>> Rules().for_sides(6) == Rules(), Rules(seatings=((2, 2),)).for_sides(3)
        (True, None)
        >>> Rules().for_sides(5).hand_cards
        4
        """
        if sides in dict(self.seatings):
            return self
        return self.changed(**FIVE) if sides == 5 and (4, 1) in self.seatings else None

    def played_by(self, sides: int) -> Self:
        """These rules as so many sides play them, see `for_sides`.

        Raises:
            RulesError: they are not for so many.

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
    def kings_stay(self) -> bool:
        """Whether nothing but a king takes a king, so that several on the table bar any scopa."""
        return not self.captures.to_fifteen and self.aces is Aces.ORDINARY

    def value_of(self, rank: Rank) -> int:
        """What a card of a rank counts in captures.

        >>> Rules().value_of(Rank.CAVALLO), Rules(queen_eight=True).value_of(Rank.CAVALLO)
        (9, 8)
        """
        swaps = self.queen_eight and rank in {Rank.FANTE, Rank.CAVALLO}
        return Rank.FANTE + Rank.CAVALLO - rank if swaps else int(rank)
