"""CSV files: they add up, hold no formula, and spreadsheets keep what they say."""

import csv
import io
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from playing import command, query, record_hand
from season_playing import seasons

from scoring.cards import DECK
from scoring.hand import Side
from scoring.presets import PRESETS
from scoring.record import HandRecord
from store import PlayedMatch, Store, season, tables
from store.tables import make_code, reads_as_number
from table.season.spreadsheet import FORMULA, code_cell, defused, in_zone, matches_csv, season_csv
from table.season.statistics import season_of


def rows_of(text: str, *, delimiter: str = ",") -> list[dict[str, str]]:
    assert text.startswith("\ufeff")
    lines = io.StringIO(text.removeprefix("\ufeff"), newline="")
    return list(csv.DictReader(lines, delimiter=delimiter))


@given(seasons())
def test_spreadsheet_adds_up_and_holds_no_formula(
    rows: list[PlayedMatch],
) -> None:
    found = rows_of(matches_csv(rows))
    for row in rows:
        for side, name in enumerate(row.match.names):
            mine = [
                one
                for one in found
                if (one["table"], one["match"]) == (row.code, str(row.match_no))
                and one["side"].removeprefix("'") == name
            ]
            counted = sum(int(one["points"]) for one in mine if one["counts"] == "1")
            assert counted == row.match.totals[side]
            assert not mine or int(mine[-1]["total"]) == counted
    cells = [cell for one in found for cell in one.values()]
    cells += [cell for one in rows_of(season_csv(season_of(rows))) for cell in one.values()]
    assert not [c for c in cells if c.startswith(FORMULA) and not c.lstrip("-").isdigit()]


def test_half_counted_hand_keeps_its_known_cards() -> None:
    store = Store("sqlite://")
    said = {"carte": (0, 1), "denari": (1, 0), "settebello": (1, 0), "primiera": (0, 0)}
    anna, bruno = (tuple((name, one[side]) for name, one in said.items()) for side in range(2))
    mixed = HandRecord((Side("Anna", DECK[:7], 9, counted=anna), Side("Bruno", (), counted=bruno)))
    table = command(store, tables.open_table, ("Anna", "Bruno"), PRESETS["silver-lake"])
    whole = HandRecord((Side("Anna", DECK[:25]), Side("Bruno", DECK[25:])), dealer=0)
    record_hand(store, table, whole, key="a", expected=1)
    record_hand(store, table, mixed, key="b", expected=2)
    [row] = query(store, season.played)
    columns = ("points", "total", "cards", "denari", "settebello", "scope", "pile")
    found = [[one[name] for name in columns] for one in rows_of(matches_csv([row]))]
    pile = "1d 2d 3d 4d 5d 6d 7d"
    assert [one[2:4] for one in found[:2]] == [["25", "10"], ["15", "0"]]
    assert found[2:] == [["11", "14", "", "", "1", "9", pile], ["1", "1", "", "", "0", "0", ""]]
    standings = {one["player"]: one for one in rows_of(season_csv(season_of([row])))}
    assert standings["Anna"]["settebelli"] == "2", "the one that somebody said too"


@pytest.mark.parametrize("start", FORMULA)
def test_a_cell_that_a_spreadsheet_would_run_is_defused(start: str) -> None:
    assert defused(f"{start}1+1") == f"'{start}1+1"
    assert defused(f"A{start}") == f"A{start}"


def test_codes_of_tables_stay_text() -> None:
    made = {make_code() for _ in range(2000)}
    assert not [code for code in made if "E" in code or reads_as_number(code)]
    assert {code_cell(code) for code in made} == made


@pytest.mark.parametrize("code", ["2345", "2E34", "MAR4", "7DEC"])
def test_old_codes_that_look_like_numbers_are_quoted(code: str) -> None:
    assert code_cell(code) == f'="{code}"'


def test_times_are_local_and_cells_stand_between_semicolons() -> None:
    store = Store("sqlite://")
    table = command(store, tables.open_table, ("Anna", "Bruno"), PRESETS["silver-lake"])
    whole = HandRecord((Side("Anna", DECK[:25]), Side("Bruno", DECK[25:])), dealer=0)
    record_hand(store, table, whole, key="a", expected=1)
    [row] = query(store, season.played)
    row.hands[0].made_at = datetime(2026, 7, 1, 20, 30, 5, 123456, tzinfo=UTC)
    text = matches_csv([row], delimiter=";", zone=ZoneInfo("Europe/Rome"))
    first, _ = rows_of(text, delimiter=";")
    assert (first["side"], first["at"]) == ("Anna", "2026-07-01 22:30:05")


@pytest.mark.parametrize(
    "moment", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)]
)
@pytest.mark.parametrize("hours", [-12, 14])
def test_the_first_and_the_last_day_have_a_time_everywhere(moment: datetime, hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    assert in_zone(moment, zone).year in {1, 9999}
