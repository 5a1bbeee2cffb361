"""What the tests of the screens share."""

import pytest

from door.guard import Guard
from door.passes import Organiser
from screens import state
from table.roles import Pass


def organisers_phone() -> Pass:
    """A phone that was at every table and may write there."""
    codes = (table.code for table in state.store().list_tables())
    return Pass(dict.fromkeys(codes, ""), is_organiser=True)


@pytest.fixture(autouse=True)
def _organiser(monkeypatch: pytest.MonkeyPatch) -> None:
    """The app under test is looked at by the organiser; tests of roles take other phones."""
    guard = Guard(Organiser("a passphrase"))
    monkeypatch.setattr(state, "guard", lambda: guard)
    monkeypatch.setattr(state, "held", organisers_phone)
