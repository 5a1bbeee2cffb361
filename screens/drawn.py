"""What a screen is drawn from: the address, the table as it stood, the hand that it shows."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Address:
    """What the URL says: enough to draw any screen again after a reload."""

    table: str = ""
    side: int = 0
    """Whose pile is on the screen."""
    hand: int | None = None
    """The hand being mended, counted from 1; None for the hand being played."""
    me: int | None = None
    """The side that holds this device, None when nobody said or nobody does."""
    is_board: bool = False
    """Somebody said that no side holds this device."""
    match: int | None = None
    """The match that is looked at, counted from 1; None for the match being played."""
    at_once: str = ""
    """The hand whose doubts are answered before all piles are in, as `answer_now` names it."""


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """What a screen of a table was drawn from."""

    address: Address = Address()
    revision: int | None = None
    """The table's revision; None where the store did not answer."""
    names: tuple[str, ...] = ()
    """The names of the sides."""
    pile: int | None = None
    """The side whose pile the screen takes in; None on screens of no single pile."""
    board: list[int] | None = None
    """Of a board what `table.standing.board_told` gave; it is drawn anew for another."""


@dataclass(frozen=True, kw_only=True)
class HandShown:
    """The hand that a screen shows, and what it hangs on."""

    code: str
    match_no: int
    hand_no: int
    revision: int
    """The match's."""
    proposals: frozenset[int]
    """Numbers of the hands that came too late, not decided yet."""
