"""What phones send, taken in: each delivery is one command of `table.commands`, and counts once.

A delivery is a JSON object. It names the hand that was on the phone's screen, so that a tap which
arrives late does not land in the next hand:

    {"key": "made on the phone", "match": 1, "hand": 3, "mending": false, "side": 0, "me": 1,
     "do": "scopa", "delta": 1}
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from store import HandClosedError, MatchClosedError, Store, Table
from table.roles import Pass, check_writes
from table.sitting import Sitting, sit
from web.deeds import (
    DOES,
    DONE_BY_ANOTHER,
    LATE,
    OF_NO_HAND,
    Delivery,
    DeliveryError,
    Work,
    number_of,
)

MOST_KEY = 64
"""The longest key, in characters."""


def read_delivery(data: Any) -> Delivery:
    """The delivery of a JSON value.

    Raises:
        DeliveryError: A part is missing or has not its shape.

    >>> read_delivery({"key": "k", "match": 1, "hand": 1, "side": 0, "do": "scopa", "delta": 1}).do
    'scopa'
    >>> read_delivery([])
    Traceback (most recent call last):
    web.deeds.DeliveryError: delivery: expected a JSON object, got []: load the page again
    """
    if not isinstance(data, Mapping):
        raise DeliveryError("delivery", expected="a JSON object", came=data)
    key, do = data.get("key"), data.get("do")
    if not isinstance(key, str) or not 1 <= len(key) <= MOST_KEY:
        raise DeliveryError("key", expected=f"1 to {MOST_KEY} characters", came=key)
    if not isinstance(do, str) or do not in DOES:
        raise DeliveryError("do", expected=f"one of {', '.join(DOES)}", came=do)
    me = data.get("me")
    return Delivery(
        key=key,
        match_no=number_of(data, "match", least=1),
        hand_no=number_of(data, "hand", least=1),
        is_mending=data.get("mending") is True,
        side=number_of(data, "side"),
        me=None if me is None else number_of(data, "me"),
        do=do,
        given=data,
    )


@dataclass(frozen=True)
class TakenIn:
    """What became of a delivery that was not refused."""

    is_new: bool
    """Whether it was done now; else one with its key was done before."""
    revision: int
    """The table's revision after it: a screen that shows this one shows what it did."""


def deliver(store: Store, delivery: Delivery, *, code: str, held: Pass) -> TakenIn:
    """Does what a delivery says, unless one with its key was done before.

    Args:
        store: Where tables are kept.
        delivery: What was done.
        code: The table's code.
        held: What the phone shows of itself.

    Raises:
        DeliveryError: It cannot be understood.
        NotAllowedError: The phone may only look.
        HandClosedError, MatchClosedError: The hand or the match that it means is over.
        ScoringError: The table refuses it. Then nothing was done, and the key is still unused.
    """
    table = store.find_table(code)
    check_writes(table.code, role=held.role_at(table))
    with store.once(table, delivery.key, device=_device(table, delivery)) as is_new:
        if is_new:
            current = sitting_of(store, delivery, code=code, held=held)
            if delivery.do not in DONE_BY_ANOTHER | OF_NO_HAND:
                check_match(current, delivery)
            if delivery.do not in LATE | DONE_BY_ANOTHER | OF_NO_HAND:
                check_hand(current, delivery)
            DOES[delivery.do](Work(store, current, delivery))
        return TakenIn(is_new, store.revision(table))


def _device(table: Table, delivery: Delivery) -> str:
    """The name of the side that holds the phone, empty where nobody said."""
    names, me = table.side_names, delivery.me
    return names[me] if me is not None and me < len(names) else ""


def sitting_of(store: Store, delivery: Delivery, *, code: str, held: Pass) -> Sitting:
    """The table as it stands, seen from the screen that a delivery was made on."""
    if not delivery.is_mending:
        return sit(store, code, held=held, side=delivery.side, me=delivery.me)
    return sit(
        store,
        code,
        held=held,
        side=delivery.side,
        match_no=delivery.match_no,
        hand_no=delivery.hand_no,
        me=delivery.me,
    )


def check_match(sitting: Sitting, delivery: Delivery) -> None:
    """Refuses a delivery for a match that is over.

    Raises:
        MatchClosedError: It is.
    """
    if sitting.row.match_no != delivery.match_no:
        raise MatchClosedError(delivery.match_no, current=sitting.row.match_no)


def check_hand(sitting: Sitting, delivery: Delivery) -> None:
    """Refuses a delivery for a hand that is over.

    Raises:
        HandClosedError: It is.
    """
    if sitting.hand_no != delivery.hand_no:
        raise HandClosedError(delivery.hand_no, current=sitting.hand_no)
