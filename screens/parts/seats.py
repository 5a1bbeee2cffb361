"""Who sits at a new table: names and the first dealer, sent by the phone in one piece."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scoring.locale import LANGUAGES
from screens import components, state
from screens.words import SENTENCES, SIGNS, t
from table.names import MAX_LETTERS, clean_name

MOST_SIDES, MOST_TEAMS = 6, 3
"""Most sides at a table, and most of them if they are teams."""


TEAM = re.compile(r" [+&] ")
"""What joins the players of a team in the name of their side."""


@dataclass(frozen=True, kw_only=True)
class Seats:
    """The sides of a table to be opened."""

    names: tuple[str, ...]
    """Names as typed; an empty field counts as its placeholder."""
    first_dealer: int = 0
    """The side that deals first."""


def usual_names(language: str, *, in_teams: bool = False) -> tuple[str, ...]:
    """Return the names of players or teams that gave none.

    >>> usual_names("en")[:2], usual_names("it", in_teams=True)[:2]
    (('Player 1', 'Player 2'), ('Noi', 'Voi'))
    """
    key = "default_team" if in_teams else "default_name"
    most = MOST_TEAMS if in_teams else MOST_SIDES
    return tuple(SENTENCES.say(f"{key}_{side}", language) for side in range(most))


def seats(known: Sequence[str]) -> Seats:
    """Ask who sits at the table; known names are offered. `dealers.html` asks who deals first."""
    usual = usual_names(state.language())
    stood_in = {
        name
        for language in LANGUAGES
        for in_teams in (False, True)
        for name in usual_names(language, in_teams=in_teams)
    }
    data = {
        "most": MOST_SIDES,
        "letters": MAX_LETTERS,
        "signs": SIGNS,
        "hints": {5: t("sides_5")},
        "usual": usual,
        "name": t("name", number="{number}"),
        "add": t("seat_add"),
        "move": t("seat_move", name="{name}"),
        "leave": t("seat_leave", name="{name}"),
        "teamsLabel": t("teams"),
        "teams": {0: t("teams_none"), 2: t("teams_2"), 3: t("teams_3")},
        "deals": t("deals_first"),
        "known": [name for name in people(known) if name not in stood_in],
        "knownLabel": t("names_known"),
    }
    nobody: dict[str, Any] = {"names": ["", ""], "dealer": 0}
    answer = components.show(
        "seats", key="seats", data=data, default={"seats": nobody}, on_seats_change=lambda: None
    ).seats
    answer = answer or nobody
    in_teams = bool(answer.get("teams"))
    return read_seats(answer, usual=usual_names(state.language(), in_teams=in_teams))


def people(names: Sequence[str]) -> list[str]:
    """Return the players among names of sides, each once; those of teams separately.

    >>> people(["Anna + Carla", "Bruno", "Carla & Dario"])
    ['Anna', 'Carla', 'Bruno', 'Dario']
    """
    return list(dict.fromkeys(person for name in names for person in TEAM.split(name)))


def read_seats(answer: Any, *, usual: Sequence[str]) -> Seats:
    """Read what a phone sent; invalid values count as absent.

    >>> read_seats({"names": ["Anna", " "], "dealer": 1}, usual=("We", "They"))
    Seats(names=('Anna', 'They'), first_dealer=1)
    >>> read_seats({"names": 7, "dealer": "x"}, usual=("We", "They"))
    Seats(names=('We', 'They'), first_dealer=0)
    """
    given = answer.get("names") if isinstance(answer, dict) else None
    typed = given if isinstance(given, list) and all(isinstance(one, str) for one in given) else []
    cut = [*map(clean_name, typed[: len(usual)])]
    names = cut + [""] * (2 - len(cut))
    dealer = answer.get("dealer") if isinstance(answer, dict) else 0
    return Seats(
        names=tuple(name or usual[side] for side, name in enumerate(names)),
        first_dealer=dealer if isinstance(dealer, int) and 0 <= dealer < len(names) else 0,
    )
