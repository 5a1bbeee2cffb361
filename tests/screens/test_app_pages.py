"""Every page in English and Italian, one in each further language, at a table of hostile names."""

import re
from functools import cache
from html import unescape
from itertools import product
from types import SimpleNamespace

import pytest
import streamlit
from app_driving import (
    ANNA,
    BRUNO,
    app,
    camera_of,
    component_data,
    facts,
    lay,
    open_table,
    record,
    rules_unfolded,
    visible,
)
from catalogues import PACKAGES, WALKED, sentences
from earlier import propose
from playing import edit_hand, query, record_hand
from streamlit.testing.v1 import AppTest

from scoring.hand import Side
from scoring.locale import LANGUAGES
from scoring.record import HandRecord
from screens import state
from screens.navigation import SCREENS
from screens.words import SENTENCES
from store import Table, tables

SCREENS_PACKAGE = PACKAGES[0]
HTML = "<img src=x onerror=alert(1)>"
MARKDOWN = "**[Bruno](http://x.example)**"
SHEET = re.compile(r":small\[((?:[^\\\]]|\\.)*)\]|\*{1,3}([+\d]+)\*{1,3}")
"""What lays out a row of the score sheet: names, and figures in bold or italics."""

UNESCAPED = re.compile(r"(?<!\\)(\*|\[|<img)")
NAMELESS = {"sample", "trust", "house", "home", "match", "evening", "tonight"}
"""Pages on which no player's name need stand, or only in a field."""


@cache
def english_only(language: str) -> set[str]:
    """Sentences without values that are others in a language, long enough to be found."""
    english, other = (sentences(SCREENS_PACKAGE.written(said)) for said in ("en", language))
    return {
        said
        for key, said in english.items()
        if isinstance(said, str) and "{" not in said and len(said) > 8 and other[key] != said
    }


def table_of_hostile_names() -> Table:
    """A table with a hand confirmed, one that another phone sent too, and the next one begun."""
    table = open_table(HTML, MARKDOWN)
    record(table, scope=(1, 0))
    record(table)
    hand = facts(BRUNO, ANNA, names=table.side_names, scope=(0, 0))
    propose(state.store(), table, hand, hand_no=2, device=HTML)
    lay(table, ANNA[:-1], BRUNO[:-2], hand_no=3)
    return table


def table_of_every_kind_of_hand() -> Table:
    """A table with a hand by cards, an edited one, a removed one and, last, one by quick count."""
    table, store = open_table(), state.store()
    for _ in range(3):
        record(table)
    edited = facts(ANNA, BRUNO, names=table.side_names, scope=(2, 0))
    edit_hand(store, table, edited, hand_no=2, key="edited", expected=4)
    removed = facts((), (), names=table.side_names, scope=(0, 0))
    edit_hand(store, table, removed, hand_no=3, key="removed", expected=5)
    answers = [(("carte", 1), ("denari", 0)), (("carte", 0), ("denari", 1))]
    quick = HandRecord(
        tuple(
            Side(name, (), counted=counted)
            for name, counted in zip(table.side_names, answers, strict=True)
        )
    )
    record_hand(store, table, quick, key="quick", expected=6)
    return table


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_shows_every_kind_of_hand(screen: str) -> None:
    at = app(screen, table=table_of_every_kind_of_hand().code)
    assert not at.exception
    assert "could not be drawn" not in visible(at)


def html_of(at: AppTest) -> str:
    shown = "".join(str(getattr(element, "value", "")) for element in at.get("html"))
    return re.sub(r"<style>.*?</style>", "", shown, flags=re.DOTALL)


def labels_of(at: AppTest) -> list[str]:
    written = [str(element.value) for element in (*at.header, *at.subheader, *at.markdown)]
    written += [SHEET.sub(r"\1\2", element.label) for element in at.expander]
    return written + [str(element.label) for element in at.button]


@pytest.mark.parametrize(
    ("screen", "language"),
    [
        *product((*SCREENS, "home of a table"), WALKED),
        *product(("points",), LANGUAGES[len(WALKED) :]),
    ],
)
def test_page_is_translated_and_names_are_not(screen: str, language: str) -> None:
    table = table_of_hostile_names()
    page, of_table = screen.removesuffix(" of a table"), screen != "home"
    at = app(page, lang=language, **({"table": table.code} if of_table else {}))
    assert not at.exception
    shown = visible(at)
    other = "it" if language == "en" else language
    found = [said for said in english_only(other) if said in shown]
    assert bool(found) is (language == "en")
    offered = {str(one.key): one.label for one in at.button if str(one.key).startswith("speak_")}
    names = {f"speak_{one}": SENTENCES.say("language_name", one) for one in LANGUAGES}
    assert offered == {key: name for key, name in names.items() if key != f"speak_{language}"}
    assert "<img src=x" not in html_of(at)
    assert not [label for label in labels_of(at) if UNESCAPED.search(label)]
    if page not in NAMELESS:
        assert HTML in unescape(html_of(at)) + "".join(labels_of(at)).replace("\\", "")


@pytest.mark.parametrize(
    ("browser", "accepted", "language"),
    [
        (None, "", "en"),
        ("it", "", "it"),
        ("it-CH", "en", "it"),
        ("en-GB", "it", "en"),
        ("pt-BR", "", "pt"),
        ("nl-NL", "nl-NL, it;q=0.3, en;q=0.2", "it"),
        ("nl-NL", "nl-NL, it;q=0, en;q=0.2", "en"),
        ("nl-NL", "nl-NL, en;q=0.2, it-CH;q=0.9", "it"),
        ("", "*, ;;q=, it;q=x", "en"),
    ],
)
def test_the_language_is_the_first_of_the_browsers_that_we_speak(
    browser: str | None, accepted: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = {"Accept-Language": accepted}
    monkeypatch.setattr(streamlit, "context", SimpleNamespace(locale=browser, headers=headers))
    monkeypatch.setattr(state, "get_script_run_ctx", object)
    assert state.language() == language


@pytest.mark.slow
def test_the_language_chosen_stays_from_screen_to_screen() -> None:
    at = app()
    at.button(key="speak_it").click().run()
    at.button(key="open").click().run()
    assert component_data(at, "enter")["to"].endswith("?screen=play&lang=it")
    [table] = query(state.store(), tables.newest)
    at = app("play", table=table.code, lang="it")
    assert camera_of(at)["label"] == "Prese di Giocatore 1"


@pytest.mark.slow
def test_an_unknown_language_counts_as_none_chosen() -> None:
    at = app(lang="klingon")
    assert at.button(key="open").label == SENTENCES.say("open", "en")


@pytest.mark.slow
def test_score_sheet_keeps_the_language_of_its_table() -> None:
    at = app(lang="it")
    at.button(key="open").click().run()
    [row] = query(state.store(), tables.newest)
    assert row.side_names == ("Giocatore 1", "Giocatore 2")


@pytest.mark.slow
def test_language_switch_keeps_chosen_house_rules() -> None:
    at = rules_unfolded(app())
    at.selectbox(key="rules_en").set_value("napoletana").run()
    at.button(key="speak_it").click().run()
    assert at.selectbox(key="rules_it").value == "napoletana"
    at.button(key="speak_en").click().run()
    assert at.selectbox(key="rules_en").value == "napoletana"
