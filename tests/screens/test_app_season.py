"""A season on the screen: its players, two of them, charts, the picture of a match, paper."""

import re
from collections.abc import Sequence
from dataclasses import replace
from html import unescape
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import made_up_season as season
import pytest
from app_driving import app, component_data, luminance, open_table, record, visible
from hypothesis import given
from hypothesis import strategies as st
from playing import command, match_of, rematch
from sqlalchemy.orm import Session

from scoring.match import Match
from scoring.presets import PRESETS
from screens import state
from screens.parts import charts, downloads
from screens.parts.charts import Series, race
from screens.parts.match_picture import GOLD, picture
from store import PlayedMatch, tables
from store import season as store_season
from table.access import ANONYMOUS, SYSTEM, Credentials
from table.season.exchange import to_json
from table.season.statistics import season_of


def fill() -> tuple[str, ...]:
    """Thirty matches at three tables; gives the tables' codes."""
    return season.fill(state.store())


# The page


@pytest.mark.slow
def test_a_season_without_a_match_played_out_says_so() -> None:
    table = open_table()
    record(table)
    assert "No match has been played out yet" in visible(app("season"))
    assert "No match has been played out yet" in visible(app("season", table=table.code))


@pytest.mark.slow
def test_all_tables_count_together_and_one_table_by_itself() -> None:
    codes = fill()
    told = visible(app("season"))
    assert "30 matches, 3 May 2026 to 1 Nov 2026." in told
    everyone = season_of(season.matches()).standings
    for place, one in enumerate(everyone, start=1):
        assert f"{place}. {one.name}" in told
    assert "10 matches, " in visible(app("season", table=codes[0]))


@pytest.mark.slow
def test_a_match_that_goes_on_is_said_not_to_count() -> None:
    table = open_table()
    record(table, scope=(11, 0))
    rematch(state.store(), table, after=1)
    record(table)
    assert "1 that goes on does not count yet" in visible(app("season", table=table.code))


@pytest.mark.slow
def test_a_match_that_ended_level_counts_and_is_said_to_be_level() -> None:
    rules = PRESETS["silver-lake"].changed(hands=1, draw=True)
    table = command(state.store(), tables.open_table, ("Anna", "Bruno"), rules)
    record(table, scope=(0, 2))
    told = visible(app("season", table=table.code))
    assert "1 match, " in told
    assert "Won Tied Matches" in told
    assert "Bruno 0 1 1" in told
    rematch(state.store(), table, after=1)
    links = app("history", table=table.code).get("page_link")
    assert any("Match 1, a tie" in str(one.proto) for one in links)


@pytest.mark.slow
def test_a_season_is_read_anew_only_when_a_table_has_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = open_table()
    record(table, scope=(11, 0))
    assert "1 match, " in visible(app("season"))
    store, read = state.store(), list[object]()
    played = store_season.played

    def counted(session: Session, codes: Sequence[str] | None = None) -> tuple[PlayedMatch, ...]:
        read.append(codes)
        return played(session, codes)

    monkeypatch.setattr(store_season, "played", counted)
    at = app("season")
    assert read == []
    rematch(store, table, after=1)
    record(table, scope=(11, 0))
    assert "2 matches, " in visible(at.run())
    assert len(read) == 1


@pytest.mark.slow
def test_season_counts_own_tables_or_all_for_the_organiser(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    codes = fill()
    monkeypatch.setattr(state, "credentials", lambda: Credentials(seen=tuple(codes[:2])))
    at = app("season")
    assert "Tables of this phone" in visible(at)
    assert "20 matches, " in visible(at)
    assert not [one for one in at.expander if "Import a match" in one.label]
    monkeypatch.setattr(state, "credentials", lambda: ANONYMOUS)
    assert "No match has been played out yet" in visible(app("season"))
    monkeypatch.setattr(state, "credentials", lambda: SYSTEM)
    at = app("season")
    assert "30 matches, " in visible(at)
    assert [one for one in at.expander if "Import a match" in one.label]


@pytest.mark.slow
def test_two_players_are_set_against_each_other() -> None:
    fill()
    at = app("season")
    at.selectbox(key="duel_one").set_value("carla").run()
    at.selectbox(key="duel_other").set_value("zio giuseppe").run()
    met = season_of(season.matches()).between("carla", "zio giuseppe")
    assert f"Carla {met.won[0]} : {met.won[1]} Zio Giuseppe" in visible(at)
    assert f"{met.points[0]} Points {met.points[1]}" in visible(at)


@pytest.mark.slow
def test_two_players_who_never_met_are_said_not_to_have() -> None:
    for names in (("Anna", "Bruno"), ("Carla", "Dario")):
        record(open_table(*names), scope=(11, 0))
    at = app("season")
    at.selectbox(key="duel_other").set_value("carla").run()
    assert "have not met yet" in visible(at)


@pytest.mark.slow
def test_a_season_is_saved_for_a_spreadsheet() -> None:
    fill()
    keys = [one.proto.id for one in app("season").get("download_button")]
    assert {key.rpartition("-")[2] for key in keys} == {"save_players_csv", "save_hands_csv"}


@pytest.mark.parametrize(
    ("language", "delimiter"),
    [("en", ","), ("it", ";"), ("de", ";"), ("fr", ";"), ("es", ";"), ("pt", ";")],
)
def test_csv_files_have_the_delimiter_of_the_language(
    language: str, delimiter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "language", lambda: language)
    assert downloads.delimiter() == delimiter


@pytest.mark.slow
def test_names_are_shown_as_they_were_typed_everywhere() -> None:
    names = ("<b>Anna</b>", "*Bruno* & Co")
    table = open_table(*names)
    record(table, scope=(11, 0))
    for at in (app("season"), app("history", table=table.code)):
        shown = [str(getattr(one, "value", "")) for one in at.get("html")]
        assert not [text for text in shown if "<b>Anna" in text]
        assert "<b>Anna</b>" in visible(at)
    assert (
        "&lt;b&gt;Anna&lt;/b&gt;"
        in component_data(app("history", table=table.code), "picture")["svg"]
    )


# Charts


@pytest.mark.slow
def test_match_charts_show_totals_and_sources() -> None:
    table = open_table("Anna", "Bruno")
    record(table, scope=(2, 1))
    record(table, scope=(0, 3))
    assert len(app("history", table=table.code).get("vega_lite_chart")) == 2
    match = match_of(state.store(), table).match
    running = charts.running_score(match).to_dict()
    came_from = charts.sources(match).to_dict()
    lines = next(v for v in data_of(running) if v and "step" in v[0])
    by_side = {line: [v["figure"] for v in lines if v["line"] == line] for line in ("0", "1")}
    for side in (0, 1):
        assert by_side[str(side)] == [0, *(totals[side] for totals in match.standings)]
    bars = next(v for v in data_of(came_from) if v and "amount" in v[0])
    assert sum(v["amount"] for v in bars) == sum(match.totals)
    assert {"point": "Scope", "side": "1", "amount": 4, "name": "Bruno 4"} in bars


def data_of(spec: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """Return all data of a chart."""
    layers = [layer["data"] for layer in (spec, *spec["layer"]) if "data" in layer]
    values = [data.get("values") or spec["datasets"][data["name"]] for data in layers]
    return [list(one) for one in values if one]


series = st.lists(
    st.lists(st.integers(0, 300), min_size=3, max_size=3).map(sorted), min_size=1, max_size=6
)


@given(series)
def test_no_name_at_the_end_of_a_line_lies_on_another_or_outside(figures: list[list[int]]) -> None:
    lines = [Series(f"Player {n}", tuple(one)) for n, one in enumerate(figures)]
    spec = race(lines, along="hands").to_dict()
    names = next(v for v in data_of(spec) if "name" in v[0])
    top = max(1, *(one[-1] for one in figures))
    heights = sorted(one["figure"] * charts.HEIGHT_PX / top for one in names)
    gaps = [upper - lower for lower, upper in pairwise(heights)]
    assert all(gap >= charts.NAME_GAP_PX - 0.01 for gap in gaps)
    assert heights[0] >= -0.01
    assert heights[-1] <= charts.HEIGHT_PX + 0.01


def test_lines_are_told_apart_without_their_colours() -> None:
    assert len(set(charts.DASHES)) == len(set(charts.MARKS)) == charts.MOST
    lines = [Series(str(number), (0, number)) for number in range(charts.MOST)]
    spec = race(lines, along="hands", target=11).to_dict()
    encoded = [layer.get("encoding", {}) for layer in spec["layer"]]
    assert [True for one in encoded if "strokeDash" in one]
    assert [True for one in encoded if "shape" in one]


@pytest.mark.parametrize("colour", charts.COLOURS)
def test_names_in_a_picture_can_be_read(colour: str) -> None:
    assert (luminance("#faf6ec") + 0.05) / (luminance(colour) + 0.05) >= 4.5


def test_a_chart_names_the_colours_of_the_theme() -> None:
    drawn = charts.race([Series("Anna", (0, 4))], along="hands", target=11).to_json()
    assert not re.findall(r"#[0-9a-f]{3,8}", drawn)
    assert "var(--side-1)" in drawn


# The picture of a match


def odd(row: PlayedMatch) -> PlayedMatch:
    """Return a match of which the names are all that a name can be."""
    names = ('<a href="x">&amp;', "Mmmmmmmmmmmmmmmmmmmmmmmm", "'Zoë' 🃏")
    return replace(row, match=replace(row.match, names=names))


def texts(svg: str) -> list[str]:
    return [str(one.text) for one in ET.fromstring(svg).iter() if one.tag.endswith("text")]


def test_match_picture_holds_totals_and_typed_names() -> None:
    row = odd(season.matches()[5])
    told = texts(str(picture(row)))
    for name, total in zip(row.match.names, row.match.totals, strict=True):
        assert name in told
        assert str(total) in told
        assert f"{name} {total}" in told


def test_the_picture_names_its_target_and_numbers_its_hands() -> None:
    row = season.matches()[5]
    told = texts(str(picture(row)))
    hands = [str(number) for number in range(1, row.match.counted + 1)]
    begin = told.index("0")
    assert told[begin : begin + 2 + len(hands)] == ["0", str(row.match.rules.target), *hands]


def test_the_lines_of_the_picture_end_next_to_short_names() -> None:
    row = season.matches()[5]
    match = replace(row.match, names=("Al", "Bo", "Cy")[: len(row.match.names)])
    svg = ET.fromstring(str(picture(replace(row, match=match))))
    ends = [float(one.attrib["x2"]) for one in svg.iter() if one.get("stroke") == "#b9ae97"]
    assert min(ends) > 860


def test_the_picture_has_the_colours_of_the_sides() -> None:
    row = season.matches()[5]
    svg = ET.fromstring(str(picture(row)))
    boxes = [one for one in svg.iter() if one.get("rx") == "28"]
    assert [one.get("fill") for one in boxes] == [*charts.COLOURS[: len(row.match.names)]]
    golden = [side for side, one in enumerate(boxes) if one.get("stroke") == GOLD]
    assert golden == [row.match.winner]


@pytest.mark.parametrize("place", range(6))
def test_the_picture_asks_nobody_for_anything(place: int) -> None:
    svg = str(picture(season.matches()[place])).replace("http://www.w3.org/2000/svg", "")
    assert "http" not in svg
    assert "url(" not in svg.replace("url(#", "")


def test_the_picture_carries_the_fonts_it_names() -> None:
    table = open_table()
    record(table)
    at = app("history", table=table.code)
    data = component_data(at, "picture")
    named = {found.strip("'") for found in re.findall(r"'[^']+'", unescape(data["svg"]))}
    assert {one["family"] for one in data["fonts"]} == named
    assert all(one["src"].endswith(".woff2") for one in data["fonts"])


def test_a_match_without_hands_has_a_picture_too() -> None:
    row = season.matches()[0]
    bare = replace(row, match=Match(row.match.rules, row.match.names), hands=())
    assert "goes on" in texts(str(picture(bare)))


def test_the_picture_says_by_which_rules_each_hand_was_counted() -> None:
    row = season.matches()[5]
    own = row.match.rules.changed(name="Nonna's", re_bello=2)
    changed = replace(row, match=row.match.under(own, since=2))
    sentence = (
        "Counted by: Scopa, primiera without all suits · To 11 points · From hand 3 on · Nonna's"
    )
    assert sentence in texts(str(picture(changed)))
    assert "Counted by: Scopa, primiera without all suits · To 11 points" in texts(
        str(picture(row))
    )


def test_a_season_made_up_is_the_same_every_time() -> None:
    assert [*map(to_json, season.matches())] == [*map(to_json, season.matches())]
    assert len(season.matches()) == 30
    assert all(row.match.winner is not None for row in season.matches())
