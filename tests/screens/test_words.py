"""Words of the app: the made-up keys are there."""

from types import SimpleNamespace

import pytest
import streamlit
from app_driving import app, open_table

from scoring.errors import ScoringError
from scoring.match import Reason
from scoring.presets import PRESETS
from screens.words import error_text, t
from store import HandClosedError, MatchClosedError
from vision.errors import EmptyPhotoError


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
        (HandClosedError(3, current=4), "Hand 3 has just been confirmed; hand 4 is being played."),
        (ScoringError("whatever"), t("error")),
    ],
    ids=["of a photo", "of the match", "of the store", "without a sentence of its own"],
)
def test_an_error_is_said_in_the_users_words(error: Exception, sentence: str) -> None:
    assert error_text(error) == sentence


@pytest.mark.parametrize(
    ("url", "is_offered"),
    [
        ("http://192.168.1.20:8501/settle", False),
        ("https://scopa.example/settle", True),
    ],
    ids=["plain http on a network", "https"],
)
def test_the_live_camera_is_offered_only_where_the_browser_allows_it(
    url: str, is_offered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        streamlit, "context", SimpleNamespace(locale="en", url=url, ip_address=None, cookies={})
    )
    at = app("settle", table=open_table().code)
    assert not at.exception
    keys = [one.key for one in at.get("bidi_component")]
    assert ("live" in keys) is is_offered
