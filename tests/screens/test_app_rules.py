"""The rules page: each rule in words with its example, of a table or of a chosen rule set."""

import pytest
from app_driving import ANNA, BRUNO, app, lay, open_table, record, visible
from catalogues import WALKED

from scoring.explain import described
from scoring.presets import PRESETS
from scoring.rules import GROUPS, Rules
from screens.parts.rules import in_address

pytestmark = pytest.mark.slow


def html(*address: object, **named: object) -> str:
    at = app("rules", *address, **named)
    assert not at.exception
    return " ".join(str(one.value) for one in at.html)


@pytest.mark.parametrize("preset", ["silver-lake", "escoba-brazil", "cirulla"])
def test_every_sentence_of_the_rules_stands_on_the_page(preset: str) -> None:
    seen = visible(app("rules", table=open_table("A", "B", rules=preset).code)).lower()
    for sentences in described(PRESETS[preset]).values():
        for name, sentence in sentences.items():
            assert name == "seatings" or sentence.lower() in seen


def test_a_capture_is_shown_with_cards() -> None:
    page = html(rules="silver-lake")
    captures = page[page.index('class="example"') :].split("</li>", 1)[0]
    assert all(f"f{code}" in captures for code in ("7c", "5s", "2b", "7d"))


def test_what_houses_dispute_is_on_the_page() -> None:
    at = app("rules", table=open_table().code)
    assert "Some let a card be laid that could capture" in visible(at)


def test_every_setting_stands_in_one_group() -> None:
    grouped = [name for names in GROUPS.values() for name in names]
    assert sorted([*grouped, "name"]) == sorted(Rules().to_dict())


def test_the_primiera_is_shown_with_the_last_hand() -> None:
    table = open_table()
    assert "for example" in visible(app("rules", table=table.code))
    record(table)
    seen = visible(app("rules", table=table.code))
    for sentence in ("21 seven", "16 ace", "in hand 1", "21 + 21 + 16 + 18 = 76"):
        assert sentence in seen


def test_rules_without_a_prime_show_no_table_of_it() -> None:
    at = app("rules", table=open_table(rules="escoba").code)
    assert not at.exception
    assert "sette" not in visible(at)


def test_rules_without_a_table_are_chosen_on_the_page() -> None:
    at = app("rules")
    assert at.selectbox(key="rules_chosen").value == "silver-lake"
    at.selectbox(key="rules_chosen").select("escoba").run()
    assert at.code[0].value.endswith("/house?rules=escoba")


def test_a_link_chooses_its_rules() -> None:
    own = PRESETS["napoletana"].changed(fewest_cards=True)
    assert "fewest cards" in html(rules=in_address(own))


@pytest.mark.parametrize("language", WALKED)
def test_the_rules_are_one_link_away(language: str) -> None:
    table = open_table()
    for at in (
        app(lang=language),
        app("invite", table=table.code, lang=language),
        app("play", table=table.code, lang=language),
    ):
        assert any("rules" in str(link.proto) for link in at.get("page_link"))


def test_every_question_mark_of_a_point_leads_to_the_rules() -> None:
    table = open_table()
    lay(table, ANNA, BRUNO)
    points = " ".join(str(one.value) for one in app("points", table=table.code).html)
    assert f'<a href="/rules?table={table.code}"' in points
