"""Rules of a house's own: every setting can be changed, clashes are said, a name keeps them."""

from dataclasses import fields
from enum import StrEnum
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from app_driving import (
    app,
    board_words,
    entered,
    key_of,
    open_table,
    record,
    rules_unfolded,
    visible,
)
from catalogues import WALKED
from playing import command, match_of, query
from streamlit.testing.v1 import AppTest

from scoring.cards import CODES
from scoring.errors import RulesError
from scoring.locale import LANGUAGES
from scoring.presets import DEFAULT, PRESETS
from scoring.rules import Rules, contradictions
from screens import state
from screens.parts import rules
from screens.words import SENTENCES, t
from store import Table, club, tables
from store.models import SavedRules
from table.access import ANONYMOUS

pytestmark = pytest.mark.slow

SETTINGS = [field.name for field in fields(Rules) if field.name != "name"]


def widget(at: AppTest, name: str, *, base: str = DEFAULT) -> Any:
    """Return the one widget of a setting, whatever its kind."""
    kinds = ("toggle", "number_input", "radio", "button_group", "multiselect")
    start = f"set_{base}_{name}"
    ends = ("", *(f"_{language}" for language in LANGUAGES))
    found = [
        one
        for kind in kinds
        for one in at.get(kind)
        if one.key in {f"{start}{end}" for end in ends}
    ]
    assert len(found) == 1, f"{name}: {len(found)} widgets"
    return found[0]


@pytest.mark.parametrize("language", WALKED)
def test_every_setting_is_shown_and_explained(
    language: str,
) -> None:
    at = app("house", lang=language)
    assert not at.exception
    seen = visible(at)
    for name in SETTINGS:
        label = widget(at, name).label
        assert label
        assert label != name
        assert SENTENCES.say(f"told_{name}", language) in seen
        usual = getattr(Rules(), name)
        if isinstance(usual, StrEnum):
            radio = widget(at, name)
            assert len(set(radio.options)) == len(type(usual))
            values = {member.value for member in type(usual)}
            assert not values & {option for option in radio.options if option != "10"}


def test_cards_that_make_points_are_chosen_each_with_its_points() -> None:
    at = app("house")
    widget(at, "card_points").set_value(["8s", "10d"]).run()
    at.number_input(key=f"set_{DEFAULT}_card_points_8s").set_value(2).run()
    at.text_input(key=f"house_name_{DEFAULT}").set_value("Rosmarino").run()
    at.button(key="house_save").click().run()
    assert query(state.store(), club.saved_rules)["Rosmarino"].card_points == (
        ("10d", 1),
        ("8s", 2),
    )


def test_own_rules_are_kept_and_offered_when_a_table_is_opened() -> None:
    at = app("house")
    widget(at, "napola").set_value(True).run()
    widget(at, "target").set_value(21).run()
    widget(at, "captures").set_value("One card of its value or a sum, as the player likes").run()
    at.text_input(key=f"house_name_{DEFAULT}").set_value("Da nonna").run()
    at.button(key="house_save").click().run()
    assert not at.exception
    assert "Da nonna is kept" in visible(at)
    kept = query(state.store(), club.saved_rules)["Da nonna"]
    assert (kept.napola, kept.target, kept.captures) == (True, 21, "free")

    home = rules_unfolded(app())
    box = home.selectbox(key=key_of(home, "selectbox", "rules_"))
    assert "Da nonna" in box.options
    box.set_value("Da nonna").run()
    home.button(key="open").click().run()
    assert query(state.store(), tables.newest)[0].rules == kept


def test_own_rules_are_changed_and_forgotten() -> None:
    mine = PRESETS["escoba"].changed(name="Mine", target=16)
    command(state.store(), club.save_rules, mine)
    table = command(state.store(), tables.open_table, ("Anna", "Bruno"), mine)
    at = app("house")
    at.selectbox(key="house_from").set_value("Mine").run()
    assert widget(at, "target", base="Mine").value == 16
    widget(at, "target", base="Mine").set_value(31).run()
    at.button(key="house_save").click().run()
    assert query(state.store(), club.saved_rules)["Mine"].target == 31
    at.button(key="house_forget").click().run()
    assert not at.exception
    assert "Mine" not in query(state.store(), club.saved_rules)
    assert match_of(state.store(), table).match.rules == mine
    assert "Rules: Mine" in [one.value for one in app("history", table=table.code).subheader]


def test_only_the_organiser_edits_saved_house_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mine = PRESETS["escoba"].changed(name="Mine", target=16)
    command(state.store(), club.save_rules, mine)
    monkeypatch.setattr(state.auth().organiser, "_passphrase", "sette bello di denari")
    monkeypatch.setattr(state, "credentials", lambda: ANONYMOUS)
    at = app("house")
    at.selectbox(key="house_from").set_value("Mine").run()
    assert not any(button.key == "house_forget" for button in at.button)
    widget(at, "target", base="Mine").set_value(31).run()
    at.button(key="house_save").click().run()
    assert "its organiser alone changes them" in visible(at)
    assert query(state.store(), club.saved_rules) == {"Mine": mine}
    at.text_input(key="house_name_Mine").set_value("Other").run()
    at.button(key="house_save").click().run()
    assert query(state.store(), club.saved_rules)["Other"].target == 31


def link_of(changed: Rules) -> str:
    """Return the value of `rules` in the link that the rules page shows."""
    at = app("rules", rules=rules.in_address(changed))
    return dict(parse_qsl(urlsplit(at.code[0].value).query))["rules"]


def test_a_link_carries_house_rules_to_another_table() -> None:
    theirs = PRESETS["napoletana"].changed(target=16, name="Da Bruno")
    link = link_of(theirs)
    at = app("house", rules=link)
    assert "the match goes to 11 the match goes to 16" in " ".join(visible(at).split())
    [play] = [one for one in at.get("page_link") if "Da+Bruno" in str(one.proto)]
    assert play
    at.text_input(key="house_name_Da Bruno").set_value("Ours").run()
    at.button(key="house_save").click().run()
    assert query(state.store(), club.saved_rules)["Ours"] == theirs.changed(name="Ours")


def test_a_table_opens_with_the_rules_of_a_link() -> None:
    theirs = PRESETS["napoletana"].changed(target=16, name="Da Bruno")
    home = rules_unfolded(app(rules=link_of(theirs)))
    assert home.selectbox(key=key_of(home, "selectbox", "rules_")).value == "Da Bruno"
    assert rules.in_address(theirs) == home.query_params["rules"], "a reload keeps them"
    home.button(key="open").click().run()
    assert query(state.store(), tables.newest)[0].rules == theirs


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("S1AV16-XX", "Rule codes have ended. Open the rules by their link."),
        ('{"target": 21', "These rules do not fit together."),
        ('{"targets": 21}', "These rules do not fit together."),
    ],
    ids=["letter code", "cut off", "unknown setting"],
)
def test_a_link_without_rules_is_refused(given: str, sentence: str) -> None:
    at = app("house", rules=given)
    assert sentence in visible(at)
    assert not at.exception


def test_the_link_of_many_settings_has_no_qr_code() -> None:
    many = Rules(name="x" * 40, card_points=tuple((code, 1) for code in CODES))
    at = app("rules", rules=rules.in_address(many))
    assert len(at.code[0].value) > rules.QR_CHARACTERS
    assert not any("invite" in str(one.value) for one in at.html)


def test_own_rules_need_a_name_of_their_own() -> None:
    at = app("house")
    for name, said in (
        ("", "Give these rules a name first."),
        ("escoba", "comes with the app"),
        ("SCOPA (STANDARD)", "comes with the app"),
    ):
        at.text_input(key=f"house_name_{DEFAULT}").set_value(name)
        at.button(key="house_save").click().run()
        assert said in visible(at)
    assert not query(state.store(), club.saved_rules)


def test_what_does_not_fit_together_is_said_and_cannot_be_kept() -> None:
    at = app("house")
    widget(at, "cappotto").set_value(12).run()
    widget(at, "napola_wins").set_value(True).run()
    seen = visible(at)
    assert "The cappotto is higher than the target" in seen
    assert "A napola cannot win where napola is not played" in seen
    assert at.button(key="house_save").disabled
    widget(at, "cappotto").set_value(7).run()
    widget(at, "napola").set_value(True).run()
    assert not at.button(key="house_save").disabled


CLASHES: dict[str, dict[str, Any]] = {
    "target": dict.fromkeys(("carte", "denari", "settebello", "primiera", "scopa"), 0),
    "ponino": {"ponino": True, "scopa": 0},
    "piccola": {"piccola": True, "napola": True},
    "ace_takes_ace": {"ace_takes_ace": True},
    "void_kings": {"table_cards": 0, "hand_cards": 10},
    "first_ace": {"first_ace": "barred"},
    "declared": {"small_hand": 3},
    "matta": {"matta": True},
    "draw": {"draw": True},
    "seatings": {"hand_cards": 7},
    "napola_wins": {"napola_wins": True},
    "cappotto": {"cappotto": 12},
    "end": {"perdere": True, "sudden_death": True},
    "perdere": {"perdere": True, "cappotto": 7},
}


@pytest.mark.parametrize("name", CLASHES)
def test_every_contradiction_has_a_sentence(name: str) -> None:
    told = Rules().to_dict() | CLASHES[name]
    assert name in [setting for setting, _ in contradictions(told)]
    with pytest.raises(RulesError):
        Rules(**told)
    assert t(f"clash_{name}")


def test_only_rules_for_so_many_sides_are_offered() -> None:
    command(state.store(), club.save_rules, Rules(name="For three", seatings=((3, 1),)))
    assert "For three" in rules.rule_sets(3)
    assert "For three" not in rules.rule_sets(2)
    assert "For three" in rules.rule_sets()
    assert open_table().rules.name == DEFAULT
    assert t("rules_escoba") == rules.called("escoba")
    assert rules.called("For three") == "For three"


def table_with_a_dropped_setting() -> Table:
    table = open_table()
    record(table)
    with state.store().write(table) as row:
        row.match.rules_json = row.match.rules_json | {"clear_by": 2}
    return table


def test_a_match_with_a_dropped_setting_says_so_and_is_read_only() -> None:
    at = app("history", table=table_with_a_dropped_setting().code)
    assert not at.exception
    assert t("error_DroppedRulesError") in visible(at)
    assert "4" in visible(at)
    assert not [one for one in at.get("bidi_component") if str(one.key).startswith("changes_")]


def test_the_board_of_a_match_with_a_dropped_setting_says_so() -> None:
    assert t("error_DroppedRulesError") in board_words(table_with_a_dropped_setting())


def test_match_with_a_dropped_setting_opens_on_the_board() -> None:
    table = table_with_a_dropped_setting()
    assert entered(app("play", table=table.code)).startswith(f"/board/{table.code}")


def test_saved_rules_with_a_dropped_setting_are_named() -> None:
    store = state.store()
    assert t("house_outdated", names="Veneto") not in visible(app("house"))
    with store.writing() as session:
        session.add(SavedRules(name="Veneto", rules_json={"name": "Veneto", "pips": "face-value"}))
    assert t("house_outdated", names="Veneto") in visible(app("house"))
    command(store, club.save_rules, Rules(name="Veneto"))
    assert t("house_outdated", names="Veneto") not in visible(app("house"))
