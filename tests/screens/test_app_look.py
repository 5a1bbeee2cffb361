"""Words and colours of the app: the made-up keys are there, all is to be read in the sun."""

import re
from types import SimpleNamespace

import pytest
import streamlit
from app_driving import ROOT, app, open_table

from scoring.ending import Reason
from scoring.errors import ScoringError
from scoring.rules import PRESETS
from screens.words import say, why
from table.store import HandClosedError, MatchClosedError
from vision.errors import EmptyPhotoError

LOOK = (ROOT / "screens" / "look" / "look.css").read_text(encoding="utf-8")


@pytest.mark.parametrize("reason", set(Reason) - {Reason.HIGHEST})
def test_every_end_that_the_totals_do_not_tell_is_explained(reason: Reason) -> None:
    assert say(f"won_{reason}", points="6 : 5")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_a_name_for_people(preset: str) -> None:
    assert say(f"rules_{preset}")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (EmptyPhotoError("pile.jpg"), "pile.jpg is empty."),
        (MatchClosedError(1, current=2), "Match 1 is over; match 2 is being played."),
        (HandClosedError(3, current=4), "Hand 3 has just been confirmed; hand 4 is being played."),
        (ScoringError("whatever"), say("error")),
    ],
    ids=["of a photo", "of the match", "of the store", "without a sentence of its own"],
)
def test_an_error_is_said_in_the_users_words(error: Exception, sentence: str) -> None:
    assert why(error) == sentence


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def colour(name: str) -> str:
    found = re.search(rf"--{name}: (#[0-9a-f]{{6}})", LOOK)
    assert found, f"look.css names no --{name}"
    return found[1]


@pytest.mark.parametrize("paper", ["paper", "card", "warn-paper"])
@pytest.mark.parametrize(
    "ink", ["ink", "quiet", "green", "accent", "warn", "denari", "coppe", "spade", "bastoni"]
)
def test_words_stand_out_from_their_ground_as_aa_asks(ink: str, paper: str) -> None:
    assert contrast(colour(ink), colour(paper)) >= 4.5


@pytest.mark.parametrize("ground", ["green", "green-deep", "accent", "quiet", "warn"])
def test_white_words_stand_out_from_their_ground_as_aa_asks(ground: str) -> None:
    assert contrast("#ffffff", colour(ground)) >= 4.5


def test_the_boards_scores_stand_out_as_aaa_asks() -> None:
    assert contrast("#ffffff", colour("green-deep")) >= 7


@pytest.mark.parametrize(
    ("url", "is_offered"),
    [
        ("http://192.168.1.20:8501/capture", False),
        ("http://localhost:8501/capture", True),
        ("https://scopa.example/capture", True),
        ("", False),
    ],
    ids=["plain http on a network", "this computer", "https", "no address told"],
)
def test_the_live_camera_is_offered_only_where_the_browser_allows_it(
    url: str, is_offered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        streamlit, "context", SimpleNamespace(locale="en", url=url, ip_address=None)
    )
    at = app("capture", table=open_table().code)
    assert not at.exception
    assert [toggle.key for toggle in at.toggle] == (["camera_on"] if is_offered else [])
