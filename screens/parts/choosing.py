"""The forty cards to choose from, for a question to the referee: nothing of it is kept."""

from dataclasses import dataclass
from typing import Any

from scoring.cards import CODES, Card
from screens import components
from screens.words import card, t
from vision.reading import Reading


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The cards that a question is about."""

    table: tuple[Card, ...]
    """The cards on the table."""
    played: Card | None
    """The card that is played, None where none was chosen yet."""


def choosing(seen: tuple[str, Reading] | None) -> Chosen:
    """Lets somebody choose the cards; a photo that was read chooses those on the table.

    Args:
        seen: What tells that photo from another one, and what was read on it.
    """
    data = {
        "cards": [{"code": code, "name": card(code)} for code in CODES],
        "table": t("on_the_table"),
        "played": t("played_card"),
        "clear": t("clear"),
        "seen": None if seen is None else {"photo": seen[0], "table": seen[1].codes},
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
