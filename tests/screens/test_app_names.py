"""Names from right to left: isolated in HTML, and as they are in data."""

import json
import re

import pytest
from app_driving import ANNA, BRUNO, acts_of, app, board_html, lay, open_table, record
from playing import query

from screens import state
from screens.render import piece
from screens.words import ISOLATES, isolated, standings
from store import Table, season
from table.season.exchange import to_json
from table.season.spreadsheet import matches_csv

NAMES = ("\u05d3\u05df", "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627")


def test_a_name_in_a_sentence_is_isolated_and_escaped() -> None:
    html = piece("quiet", f"{isolated('<b>')} 7 · {isolated('A&B')} 9")
    assert html == ('<p class="quiet"><bdi>&lt;b&gt;</bdi> 7 · <bdi>A&amp;B</bdi> 9</p>')


def bare_names(html: str) -> list[str]:
    """Return the names in the text of a piece of HTML that stand outside of `<bdi>`."""
    text = re.sub(r"<bdi[^>]*>.*?</bdi>|<[^>]*>", " ", html)
    return [name for name in NAMES if name in text]


@pytest.fixture
def table() -> Table:
    """A table in its third hand, with both piles there."""
    made = open_table(*NAMES)
    for _ in range(2):
        record(made, scope=(2, 1), device=NAMES[0])
    lay(made, ANNA, BRUNO, hand_no=3)
    return made


@pytest.mark.parametrize("screen", ["play", "settle", "points", "history", "season"])
def test_names_on_screens_are_isolated_and_data_is_not(screen: str, table: Table) -> None:
    at = app(screen, table=table.code, side=0)
    pieces = [str(one.value) for one in at.html]
    assert any(name in html for name in NAMES for html in pieces)
    assert not [html for html in pieces if bare_names(html)]
    data = [json.loads(one.proto.json or "{}") for one in at.get("bidi_component")]
    named = [one["names"] for one in data if "names" in one]
    assert all(names == list(NAMES) for names in named)
    assert "<bdi>" not in json.dumps(data)


@pytest.mark.parametrize("screen", ["settle", "points", "history", "quick"])
def test_names_beside_numbers_are_isolated_in_labels(screen: str, table: Table) -> None:
    at = app(screen, table=table.code, side=0)
    labels = [one.label for one in (*at.button, *at.expander)]
    labels += [act["label"] for act, _ in acts_of(at).values()]
    named = [one for one in labels if re.search(r"\d", one) and any(map(one.count, NAMES))]
    assert named or screen == "points"
    begin, end = ISOLATES
    for label in named:
        bare = re.sub(f"{begin}.*?{end}", "", label)
        assert not any(map(bare.count, NAMES)), label


def test_a_name_from_left_to_right_needs_no_isolates() -> None:
    assert standings(["Anna", "Étienne"], [7, 9]) == "Anna 7 · Étienne 9"
    assert standings([NAMES[0], isolated(NAMES[1])], [7, 9]) == (
        f"{isolated(NAMES[0])} 7 · {isolated(NAMES[1])} 9"
    )


def main_of(html: str) -> str:
    """Return the `main` of a page; its title is plain text."""
    return html[html.index("<main>") : html.index("</main>")]


def test_names_on_boards_are_isolated(table: Table) -> None:
    html = main_of(board_html(table))
    assert f"<bdi>{NAMES[1]}</bdi>" in html
    assert not bare_names(html)
    record(table, scope=(11, 0))
    html = main_of(board_html(table))
    assert f"<bdi>{NAMES[0]}</bdi> wins!" in html
    assert not bare_names(html)


def test_names_in_files_are_not_isolated(table: Table) -> None:
    [row] = query(state.store(), season.played, [table.code])
    for text in (to_json(row), matches_csv([row])):
        assert NAMES[0] in text
        assert not set(ISOLATES) & set(text)
