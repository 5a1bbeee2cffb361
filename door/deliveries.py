"""What phones send, taken in: each delivery is one command of `table.commands`, and counts once.

A delivery is a JSON object. It names the hand that was on the phone's screen, so that a tap which
arrives late does not land in the next hand:

    {"key": "made on the phone", "match": 1, "hand": 3, "mending": false, "side": 0, "me": 1,
     "do": "scopa", "delta": 1}
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from scoring.cards import CODES
from scoring.errors import InputError, ScoringError
from scoring.facts import HandFacts
from table import commands
from table.roles import Pass, check_role
from table.seen import NOT_HERE, Seen, SeenAt
from table.sitting import ShownHand, Sitting, sit
from table.store import ConflictError, HandClosedError, MatchClosedError, Store

MOST_KEY = 64
"""The longest key, in characters."""

MOST_SCOPE = 40
"""The most scope that one delivery adds or takes back."""


MOST_ID = 2**31 - 1
"""The highest number that the database gives a row; PostgreSQL refuses to compare a higher one."""


class DeliveryError(ScoringError):
    """A delivery that cannot be understood: the phone's page is of another version, or forged."""

    def __init__(self, field: str, *, expected: str, came: object) -> None:
        self.field = field
        shown = repr(came)
        shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
        super().__init__(f"{field}: expected {expected}, got {shown}: load the page again")


class ScreenChangedError(ScoringError):
    """The table changed after the screen was drawn on which somebody confirmed something."""

    def __init__(self) -> None:
        super().__init__("expected the table as it was shown, but it has changed: look again")


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """One thing that somebody did on a phone."""

    key: str
    """Made on the phone: a delivery sent again bears the same."""
    match_no: int
    """The match on the screen."""
    hand_no: int
    """The hand on the screen, from 1."""
    is_mending: bool
    """The hand on the screen was confirmed before, and is being mended."""
    side: int
    """Whose pile it is about."""
    me: int | None
    """The side that holds the phone, None where nobody said."""
    do: str
    """What was done: a key of `DOES`."""
    given: Mapping[str, Any]
    """What that needs to know."""


@dataclass(frozen=True)
class Work:
    """A delivery on its way into the store."""

    store: Store
    sitting: Sitting
    """The table as it stands, seen from the screen that the delivery was made on."""
    delivery: Delivery
    """What was sent."""

    @property
    def given(self) -> Mapping[str, Any]:
        """What the delivery says beside the hand that it means."""
        return self.delivery.given

    def side(self, field: str) -> int:
        """A side of the table that was sent."""
        return _side(self.given, field, sitting=self.sitting)


def read_delivery(data: Any) -> Delivery:
    """The delivery of a JSON value.

    Raises:
        DeliveryError: A part is missing or has not its shape.

    >>> read_delivery({"key": "k", "match": 1, "hand": 1, "side": 0, "do": "scopa", "delta": 1}).do
    'scopa'
    >>> read_delivery([])
    Traceback (most recent call last):
    door.deliveries.DeliveryError: delivery: expected a JSON object, got []: load the page again
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
        match_no=_number(data, "match", least=1),
        hand_no=_number(data, "hand", least=1),
        is_mending=data.get("mending") is True,
        side=_number(data, "side"),
        me=None if me is None else _number(data, "me"),
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
    sitting = sitting_of(store, delivery, code=code, held=held)
    check_role(sitting)
    with store.once(sitting.table, delivery.key, device=sitting.device) as is_new:
        if is_new:
            current = sitting_of(store, delivery, code=code, held=held)
            check_match(current, delivery)
            if delivery.do not in LATE:
                check_hand(current, delivery)
            DOES[delivery.do](Work(store, current, delivery))
        return TakenIn(is_new, store.revision(sitting.table))


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


def _number(data: Mapping[str, Any], field: str, *, least: int = 0, most: int = 10**6) -> int:
    """A whole number of a delivery."""
    came = data.get(field)
    if type(came) is int and least <= came <= most:
        return came
    raise DeliveryError(field, expected=f"a whole number from {least} to {most}", came=came)


def _side(data: Mapping[str, Any], field: str, *, sitting: Sitting) -> int:
    """A side of the table."""
    return _number(data, field, most=len(sitting.names) - 1)


def _code(data: Mapping[str, Any], *, also: Sequence[str] = ()) -> str:
    """The code of a card, or another answer that is allowed."""
    came = data.get("code")
    if isinstance(came, str) and (came in CODES or came in also):
        return came
    raise DeliveryError("code", expected="a card's code such as 7d", came=came)


def _seen_at(data: Any, sitting: Sitting, *, side: int) -> SeenAt | None:
    """Where the card that a phone showed stands now; None where its photo was removed meanwhile."""
    try:
        corners = tuple((float(x), float(y)) for x, y in data["corners"])
        shown = Seen(photo=int(data["photo"]), guess="x", doubtful=True, corners=corners)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        expected = '{"photo", "corners": [[x, y], ...]}'
        raise DeliveryError("seen", expected=expected, came=data) from error
    number = sitting.piles[side].place_of(shown) if len(corners) == 4 else None
    return None if number is None else SeenAt(side, number)


def _scopa(work: Work) -> None:
    delta = _number(work.given, "delta", least=-MOST_SCOPE, most=MOST_SCOPE)
    commands.add_scope(work.store, work.sitting, side=work.side("side"), delta=delta)


def _card(work: Work) -> None:
    is_in = work.given.get("in") is True
    commands.set_card(work.store, work.sitting, code=_code(work.given), is_in=is_in)


def _answer(work: Work) -> None:
    code = _code(work.given, also=(NOT_HERE,))
    at = _seen_at(work.given.get("seen"), work.sitting, side=work.sitting.side)
    if at is not None:
        commands.answer(work.store, work.sitting, index=at.number, code=code)


def _agree(work: Work) -> None:
    answers = work.given.get("answers")
    if not isinstance(answers, list) or not all(isinstance(one, Mapping) for one in answers):
        raise DeliveryError("answers", expected="a list of answers", came=answers)
    said: dict[SeenAt, str] = {}
    for one in answers:
        side = _side(one, "side", sitting=work.sitting)
        at = _seen_at(one.get("seen"), work.sitting, side=side)
        if at is not None:
            said[at] = _code(one)
    commands.agree(work.store, work.sitting, said=said)


def _give(work: Work) -> None:
    code, owner = _code(work.given), work.side("owner")
    commands.give_card(work.store, work.sitting, code=code, owner=owner)


def _absent(work: Work) -> None:
    commands.set_absent(work.store, work.sitting, code=_code(work.given))


def _rest(work: Work) -> None:
    commands.give_rest(work.store, work.sitting, side=work.side("owner"))


def _count(work: Work) -> None:
    again = work.given.get("number") is None
    number = None if again else _number(work.given, "number", most=len(CODES))
    commands.count_pile(work.store, work.sitting, side=work.side("owner"), number=number)


def _facts(data: Mapping[str, Any]) -> HandFacts:
    """The hand that a phone showed."""
    came = data.get("facts")
    try:
        return HandFacts.from_dict(came)
    except InputError as error:
        raise DeliveryError("facts", expected="a hand", came=came) from error


def _confirm(work: Work) -> None:
    """Confirms a hand as it was shown; where another phone was first, it is kept as a proposal."""
    match_seen = _number(work.given, "log", most=10**12)
    facts = _facts(work.given)
    if match_seen == work.sitting.row.revision:
        _check_screen(work)
    delivery = work.delivery
    shown = ShownHand(
        match_no=delivery.match_no,
        hand_no=delivery.hand_no,
        is_mending=delivery.is_mending,
        revision=match_seen,
        facts=facts,
    )
    try:
        commands.confirm(work.store, work.sitting, shown=shown)
    except ConflictError as error:
        if error.proposal is None:
            raise


def _undo(work: Work) -> None:
    _check_screen(work)
    commands.undo(work.store, work.sitting)


def _redo(work: Work) -> None:
    _check_screen(work)
    commands.redo(work.store, work.sitting)


def _check_screen(work: Work) -> None:
    """Refuses to confirm what somebody has not seen; taking the delivery in bumped it by one."""
    if work.store.revision(work.sitting.table) != _number(work.given, "revision", most=10**12) + 1:
        raise ScreenChangedError


def _remove(work: Work) -> None:
    photo = _number(work.given, "photo", most=10**12)
    commands.remove_photo(work.store, work.sitting, photo=photo, key=work.delivery.key)


def _forget(work: Work) -> None:
    upload = _number(work.given, "upload", most=MOST_ID)
    commands.forget_photo(work.store, work.sitting, upload=upload)


def _take_up(work: Work) -> None:
    upload = _number(work.given, "upload", most=MOST_ID)
    commands.take_up_photo(work.store, work.sitting, upload=upload)


Does = Callable[[Work], None]
"""Does one kind of delivery."""

DOES: Mapping[str, Does] = MappingProxyType(
    {
        "scopa": _scopa,
        "card": _card,
        "answer": _answer,
        "agree": _agree,
        "give": _give,
        "absent": _absent,
        "rest": _rest,
        "count": _count,
        "confirm": _confirm,
        "undo": _undo,
        "redo": _redo,
        "remove": _remove,
        "forget": _forget,
        "take": _take_up,
    }
)
"""Everything that can be delivered."""

LATE = frozenset({"confirm"})
"""What may come when its hand is over: then it is kept beside the hand that stands."""
