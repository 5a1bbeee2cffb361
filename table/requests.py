"""Requests of phones as JSON, and how each field is read. Errors say what was expected.

A request names the hand on the phone's screen, so that a tap that arrives late does not change the
next hand:

    {"key": "made on the phone", "match": 1, "hand": 3, "mending": false, "side": 0, "me": 1,
     "do": "scopa", "delta": 1}

Names of fields never change, because the outboxes of browsers hold old requests.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple
from uuid import uuid4

from assets.deck import CardStyle
from scoring.cards import CODES
from scoring.errors import InputError, ScoringError
from scoring.record import HandRecord
from table.hand.pile import NOT_A_CARD, PileCard

MAX_KEY = 64
"""The longest idempotency key, in characters."""

MAX_TEXT = 200
"""The longest name or link that is read. What is stored is shorter."""

MAX_SCOPE = 40
"""The most scope that one request adds or takes back."""

MAX_ID = 2**31 - 1
"""The highest id of a row. PostgreSQL refuses to compare a higher number."""

MAX_REVISION = 10**12


class RequestError(ScoringError):
    """The request cannot be read: the phone's page is of another version, or it was forged."""

    wire_name = "DeliveryError"
    """Its name in answers, known to the pages of all versions."""

    def __init__(self, field: str, *, expected: str, came: object) -> None:
        self.field = field
        shown = repr(came)
        shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
        super().__init__(f"{field}: expected {expected}, got {shown}: load the page again")


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a phone asks for, and the screen it asked from."""

    do: str
    """The action's name: a key of `ACTIONS`."""
    payload: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """The arguments of the action's function."""
    key: str = field(default_factory=lambda: uuid4().hex)
    """Idempotency key, made on the phone. A request that is sent again has the same key."""
    match_no: int = 1
    """The match on the screen."""
    hand_no: int = 1
    """The hand on the screen, from 1."""
    is_editing: bool = False
    """Whether the hand on the screen was confirmed before, and is being edited."""
    side: int = 0
    """The side whose pile is on the screen."""
    me: int | None = None
    """The side that holds the phone; None if it is not known."""


def parse_place(data: Mapping[str, Any], *, do: str) -> Request:
    """Return the request in a JSON object, without the payload of its action.

    Raises:
        RequestError: A field is missing or malformed.
    """
    is_editing = data.get("mending") is True
    return Request(do=do, is_editing=is_editing, **read_fields(_PLACE, data))


@dataclass(frozen=True)
class Field:
    """How a field of a request is read from JSON."""

    read: Callable[[Any], Any]
    """Returns the value, or raises ValueError with what it expects."""
    name: str = ""
    """The name in JSON; empty if it is the parameter's name."""


def read_fields(fields: Mapping[str, Field], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of some fields of a JSON object."""
    values = {}
    for parameter, one in fields.items():
        name = one.name or parameter
        try:
            values[parameter] = one.read(data.get(name))
        except RequestError:
            raise  # of a field inside this one
        except ValueError as error:
            raise RequestError(name, expected=str(error), came=data.get(name)) from error
    return values


def number(least: int = 0, most: int = 10**6) -> Field:
    """Return a field with a whole number from `least` to `most`."""
    return Field(_number(least, most))


def _number(least: int, most: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if type(value) is int and least <= value <= most:
            return value
        raise ValueError(f"a whole number from {least} to {most}")

    return read


def optional(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Make a reader of a field that may be left out."""
    return lambda value: None if value is None else read(value)


def _card_code(value: Any) -> str:
    if isinstance(value, str) and value in CODES:
        return value
    raise ValueError("a card's code such as 7d")


def _answer_code(value: Any) -> str:
    return NOT_A_CARD if value == NOT_A_CARD else _card_code(value)


def _card_place(value: Any) -> PileCard | None:
    """Return a card on a photo as a phone showed it; None if it does not have four corners."""
    try:
        corners = tuple((float(x), float(y)) for x, y in value["corners"])
        card = PileCard(photo=int(value["photo"]), guess="x", doubtful=True, corners=corners)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ValueError('{"photo", "corners": [[x, y], ...]}') from error
    return card if len(corners) == 4 else None


def _hand(value: Any) -> HandRecord:
    try:
        return HandRecord.from_dict(value)
    except InputError as error:
        raise ValueError("a hand") from error


def _drawing(value: Any) -> CardStyle:
    if isinstance(value, str) and value in set(CardStyle):
        return CardStyle(value)
    raise ValueError(f"one of {', '.join(CardStyle)}")


def read_key(value: Any) -> str:
    """Return an idempotency key."""
    if isinstance(value, str) and 1 <= len(value) <= MAX_KEY and value.isprintable():
        return value
    raise ValueError(f"1 to {MAX_KEY} printable characters")


class Answer(NamedTuple):
    """A user's answer about a doubtful card."""

    code: str
    card: PileCard | None
    """Where the card is on its photo; None if the phone did not send four corners."""
    side: int


def _answers(value: Any) -> tuple[Answer, ...]:
    if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
        raise ValueError("a list of answers")
    return tuple(Answer(**read_fields(_ANSWER, one)) for one in value)


def _photos(value: Any) -> frozenset[int]:
    if isinstance(value, list):
        return frozenset(map(_number(0, 10**12), value))
    raise ValueError("a list of photos")


def _figures(value: Any) -> tuple[int | None, ...]:
    if isinstance(value, list):
        return tuple(map(optional(_number(0, len(CODES))), value))
    raise ValueError("a figure for each side")


def _text(value: Any) -> str:
    if isinstance(value, str) and len(value) <= MAX_TEXT:
        return value
    raise ValueError(f"a text of at most {MAX_TEXT} characters")


def _flag(value: Any) -> bool:
    return value is True


_PLACE = {
    "key": Field(read_key),
    "match_no": Field(_number(1, 10**6), name="match"),
    "hand_no": Field(_number(1, 10**6), name="hand"),
    "side": number(),
    "me": Field(optional(_number(0, 10**6))),
}
_ANSWER = {"code": Field(_card_code), "card": Field(_card_place, name="seen"), "side": number()}


Flag = Annotated[bool, Field(_flag)]
Text = Annotated[str, Field(_text)]
CardCode = Annotated[str, Field(_card_code)]
AnswerCode = Annotated[str, Field(_answer_code)]
"""A card's code, or `NOT_A_CARD`."""
ShownCard = Annotated[PileCard | None, Field(_card_place, name="seen")]
"""Where a card is on its photo; None if the phone did not send four corners."""
Answers = Annotated[tuple[Answer, ...], Field(_answers)]
SideNumber = Annotated[int, number()]
CardCount = Annotated[int | None, Field(optional(_number(0, len(CODES))))]
ScopeChange = Annotated[int, number(-MAX_SCOPE, MAX_SCOPE)]
Figures = Annotated[tuple[int | None, ...], Field(_figures)]
"""A figure of a point for each side; None leaves it as it is."""
ShownFigures = Annotated[tuple[int | None, ...] | None, Field(optional(_figures), name="before")]
"""The figures that the screen showed; None if the point was not answered."""
PhotoNumber = Annotated[int, number(0, 10**12)]
MorePhotos = Annotated[frozenset[int], Field(lambda value: _photos(value or []))]
"""Further photos. Pages of version 0.4 and before do not send the field, which means none."""
RowNumber = Annotated[int, number(0, MAX_ID)]
Cards = Annotated[CardStyle, Field(_drawing)]
Hand = Annotated[HandRecord, Field(_hand)]
"""A hand as a phone showed it."""
ShownTable = Annotated[int, Field(_number(0, MAX_REVISION), name="revision")]
"""The table's revision that the screen showed."""
ShownLog = Annotated[int, Field(_number(0, MAX_REVISION), name="log")]
"""The revision of the match's log that the screen showed."""
Saved = Annotated[int | None, Field(optional(_number(0, MAX_REVISION)))]
"""The log entry of a saved hand that another version replaces, 0 if no hand is saved; None if the
user has not decided."""
FirstDealer = Annotated[int | None, Field(optional(_number(0, 10)), name="dealer")]
"""The side that deals the first hand of a match; None for the side whose turn it is."""
NextTarget = Annotated[int | None, Field(optional(_number(1, 999)), name="target")]
"""The points that end the next match; None for the target of this match."""
Accepts = Annotated[bool, Field(_flag, name="accept")]
IsIn = Annotated[bool, Field(_flag, name="in")]
