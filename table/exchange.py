"""Matches as files: JSON of a match, which another Settebello imports; CSV for a spreadsheet.

The JSON holds facts only, as the store does; points are computed by the program that reads it:

    {"format": "settebello-matches", "version": 1,
     "matches": [{"id": "open-...", "table": "K7QF", "number": 1, "opened_at": "2026-11-25T18:...",
                  "rules": {...}, "earlier": [{"hands": 2, "rules": {...}}],
                  "names": ["Anna", "Bruno"],
                  "hands": [{"sides": [...], "dealer": 0, "by": "Anna", "at": "2026-..."}]}]}
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from scoring.errors import InputError, RulesError, ScoringError, one_line
from scoring.match import Match
from scoring.rules import Rules
from store import LogEntry, PlayedMatch, Seating, Step
from table.names import MAX_LETTERS as LONGEST_NAME
from table.names import clean_name
from table.season import Season
from table.series import LENGTHS

FORMAT, VERSION = "settebello-matches", 2
"""How a file says what it is, and the newest version of it that is understood.

Version 2 may have matches whose rules changed between hands; other files are of version 1.
"""

MAX_FILE_BYTES, MAX_MATCHES, MAX_HANDS, MAX_LETTERS = 2_000_000, 1000, 500, 80
"""The largest file, the most matches in it and hands in a match, and the longest text taken in."""

YEARS = range(2000, 2101)
"""The years in which a match may have been played."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for the start of a formula."""

MATCH_COLUMNS = (
    *("table", "match", "opened_at", "hand", "counts", "side", "points", "total", "cards"),
    *("denari", "settebello", "primiera", "napola", "scope", "pile", "by", "at", "rules"),
)
"""The columns of the CSV file of matches: a row for each side of each hand.

Cards and denari are empty where a hand was counted without cards or with some of them; its pile has
those that are known.
"""

SEASON_COLUMNS = (
    *("player", "matches", "won", "points", "hands", "scope", "settebelli", "primiere"),
    *("napole", "level", "lost"),
)
"""The columns of the CSV file of a season: a row for each player."""


class ExchangeError(ScoringError):
    """A file of matches that cannot be imported. Nothing of it was."""


@dataclass(eq=False)
class ForeignFileError(ExchangeError):
    """The file is no JSON of matches."""

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
    """The file, or something in it, is larger than any season."""

    message = "{where}: larger than any season: take it apart"
    where: str


@dataclass(eq=False)
class SeveralMatchesError(ExchangeError):
    """The file holds no match or several, and one is imported at a time."""

    message = "expected a file of one match, got {count}: save a match by itself"
    count: int


@dataclass(eq=False)
class BrokenMatchError(ExchangeError):
    """Something in the file is wrong: `where`, such as "matches[2].hands[0]", and `why`."""

    message = "{where}: {why}"
    where: str
    why: str


# JSON


def to_json(matches: Iterable[PlayedMatch]) -> str:
    """Matches as a file that `from_json` reads back, the same for the same matches."""
    rows = [*matches]
    version = VERSION if any(row.match.earlier for row in rows) else 1
    data = {"format": FORMAT, "version": version, "matches": [_to_dict(row) for row in rows]}
    return json.dumps(data, ensure_ascii=False, indent=1)


def from_json(file: bytes) -> tuple[PlayedMatch, ...]:
    """The matches of a file, every one checked and scored; a match that is there twice, once.

    Raises:
        ExchangeError: A leaf that says what is wrong.

    >>> from_json(to_json([]).encode())
    ()
    >>> from_json(b"[]")
    Traceback (most recent call last):
    ...
    table.exchange.ForeignFileError: expected a JSON file that says ...
    """
    data = read_file(file, kind=FORMAT, newest=VERSION)
    matches = _list(data, "matches", where="", most=MAX_MATCHES)
    rows = [_from_dict(match, where=f"matches[{place}]") for place, match in enumerate(matches)]
    return tuple({row.id: row for row in rows}.values())


def match_from_json(file: bytes) -> PlayedMatch:
    """The one match of a file, checked and scored.

    Raises:
        SeveralMatchesError: The file holds another number of matches.
        ExchangeError: Another leaf that says what is wrong.
    """
    rows = from_json(file)
    if len(rows) != 1:
        raise SeveralMatchesError(len(rows))
    return rows[0]


def read_file(file: bytes, *, kind: str, newest: int) -> Mapping[str, Any]:
    """The JSON object in a file that says "format": `kind`, of a version up to `newest`.

    Raises:
        LargeFileError, ForeignFileError, NewerFileError: It is none.
    """
    if len(file) > MAX_FILE_BYTES:
        raise LargeFileError("file")
    try:
        data = json.loads(file)
        json.dumps(data, ensure_ascii=False).encode()  # half a letter pair can be kept nowhere
    except (ValueError, RecursionError):  # no JSON, no UTF-8, or nested without end
        raise ForeignFileError from None
    if not isinstance(data, Mapping) or data.get("format") != kind:
        raise ForeignFileError
    if type(data.get("version")) is not int or data["version"] > newest:
        raise NewerFileError(data.get("version"))
    return data


def _to_dict(row: PlayedMatch) -> dict[str, Any]:
    """A match as plain JSON values."""
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
    """A match of plain JSON values, checked as if it were played now."""
    if not isinstance(data, Mapping):
        raise BrokenMatchError(where, "expected a match")
    key = _text(data, "id", where=where)
    number = _number({"number": None, **data}, "number", where=where, most=MAX_MATCHES)
    hands = _list(data, "hands", where=where, most=MAX_HANDS)
    match = _match(data, where=where)
    return PlayedMatch(
        id=key,
        code=_text(data, "table", where=where),
        match_no=number,
        opened_at=read_time(data, "opened_at", where=where),
        match=match,
        hands=tuple(
            LogEntry(
                hand_no=place + 1,
                step=Step.RECORD,
                facts_json=facts.to_dict(),
                revision=place + 1,
                key=f"{key}-{place + 1}",
                device=_text(hand, "by", where=f"{where}.hands[{place}]", least=0),
                made_at=read_time(hand, "at", where=f"{where}.hands[{place}]"),
            )
            for place, (hand, facts) in enumerate(zip(hands, match.hands, strict=True))
        ),
        members=_members(data, sides=len(match.names), where=where),
        seats=_seats(data, match, where=where),
        best_of=_number(data, "best_of", where=where, most=max(LENGTHS)),
    )


def _members(data: Mapping[str, Any], *, sides: int, where: str) -> tuple[tuple[str, ...], ...]:
    """The players of each side, where the file has teams."""
    if "members" not in data:
        return ()
    teams = _list(data, "members", where=where, most=sides)
    if len(teams) != sides:
        raise BrokenMatchError(f"{where}.members", f"expected a list for each of {sides} sides")
    return tuple(_names({"members": team}, where=where) for team in teams)


def _names(data: Mapping[str, Any], *, where: str) -> tuple[str, ...]:
    names, place = _list(data, "members", where=where, most=MAX_HANDS), f"{where}.members"
    return tuple(_name(name, where=place) for name in names)


def _seats(data: Mapping[str, Any], match: Match, *, where: str) -> tuple[Seating, ...]:
    """Who took a place in the match, in the order of hands."""
    found, seats = [], {"seats": [], **data}
    for number, one in enumerate(_list(seats, "seats", where=where, most=MAX_HANDS)):
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
    """A number from 1 to `most`; 1 where the file does not say."""
    number = data.get(name, 1)
    if type(number) is not int or not 1 <= number <= most:
        raise BrokenMatchError(f"{where}.{name}", f"expected a number from 1 to {most}")
    return number


def _match(data: Mapping[str, Any], *, where: str) -> Match:
    """The match itself: its rules hold, its names make a match, each card is there once."""
    for place, name in enumerate(_list(data, "names", where=where, most=MAX_HANDS)):
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
    """The match with names as they are kept when somebody types them: nothing in them hides."""
    hands = (
        replace(hand, sides=tuple(replace(side, name=clean_name(side.name)) for side in hand.sides))
        for hand in match.hands
    )
    names = tuple(map(clean_name, match.names))
    earlier = tuple((until, _with_clean_name(rules)) for until, rules in match.earlier)
    return Match(_with_clean_name(match.rules), names, tuple(hands), earlier)


def _with_clean_name(rules: Rules) -> Rules:
    return rules.changed(name=clean_name(rules.name))


def _list(data: Mapping[str, Any], name: str, *, where: str, most: int) -> list[Any]:
    place = f"{where}.{name}".lstrip(".")
    found = data.get(name)
    if not isinstance(found, list):
        raise BrokenMatchError(place, "expected a list")
    if len(found) > most:
        raise LargeFileError(place)
    return found


def _text(data: Any, name: str, *, where: str, least: int = 1) -> str:
    found = data.get(name) if isinstance(data, Mapping) else None
    place = f"{where}.{name}".rstrip(".")
    if not isinstance(found, str) or "\0" in found or len(clean_name(found)) < least:
        raise BrokenMatchError(place, "expected a text")
    if len(found) > MAX_LETTERS:
        raise LargeFileError(place)
    return clean_name(found)


def _name(typed: Any, *, where: str) -> str:
    """A name of a side or a player, no longer than one that is typed."""
    name = _text({"": typed}, "", where=where)
    if len(name) > LONGEST_NAME:
        raise BrokenMatchError(where, f"expected a name of {LONGEST_NAME} letters or fewer")
    return name


def read_time(data: Any, name: str, *, where: str) -> datetime:
    """The time in a field of a JSON object, in UTC; BrokenMatchError where it is none."""
    try:
        found = datetime.fromisoformat(_text(data, name, where=where))
        if found.tzinfo is None:
            raise ValueError
        if found.year not in YEARS:
            raise ValueError
        return found.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        if isinstance(error, ExchangeError):
            raise
        why = "expected a time such as 2026-11-25T18:00:00+00:00"
        raise BrokenMatchError(f"{where}.{name}", why) from error


# CSV


def matches_csv(matches: Iterable[PlayedMatch]) -> str:
    """The hands of some matches, a row for each side of each hand."""
    return csv_text(MATCH_COLUMNS, (cells for row in matches for cells in _hand_cells(row)))


def season_csv(season: Season) -> str:
    """The players of a season, a row for each."""
    rows = (
        [one.name, *(getattr(one, column) for column in SEASON_COLUMNS[1:])]
        for one in season.standings
    )
    return csv_text(SEASON_COLUMNS, rows)


def defused(cell: object) -> object:
    """A cell that no spreadsheet takes for a formula.

    >>> defused("=1+1"), defused("Anna"), defused(-3)
    ("'=1+1", 'Anna', -3)
    """
    if isinstance(cell, str) and cell.startswith(FORMULA):
        return f"'{cell}"
    return cell


def csv_text(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """A CSV text with a mark at its start, by which spreadsheets know that it is UTF-8."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([defused(cell) for cell in row] for row in rows)
    return f"\ufeff{text.getvalue()}"


def _hand_cells(row: PlayedMatch) -> Iterator[list[object]]:
    match = row.match
    totals = [0] * len(match.names)
    for place, (hand, score) in enumerate(zip(match.hands, match.scores, strict=True)):
        counts = place < match.counted
        has_all_cards = not any(side.counted for side in hand.sides)
        sent = row.hands[place]
        for side, name in enumerate(match.names):
            totals[side] += score.points[side] if counts else 0
            held = hand.sides[side]
            denari = sum(card.code.endswith("d") for card in held.pile)
            won = {line.point for line in score.of(side) if line.amount}
            yield [
                *(row.code, row.match_no, row.opened_at.isoformat(), place + 1, int(counts)),
                *(name, score.points[side], totals[side]),
                *([len(held.pile), denari] if has_all_cards else ["", ""]),
                *(int(point in won) for point in ("settebello", "primiera", "napola")),
                *(held.scope, " ".join(card.code for card in held.pile)),
                *(sent.device, sent.made_at.isoformat(), match.rules_of(place).name),
            ]
