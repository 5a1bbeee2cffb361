"""Everything that can be delivered: what a phone's delivery says, as one command each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from scoring.cards import CODES
from scoring.errors import InputError, ScoringError
from scoring.record import HandRecord
from store import ConflictError, Drawing, Store
from table import commands
from table.seen import NOT_HERE, Seen, SeenAt
from table.sitting import ShownHand, Sitting

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


def number_of(data: Mapping[str, Any], field: str, *, least: int = 0, most: int = 10**6) -> int:
    """A whole number of a delivery.

    Raises:
        DeliveryError: It is missing, no whole number, or out of bounds.
    """
    came = data.get(field)
    if type(came) is int and least <= came <= most:
        return came
    raise DeliveryError(field, expected=f"a whole number from {least} to {most}", came=came)


def _side(data: Mapping[str, Any], field: str, *, sitting: Sitting) -> int:
    """A side of the table."""
    return number_of(data, field, most=len(sitting.names) - 1)


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
    delta = number_of(work.given, "delta", least=-MOST_SCOPE, most=MOST_SCOPE)
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
    number = None if again else number_of(work.given, "number", most=len(CODES))
    commands.count_pile(work.store, work.sitting, side=work.side("owner"), number=number)


def _facts(data: Mapping[str, Any]) -> HandRecord:
    """The hand that a phone showed."""
    came = data.get("facts")
    try:
        return HandRecord.from_dict(came)
    except InputError as error:
        raise DeliveryError("facts", expected="a hand", came=came) from error


def _confirm(work: Work) -> None:
    """Confirms a hand as it was shown; where another phone was first, it is kept as a proposal."""
    match_seen = number_of(work.given, "log", most=10**12)
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
        if error.conflict is None:
            raise


def _undo(work: Work) -> None:
    _check_screen(work)
    commands.undo(work.store, work.sitting)


def _redo(work: Work) -> None:
    _check_screen(work)
    commands.redo(work.store, work.sitting)


def _check_match_seen(work: Work) -> None:
    """Refuses what somebody did to a match that has changed since it was shown."""
    if number_of(work.given, "log", most=10**12) != work.sitting.row.revision:
        raise ScreenChangedError


def _rematch(work: Work) -> None:
    if _is_of_this_match(work):
        _check_match_seen(work)
        commands.rematch(work.store, work.sitting)


def _leave(work: Work) -> None:
    if _is_of_this_match(work):
        _check_match_seen(work)
        commands.leave_match(work.store, work.sitting)


def _is_of_this_match(work: Work) -> bool:
    """Whether the match on the phone is the one being played; else another phone was first."""
    return work.delivery.match_no == work.sitting.row.match_no


def _decide(work: Work) -> None:
    _check_match_seen(work)
    number = number_of(work.given, "proposal", most=MOST_ID)
    accept = work.given.get("accept") is True
    commands.decide(work.store, work.sitting, proposal=number, accept=accept)


def _mend(work: Work) -> None:
    commands.open_for_mending(work.store, work.sitting, hand_no=_confirmed(work))


def _out(work: Work) -> None:
    _check_match_seen(work)
    commands.take_out(work.store, work.sitting, hand_no=_confirmed(work))


def _stand(work: Work) -> None:
    _check_match_seen(work)
    facts = _facts(work.given)
    commands.replace_hand(work.store, work.sitting, hand_no=_confirmed(work), facts=facts)


def _confirmed(work: Work) -> int:
    """The number of the confirmed hand that was on the screen."""
    if work.sitting.mending is None:
        raise DeliveryError("hand", expected="a confirmed one", came=work.delivery.hand_no)
    return work.sitting.mending


def _check_screen(work: Work) -> None:
    """Refuses to confirm what somebody has not seen; taking the delivery in bumped it by one."""
    seen = number_of(work.given, "revision", most=10**12)
    if work.store.revision(work.sitting.table) != seen + 1:
        raise ScreenChangedError


def _remove(work: Work) -> None:
    photo = number_of(work.given, "photo", most=10**12)
    commands.remove_photo(work.store, work.sitting, photo=photo, key=work.delivery.key)


def _forget(work: Work) -> None:
    upload = number_of(work.given, "upload", most=MOST_ID)
    commands.forget_photo(work.store, work.sitting, upload=upload)


def _take_up(work: Work) -> None:
    upload = number_of(work.given, "upload", most=MOST_ID)
    commands.take_up_photo(work.store, work.sitting, upload=upload)


def _drawing(work: Work) -> None:
    came = work.given.get("drawing")
    if not isinstance(came, str) or came not in set(Drawing):
        raise DeliveryError("drawing", expected=f"one of {', '.join(Drawing)}", came=came)
    commands.show_drawing(work.store, work.sitting, drawing=Drawing(came))


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
        "rematch": _rematch,
        "leave": _leave,
        "decide": _decide,
        "mend": _mend,
        "out": _out,
        "stand": _stand,
        "remove": _remove,
        "forget": _forget,
        "take": _take_up,
        "drawing": _drawing,
    }
)
"""Everything that can be delivered."""

LATE = frozenset({"confirm"})
"""What may come when its hand is over: then it is kept beside the hand that stands."""

OF_NO_HAND = frozenset({"drawing"})
"""What is about the table and not about a hand: it may come at any time."""

DONE_BY_ANOTHER = frozenset({"rematch", "leave"})
"""What may come when its match is over: then another phone has done it, and nothing is left to do.
"""
