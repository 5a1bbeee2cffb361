"""A match as a JSON file, which another Settebello imports.

The file holds facts only, as the store does; points are computed by the program that reads it:

    {"format": "settebello-matches", "version": 2,
     "matches": [{"id": "open-...", "table": "K7QF", "number": 1, "opened_at": "2026-11-25T18:...",
                  "rules": {...}, "earlier": [{"hands": 2, "rules": {...}}],
                  "names": ["Anna", "Bruno"],
                  "hands": [{"sides": [...], "dealer": 0, "by": "Anna", "at": "2026-..."}]}]}

Earlier versions saved several matches in one file. One match is imported at a time.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from scoring.errors import InputError, RulesError, ScoringError, one_line
from scoring.match import Match
from scoring.rules import Rules
from store import LogEntry, PlayedMatch, Seating, Step
from table.names import MAX_LETTERS, clean_name
from table.series import LENGTHS

FORMAT, VERSION = "settebello-matches", 2
"""The format that a file names, and the newest version of it that this program reads.

Files of matches whose rules changed between hands are of version 2, all others of version 1.
"""

MAX_FILE_BYTES, MAX_HANDS, MAX_TEXT_LETTERS = 2_000_000, 2000, 80
"""The largest file, the most entries of a list in it, and the longest text."""

YEARS = range(2000, 2101)
"""The years in which a match may have been played."""


class ExchangeError(ScoringError):
    """The file cannot be imported. Nothing was changed."""


@dataclass(eq=False)
class ForeignFileError(ExchangeError):
    """The file is not JSON of a match."""

    message = (
        f'expected a JSON file that says "format": "{FORMAT}", got something else: '
        "choose the file that Settebello saved"
    )


@dataclass(eq=False)
class NewerFileError(ExchangeError):
    """The file was saved by a newer Settebello."""

    message = f"expected a file of version {VERSION} or older, got {{found!r}}: update the program"
    found: object


@dataclass(eq=False)
class LargeFileError(ExchangeError):
    """The file, or a list in it, is longer than a match can be."""

    message = f"expected a match of at most {MAX_HANDS} hands and {MAX_FILE_BYTES} bytes, got more"
    most_hands: int = MAX_HANDS


@dataclass(eq=False)
class SeveralMatchesError(ExchangeError):
    """The file holds no match or several, and one is imported at a time."""

    message = "expected a file of one match, got {count}: save a match by itself"
    count: int


@dataclass(eq=False)
class BrokenMatchError(ExchangeError):
    """Something in the file is wrong: `where`, such as "matches[0].hands[0]", and `why`."""

    message = "{where}: {why}"
    where: str
    why: str


def to_json(row: PlayedMatch) -> str:
    """Return a match as a file that `match_from_json` reads."""
    version = VERSION if row.match.earlier else 1
    data = {"format": FORMAT, "version": version, "matches": [_to_dict(row)]}
    return json.dumps(data, ensure_ascii=False, indent=1)


def match_from_json(file: bytes) -> PlayedMatch:
    """Return the match of a file, with every field checked and every hand scored.

    It has no table yet: its code is empty, and it is match 1.

    Raises:
        ExchangeError: A subclass that says what is wrong.

    >>> match_from_json(b"[]")
    Traceback (most recent call last):
    ...
    table.season.exchange.ForeignFileError: expected a JSON file that says ...
    """
    if len(file) > MAX_FILE_BYTES:
        raise LargeFileError
    try:
        data = json.loads(file)
        json.dumps(data, ensure_ascii=False).encode()  # fails on half a surrogate pair
    except (ValueError, RecursionError):  # not JSON, not UTF-8, or nested too deeply
        raise ForeignFileError from None
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise ForeignFileError
    if type(data.get("version")) is not int or data["version"] > VERSION:
        raise NewerFileError(data.get("version"))
    matches = _list(data, "matches", where="")
    if len(matches) != 1:
        raise SeveralMatchesError(len(matches))
    return _from_dict(matches[0], where="matches[0]")


def _to_dict(row: PlayedMatch) -> dict[str, Any]:
    """Return a match as plain JSON values."""
    data = row.match.to_dict()
    for hand_data, hand in zip(data["hands"], row.hands, strict=True):
        for side, name in zip(hand_data["sides"], row.match.names, strict=True):
            side["name"] = name
        hand_data |= {"by": hand.device, "at": hand.made_at.isoformat()}
    place = {"id": row.id, "table": row.code, "number": row.match_no}
    if row.members:
        data["members"] = [[*members] for members in row.members]
    if row.seats:
        data["seats"] = [
            {"hand": one.hand_no, "side": one.side, "members": [*one.members]} for one in row.seats
        ]
    if row.best_of > 1:
        data["best_of"] = row.best_of
    return {**place, "opened_at": row.opened_at.isoformat(), **data}


def _from_dict(data: Any, *, where: str) -> PlayedMatch:
    """Return a match of plain JSON values, checked as if it were played now."""
    if not isinstance(data, Mapping):
        raise BrokenMatchError(where, "expected a match")
    key = _text(data, "id", where=where)
    hands = _list(data, "hands", where=where)
    match = _match(data, where=where)
    return PlayedMatch(
        id=key,
        code="",
        match_no=1,
        opened_at=_time(data, "opened_at", where=where),
        match=match,
        hands=tuple(
            LogEntry(
                hand_no=place + 1,
                step=Step.RECORD,
                facts_json=facts.to_dict(),
                revision=place + 1,
                key=f"{key}-{place + 1}",
                device=_text(hand, "by", where=f"{where}.hands[{place}]", least=0),
                made_at=_time(hand, "at", where=f"{where}.hands[{place}]"),
            )
            for place, (hand, facts) in enumerate(zip(hands, match.hands, strict=True))
        ),
        members=_members(data, sides=len(match.names), where=where),
        seats=_seats(data, match, where=where),
        best_of=_number(data, "best_of", where=where, most=max(LENGTHS)),
    )


def _members(data: Mapping[str, Any], *, sides: int, where: str) -> tuple[tuple[str, ...], ...]:
    """Return the players of each side, if the file has teams."""
    if "members" not in data:
        return ()
    teams = _list(data, "members", where=where)
    if len(teams) != sides:
        raise BrokenMatchError(f"{where}.members", f"expected a list for each of {sides} sides")
    return tuple(_names({"members": team}, where=where) for team in teams)


def _names(data: Mapping[str, Any], *, where: str) -> tuple[str, ...]:
    names, place = _list(data, "members", where=where), f"{where}.members"
    return tuple(_name(name, where=place) for name in names)


def _seats(data: Mapping[str, Any], match: Match, *, where: str) -> tuple[Seating, ...]:
    """Return the substitutes in the file, in the order of hands."""
    found, seats = [], {"seats": [], **data}
    for number, one in enumerate(_list(seats, "seats", where=where)):
        place = f"{where}.seats[{number}]"
        if not isinstance(one, Mapping) or type(one.get("side")) is not int:
            raise BrokenMatchError(place, 'expected {"hand", "side", "members"}')
        hand = _number(one, "hand", where=place, most=len(match.hands) + 1)
        members = _names(one, where=place)
        if one["side"] not in range(len(match.names)) or not members:
            raise BrokenMatchError(place, "expected players of one of the sides")
        found.append(Seating(hand_no=hand, side=one["side"], members=members))
    return tuple(sorted(found, key=lambda one: one.hand_no))


def _number(data: Mapping[str, Any], name: str, *, where: str, most: int) -> int:
    """Return a number from 1 to `most`; 1 if the file has none."""
    number = data.get(name, 1)
    if type(number) is not int or not 1 <= number <= most:
        raise BrokenMatchError(f"{where}.{name}", f"expected a number from 1 to {most}")
    return number


def _match(data: Mapping[str, Any], *, where: str) -> Match:
    """Return the match, with its rules, names and cards checked."""
    for place, name in enumerate(_list(data, "names", where=where)):
        _name(name, where=f"{where}.names[{place}]")
    try:
        match = _with_clean_names(Match.from_dict(data))
    except InputError as error:
        raise BrokenMatchError(f"{where}.{error.where}", one_line(str(error))) from error
    except RulesError as error:
        raise BrokenMatchError(f"{where}.rules.{error.setting}", one_line(str(error))) from error
    except ScoringError as error:
        raise BrokenMatchError(where, one_line(str(error))) from error
    for place in range(len(match.hands)):
        try:
            match.score(place)
        except ScoringError as error:
            raise BrokenMatchError(f"{where}.hands[{place}]", one_line(str(error))) from error
    return match


def _with_clean_names(match: Match) -> Match:
    """Return the match with its names cleaned as typed ones are."""
    hands = (
        replace(hand, sides=tuple(replace(side, name=clean_name(side.name)) for side in hand.sides))
        for hand in match.hands
    )
    names = tuple(map(clean_name, match.names))
    earlier = tuple((until, _with_clean_name(rules)) for until, rules in match.earlier)
    return Match(_with_clean_name(match.rules), names, tuple(hands), earlier)


def _with_clean_name(rules: Rules) -> Rules:
    return rules.changed(name=clean_name(rules.name))


def _list(data: Mapping[str, Any], name: str, *, where: str) -> list[Any]:
    found = data.get(name)
    if not isinstance(found, list):
        raise BrokenMatchError(f"{where}.{name}".lstrip("."), "expected a list")
    if len(found) > MAX_HANDS:
        raise LargeFileError
    return found


def _text(data: Any, name: str, *, where: str, least: int = 1) -> str:
    found = data.get(name) if isinstance(data, Mapping) else None
    place = f"{where}.{name}".rstrip(".")
    if not isinstance(found, str) or "\0" in found or len(clean_name(found)) < least:
        raise BrokenMatchError(place, "expected a text")
    if len(found) > MAX_TEXT_LETTERS:
        raise BrokenMatchError(place, f"expected {MAX_TEXT_LETTERS} letters or fewer")
    return clean_name(found)


def _name(typed: Any, *, where: str) -> str:
    """Return a name of a side or a player, no longer than a typed one may be."""
    name = _text({"": typed}, "", where=where)
    if len(name) > MAX_LETTERS:
        raise BrokenMatchError(where, f"expected a name of {MAX_LETTERS} letters or fewer")
    return name


def _time(data: Any, name: str, *, where: str) -> datetime:
    """Return the time in a field of a JSON object, in UTC."""
    text = _text(data, name, where=where)
    try:
        found = datetime.fromisoformat(text)
        if found.tzinfo is None or found.year not in YEARS:
            raise ValueError
    except ValueError as error:
        why = "expected a time from 2000 to 2100, such as 2026-11-25T18:00:00+00:00"
        raise BrokenMatchError(f"{where}.{name}", why) from error
    return found.astimezone(UTC)
