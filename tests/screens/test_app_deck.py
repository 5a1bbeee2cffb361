"""The page on which a table teaches its deck, or says which one it plays with."""

from pathlib import Path

import numpy as np
import pytest
from app_driving import Known, app, has_button, open_table, visible
from playing import store_of_screens
from streamlit.testing.v1 import AppTest

from scoring.cards import CODES
from scoring.locale import LANGUAGES
from screens import state
from screens.words import SENTENCES, card
from store import ReferenceImage, Table
from table.access import Credentials, hash_link
from table.decks import LEARNT
from vision.decks.references import CardImage, packed

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
CORNER = np.full((64, 64, 3), 90, np.uint8)
PICTURE = CardImage(np.full((128, 128, 3), 200, np.uint8), (CORNER, CORNER)).jpeg()


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(state, "reader", Known)
    return open_table("Anna", "Bruno")


def page(table: Table, language: str = "en") -> AppTest:
    at = app("deck", table=table.code, lang=language)
    assert not at.exception
    return at


def taught(table: Table, *codes: str, doubtful: tuple[str, ...] = ()) -> int:
    """A deck that is being taught, of which these cards were seen."""
    store = store_of_screens()
    deck = store.begin_deck(table, key="k").id
    cards = [
        ReferenceImage(key=code, code=code, jpeg=PICTURE, is_sure=code not in doubtful)
        for code in codes
    ]
    store.add_deck_images(table, cards, deck=deck)
    return deck


def kept(table: Table, name: str = "Nonna's") -> int:
    deck = taught(table, *CODES)
    store_of_screens().keep_deck(table, deck=deck, name=name)
    return deck


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_without_a_deck_is_told_what_a_taught_one_is_good_for(
    language: str, table: Table
) -> None:
    at = page(table, language)
    assert SENTENCES.say("deck_help", language) in visible(at)
    assert has_button(at, "deck_begin")
    assert store_of_screens().unfinished_deck(table) is None


def test_teaching_begins_with_one_tap_and_goes_on_after_a_reload(table: Table) -> None:
    page(table).button(key="deck_begin").click().run()
    deck = store_of_screens().unfinished_deck(table)
    assert deck is not None
    assert "side by side" in visible(page(table))
    assert store_of_screens().unfinished_deck(table) == deck


def test_a_photo_is_read_and_what_is_left_to_do_is_said(table: Table) -> None:
    deck = taught(table)
    at = page(table)
    photo = (SAMPLES / "dario-1.jpg").read_bytes()
    at.file_uploader[0].set_value([("dario-1.jpg", photo, "image/jpeg")]).run()
    assert not at.exception
    assert len(store_of_screens().deck_images(deck)) == 7
    assert store_of_screens().waiting_deck_photo(deck) is None
    assert "cards were not seen yet" in visible(at)
    assert at.button(key="deck_keep").disabled


def test_a_file_that_is_no_photo_is_refused_in_a_sentence(table: Table) -> None:
    taught(table)
    at = page(table)
    at.file_uploader[0].set_value([("deck.jpg", b"hello", "image/jpeg")]).run()
    assert not at.exception
    assert "deck.jpg" in visible(at)
    assert store_of_screens().waiting_deck_photo(1) is None


def test_what_is_missing_and_what_was_taken_twice_is_said(table: Table) -> None:
    taught(table, *CODES[1:], doubtful=("7d",))
    seen = visible(page(table))
    assert "39 of 40 cards are known" in seen
    assert f"Not seen yet: {card('1d')}" in seen
    assert "1 card is marked with ?" in seen


def test_a_deck_is_named_and_this_table_plays_with_it(table: Table) -> None:
    deck = taught(table, *CODES)
    at = page(table)
    at.text_input(key=f"deck_name_{deck}").set_value("Nonna's").run()
    at.button(key="deck_keep").click().run()
    seat = store_of_screens().table_deck(table)
    assert seat is not None
    assert seat.deck.name == "Nonna's"
    assert "The deck Nonna's is kept" in visible(at)


def test_a_name_that_is_taken_is_refused_and_nothing_is_lost(table: Table) -> None:
    kept(table)
    store = store_of_screens()
    deck = store.begin_deck(table, key="other").id
    store.add_deck_images(
        table, [ReferenceImage(key=code, code=code, jpeg=PICTURE) for code in CODES], deck=deck
    )
    at = page(table)
    at.text_input(key=f"deck_name_{deck}").set_value("nonna's").run()
    at.button(key="deck_keep").click().run()
    assert "a name that no other deck has" in visible(at)
    assert len(store.deck_images(deck)) == len(CODES)


def test_another_table_chooses_the_deck_and_cannot_change_it(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = kept(table)
    other = open_table("Carla", "Dario")
    store_of_screens().put_link(other, hash_link("carlas"), expected=other.link_hash)
    monkeypatch.setattr(state, "credentials", lambda: Credentials(links={other.code: "carlas"}))
    at = page(other)
    at.selectbox[0].set_value(deck).run()
    seat = store_of_screens().table_deck(other)
    assert seat is not None
    assert seat.deck.id == deck
    assert "compared with Nonna's" in visible(at)
    assert not [one for one in at.expander if one.label == "Look at this deck, add photos"]
    at.selectbox[0].set_value(0).run()
    assert store_of_screens().table_deck(other) is None


def test_a_deck_is_forgotten_after_a_question(table: Table) -> None:
    deck = kept(table)
    store_of_screens().choose_deck(table, deck)
    at = page(table)
    at.button(key=f"deck_forget_{deck}").click().run()
    assert store_of_screens().offered_decks() == ()
    assert "are deleted" in visible(at)


def test_a_deck_comes_in_from_a_file(table: Table) -> None:
    at = page(table)
    file = packed("Bars", [(code, PICTURE) for code in CODES])
    at.file_uploader[0].set_value(("bar.zip", file, "application/zip")).run()
    seat = store_of_screens().table_deck(table)
    assert seat is not None
    assert (seat.deck.name, seat.deck.cards) == ("Bars", 40)
    at = page(table)
    at.file_uploader[-1].set_value(("bar.zip", file[:99], "application/zip")).run()
    assert "no whole file of a deck" in visible(at)


def test_the_photos_screen_leads_to_the_deck(table: Table) -> None:
    assert "Teach it your deck" in links(app("capture", table=table.code))
    store_of_screens().choose_deck(table, kept(table))
    assert "Deck: Nonna's" in links(app("capture", table=table.code))


@pytest.mark.parametrize("language", LANGUAGES)
def test_photos_are_lent_only_where_the_table_says_so(language: str, table: Table) -> None:
    at = page(table, language)
    at.toggle(key="lends_photos_False").set_value(True).run()
    assert SENTENCES.say("lends_photos_on", language) in visible(at)
    assert store_of_screens().lenders() == (table.code,)
    at.toggle(key="lends_photos_True").set_value(False).run()
    assert store_of_screens().lenders() == ()


def links(at: AppTest) -> set[str]:
    """The labels of the links on a screen."""
    return {str(link.proto.label) for link in at.get("page_link")}


def test_a_deck_learns_only_where_the_table_wants_it_and_forgets_what_it_learnt(
    table: Table,
) -> None:
    store = store_of_screens()
    deck = kept(table)
    store.choose_deck(table, deck)
    at = page(table)
    at.toggle(key="deck_learns_False").set_value(True).run()
    assert "now learns from the answers" in visible(at)
    seat = store.table_deck(table)
    assert seat is not None
    assert seat.learns
    store.add_deck_images(
        table, [ReferenceImage(key=f"{LEARNT}1", code="1d", jpeg=PICTURE)], deck=deck
    )
    at = page(table)
    at.button(key="deck_unlearn").click().run()
    assert "was taken out" in visible(at)
    assert len(store.deck_images(deck)) == len(CODES)
