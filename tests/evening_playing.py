"""How tests open an evening and play its tables."""

from dataclasses import replace
from typing import Any

from acting import act
from playing import match_of, record_hand

from scoring.hand import Side
from scoring.presets import PRESETS
from scoring.record import HandRecord
from store import Store
from table.access import SYSTEM, Credentials
from table.evening.replay import Evening, Plan, Seat, System, Teams
from table.evening.view import EveningView, load_evening, open_evening

LINK = "the-link-of-the-evening"
NAMES = tuple(f"{first}{last}" for last in "XYZ" for first in ("Anna", "Bruno", "Carla", "Dario",
    "Elena", "Fabio", "Gina", "Hugo"))  # fmt: skip
"""Twenty-four players."""


def opened(
    store: Store,
    *names: str,
    system: System = System.SWISS,
    teams: Teams = Teams.SINGLE,
    link: str = LINK,
    **plan: Any,
) -> str:
    """Return the code of a new evening with these players; a link opens one evening."""
    made = Plan(
        name="Sunday",
        system=system,
        teams=teams,
        rules=PRESETS["silver-lake"],
        **{"seed": 7, **plan},
    )
    code = open_evening(store, made, link=link).code
    for name in names:
        do(store, code, "player", name=name)
    return code


def holder(code: str) -> Credentials:
    """Return who opened the evening."""
    return Credentials({code: LINK})


def do(store: Store, code: str, name: str, /, **fields: Any) -> None:
    """Does something at the evening as its organiser."""
    organiser = replace(holder(code), is_organiser=True)
    act(store, code, f"evening_{name}", credentials=organiser, **fields)


def seen(store: Store, code: str) -> EveningView:
    return load_evening(store, code, credentials=SYSTEM)


def now(store: Store, code: str) -> Evening:
    return seen(store, code).evening


def draw(store: Store, code: str) -> tuple[Seat, ...]:
    """Draw the next round; return its seats."""
    do(store, code, "round", shown=seen(store, code).log.revision)
    return now(store, code).rounds[-1].seats


def play(store: Store, table: str, *scope: int) -> None:
    """Record one hand at a table, of scope alone."""
    row = match_of(store, table)
    sides = tuple(Side(name, (), made) for name, made in zip(row.match.names, scope, strict=True))
    key = f"{table}-{row.match_no}-{len(row.hands)}-{row.revision}"
    record_hand(store, table, HandRecord(sides), key=key, expected=row.revision)
