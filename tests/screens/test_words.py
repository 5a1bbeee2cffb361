"""Words of the app: the made-up keys are there."""

import pytest
from catalogues import WALKED

from assets.deck import CardStyle
from scoring.cards import CODES, parse_card
from scoring.errors import ScoringError
from scoring.locale import LANGUAGES
from scoring.match import Reason
from scoring.presets import PRESETS
from screens import state
from screens.words import card, error_text, rank, t, the_card
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
