"""A season made up for tests: thirty matches of four friends and a guest, always the same ones."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, update

from scoring.cards import DECK
from scoring.hand import Side
from scoring.match import Match
from scoring.presets import PRESETS
from scoring.record import HandRecord
from store import LogEntry, PlayedMatch, Step, Store, Table, session_of
from store.log import last_revision
from store.season import import_match

START = datetime(2026, 5, 3, 15, 30, tzinfo=UTC)
"""The first Sunday of the season."""

SKILL = {"Anna": 1.25, "Bruno": 1.1, "Carla": 1.0, "Dario": 0.9, "Zio Giuseppe": 0.8}
"""The players, and how much each captures of what chance would give."""

TABLES = (("K7QF", "napoletana"), ("M3RT", "silver-lake"), ("PZ4X", "napoletana"))
"""The tables of the evenings, each with its rules."""

RULES_WITH_THREE = "wikipedia"
"""The rules of matches of three."""


def hand(names: Sequence[str], dealer: int, *, chance: random.Random) -> HandRecord:
    """Return one hand: each card goes to a side by its skill, scope too."""
    skill = [SKILL[name] for name in names]
    piles: list[list[int]] = [[] for _ in names]
    for index in range(len(DECK)):
        [side] = chance.choices(range(len(names)), weights=skill)
        piles[side].append(index)
    sides = tuple(
        Side(
            name,
            tuple(DECK[index] for index in pile),
            sum(chance.random() < 0.22 * SKILL[name] for _ in range(6)),
        )
        for name, pile in zip(names, piles, strict=True)
    )
    return HandRecord(sides, dealer=dealer)


def match(number: int, *, chance: random.Random) -> PlayedMatch:
    """Return one match, played until somebody has won it."""
    count = 3 if number % 6 == 5 else 2
    names = tuple(chance.sample(list(SKILL), count))
    code, preset = TABLES[number % len(TABLES)]
    rules = PRESETS[RULES_WITH_THREE if count == 3 else preset]
    opened = START + timedelta(days=13 * (number // 2), minutes=95 * (number % 2))
    played, rows = Match(rules, names), []
    while played.ending is None:
        place = len(played.hands)
        facts = hand(names, place % count, chance=chance)
        played = played.record(facts)
        rows.append(
            LogEntry(
                hand_no=place + 1,
                step=Step.RECORD,
                facts_json=facts.to_dict(),
                revision=place + 2,
                key=f"season-{number}-{place}",
                device=chance.choice(names),
                made_at=opened + timedelta(minutes=8 * (place + 1)),
            )
        )
    return PlayedMatch(
        id=f"open-season-{number}",
        code=code,
        match_no=number // len(TABLES) + 1,
        opened_at=opened,
        match=played,
        hands=tuple(rows),
    )


def matches(count: int = 30, *, seed: int = 7) -> list[PlayedMatch]:
    """Return the matches of a season, the same for the same seed."""
    chance = random.Random(seed)
    return [match(number, chance=chance) for number in range(count)]


def fill(store: Store) -> tuple[str, ...]:
    """Store the season, those of one table as its matches 1 to 10; gives the tables' codes."""
    codes: dict[str, str] = {}
    for row in matches():
        imported = import_match(store, row)
        assert imported is not None
        code = codes.setdefault(row.code, imported.code)
        if code != imported.code:
            _move(store, imported.code, code)
    return tuple(codes.values())


def _move(store: Store, imported: str, code: str) -> None:
    """Move an imported match to the end of another table."""
    with store.write(code) as table, store.write(imported) as emptied:
        match, last = emptied.match, last_revision(table)
        place = {"table_id": table.id, "revision": LogEntry.revision + last}
        session = session_of(table)
        session.execute(update(LogEntry).where(LogEntry.match_id == match.id).values(place))
        match.table_id, match.match_no = table.id, table.match_no + 1
        session.flush()
        session.execute(delete(Table).where(Table.id == emptied.id))
