"""Words of the app: the made-up keys are there."""

import re

import pytest
from catalogues import PACKAGES, WALKED, sentences

from assets.deck import CardStyle
from scoring.cards import CODES, parse_card
from scoring.errors import ScoringError
from scoring.locale import LANGUAGES
from scoring.match import Reason
from scoring.points import points_of
from scoring.presets import PRESETS
from scoring.rules import Rules, Ties
from screens import state
from screens.parts import rules
from screens.words import card, error_text, point_label, rank, t, the_card
from store import HandClosedError, MatchClosedError
from vision.errors import EmptyPhotoError


@pytest.mark.parametrize("drawing", CardStyle)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_has_a_name_of_its_own_and_an_article(
    language: str, drawing: CardStyle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "language", lambda: language)
    monkeypatch.setattr(state, "card_style", lambda: drawing)
    names = {code: card(code) for code in CODES}
    assert len(set(names.values())) == 40
    for code, name in names.items():
        assert the_card(code).endswith(name)
        assert the_card(code) != name
        assert rank(int(code[:-1])) in name
        assert "|" not in the_card(code)
        assert language not in WALKED or parse_card(name).code == code


@pytest.mark.parametrize(
    ("language", "drawing", "said"),
    [
        ("en", CardStyle.ITALIAN, ("the ace of coins", "the knight of swords")),
        ("en", CardStyle.FRENCH, ("the ace of diamonds", "the queen of spades")),
        ("it", CardStyle.ITALIAN, ("l'asso di denari", "il cavallo di spade")),
        ("it", CardStyle.FRENCH, ("l'asso di quadri", "la donna di picche")),
        ("es", CardStyle.ITALIAN, ("el as de oros", "el caballo de espadas")),
        ("fr", CardStyle.ITALIAN, ("l'as de deniers", "le cavalier d'épées")),
        ("de", CardStyle.ITALIAN, ("das Münz-Ass", "der Schwert-Reiter")),
        ("de", CardStyle.FRENCH, ("das Karo-Ass", "die Pik-Dame")),
        ("pt", CardStyle.FRENCH, ("o ás de ouros", "a dama de espadas")),
    ],
)
def test_a_card_takes_its_article(
    language: str, drawing: CardStyle, said: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "language", lambda: language)
    monkeypatch.setattr(state, "card_style", lambda: drawing)
    assert (the_card("1d"), the_card("9s")) == said


@pytest.mark.parametrize("reason", [one for one in Reason if one is not Reason.HIGHEST])
def test_every_end_that_the_totals_do_not_tell_is_explained(reason: Reason) -> None:
    assert t(f"won_{reason}", points="6 : 5")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_a_name_for_people(preset: str) -> None:
    assert t(f"rules_{preset}")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (EmptyPhotoError("pile.jpg"), "pile.jpg is empty."),
        (MatchClosedError(1, current=2), "Match 1 is over; match 2 is being played."),
        (HandClosedError(3, current=4), "Hand 3 has just been saved; hand 4 is being played."),
        (ScoringError("whatever"), t("error")),
    ],
    ids=["of a photo", "of the match", "of the store", "without a sentence of its own"],
)
def test_an_error_is_said_in_the_users_words(error: Exception, sentence: str) -> None:
    assert error_text(error) == sentence


ITALIAN_POINTS = re.compile(r"\b(carte|denari)\b", re.IGNORECASE)
"""Words of the command line that English screens do not use."""


def test_english_screens_name_the_five_points() -> None:
    names = [*(point.name for point in points_of(Rules())), "scope"]
    labels = list(map(point_label, names))
    assert labels == ["Cards", "Coins", "Settebello", "Primiera", "Scope"]


def test_no_english_sentence_of_screens_names_points_in_italian() -> None:
    written = sentences(PACKAGES[0].written("en"))
    assert not [key for key, said in written.items() if ITALIAN_POINTS.search(str(said))]


RIDDLES = re.compile(
    r"\b(level|confirm(ed)?|points? to answer|match before|on their way|being (opened|named))\b",
    re.IGNORECASE,
)
"""Words that players do not use: they say tie, save, left, previous, waiting and reading."""


def test_no_english_sentence_of_screens_is_a_riddle() -> None:
    written = sentences(PACKAGES[0].written("en"))
    assert not [key for key, said in written.items() if RIDDLES.search(str(said))]


@pytest.mark.parametrize("ties", Ties)
def test_rules_on_english_screens_name_points_in_english(ties: Ties) -> None:
    before, after = PRESETS["silver-lake"], PRESETS["silver-lake"].changed(ties=ties)
    shown = f"{rules.in_words(after)} {rules.changes(before, after)}"
    assert not ITALIAN_POINTS.search(shown)
    assert (ties is Ties.NOBODY) or "cards, coins or primiera" in shown
