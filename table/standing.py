"""How a hand stands, as JSON: what phones show at once, before their screens are drawn anew."""

from collections.abc import Sequence
from typing import Any

from store import Drawing, Store
from table.draft import Draft
from table.piles import absent
from table.roles import HOUSE
from table.sitting import Sitting, sit


def standing(sitting: Sitting, *, proposals: int = 0) -> dict[str, Any]:
    """The hand on the screen: totals, scope and piles, with the table's revision.

    Args:
        sitting: The table.
        proposals: How many hands wait there to be compared.
    """
    return {
        "revision": sitting.table.revision,
        "code": sitting.code,
        "match": sitting.row.match_no,
        "hand": sitting.hand_no,
        "totals": sitting.match.totals,
        "scopes": sitting.scope,
        "piles": piles_told(sitting.piles),
        "board": board_told(sitting, proposals=proposals),
    }


def standing_at(store: Store, code: str) -> dict[str, Any]:
    """The hand being played at a table, as whoever listens to it is told."""
    with store.one_state():
        proposals = len(store.proposals(code))
        return standing(sit(store, code, held=HOUSE), proposals=proposals)


def board_told(sitting: Sitting, *, proposals: int) -> list[int]:
    """What a board is drawn anew for; totals and scope it shows without that."""
    table, row = sitting.table, sitting.row
    link = int((table.link_hash or "0")[:6], 16)  # enough to tell that there is another
    shows = list(Drawing).index(table.drawing)
    told = [row.match_no, row.revision, proposals, int(table.is_closed), link, shows]
    return [*told, *sitting.agenda.awaited]


def piles_told(piles: Sequence[Draft]) -> dict[str, Any]:
    """The piles of a hand by codes of cards.

    >>> told = piles_told([Draft(by_hand=("7d",)), Draft(rest=("1s",))])
    >>> told["held"], told["rest"]
    ([['7d'], ['1s']], 1)
    """
    return {
        "held": [sorted(draft.codes) for draft in piles],
        "asked": [sorted(draft.asked_codes) for draft in piles],
        "absent": sorted(absent(piles)),
        "rest": next((side for side, draft in enumerate(piles) if draft.takes_rest), None),
    }
