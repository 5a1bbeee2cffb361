"""The forty cards, to choose some for a question to the referee. Nothing is stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring.cards import CODES, Card
from screens import components
from screens.words import card, t


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The cards of a question."""

    table: tuple[Card, ...]
    """The cards on the table."""
    played: Card | None
    """The played card; None until it is chosen."""


def choosing(seen: Mapping[str, Any] | None) -> Chosen:
    """Let the user choose the cards; a photo chooses those on the table.

    Args:
        seen: What was read on that photo, as `PUT /door/{code}/look` answers.
    """
    data = {
        "cards": [{"code": code, "name": card(code)} for code in CODES],
        "table": t("on_the_table"),
        "played": t("played_card"),
        "clear": t("clear"),
        "seen": None if seen is None else {"photo": seen["photo"], "table": seen["codes"]},
    }
    nothing: dict[str, Any] = {"table": [], "played": None}
    result = components.show(
        "choosing",
        key="choosing",
        data=data,
        default={"chosen": nothing},
        on_chosen_change=lambda: None,
    )
    answer = result.chosen or nothing
    table = [Card.from_code(code) for code in dict.fromkeys(answer["table"]) if code in CODES]
    played = Card.from_code(answer["played"]) if answer["played"] in CODES else None
    return Chosen(table=tuple(table), played=None if played in table else played)
