"""Databases of ff00e88, the last commit with all features, open and keep all they hold."""

import json
from collections import Counter
from contextlib import closing
from copy import deepcopy
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hands import DUMPS, hand, load
from playing import find_table, hand_entry, photo_at, query, states_at
from sqlalchemy import NullPool, create_engine, select

from assets.deck import CardStyle
from scoring.rules import Rules
from store import (
    DroppedRulesError,
    KeptMatch,
    Store,
    Table,
    UploadState,
    club,
    evening,
    idempotent,
    log,
    piles,
    season,
    tables,
    uploads,
)
from store.models import Base, Conflict, LogEntry, Outcome, Step
from table.access import SYSTEM, Credentials, Role
from table.actions import execute, parse_request
from table.evening.view import load_evening
from table.hand.pile import Pile
from table.requests import Request
from table.season.statistics import season_of
from table.view import TableView, load_view

DROPPED = ("DRAA", "DRBB", "DRCC", "DRDD", "DREE", "DRFF", "DRGG", "DRHH")
"""Tables whose match plays a setting that the rules no longer have, one for each."""

WRITES: dict[str, dict[str, Any]] = {
    "scopa": {"delta": 1},
    "card": {"code": "7d", "in": True},
    "confirm": {"facts": hand().to_dict()},
    "mend": {"hand": 1, "mending": True},
    "stand": {"hand": 1, "mending": True, "facts": hand().to_dict()},
    "out": {"hand": 1, "mending": True},
    "undo": {},
    "rematch": {},
}
"""Actions on a match, with the fields of each."""

LINK = "scorers-link-of-ff00e8"
EXPECTED: dict[str, Any] = json.loads((DUMPS / "ff00e88.json").read_text(encoding="utf-8"))


@pytest.fixture
def baseline(engine: str, empty_place: str) -> str:
    """The address of a database as ff00e88 left it."""
    load("ff00e88", engine, empty_place)
    return empty_place


def test_baseline_has_the_newest_schema(baseline: str) -> None:
    Store(baseline).close()
    with create_engine(baseline, poolclass=NullPool).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def board(view: TableView) -> tuple[object, ...]:
    """Return what a match comes to, and everything that can be recorded at its table."""
    return view.match.totals, view.names, view.scope, view.piles, view.row.revision


def matches_at(table: Table) -> list[dict[str, Any]]:
    return [
        {
            "match": state.match_no,
            "names": [*state.match.names],
            "hands": [[*score.points] for score in state.match.scores],
            "totals": [*state.match.totals],
            "winner": state.match.winner,
            "is_over": state.match.is_over,
        }
        for state in states_at(table)
    ]


def test_baseline_matches_keep_their_totals(baseline: str) -> None:
    with closing(Store(baseline)) as store, store.reading() as session:
        for code, expected in deepcopy(EXPECTED["tables"]).items():
            table = tables.find(session, code)
            found = matches_at(table)
            if code == "DRAA":  # its primiera was counted by "pips"
                assert [one.pop("hands") for one in found] != [one.pop("hands") for one in expected]
            assert found == expected, code
            assert isinstance(log.match_state(table).match, KeptMatch) is (code in DROPPED)
            rows = [[match.match_no, [*match.totals]] for match in log.matches(table)]
            assert rows == [[one["match"], one["totals"]] for one in expected]


@pytest.mark.parametrize("code", DROPPED)
def test_baseline_match_with_a_dropped_setting_is_read_only(code: str, baseline: str) -> None:
    [expected] = EXPECTED["tables"][code]
    with closing(Store(baseline)) as store:
        view = load_view(store, code, credentials=SYSTEM)
        assert (view.is_kept, view.role) == (True, Role.VIEWER)
        assert [*view.match.totals] == expected["totals"]
        before = board(view)
        for do, fields in WRITES.items():
            place = {"match": 1, "hand": view.hand_no, "log": view.row.revision, "key": do,
                     "side": 0, "revision": view.table.revision, "do": do}  # fmt: skip
            request = parse_request(place | fields)
            with pytest.raises(DroppedRulesError):
                execute(store, code, request, credentials=SYSTEM)
        names = {"names": ["Ada", "Bruno"], "rules": Rules(), "shown": view.row.revision}
        with pytest.raises(DroppedRulesError):
            execute(store, code, Request(do="change_match", payload=names), credentials=SYSTEM)
        assert board(load_view(store, code, credentials=SYSTEM)) == before


def test_baseline_season_is_the_same(baseline: str) -> None:
    with closing(Store(baseline)) as store:
        standings = season_of(query(store, season.played)).standings
    assert EXPECTED["season"] == {
        row.name: {"matches": row.matches, "won": row.won, "points": row.points, "hands": row.hands}
        for row in standings
    }


@pytest.mark.parametrize("code", EXPECTED["evenings"])
def test_baseline_evening_keeps_its_standings(code: str, baseline: str) -> None:
    with closing(Store(baseline)) as store:
        evening = load_evening(store, code, credentials=SYSTEM).evening
    assert EXPECTED["evenings"][code] == {
        "name": evening.plan.name,
        "is_over": evening.is_over,
        "rounds": [[seat.code for seat in one.seats] for one in evening.rounds],
        "standings": [
            [evening.name_of(evening.members(row.entrant)), row.rank, row.won, row.made]
            for row in evening.standings
        ],
    }


def test_baseline_evening_goes_on_and_counts_a_key_once(baseline: str) -> None:
    with closing(Store(baseline)) as store:
        before = load_evening(store, "SWES", credentials=SYSTEM)
        assert (before.log.revision, len(before.log.entries), before.row.revision) == (16, 14, 27)
        assert "SWES" not in {table.code for table in query(store, tables.newest)}
        add = Request(key="key-114", do="evening_player", payload={"name": "Zoe"})
        assert not execute(store, "SWES", add, credentials=SYSTEM).is_new
        assert execute(store, "SWES", replace(add, key="new"), credentials=SYSTEM).is_new
        after = load_evening(store, "SWES", credentials=SYSTEM)
        assert after.evening.players[:-1] == before.evening.players
        assert after.evening.players[-1].name == "Zoe"


def test_baseline_logs_have_every_step(baseline: str) -> None:
    with closing(Store(baseline)) as store, store.reading() as session:
        steps = session.scalars(select(LogEntry.step)).all()
        assert {*Step} == {*steps}
        outcomes = Counter(session.scalars(select(Conflict.outcome)))
        assert outcomes == dict.fromkeys(Outcome, 1)


def test_baseline_hand_in_play_goes_on(baseline: str) -> None:
    with closing(Store(baseline)) as store:
        with store.read("CARD") as table:
            state = log.match_state(table)
            assert (state.can_undo, state.can_redo, len(log.conflicts(table))) == (True, True, 1)
            assert piles.scope_counts(table) == (0, 1)
            anna, bruno = (Pile.from_dict(row.draft) for row in piles.drafts(table))
            assert [card.guess for card in anna.detected] == ["7d", "1s"]
            assert (anna.by_hand, anna.counted, len(anna.faults)) == (("1c", "2c"), 4, 1)
            assert (bruno.by_hand, bruno.said) == (("10s",), (("carte", 1),))
            found = {row.name: row.state for row in uploads.of_hand(table, hand_no=6)}
            assert found == {
                "waits.jpg": UploadState.WAITING,
                "refused.jpg": UploadState.REFUSED,
                "late.jpg": UploadState.LATE,
            }
            assert table.drawing is CardStyle.FRENCH
        assert photo_at(store, anna.photos[0])[:2] == b"\xff\xd8"
        with store.write("CARD") as table:
            assert not idempotent(table, "key-1")
            log.append(table, hand_entry(hand(), key="next"), expected=state.revision)
            after = log.match_state(table).match
        assert after.hands[:-1] == state.match.hands


def test_baseline_links_and_closed_tables_hold(baseline: str) -> None:
    with closing(Store(baseline)) as store:
        holder = Credentials({"CARD": f"{LINK}CARD"})
        assert holder.role_at(find_table(store, "CARD")) is Role.SCORER
        assert find_table(store, "SEAT").is_closed
        [row] = query(store, evening.newest, codes=["SWES"])
        assert Credentials({"SWES": f"{LINK}SWES"}).role_at(row) is Role.SCORER
        assert Credentials({"SWES": "phone-of-elena"}).role_at(row) is Role.VIEWER
        assert sha256(b"phone-of-elena").hexdigest() in find_table(store, "SWBB").player_hashes


def test_baseline_house_rules_are_kept(baseline: str) -> None:
    with closing(Store(baseline)) as store:
        assert {name: rules.target for name, rules in query(store, club.saved_rules).items()} == {
            "at home": 16,
            "with frac": 11,
        }


def test_baseline_substitutes_and_rule_changes_hold(baseline: str) -> None:
    with closing(Store(baseline)) as store, store.reading() as session:
        team, from_hand_3, recounted = (
            tables.find(session, code) for code in ("TEAM", "HAN3", "HAN2")
        )
        seats = log.match_state(team, 2).seats
        assert [(one.hand_no, one.side, one.members) for one in seats] == [
            (2, 0, ("Zoe", "Bruno")),
            (3, 1, ("Carla", "Ugo")),
        ]
        napole = [log.match_state(one).match for one in (from_hand_3, recounted)]
        assert [[match.rules_of(n).napola for n in range(4)] for match in napole] == [
            [False, False, True, True],
            [True] * 4,
        ]
