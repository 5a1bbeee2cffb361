"""The organiser's screen: tables of today and of before, closed and opened, corrected, saved."""

from datetime import UTC, datetime, timedelta

import pytest
from app_driving import (
    app,
    board_words,
    component_data,
    entered,
    has_act,
    open_table,
    record,
    visible,
)
from playing import find_table, write
from sqlalchemy import update
from streamlit.testing.v1 import AppTest

from screens import state, times
from store import Table, tables
from table.access import ANONYMOUS, SYSTEM, Credentials, hash_link, new_link

LINK = new_link()

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def organiser(monkeypatch: pytest.MonkeyPatch) -> None:
    """A club with an organiser, who holds this laptop."""
    monkeypatch.setattr(state.auth().organiser, "_passphrase", "sette bello di denari")
    monkeypatch.setattr(state, "credentials", lambda: SYSTEM)


def of_yesterday(*names: str) -> Table:
    table = open_table(*names)
    with state.store().writing() as session:
        then = datetime.now(UTC) - timedelta(days=1, hours=1)
        session.execute(update(Table).where(Table.code == table.code).values(opened_at=then))
    return table


def buttons(at: AppTest) -> set[str]:
    return {str(button.key) for button in at.button}


def test_club_lists_tables_of_today_then_earlier_ones() -> None:
    old, new = of_yesterday("Gino", "Pia"), open_table("Anna", "Bruno")
    record(new, scope=(2, 0))
    at = app("club")
    assert not at.exception
    seen = visible(at)
    assert "1 table today" in seen
    assert f"{new.code} ·" in seen
    assert "Anna 5 · Bruno 1" in seen
    assert "hand 2" in seen
    assert old.code not in seen
    at.toggle(key="club_earlier").set_value(True).run()
    assert old.code in visible(at)
    assert {f"turn_{old.code}", f"turn_{new.code}"} <= buttons(at)


def test_earlier_tables_are_there_where_none_is_of_today() -> None:
    old = of_yesterday()
    at = app("club")
    assert "0 tables today" in visible(at)
    at.toggle(key="club_earlier").set_value(True).run()
    assert old.code in visible(at)


def test_a_table_is_closed_and_opened_again() -> None:
    table = open_table()
    at = app("club")
    at.button(key=f"turn_{table.code}").click().run()
    assert not at.exception
    assert find_table(state.store(), table.code).is_closed
    assert f"Table {table.code} is closed" in visible(at)
    at.button(key=f"turn_{table.code}").click().run()
    assert not find_table(state.store(), table.code).is_closed
    assert f"Table {table.code} is open again" in visible(at)


def test_scorer_of_a_closed_table_gets_its_board(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = open_table()
    write(state.store(), tables.put_link, table, hash_link(LINK), expected=None)
    write(state.store(), tables.close, table)
    monkeypatch.setattr(state, "credentials", lambda: Credentials({table.code: LINK}))
    for screen in ("play", "settle", "points", "invite", "home"):
        at = app(screen, table=table.code)
        assert not at.exception
        assert entered(at) == f"/board/{table.code}", screen
        assert not has_act(at, "drawing_french")
        assert "You are watching" not in visible(at)
    assert "Closed: the organiser of the club can open it again" in board_words(table)
    told = visible(app("history", table=table.code))
    assert "This table is closed: nobody writes here any more" in told
    assert "Same as last time" in visible(app()), "another table can be opened"


def test_the_organiser_corrects_a_closed_table() -> None:
    table = open_table()
    record(table)
    write(state.store(), tables.close, table)
    at = app("history", table=table.code)
    assert "You can still correct it, as the organiser" in visible(at)
    assert has_act(at, "edit_1")


def test_the_whole_club_is_saved_as_files() -> None:
    record(of_yesterday("Gino", "Pia"))
    record(open_table("Anna", "Bruno"))
    at = app("club")
    saved = {one.key for one in at.get("download_button")}
    assert saved == {"save_players_csv", "save_hands_csv"}


def test_nobody_else_sees_a_table_or_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    table = open_table()
    record(table)
    for held in (ANONYMOUS, Credentials(seen=(table.code,))):
        monkeypatch.setattr(state, "credentials", lambda held=held: held)
        at = app("club")
        assert table.code not in visible(at)
        assert not at.get("download_button")
        assert all(key.startswith("speak_") for key in buttons(at))
        assert component_data(at, "passphrase")["inside"] is False


@pytest.mark.parametrize(
    ("hour", "day"), [(4, 24), (5, 25), (23, 25)], ids=["late", "early", "evening"]
)
def test_an_evening_goes_on_until_five_in_the_morning(
    hour: int, day: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> "Clock":
            return cls(2026, 11, 25, hour, 30, tzinfo=tz)  # type: ignore[arg-type]

    monkeypatch.setattr(times, "datetime", Clock)
    begun = times.evening()
    assert (begun.day, begun.hour, begun.minute) == (day, 5, 0)
