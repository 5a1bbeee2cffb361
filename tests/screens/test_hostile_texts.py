"""Every text that somebody types or a file brings in, at each place where it comes out."""

import json
import logging
from collections import Counter
from contextlib import closing
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit
from xml.etree import ElementTree as ET

import pytest
from evening_playing import draw, opened, play, seen
from playing import query
from starlette.applications import Starlette
from starlette.testclient import TestClient

from scoring.presets import PRESETS
from screens.parts import charts, match_picture, players
from screens.parts import evening as parts
from store import PlayedMatch, Store, season
from table.access import new_link
from table.evening.replay import MAX_PLACE, Plan
from table.evening.view import EveningView, open_evening
from table.names import clean_name
from table.season.statistics import season_of
from web.auth import Auth, Organiser
from web.logging import JsonFormatter, PlainFormatter, fields
from web.middleware import SecurityHeadersMiddleware, content_policy

HOSTILE = {
    "script": "</script><script>x()",
    "attribute": "\"'><img src=x onerror=1>",
    "xml": "]]>&lt;&#0;<!--<?x",
    "style": "</style>}*{--x:url(//e)",
    "markdown": "**[x](javascript:y)**",
    "template": "{{ 7 * 7 }}{% x %}${x}",
    "formula": "=1+1",
    "header": "a\r\nSet-Cookie: x=y",
    "terminal": "\x1b[31ma\x9b2J\x07\x7fb",
    "end of line": "a\u2028b\u2029c\x85d\x0be",
    "NUL": "a\x00b",
    "right to left": "\u202eannA\u2066\u200f",
    "marks": "A" + "\u0301" * 18,
    "no characters": "a\ufffe\uffff\ud800\U000e0001b",
    "file name": "../../a/..\\b",
    "letters": "אנה 安娜 Ζωή 🂡",
}
"""What is typed, or stands in a file."""


class Elements(HTMLParser):
    """The elements of a piece of HTML with the names of their attributes, and its text."""

    def __init__(self, html: object) -> None:
        super().__init__()
        self.found: Counter[tuple[str, ...]] = Counter()
        self.text: list[str] = []
        self.feed(str(html))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found[(tag, *(name for name, _ in attrs))] += 1

    def handle_data(self, data: str) -> None:
        self.text.append(data.strip())

    def handle_comment(self, data: str) -> None:
        self.found[("comment", data)] += 1

    def unknown_decl(self, data: str) -> None:
        self.found[("declaration", data)] += 1


def evening_of(text: str) -> tuple[PlayedMatch, EveningView]:
    """An evening that is called so, at such a place, with such a player; and a match there."""
    store = Store("sqlite://")
    code = opened(store, text, "Bruno")
    [seat] = draw(store, code)
    play(store, seat.code, 11, 3)
    view = seen(store, code)
    plan = Plan(name=text, place=text * 3, rules=PRESETS["silver-lake"].changed(name="x"))
    named = seen(store, open_evening(store, plan, link=new_link()).code).evening.plan
    [row] = query(store, season.played, [seat.code])
    return row, replace(view, evening=replace(view.evening, plan=named))


def outputs(text: str) -> tuple[dict[str, str], dict[str, str], PlayedMatch, EveningView]:
    """Return the pictures, and the pieces of HTML, in which a text stands."""
    row, view = evening_of(text)
    season = season_of([row])
    one, other = (standing.player for standing in season.standings)
    pictures = {
        "match": str(match_picture.picture(row)),
    }
    pieces = {
        "board": parts.board(view),
        "seats": parts.seats(view.evening, 0),
        "codes": parts.codes(view, new_link()),
        "season": players.season_table(season),
        "two": players.head_to_head(season.between(one, other)),
    }
    return pictures, {name: str(piece) for name, piece in pieces.items()}, row, view


@cache
def plain() -> tuple[dict[str, list[str]], dict[str, Counter[tuple[str, ...]]]]:
    """Return the elements of pictures and pieces where somebody has an ordinary name."""
    pictures, pieces, *_ = outputs("Anna")
    return (
        {name: [one.tag for one in ET.fromstring(svg).iter()] for name, svg in pictures.items()},
        {name: Elements(html).found for name, html in pieces.items()},
    )


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_escaped_everywhere(text: str) -> None:
    kept = clean_name(text)
    pictures, pieces, row, view = outputs(text)
    usual_pictures, usual_pieces = plain()
    for name, svg in pictures.items():
        drawn = [*ET.fromstring(svg).iter()]
        assert [one.tag for one in drawn] == usual_pictures[name]
        assert any(kept in (one.text or "") for one in drawn), name
    for name, html in pieces.items():
        found = Elements(html)
        assert found.found == usual_pieces[name], name
        assert kept in "".join(found.text), name
    assert view.evening.plan.place == clean_name(text * 3)[:MAX_PLACE]
    chart = charts.running_score(row.match).to_dict()
    assert kept[:7] in json.dumps(chart, ensure_ascii=False)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_text_is_one_line_of_the_log_and_steers_no_terminal(text: str) -> None:
    record = logging.LogRecord("lib", logging.WARNING, "", 1, "sent: %s", (text,), None)
    record.__dict__ |= fields(came=text)
    written = JsonFormatter().format(record)
    assert written.isascii()
    assert json.loads(written)["came"] == text
    for line in (written, PlainFormatter().format(record)):
        assert line.isprintable()
        assert len(line.splitlines()) == 1


def test_address_adds_no_header_and_no_redirect(empty_store: Path) -> None:
    with closing(Store(f"sqlite:///{empty_store}")) as store:
        routes = Auth(Organiser()).routes(lambda: store)
        client = TestClient(SecurityHeadersMiddleware(Starlette(routes=routes)))
        usual = client.get("/join/K7QF/link", follow_redirects=False)
        for text in HOSTILE.values():
            sent = quote(text.replace("/", ""), safe="", errors="surrogatepass")
            path = f"/join/{sent}/{sent}?screen={sent}&lang={sent}&me={sent}"
            answer = client.get(path, follow_redirects=False)
            assert answer.headers.keys() == usual.headers.keys()
            assert all(one.isascii() and one.isprintable() for one in answer.headers.values())
            to = urlsplit(answer.headers["location"])
            assert (to.scheme, to.netloc, to.path) == ("", "", "/")
            assert parse_qs(to.query).keys() <= {"table", "refused"}
            assert content_policy(text) == content_policy("")
