"""The board as a plain page: what it shows, to whom, how large it is, and what refuses a code."""

import re
from dataclasses import replace
from html import unescape

import pytest
from app_driving import (
    ANNA,
    BRUNO,
    board_html,
    board_words,
    boards,
    facts,
    open_table,
    record,
    without_bdi,
)
from evening_playing import NAMES, draw, opened, play
from playing import edit_hand, find_table, match_of, put_drawing, query, record_hand, rematch, write
from starlette.testclient import TestClient

from assets.deck import CardStyle
from scoring.hand import Side
from scoring.locale import LANGUAGES
from screens import look, state
from screens.words import SENTENCES
from store import Table, evening, piles, tables
from store.errors import StoreUnavailableError
from table.access import hash_link, new_link
from web.auth import LINKS_COOKIE, TABLES_COOKIE
from web.limits import LIMITS, Purpose

LINK = new_link()
MAX_BYTES = 120_000
HOSTILE = "<img src=x onerror=1>\"'{{7*7}}"[:24]


def fragment_of(client: TestClient, code: str, **query: str) -> str:
    return client.get(f"/board/{code}/fragment", params=query).text


def links_of(html: str) -> list[str]:
    """Return the addresses of the links on a page."""
    return [unescape(to) for to in re.findall(r'<a class="\w+" href="([^"]+)"', html)]


# What it shows


def test_board_before_the_first_hand_names_the_dealer() -> None:
    table = open_table()
    words = board_words(table)
    assert "Anna deals hand 1" in words
    assert "to 11" in words
    assert "Settebello" not in words
    assert 'class="join large"' in board_html(table)
    assert f"QR code of http://testserver/board/{table.code}" in board_html(table)


def test_a_hand_shows_gains_totals_signs_and_the_leader() -> None:
    table = open_table()
    record(table, scope=(2, 0))
    html = board_html(table)
    assert '<div class="big" data-total="0">5</div>' in html
    assert '<span class="plus" data-key="1">+5</span>' in html
    assert 'aria-label="5 / 11"' in html
    assert html.count('class="sign side-1"') > 1
    assert html.count('aria-label="leads"') == 1


def test_the_current_hand_shows_its_scope() -> None:
    table = open_table()
    assert '<span data-scope="1" hidden>' in board_html(table)
    write(state.store(), piles.add_scope, table, 1)
    assert '<span data-scope="1" >scope <b>1</b>' in board_html(table)


def test_a_hand_without_cards_shows_its_scope() -> None:
    table = open_table()
    store = state.store()
    hand = facts((), (), names=("Anna", "Bruno"), scope=(3, 1))
    record_hand(store, table, hand, key="no cards", expected=match_of(store, table).revision)
    assert "Scope ● +3 ▲ +1 Anna 3" in board_words(table)
    assert "Carte – " in board_words(table, lang="it")


def test_a_corrected_hand_shows_the_correction() -> None:
    table, store = open_table(), state.store()
    hand = facts(ANNA, BRUNO, names=("Anna", "Bruno"), scope=(0, 0))
    anna, bruno = hand.sides
    corrected = replace(hand, sides=(anna, replace(bruno, correction=-2, reason="talked")))
    record_hand(store, table, corrected, key="corrected", expected=match_of(store, table).revision)
    assert "▲ -2" in board_words(table)
    assert "talked" in board_words(table)


def test_a_voided_hand_counts_nothing() -> None:
    table, store = open_table(), state.store()
    record(table, scope=(2, 0))
    hand = match_of(store, table).match.hands[0]
    empty = replace(hand, sides=tuple(Side(side.name, ()) for side in hand.sides))
    expected = match_of(store, table).revision
    edit_hand(store, table, empty, hand_no=1, key="void", expected=expected)
    html = board_html(table)
    assert '<div class="big" data-total="0">0</div>' in html
    assert 'class="plus"' not in html


def test_six_sides_have_a_box_each() -> None:
    names = ("Anna", "Bruno", "Carla", "Dario", "Elena", "Fabio")
    html = board_html(open_table(*names, rules="wikipedia"))
    assert re.findall(r'class="box side-(\d)', html) == ["1", "2", "3", "4", "5", "6"]
    assert "--count:6" in html


def test_a_won_match_names_the_winner_and_drops_coins() -> None:
    table = open_table()
    record(table, scope=(9, 0))
    html = board_html(table)
    assert "<h1><bdi>Anna</bdi> wins!</h1>" in html
    assert html.count("f7d coin") == 28
    assert "needs" not in board_words(table)


def test_each_side_that_shares_a_point_shows_what_it_got() -> None:
    table = open_table()
    record(table, scope=(2, 1))
    assert "Scope ● +2 ▲ +1" in board_words(table)


def test_the_leaders_star_stands_after_what_fades() -> None:
    table = open_table()
    record(table, scope=(2, 0))
    html = board_html(table)
    assert html.index('class="plus"') < html.index('class="first"') < html.index('class="big"')


def test_matches_won_today_are_counted() -> None:
    table = open_table()
    record(table, scope=(9, 0))
    rematch(state.store(), table, after=1)
    assert "1 match won today" in board_words(table)


def test_a_closed_table_says_so() -> None:
    table = open_table()
    write(state.store(), tables.close, table)
    assert SENTENCES.say("closed_board", "en") in board_words(table)


def test_a_card_style_is_that_of_the_table() -> None:
    table = open_table()
    put_drawing(state.store(), table, CardStyle.FRENCH)
    record(table)
    assert 'data-deck="french"' in board_html(table)
    assert "7♦" in board_html(table)


@pytest.mark.parametrize("language", LANGUAGES)
def test_lang_chooses_the_language(language: str) -> None:
    table = open_table()
    record(table, scope=(9, 0))
    html = board_html(table, lang=language)
    assert f'<html lang="{language}"' in html
    assert SENTENCES.say("winner", language, name="Anna") in unescape(without_bdi(html))
    assert len(re.findall(r'href="/board/\w+\?lang=', html)) == len(LANGUAGES) - 1


def test_the_browser_chooses_the_language_without_lang() -> None:
    table = open_table()
    answer = boards().get(f"/board/{table.code}", headers={"accept-language": "nl, de-AT;q=0.9"})
    assert '<html lang="de"' in answer.text
    assert "accept-language" in answer.headers["vary"]


@pytest.mark.parametrize("theme", [*state.THEMES, "pink", None])
def test_the_theme_is_the_devices(theme: str | None) -> None:
    client = boards()
    if theme:
        client.cookies.set(state.THEME, theme)
    html = client.get(f"/board/{open_table().code}").text
    known = theme in state.THEMES
    assert (f'<html lang="en" data-theme="{theme}">' in html) is known
    assert html.count('aria-pressed="true"') == int(known)


def test_hostile_names_are_text() -> None:
    table = open_table(HOSTILE, "Bruno")
    record(table, scope=(9, 0))
    html = board_html(table)
    assert "<img src=x" not in html
    assert html.count(HOSTILE) == 0
    assert unescape(html).count(HOSTILE) >= 3


# Page and fragment


def test_the_fragment_is_what_the_page_has_in_its_main() -> None:
    table, client = open_table(), boards()
    record(table)
    evening = opened(state.store(), *NAMES[:4])
    draw(state.store(), evening)
    for code in (table.code, evening):
        page = client.get(f"/board/{code}?lang=it").text
        assert f"<main>{fragment_of(client, code, lang='it')}</main>" in page


def test_page_and_assets_are_small() -> None:
    table = open_table()
    record(table)
    client = boards()
    page = client.get(f"/board/{table.code}", headers={"accept-encoding": "gzip"})
    asked = [one for one in re.findall(r'(?:href|src)="(/look/[^"]+)"', page.text)
             if not one.endswith((".webmanifest", "touch-180.png"))]  # fmt: skip
    sheet = client.get(next(one for one in asked if one.endswith(".css"))).text
    asked += [look.address(name) for name in re.findall(r'url\("([^":]+)"\)', sheet)]
    sizes = {one: client.get(one, headers={"accept-encoding": "gzip"}) for one in {*asked}}
    assert all(answer.status_code == 200 for answer in sizes.values())
    total = page.num_bytes_downloaded + sum(one.num_bytes_downloaded for one in sizes.values())
    assert total < MAX_BYTES, {name: one.num_bytes_downloaded for name, one in sizes.items()}


def test_the_page_runs_no_inline_script() -> None:
    html = board_html(open_table())
    assert re.findall(r"<script[^>]*>(.*?)</script>", html) == [""]
    assert not re.findall(r"\son\w+=", html)


# Who sees it


def test_only_the_cookie_of_seen_tables_is_set() -> None:
    table = open_table()
    answer = boards().get(f"/board/{table.code}")
    assert [one.split("=")[0] for one in answer.headers.get_list("set-cookie")] == [TABLES_COOKIE]


def test_a_device_that_is_the_board_is_remembered() -> None:
    table = open_table()
    answer = boards().get(f"/board/{table.code}?me={state.NOBODY_HERE}")
    assert answer.cookies[state.HOLDER + table.code] == state.NOBODY_HERE


def scorer_of(table: Table) -> TestClient:
    write(state.store(), tables.put_link, table, hash_link(LINK), expected=None)
    client = boards()
    client.cookies.set(LINKS_COOKIE, f"{table.code}.{LINK}")
    return client


def test_a_viewer_gets_no_way_to_score() -> None:
    table = open_table()
    scorer_of(table)
    html = boards().get(f"/board/{table.code}").text
    assert 'class="step"' not in html
    assert not [to for to in links_of(html) if to.startswith(("/play", "/invite", "/match"))]
    assert "/join/" not in html


def test_a_scorer_goes_on_to_play() -> None:
    table = open_table()
    client = scorer_of(table)
    html = client.get(f"/board/{table.code}").text
    assert f'<a class="step" href="/play?table={table.code}">Play hand 1</a>' in html
    record(table, scope=(9, 0))
    html = client.get(f"/board/{table.code}").text
    assert f'<a class="step" href="/play?table={table.code}">Rematch</a>' in html


def test_a_scorer_of_a_decided_evening_table_goes_to_the_evening() -> None:
    store = state.store()
    code = opened(store, *NAMES[:4])
    first, *_ = draw(store, code)
    play(store, first.code, 11, 4)
    html = board_html(find_table(store, first.code), scores=True)
    assert f'<a class="step" href="/evening?table={code}">' in html


# Codes


@pytest.mark.parametrize("typed", ["{code}", " {lower} ", "{lower}"])
def test_a_code_is_found_as_typed(typed: str) -> None:
    code = open_table().code
    path = typed.format(code=code, lower=code.lower())
    assert boards().get(f"/board/{path}").status_code == 200


@pytest.mark.parametrize(
    "code", ["ZZZZ", "9" * 5000, "%00", "%ff", "..", "a%2Fb", "<b>", "${x}", "٤٤٤٤", " "],
    ids=["unknown", "5,000 digits", "NUL", "no UTF-8", "dots", "slash", "tag", "shell",
         "Arabic digits", "space"],
)  # fmt: skip
def test_a_wrong_code_is_a_page_with_a_sentence(code: str) -> None:
    for path in (f"/board/{code}", f"/board/{code}/fragment"):
        answer = boards().get(path, follow_redirects=False)
        assert answer.status_code == 404, path
        assert len(answer.text) < 3000
    if code == "ZZZZ":
        assert "There is no table ZZZZ." in answer.text
        assert 'href="/"' in answer.text
        assert "<script" not in answer.text


def test_a_wrong_code_speaks_the_language() -> None:
    assert "Il tavolo ZZZZ non c" in unescape(boards().get("/board/ZZZZ?lang=it").text)


@pytest.mark.parametrize("path", ["/board/ZZZZ", "/board/ZZZZ/fragment"])
def test_wrong_codes_are_limited(path: str) -> None:
    client, table = boards(), open_table()
    for _ in range(int(LIMITS[Purpose.CODE].split("/")[0])):
        assert client.get(path).status_code == 404
    answer = client.get(f"/board/{table.code}")
    assert answer.status_code == 429
    assert "Too many wrong tries from here" in answer.text
    assert table.code not in answer.text


def test_who_was_there_never_waits() -> None:
    client, table = boards(), open_table()
    client.get(f"/board/{table.code}")
    for _ in range(12):
        client.get("/board/ZZZZ")
    assert client.get(f"/board/{table.code}").status_code == 200


def test_a_silent_store_is_a_page_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    table = open_table()

    def silent(*_args: object, **_named: object) -> None:
        raise StoreUnavailableError("here", why="it sleeps")

    monkeypatch.setattr(state.store(), "read", silent)
    answer = boards().get(f"/board/{table.code}")
    assert answer.status_code == 503
    assert "The store does not answer just now" in answer.text


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("/board?table=k7qf", "/board/K7QF"),
        ("/board?table=K7QF&lang=it&me=nobody", "/board/K7QF?lang=it"),
        ("/board?table=K7QF&lang=xx", "/board/K7QF"),
        ("/tonight?table=K7QF&lang=de", "/board/K7QF?lang=de"),
        ("/board?table=..%2Fx%0d%0aa", "/board/..%2FX%0D%0AA"),
        ("/board", "/"),
        ("/board?lang=it", "/?lang=it"),
    ],
)
def test_an_earlier_address_redirects(asked: str, given: str) -> None:
    answer = boards().get(asked, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (302, given)


# An evening


def test_evening_board_is_public() -> None:
    store = state.store()
    code = opened(store, *NAMES[:8], minutes=45)
    first, second, *_ = draw(store, code)
    play(store, first.code, 7, 4)
    html = boards().get(f"/board/{code}").text
    for word in ("7 : 4", "Who sits where", "Standings", "Follow a table", code, *NAMES[:8]):
        assert word in html
    assert "data-until" in html
    assert f"QR code of http://testserver/board/{second.code}" in html
    assert f'<b class="code">{second.code}</b>' in html
    assert f"QR code of http://testserver/evening?table={code}" in html


def test_an_evening_shows_no_code_of_a_decided_table() -> None:
    store = state.store()
    code = opened(store, *NAMES[:4])
    first, second = draw(store, code)
    play(store, first.code, 11, 4)
    html = boards().get(f"/board/{code}").text
    assert first.code not in html
    assert second.code in html


def test_an_evening_carries_no_link_even_for_its_organiser() -> None:
    store = state.store()
    code = opened(store, *NAMES[:4])
    draw(store, code)
    [row] = query(store, evening.newest, codes=[code])
    html = board_html(row, scores=True)
    assert "/join/" not in html
    assert [to for to in links_of(html) if to.startswith("/evening")]


def test_hostile_names_of_an_evening_are_text() -> None:
    store = state.store()
    code = opened(store, HOSTILE, *NAMES[:3])
    draw(store, code)
    html = boards().get(f"/board/{code}").text
    assert HOSTILE not in html
    assert unescape(html).count(HOSTILE) == 4
