"""Every error of scoring says its message and carries what it is about."""

import pytest

from scoring.errors import (
    CardError,
    DoubtError,
    HandError,
    InputError,
    MatchError,
    PlayError,
    RulesError,
    ScoringError,
)

CARRIED: list[tuple[ScoringError, str, object]] = [
    (CardError("wrong", text="7x"), "text", "7x"),
    (RulesError("wrong", setting="target"), "setting", "target"),
    (HandError("wrong", sides=("Anna",)), "sides", ("Anna",)),
    (HandError("wrong"), "sides", ()),
    (MatchError("wrong", hand_no=2), "hand_no", 2),
    (MatchError("wrong"), "hand_no", None),
    (PlayError("wrong", card="7d"), "card", "7d"),
    (PlayError("wrong"), "card", ""),
    (DoubtError("wrong", keys=("a",)), "keys", ("a",)),
    (DoubtError("wrong"), "keys", ()),
    (InputError("wrong", where="hands[0]"), "where", "hands[0]"),
    (InputError("wrong"), "where", ""),
]


@pytest.mark.parametrize(("error", "name", "value"), CARRIED, ids=repr)
def test_an_error_says_its_message_and_carries_its_data(
    error: ScoringError, name: str, value: object
) -> None:
    assert str(error) == "wrong"
    assert getattr(error, name) == value
    assert isinstance(error, ValueError)
