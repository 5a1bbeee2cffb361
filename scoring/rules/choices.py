"""The choices a rule set is made of: each value is the word used in files and commands."""

from __future__ import annotations

from enum import StrEnum, unique

FIFTEEN = 15
"""What a capture to fifteen adds up to, the played card included."""


@unique
class Captures(StrEnum):
    """What a played card may take."""

    SINGLE_FIRST = "single-first"
    """A card of its value; a set adding up to it only where no such card lies."""
    FREE = "free"
    """A card of its value or a set adding up to it, as the player likes."""
    FIFTEEN = "fifteen"
    """Any cards that make fifteen together with the played one."""
    VALUE_OR_FIFTEEN = "value-or-fifteen"
    """As FREE, and any cards that make fifteen with it (cirulla)."""


@unique
class Forced(StrEnum):
    """Whether a card that can capture may be laid instead."""

    NEVER = "never"
    """It may always be laid."""
    SAME_RANK = "same-rank"
    """It must capture where a card of its rank lies."""
    ALWAYS = "always"
    """It must capture whenever it can."""


@unique
class Aces(StrEnum):
    """What a played ace does."""

    ORDINARY = "ordinary"
    """It captures as any other card."""
    SWEEP = "sweep"
    """It takes the whole table, which is no scopa."""
    SWEEP_SCOPA = "sweep-scopa"
    """It takes the whole table, and that is a scopa."""


@unique
class PrimieraForm(StrEnum):
    """How the point of primiera is won."""

    PRIME = "prime"
    """By the best card of each suit, added up."""
    SEVENS = "sevens"
    """By most sevens; a tie goes down to sixes, aces, fives, fours, threes, twos, faces."""
    SETTANTA = "settanta"
    """By holding three or four sevens."""


@unique
class Faces(StrEnum):
    """What a face card counts in the prime."""

    TEN = "10"
    """Ten each."""
    ZERO = "0"
    """Nothing."""
    DESCENDING = "10/9/8"
    """King ten, knight nine, jack eight."""


@unique
class MissingSuit(StrEnum):
    """What becomes of a prime that lacks a suit."""

    NO_PRIMIERA = "cannot-score"
    """The side cannot have the point."""
    ADDS_NOTHING = "adds-nothing"
    """The other suits are added up and compared as they are."""
    LOSES = "loses-to-complete"
    """It loses to any prime of four suits; among themselves such primes are compared."""


@unique
class MatchEnd(StrEnum):
    """Who wins once the target is reached."""

    HIGHEST = "highest"
    """The side strictly highest; a tie plays on."""
    LAST_HAND = "last-hand"
    """Of several at the target, the one with more points in that hand; equal, play on."""
    COUNTED = "counted"
    """The first across when the hand's points are counted one after the other."""
