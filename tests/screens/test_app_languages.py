"""Every screen in both languages: the browser's, or the one that somebody chose there."""

from types import SimpleNamespace

import pytest
import streamlit
from app_driving import ANNA, BRUNO, app, component_data, follow, lay, open_table, record, visible
from catalogues import PACKAGES, sentences

from scoring.locale import LANGUAGES
from screens import state
from screens.navigation import SCREENS
from screens.words import SENTENCES

SCREENS_PACKAGE = PACKAGES[0]
OF_A_TABLE = [screen for screen in SCREENS if screen not in {"home", "compare"}]


def english_only() -> set[str]:
    """Sentences without values that are others in Italian, long enough to be found."""
    english, italian = (sentences(SCREENS_PACKAGE.written(said)) for said in ("en", "it"))
    return {
        said
        for key, said in english.items()
        if isinstance(said, str) and "{" not in said and len(said) > 8 and italian[key] != said
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_is_drawn_and_says_in_italian_no_english_sentence(
    screen: str, language: str
) -> None:
    table = open_table()
    record(table, scope=(2, 1))
    lay(table, ANNA, BRUNO[:-1], hand_no=2)
    at = app(screen, table=table.code, lang=language)
    assert not at.exception
    found = [said for said in english_only() if said in visible(at)]
    assert bool(found) is (language == "en")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("told", "language"),
    [(None, "en"), ("it", "it"), ("it-CH", "it"), ("en-GB", "en"), ("de-DE", "en"), ("", "en")],
)
def test_the_language_is_the_browsers_where_we_speak_it(
    told: str | None, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streamlit, "context", SimpleNamespace(locale=told, url="", cookies={}))
    at = app()
    assert not at.exception
    assert at.button(key="open").label == SENTENCES.say("open", language)


@pytest.mark.slow
@pytest.mark.parametrize("screen", OF_A_TABLE)
def test_the_language_is_switched_on_every_screen_and_stays(screen: str) -> None:
    table = open_table()
    record(table)
    at = app(screen, table=table.code)
    assert at.button(key="other_language").label == "Italiano"
    at.button(key="other_language").click().run()
    assert at.query_params["lang"] == "it"
    assert at.button(key="other_language").label == "English"


@pytest.mark.slow
def test_the_language_chosen_stays_from_screen_to_screen() -> None:
    at = app()
    at.button(key="other_language").click().run()
    at.button(key="open").click().run()
    assert component_data(at, "enter")["to"].endswith("?screen=play&lang=it")
    [table] = state.store().list_tables()
    at = app("play", table=table.code, lang="it")
    at.button(key="snap").click().run()
    assert at.query_params["lang"] == "it"
    assert "Mazzetto di Noi" in visible(follow(at, "capture"))


@pytest.mark.slow
def test_an_unknown_language_counts_as_none_chosen() -> None:
    at = app(lang="klingon")
    assert at.button(key="open").label == SENTENCES.say("open", "en")


@pytest.mark.slow
def test_the_names_of_a_table_opened_in_italian_are_the_words_of_its_score_sheet() -> None:
    at = app(lang="it")
    at.button(key="open").click().run()
    [row] = state.store().list_tables()
    assert row.side_names == ("Noi", "Voi")


@pytest.mark.slow
def test_the_house_rules_chosen_stay_when_the_language_is_switched() -> None:
    at = app()
    at.selectbox(key="rules_en").set_value("napoletana").run()
    at.button(key="other_language").click().run()
    assert at.selectbox(key="rules_it").value == "napoletana"
    at.button(key="other_language").click().run()
    assert at.selectbox(key="rules_en").value == "napoletana"
