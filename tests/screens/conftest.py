"""What the tests of the screens share."""

import pytest

from screens import state
from table.roles import HOUSE


@pytest.fixture(autouse=True)
def _phone_that_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives the app under test a phone that may write everywhere; tests of roles take another."""
    monkeypatch.setattr(state, "held", lambda: HOUSE)
