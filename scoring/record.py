"""A hand as it was recorded: facts only, to and from plain JSON values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.cards import Card, parse_card
from scoring.errors import CardError, InputError, one_line
from scoring.hand import Side, name_keys

MOST = 999
"""Largest number accepted for scope, points, a correction or a seat."""

REASON_LETTERS = 80
"""The longest reason of a correction; a longer one is cut."""


@dataclass(frozen=True)
class HandRecord:
    """The recorded facts of one hand. Points are computed from them and never stored."""

    sides: tuple[Side, ...]  # each side's pile and scope, in the order of the match
    id: str = ""  # a unique key given by the client that recorded the hand; may be empty
    dealer: int | None = None  # seat of the dealer, or None if it was not recorded
    is_last: bool = False  # the bell rang in it, see `Rules.bell`

    def __post_init__(self) -> None:
        object.__setattr__(self, "sides", tuple(self.sides))

    @property
    def is_empty(self) -> bool:
        """Whether it holds no card and no point: a hand that was taken out of its match.

        >>> HandRecord((Side("Anna", ()),)).is_empty, HandRecord((Side("Anna", (), 1),)).is_empty
        (True, False)
        """
        return not any(
            side.pile or side.scope or side.declared or side.correction or side.counted
            for side in self.sides
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as plain JSON values; `from_dict` reads them back."""
        sides = [
            {
                "name": side.name,
                "pile": [card.code for card in side.pile],
                "scope": side.scope,
                "declared": side.declared,
            }
            | ({"correction": side.correction, "reason": side.reason} if side.correction else {})
            | ({"counted": dict(side.counted)} if side.counted else {})
            for side in self.sides
        ]
        last = {"is_last": True} if self.is_last else {}
        return {"sides": sides, "id": self.id, "dealer": self.dealer} | last

    def seated_as(self, names: Sequence[str]) -> HandRecord:
        """Return the same hand with its sides in the order of these names, and named like them.

        Names are compared by `scoring.hand.name_keys`. If the hand has other sides, it is returned
        unchanged.

        >>> hand = HandRecord((Side("Anna", (), 1), Side("bruno", (), 0)), dealer=0)
        >>> turned = hand.seated_as(["Bruno", "Anna"])
        >>> [side.name for side in turned.sides], turned.dealer
        (['Bruno', 'Anna'], 1)
        """
        own, wanted = name_keys([side.name for side in self.sides]), name_keys(names)
        if sorted(own) != sorted(wanted) or len(set(own)) < len(own):
            return self
        order = [own.index(key) for key in wanted]
        sides = zip(names, (self.sides[at] for at in order), strict=True)
        dealer = self.dealer
        if dealer is not None:  # a seat; seats go round the sides, so team mates sit opposite
            dealer += order.index(dealer % len(order)) - dealer % len(order)
        return replace(self, sides=tuple(replace(s, name=n) for n, s in sides), dealer=dealer)

    @classmethod
    def from_dict(cls, data: Any, *, where: str = "hand") -> HandRecord:
        """Return the facts of a mapping {"sides": [...], "id", "dealer"}, or of a list of sides.

        Raises:
            InputError: a part is missing or malformed; `where` names it.

        >>> HandRecord.from_dict([{"name": "Anna", "pile": ["7d"], "scope": 1}]).sides[0].scope
        1
        """
        if isinstance(data, Mapping):
            dealer = data.get("dealer")
            if dealer is not None:
                dealer = _whole(dealer, where=f"{where}.dealer")
            key = data.get("id", "")
            if not isinstance(key, str):
                raise _wrong(f"{where}.id", "a text", came=key)
            last = data.get("is_last", False)
            if not isinstance(last, bool):
                raise _wrong(f"{where}.is_last", "true or false", came=last)
            return cls(read_sides(data.get("sides"), where=f"{where}.sides"), key, dealer, last)
        return cls(read_sides(data, where=where))


def read_sides(data: Any, *, where: str = "sides") -> tuple[Side, ...]:
    """Return the sides of a JSON list of {"name", "pile", "scope"}.

    Raises:
        InputError: a part is missing or malformed.

    >>> read_sides([{"name": "Anna", "pile": "7d"}])
    Traceback (most recent call last):
    scoring.errors.InputError: sides[0].pile: expected a list of card codes, got '7d'
    """
    if not isinstance(data, list):
        raise _wrong(where, 'a list of {"name", "pile", "scope"}', came=data)
    return tuple(_side(part, where=f"{where}[{index}]") for index, part in enumerate(data))


def _side(data: Any, *, where: str) -> Side:
    if not isinstance(data, Mapping):
        raise _wrong(where, 'a mapping {"name", "pile", "scope"}', came=data)
    name = data.get("name")
    if not isinstance(name, str) or not name.strip():
        raise _wrong(f"{where}.name", "the side's name", came=name)
    pile = _read_cards(data.get("pile"), where=f"{where}.pile")
    scope = _whole(data.get("scope"), where=f"{where}.scope")
    declared = _whole(data.get("declared", 0), where=f"{where}.declared")
    correction, reason = data.get("correction", 0), data.get("reason", "")
    if type(correction) is not int or abs(correction) > MOST:
        expected = f"a whole number from -{MOST} to {MOST}"
        raise _wrong(f"{where}.correction", expected, came=correction)
    if not isinstance(reason, str):
        raise _wrong(f"{where}.reason", "a text", came=reason)
    reason, counted = one_line(reason, limit=REASON_LETTERS), data.get("counted", {})
    if not isinstance(counted, Mapping):
        raise _wrong(f"{where}.counted", "figures by the names of points", came=counted)
    figures = ((point, _whole(counted[point], where=f"{where}.counted")) for point in counted)
    return Side(name, pile, scope, declared, correction, reason, tuple(figures))


def _read_cards(data: Any, *, where: str) -> tuple[Card, ...]:
    """Return the cards of a JSON list of codes or names.

    Raises:
        InputError: it is no list, or a part names no card.
    """
    if not isinstance(data, list):
        raise _wrong(where, "a list of card codes", came=data)
    cards = []
    for index, text in enumerate(data):
        try:
            cards.append(parse_card(text))
        except CardError as error:
            raise InputError(f"{where}[{index}]: {error}", where=where) from error
    return tuple(cards)


def _whole(given: Any, *, where: str) -> int:
    """Return a value checked to be a whole number from 0 to `MOST`."""
    if type(given) is int and 0 <= given <= MOST:
        return given
    raise _wrong(where, f"a whole number from 0 to {MOST}", came=given)


def _wrong(where: str, expected: str, *, came: Any) -> InputError:
    """Return the error for a missing or malformed part."""
    shown = "nothing" if came is None else repr(came)
    shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
    return InputError(f"{where}: expected {expected}, got {shown}", where=where)
