"""What a phone sees that may only look, and how one comes to score."""

import pytest
from app_driving import (
    app,
    board_html,
    component_data,
    entered,
    open_table,
    record,
    visible,
    words_of,
)
from playing import find_table, put_drawing, write

from assets.deck import CardStyle
from screens import state
from screens.navigation import SCREENS
from store import Table, tables
from table.access import ANONYMOUS, Credentials, hash_link, new_link
from web.auth import LINKS_COOKIE, TABLES_COOKIE
from web.limits import Purpose

pytestmark = pytest.mark.slow

LINK = new_link()
FOR_VIEWERS = ("history", "season")
OF_NO_TABLE = {
    "home",
    "club",
    "house",
    "referee",
    "evening",
    "rules",
    "sample",
    "trust",
}
WRITES = ("play", "invite", "settle", "points", "quick", "match")


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table with a hand that counts, and a phone that knows its code alone."""
    opened = open_table()
    write(state.store(), tables.put_link, opened, hash_link(LINK), expected=None)
    record(opened)
    monkeypatch.setattr(state, "credentials", lambda: ANONYMOUS)
    return opened


def test_every_screen_of_a_table_is_for_viewers_or_for_scorers() -> None:
    assert {*SCREENS} == {*FOR_VIEWERS, *WRITES, *OF_NO_TABLE}


def test_viewer_gets_the_board_instead_of_writing_screens(
    table: Table,
) -> None:
    for screen in (*WRITES, "home", *FOR_VIEWERS):
        at = app(screen, table=table.code)
        assert not at.exception
        if screen not in FOR_VIEWERS:
            assert entered(at) == f"/board/{table.code}", screen
        keys = {str(button.key) for button in at.button}
        assert not {key for key in keys if not key.startswith("speak_")}, screen
    assert "You are watching this table" in board_html(table)


def test_the_front_door_shows_no_table_of_others(table: Table) -> None:
    assert "Anna 3" not in visible(app())
    app("history", table=table.code)
    assert "Anna 3" not in visible(app()), "another session was there"


def test_codes_that_a_browser_names_by_itself_show_nothing(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guessed codes in cookies of our names: neither tables, nor names, nor matches."""

    def hold(cookies: dict[str, str]) -> None:
        monkeypatch.setattr(state, "credentials", lambda: state.auth().credentials(cookies))

    for cookies in ({TABLES_COOKIE: table.code}, {LINKS_COOKIE: f"{table.code}.guessed"}):
        hold(cookies)
        home = app("home")
        assert "Anna 3" not in visible(home)
        assert component_data(home, "seats")["known"] == []
        assert "No match has been played out yet" in visible(app("season"))
    for cookies in (
        {TABLES_COOKIE: state.auth().with_table("", table.code)},
        {LINKS_COOKIE: f"{table.code}.{LINK}"},
    ):
        hold(cookies)
        home = app("home")
        assert "Anna 3" in visible(home)
        assert component_data(home, "seats")["known"] != []


def test_rate_limited_address_sees_no_cards(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    put_drawing(state.store(), table, CardStyle.FRENCH)
    monkeypatch.setattr(state, "network_address", lambda: "10.0.0.9")
    for _ in range(10):
        state.auth().limiter.check(Purpose.CODE, "10.0.0.9", is_right=False)

    shown = component_data(app("history", table=table.code), "page_script")["deck"]
    assert shown == component_data(app("history", table="ZZZZ"), "page_script")["deck"]


def test_the_front_door_shows_the_tables_that_the_phone_was_at(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "credentials", lambda: Credentials(seen=(table.code, "GONE")))
    assert "Anna 3" in visible(app())


def test_a_link_that_was_refused_is_told_so(table: Table) -> None:
    at = app("home", table=table.code, refused="WrongLinkError")
    assert entered(at) == f"/board/{table.code}?refused=yes"
    assert "This link no longer lets you score" in words_of(board_html(table, refused="yes"))
    assert "This link no longer lets you score" not in words_of(board_html(table))


def test_a_scorer_invites_others_by_the_link(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "credentials", lambda: Credentials({table.code: LINK}))
    at = app("invite", table=table.code)
    assert at.code[0].value.endswith(f"/join/{table.code}/{LINK}")
    at.button(key="renew").click().run()
    fresh = component_data(at, "enter")["to"].split("?")[0].split("/")[-1]
    assert find_table(state.store(), table.code).link_hash == hash_link(fresh) != hash_link(LINK)


def test_table_of_an_early_release_can_be_taken_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = open_table()
    monkeypatch.setattr(state, "credentials", lambda: ANONYMOUS)
    at = app("history", table=table.code)
    at.button(key="take_over").click().run()
    link = component_data(at, "enter")["to"].split("?")[0].split("/")[-1]
    assert find_table(state.store(), table.code).link_hash == hash_link(link)
    assert "take_over" not in {button.key for button in app("history", table=table.code).button}


def test_whoever_tries_codes_on_the_screen_has_to_wait(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "network_address", lambda: "10.0.0.9")
    for _ in range(10):
        app("home", table="ZZZZ")
    assert "Too many wrong tries" in visible(app("home", table=table.code))
