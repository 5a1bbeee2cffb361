"""An evening as files: JSON that another Settebello takes in, once, and CSV for a spreadsheet.

    {"format": "settebello-evening", "version": 1, "id": "evening-...",
     "log": [{"facts": {"do": "plan", ...}, "by": "Anna", "at": "2026-11-27T20:..."}, ...],
     "played": what `table.exchange.to_json` makes of its matches}

Links are left out: who may write there is not taken along.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.errors import one_line
from scoring.presets import read_rules
from store import EveningLog, PlayedMatch, Session, Table, evening, season
from table.evening import MAX_PLACE, Evening, evening_of
from table.exchange import BrokenMatchError, csv_text, from_json, read_file, read_time, to_json
from table.names import checked_names, clean_name

FORMAT, VERSION = "settebello-evening", 1

MAX_DECISIONS = 5_000
"""More decisions than any evening has."""

RESULT_COLUMNS = (
    *("round", "table", "code", "side_1", "side_2", "points_1", "points_2", "won_1", "won_2"),
    *("winner", "over", "set", "absent"),
)
"""The columns of the results: a row for each meeting."""

STANDING_COLUMNS = (
    *("rank", "name", "played", "won", "level", "lost", "byes", "match_points"),
    *("made", "conceded", "difference", "direct", "scope"),
)
"""The columns of the standings: a row for each player or pair."""


@dataclass(frozen=True, kw_only=True)
class EveningFile:
    """What a file of an evening holds."""

    id: str
    """The key it was opened with: it stays the same when it is taken in elsewhere."""
    log: tuple[evening.Entry, ...]
    matches: tuple[PlayedMatch, ...]


def evening_json(log: EveningLog, matches: Sequence[PlayedMatch]) -> str:
    """An evening as a file that `evening_from_json` reads back."""
    decisions = [
        {
            "facts": _without_links(entry.facts_json or {}),
            "by": entry.device,
            "at": entry.made_at.isoformat(),
        }
        for entry in log.entries
        if (entry.facts_json or {}).get("do") != "public"
    ]
    data = {"format": FORMAT, "version": VERSION, "id": log.entries[0].key, "log": decisions}
    data["played"] = json.loads(to_json(matches))
    return json.dumps(data, ensure_ascii=False, indent=1)


def _without_links(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if name != "link"}


def evening_from_json(file: bytes) -> EveningFile:
    """The evening of a file, its log replayed and its matches scored.

    Raises:
        ExchangeError: A leaf that says what is wrong.
    """
    data = read_file(file, kind=FORMAT, newest=VERSION)
    matches = from_json(json.dumps(data.get("played")).encode())
    entries = data.get("log")
    if not isinstance(entries, list) or not 1 <= len(entries) <= MAX_DECISIONS:
        raise BrokenMatchError("log", "expected the decisions of an evening")
    log = tuple(_entry(entry, where=f"log[{place}]") for place, entry in enumerate(entries))
    found = _replayed(log)
    known = {row.code for row in matches}
    lost = {seat.code for one in found.rounds for seat in one.seats} - known
    if lost:
        raise BrokenMatchError("played", f"expected the matches of table {min(lost)}")
    key = clean_name(data["id"]) if isinstance(data.get("id"), str) else ""
    if not 1 <= len(key) <= 80:
        raise BrokenMatchError("id", "expected a text")
    return EveningFile(id=key, log=log, matches=matches)


def _entry(data: Any, *, where: str) -> evening.Entry:
    if not isinstance(data, Mapping) or not isinstance(data.get("facts"), Mapping):
        raise BrokenMatchError(where, "expected a decision")
    facts = _without_links(data["facts"])
    try:
        if facts.get("do") == "player":
            [facts["name"]] = checked_names([str(facts["name"])])
        if facts.get("do") == "plan":
            facts["plan"] = _with_clean_texts(facts["plan"])
    except (KeyError, AttributeError, TypeError, ValueError) as error:
        raise BrokenMatchError(where, one_line(str(error))) from error
    device = clean_name(str(data.get("by", "")))[:80]
    return evening.Entry(facts, device, read_time(data, "at", where=where))


def _with_clean_texts(plan: Mapping[str, Any]) -> dict[str, Any]:
    """A plan with its texts as they are kept when they are typed."""
    [name] = checked_names([str(plan["name"])])
    day, place = (clean_name(str(plan.get(one, ""))) for one in ("day", "place"))
    rules = read_rules(plan["rules"])
    rules = rules.changed(name=clean_name(rules.name))
    texts = {"name": name, "day": day, "place": place[:MAX_PLACE]}
    return {**plan, **texts, "rules": rules.to_dict()}


def _replayed(log: Sequence[evening.Entry]) -> Evening:
    """The evening that a log makes; says which of its entries does not fit."""
    found = None
    for place, entry in enumerate(log):
        decision = entry.facts, entry.made_at
        try:
            found = evening_of([decision]) if found is None else found.after(*decision)
        except (KeyError, TypeError, OverflowError, ValueError) as error:
            raise BrokenMatchError(f"log[{place}]", one_line(str(error))) from error
    assert found is not None
    return found


def take_in(session: Session, file: EveningFile) -> Table | None:
    """Stores the evening of a file with its tables; None where it is stored already."""
    if evening.by_key(session, [file.id]):
        return None
    season.import_matches(session, file.matches)
    codes = evening.by_key(session, [row.id for row in file.matches])
    return evening.import_evening(
        session,
        file.id,
        file.log,
        codes={row.code: codes[row.id] for row in file.matches},
    )


# CSV


def results_csv(found: Evening) -> str:
    """The results of an evening, a row for each meeting."""
    return csv_text(
        RESULT_COLUMNS,
        (
            [
                *(number, meeting.seat.table, meeting.seat.code),
                *map(found.name_of, meeting.seat.sides),
                *meeting.points,
                *meeting.won,
                "" if meeting.winner is None else found.name_of(meeting.seat.sides[meeting.winner]),
                int(meeting.is_over),
                int(meeting.is_set),
                "" if meeting.absent is None else found.name_of(meeting.seat.sides[meeting.absent]),
            ]
            for number, meetings in enumerate(found.meetings, start=1)
            for meeting in meetings
        ),
    )


def standings_csv(found: Evening) -> str:
    """The standings of an evening, a row for each player or pair."""
    return csv_text(
        STANDING_COLUMNS,
        (
            [
                row.rank,
                found.name_of(found.members(row.entrant)),
                *(getattr(row, name) for name in STANDING_COLUMNS[2:]),
            ]
            for row in found.standings
        ),
    )
