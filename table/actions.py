"""Everything that can be done to a table, a function an action. Nothing else writes to its hands.

    execute(store, code, request, credentials=...)

opens the table's write transaction, checks the role once, records the request's idempotency key and
runs the action, all in that transaction: what is raised leaves no trace, and a request sent again
does nothing. A phone's request is JSON (`parse_request`); it names the hand that was on its screen,
so that a tap that arrives late does not land in the next hand:

    {"key": "made on the phone", "match": 1, "hand": 3, "mending": false, "side": 0, "me": 1,
     "do": "scopa", "delta": 1}

An action is a function with a context and a payload dataclass. `ACTIONS`, made by the decorator,
gives the JSON route, the table of roles and the tests their list. Old names of fields stay, as the
outboxes of browsers hold them.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Annotated, Any, Protocol, TypeVar, get_type_hints
from uuid import uuid4

from scoring.cards import CODES
from scoring.errors import InputError, ScoringError
from scoring.hand import Side
from scoring.record import HandRecord
from scoring.rules import Rules
from store import (
    ConflictError,
    Drawing,
    HandClosedError,
    MatchClosedError,
    MatchState,
    Store,
    Table,
    TableMatch,
    idempotent,
    log,
    tables,
    uploads,
)
from store import piles as stored
from table.access import (
    ORGANISERS,
    SCORERS,
    Credentials,
    Role,
    TableClosedError,
    authorize,
    hash_link,
)
from table.names import checked_names
from table.pile import NOT_A_CARD, CardRef, PileCard
from table.piles import (
    Piles,
    put_into,
    tapped,
    updated,
    with_absent,
    with_pile,
    with_rest,
)
from table.questions import with_answers
from table.view import piles_of

MAX_KEY = 64
"""The longest idempotency key, in characters."""

MAX_SCOPE = 40
"""The most scope that one request adds or takes back."""

MAX_ID = 2**31 - 1
"""The highest number that the database gives a row; PostgreSQL refuses to compare a higher one."""

MAX_REVISION = 10**12

READ_AGAIN = ""
"""The name of an upload that is no file: the photos of its hand are to be read again."""


class RequestError(ScoringError):
    """A request that cannot be understood: the phone's page is of another version, or forged."""

    wire_name = "DeliveryError"
    """Its name in answers, which pages of all versions know."""

    def __init__(self, field: str, *, expected: str, came: object) -> None:
        self.field = field
        shown = repr(came)
        shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
        super().__init__(f"{field}: expected {expected}, got {shown}: load the page again")


class ScreenChangedError(ScoringError):
    """The table changed after the screen was rendered on which somebody confirmed something."""

    def __init__(self) -> None:
        super().__init__("expected the table as it was shown, but it has changed: look again")


class KeptRulesError(ScoringError):
    """Only the organiser changes rules that the club keeps, and it was somebody else."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            f"expected the organiser of the club to change the rules {name!r}, got somebody else: "
            "keep yours under another name"
        )


# Requests


@dataclass(frozen=True, kw_only=True)
class Request:
    """What somebody asks for, and from which screen."""

    do: str
    """The action's name: a key of `ACTIONS`."""
    payload: Any = None
    """An instance of the action's payload class; None where it has none."""
    key: str = field(default_factory=lambda: uuid4().hex)
    """Idempotency key, made on the phone: a request sent again bears the same."""
    match_no: int = 1
    """The match on the screen."""
    hand_no: int = 1
    """The hand on the screen, from 1."""
    is_editing: bool = False
    """The hand on the screen was confirmed before, and is being edited."""
    side: int = 0
    """Whose pile is on the screen."""
    me: int | None = None
    """The side that holds the phone, None where nobody said."""


def parse_request(data: Any) -> Request:
    """The request in a JSON value.

    Raises:
        RequestError: A field is missing or malformed.

    >>> told = {"key": "k", "match": 1, "hand": 1, "side": 0, "do": "scopa", "delta": 1}
    >>> parse_request(told).payload
    Scopa(side=0, delta=1)
    >>> parse_request([])
    Traceback (most recent call last):
    table.actions.RequestError: delivery: expected a JSON object, got []: load the page again
    """
    if not isinstance(data, Mapping):
        raise RequestError("delivery", expected="a JSON object", came=data)
    _parse(_Key, data)
    do = data.get("do")
    known = [name for name, action in ACTIONS.items() if action.over_http]
    if not isinstance(do, str) or do not in known:
        raise RequestError("do", expected=f"one of {', '.join(known)}", came=do)
    place, kind = parse_place(data, do=do), ACTIONS[do].payload
    return replace(place, payload=_parse(kind, data) if kind else None)


def parse_place(data: Mapping[str, Any], *, do: str) -> Request:
    """The request in a JSON object, without the payload of its action.

    Raises:
        RequestError: A field is missing or malformed.
    """
    place = _parse(_Place, data)
    return Request(
        do=do,
        key=place.key,
        match_no=place.match,
        hand_no=place.hand,
        is_editing=data.get("mending") is True,
        side=place.side,
        me=place.me,
    )


T = TypeVar("T")


def _parse(kind: type[T], data: Mapping[str, Any]) -> T:
    """An instance of a dataclass whose fields are annotated with how they are read from JSON."""
    values = {}
    for attribute, hint in get_type_hints(kind, include_extras=True).items():
        [how] = hint.__metadata__
        name = how.name or attribute
        try:
            values[attribute] = how.read(data.get(name))
        except RequestError:
            raise  # of a field inside this one
        except ValueError as error:
            raise RequestError(name, expected=str(error), came=data.get(name)) from error
    return kind(**values)


@dataclass(frozen=True)
class Field:
    """How a field of a payload is read from JSON."""

    read: Callable[[Any], Any]
    """Gives the value, or raises ValueError with what it expects."""
    name: str = ""
    """The name in JSON, where it is not the attribute's."""


def number(least: int = 0, most: int = 10**6) -> Field:
    """A whole number from `least` to `most`."""
    return Field(_number(least, most))


def _number(least: int, most: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if type(value) is int and least <= value <= most:
            return value
        raise ValueError(f"a whole number from {least} to {most}")

    return read


def _optional(read: Callable[[Any], T]) -> Callable[[Any], T | None]:
    return lambda value: None if value is None else read(value)


def _card_code(value: Any) -> str:
    if isinstance(value, str) and value in CODES:
        return value
    raise ValueError("a card's code such as 7d")


def _answer_code(value: Any) -> str:
    return NOT_A_CARD if value == NOT_A_CARD else _card_code(value)


def _card_place(value: Any) -> PileCard | None:
    """A card on a photo as a phone showed it; None where its corners are not four."""
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


def _drawing(value: Any) -> Drawing:
    if isinstance(value, str) and value in set(Drawing):
        return Drawing(value)
    raise ValueError(f"one of {', '.join(Drawing)}")


def _answers(value: Any) -> tuple["Answer", ...]:
    if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
        raise ValueError("a list of answers")
    return tuple(_parse(Answer, one) for one in value)


def _key(value: Any) -> str:
    if isinstance(value, str) and 1 <= len(value) <= MAX_KEY:
        return value
    raise ValueError(f"1 to {MAX_KEY} characters")


@dataclass(frozen=True, kw_only=True)
class _Key:
    key: Annotated[str, Field(_key)]


@dataclass(frozen=True, kw_only=True)
class _Place(_Key):
    match: Annotated[int, number(1)]
    hand: Annotated[int, number(1)]
    side: Annotated[int, number()]
    me: Annotated[int | None, Field(_optional(_number(0, 10**6)))]


# Running an action


class Act(Protocol):
    """The function of an action."""

    def __call__(self, context: "ActionContext", payload: Any, /) -> None:
        """Does it, or raises and changes nothing."""
        ...


@dataclass(frozen=True, kw_only=True)
class Action:
    """An entry of the registry."""

    name: str
    run: Act
    payload: type | None
    """The dataclass of what it needs to know."""
    by: frozenset[Role]
    """The roles that may do it."""
    of: str
    """What must still be on the table as it was on the screen: "hand", "match" or "table"."""
    over_http: bool
    """Whether phones may send it; else only pages of the server ask for it."""


ACTIONS: dict[str, Action] = {}
"""Every action by its name."""

A = TypeVar("A", bound=Callable[..., None])


def action(
    name: str,
    *,
    by: frozenset[Role],
    payload: type | None = None,
    of: str = "hand",
    over_http: bool = True,
) -> Callable[[A], A]:
    """Registers a function as an action."""

    def register(run: A) -> A:
        ACTIONS[name] = Action(
            name=name, run=run, payload=payload, by=by, of=of, over_http=over_http
        )
        return run

    return register


@dataclass(frozen=True)
class Done:
    """What became of a request that was not refused."""

    is_new: bool
    """Whether it was done now; else one with its key was done before."""
    revision: int
    """The table's revision after it: a screen of this revision shows what was done."""


def execute(store: Store, code: str, request: Request, *, credentials: Credentials) -> Done:
    """Does what a request asks for, unless one with its key was done before.

    Raises:
        TableNotFoundError: There is no such table.
        NotAllowedError, TableClosedError, NotOrganiserError: The role may not do this.
        HandClosedError, MatchClosedError: The hand or the match on the screen is over.
        ScoringError: The table refuses it. Then nothing was done, and the key is still unused.
    """
    asked = ACTIONS[request.do]
    with store.write(code) as table:
        authorize(table.code, credentials.role_at(table), by=asked.by)
        context = ActionContext(table, request)
        is_new = idempotent(table, request.key, device=context.device)
        if is_new:
            context.check(asked.of)
            asked.run(context, request.payload)
        return Done(is_new, table.revision)


@dataclass(frozen=True)
class ActionContext:
    """A table in its write transaction, seen from the screen that a request was made on."""

    table: Table
    request: Request

    @cached_property
    def match(self) -> TableMatch:
        """The match being played, or that of the hand being edited."""
        number = self.request.match_no if self.request.is_editing else None
        return log.match_numbered(self.table, number)

    @cached_property
    def state(self) -> MatchState:
        """The same, replayed."""
        return log.match_states(self.table, [self.match])[0]

    @property
    def log_revision(self) -> int:
        """The revision that the next change of the match must expect."""
        return log.last_revision(self.table)

    @property
    def is_editing(self) -> bool:
        """Whether the hand on the screen was confirmed before."""
        return self.request.is_editing and self.request.hand_no <= self.match.hands

    @property
    def hand_no(self) -> int:
        """The hand being played or edited."""
        return self.request.hand_no if self.is_editing else self.match.hands + 1

    @property
    def side(self) -> int:
        """Whose pile is on the screen."""
        return min(self.request.side, len(self.match.sides) - 1)

    @property
    def device(self) -> str:
        """The name of the side that holds the phone, empty where nobody said."""
        names, me = self.table.side_names, self.request.me
        return names[me] if me is not None and me < len(names) else ""

    def check(self, of: str) -> None:
        """Refuses a request from a screen of a match or a hand that is over.

        Raises:
            MatchClosedError, HandClosedError: It is.
        """
        if of != "table" and self.match.match_no != self.request.match_no:
            raise MatchClosedError(self.request.match_no, current=self.match.match_no)
        if of == "hand" and self.hand_no != self.request.hand_no:
            raise HandClosedError(self.request.hand_no, current=self.hand_no)

    def check_screen(self, revision: int) -> None:
        """Raises if the table changed after a screen of this revision was rendered.

        The request's own transaction has already raised the revision by one.
        """
        if self.table.revision != revision + 1:
            raise ScreenChangedError

    def check_log(self, revision: int) -> None:
        """Raises if the match changed after a screen of this log revision was rendered."""
        if self.log_revision != revision:
            raise ScreenChangedError

    def check_side(self, name: str, side: int) -> int:
        """A side of the table that was sent in the field `name`."""
        most = len(self.match.sides) - 1
        if side > most:
            raise RequestError(name, expected=f"a whole number from 0 to {most}", came=side)
        return side

    def confirmed_hand(self) -> int:
        """The number of the confirmed hand on the screen."""
        if not self.is_editing:
            raise RequestError("hand", expected="a confirmed one", came=self.request.hand_no)
        return self.request.hand_no

    def update_piles(self, change: Callable[[Piles], Piles]) -> None:
        """Changes the piles of the hand, with all that follows from it."""
        update_piles(self.table, self.match, self.hand_no, change, device=self.device)

    def enqueue(self, data: bytes, *, name: str) -> None:
        """Puts a photo of the pile on the screen into the workers' queue."""
        uploads.add(
            self.table,
            data,
            key=self.request.key,
            name=name,
            match_no=self.match.match_no,
            hand_no=self.hand_no,
            side=self.side,
            is_mending=self.is_editing,
            device=self.device,
        )


def update_piles(
    table: Table,
    match: TableMatch,
    hand_no: int,
    change: Callable[[Piles], Piles],
    *,
    device: str = "",
) -> None:
    """Changes the piles of a hand as they are stored now, in the table's write transaction."""
    drafts = stored.drafts(table, match_no=match.match_no, hand_no=hand_no)
    before = piles_of(drafts, sides=len(match.sides))
    pairs = enumerate(zip(before, updated(change(before)), strict=True))
    changed = {side: new.to_dict() for side, (old, new) in pairs if new != old}
    stored.put_drafts(table, changed, match_no=match.match_no, hand_no=hand_no, device=device)


# The piles of a hand


@dataclass(frozen=True, kw_only=True)
class Scopa:
    """Scope made by a side, or taken back."""

    side: Annotated[int, number()]
    delta: Annotated[int, number(-MAX_SCOPE, MAX_SCOPE)]


@action("scopa", by=SCORERS, payload=Scopa)
def add_scope(context: ActionContext, scopa: Scopa) -> None:
    """Adds scope to a side or takes it back; ScopeBelowZeroError where there is none to take."""
    side = context.check_side("side", scopa.side)
    if not context.is_editing:
        stored.add_scope(
            context.table,
            side,
            delta=scopa.delta,
            match_no=context.match.match_no,
            hand_no=context.hand_no,
            device=context.device,
        )
        return
    confirmed = context.state.match.hands[context.hand_no - 1].sides[side].scope

    def with_scope(piles: Piles) -> Piles:
        before = piles[side].scope
        scope = max(0, (confirmed if before is None else before) + scopa.delta)
        return with_pile(piles, side, replace(piles[side], scope=scope))

    context.update_piles(with_scope)


@dataclass(frozen=True, kw_only=True)
class SetCard:
    """Whether a card is to be in the pile on the screen."""

    code: Annotated[str, Field(_card_code)]
    is_in: Annotated[bool, Field(lambda value: value is True, name="in")]


@action("card", by=SCORERS, payload=SetCard)
def set_card(context: ActionContext, card: SetCard) -> None:
    """Puts a card into the pile on the screen, wherever it was, or takes it out of it.

    The request says what the tap meant, so one that comes late does nothing else.
    """

    def with_card(piles: Piles) -> Piles:
        pile = piles[context.side]
        is_certain = card.code in pile.codes - pile.asked_codes
        return piles if is_certain is card.is_in else tapped(piles, context.side, code=card.code)

    context.update_piles(with_card)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What somebody says of a doubtful card."""

    code: Annotated[str, Field(_answer_code)]
    seen: Annotated[PileCard | None, Field(_card_place)]
    side: Annotated[int, number()]


@action("answer", by=SCORERS, payload=Answer)
def answer(context: ActionContext, said: Answer) -> None:
    """Settles a doubtful card of the pile on the screen; if it lay in another pile, it moves here.

    Where another pile has it by an open guess alone, that question stays open. Where another phone
    has removed the photo, nothing is settled.
    """

    def settled(piles: Piles) -> Piles:
        side, code = context.side, said.code
        index = None if said.seen is None else piles[side].index_of(said.seen)
        if index is None:
            return piles
        freed = tuple(
            pile.take(code) if other != side and code not in pile.asked_codes else pile
            for other, pile in enumerate(piles)
        )
        return with_pile(freed, side, freed[side].answered(index, code))

    context.update_piles(settled)


@dataclass(frozen=True, kw_only=True)
class Agree:
    """The guesses at some doubtful cards that somebody was shown, and says are right."""

    answers: Annotated[tuple[Answer, ...], Field(_answers)]


@action("agree", by=SCORERS, payload=Agree)
def agree(context: ActionContext, said: Agree) -> None:
    """Settles some doubtful cards as they were guessed; those of a photo that is gone stay open."""
    for one in said.answers:
        context.check_side("side", one.side)
        if one.code == NOT_A_CARD:
            raise RequestError("code", expected="a card's code such as 7d", came=one.code)

    def settled(piles: Piles) -> Piles:
        found: dict[CardRef, str] = {}
        for one in said.answers:
            index = None if one.seen is None else piles[one.side].index_of(one.seen)
            if index is not None:
                found[CardRef(one.side, index)] = one.code
        return with_answers(piles, found)

    context.update_piles(settled)


@dataclass(frozen=True, kw_only=True)
class GiveCard:
    """The side in whose pile a card lies."""

    code: Annotated[str, Field(_card_code)]
    owner: Annotated[int, number()]


@action("give", by=SCORERS, payload=GiveCard)
def give_card(context: ActionContext, card: GiveCard) -> None:
    """Settles in which pile a card lies."""
    owner = context.check_side("owner", card.owner)
    context.update_piles(lambda piles: put_into(piles, card.code, side=owner))


@dataclass(frozen=True, kw_only=True)
class AbsentCard:
    """A card that the pack lacks."""

    code: Annotated[str, Field(_card_code)]


@action("absent", by=SCORERS, payload=AbsentCard)
def set_absent(context: ActionContext, card: AbsentCard) -> None:
    """Settles that a card is in no pile: the pack lacks it."""
    context.update_piles(lambda piles: with_absent(piles, card.code))


@dataclass(frozen=True, kw_only=True)
class GiveRest:
    """The side that has all cards that the others leave."""

    owner: Annotated[int, number()]


@action("rest", by=SCORERS, payload=GiveRest)
def give_rest(context: ActionContext, rest: GiveRest) -> None:
    """Puts all cards without a pile into the pile of a side."""
    owner = context.check_side("owner", rest.owner)
    context.update_piles(lambda piles: with_rest(piles, owner))


@dataclass(frozen=True, kw_only=True)
class CountPile:
    """How many cards somebody counted in a pile; None: it is to be asked again."""

    owner: Annotated[int, number()]
    number: Annotated[int | None, Field(_optional(_number(0, len(CODES))))]


@action("count", by=SCORERS, payload=CountPile)
def count_pile(context: ActionContext, count: CountPile) -> None:
    """Keeps how many cards somebody counted in a pile."""
    owner = context.check_side("owner", count.owner)

    def counted(piles: Piles) -> Piles:
        return with_pile(piles, owner, replace(piles[owner], counted=count.number))

    context.update_piles(counted)


# Photos


@dataclass(frozen=True, kw_only=True)
class AddPhoto:
    """A photo as a phone sent it."""

    data: bytes = field(repr=False)
    name: str


@action("photo", by=SCORERS, payload=AddPhoto, over_http=False)
def add_photo(context: ActionContext, photo: AddPhoto) -> None:
    """Puts a photo of the pile on the screen into the workers' queue; its route is a PUT."""
    context.enqueue(photo.data, name=photo.name)


@dataclass(frozen=True, kw_only=True)
class RemovePhoto:
    """The number of a photo."""

    photo: Annotated[int, number(0, 10**12)]


@action("remove", by=SCORERS, payload=RemovePhoto)
def remove_photo(context: ActionContext, remove: RemovePhoto) -> None:
    """Takes a photo of the pile on the screen out of it, and what was read on it.

    It helped to read the other photos, so they are put into the queue to be read again without it.
    """
    side, others = context.side, set[int]()

    def without(piles: Piles) -> Piles:
        others.update(number for pile in piles for number in pile.photos)
        return with_pile(piles, side, piles[side].without_photo(remove.photo))

    context.update_piles(without)
    if others - {remove.photo}:
        context.enqueue(b"", name=READ_AGAIN)


@dataclass(frozen=True, kw_only=True)
class UploadNumber:
    """The number of an upload."""

    upload: Annotated[int, number(0, MAX_ID)]


@action("forget", by=SCORERS, payload=UploadNumber)
def forget_upload(context: ActionContext, upload: UploadNumber) -> None:
    """Shows an upload no more that was refused or came late."""
    uploads.forget(context.table, upload.upload)


@action("take", by=SCORERS, payload=UploadNumber)
def take_upload(context: ActionContext, upload: UploadNumber) -> None:
    """Has a photo whose hand was over before it was read be read into the pile on the screen."""
    uploads.reassign(
        context.table,
        upload.upload,
        match_no=context.match.match_no,
        hand_no=context.hand_no,
        side=context.side,
        is_mending=context.is_editing,
    )


# Confirmed hands


def hand_key(code: str, match_no: int, hand_no: int, revision: int, facts: HandRecord) -> str:
    """The key of a hand in the log: the same for the same hand confirmed twice on a screen."""
    parts = [code, match_no, hand_no, revision, facts.to_dict()]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Confirm:
    """A hand as it was shown."""

    log: Annotated[int, number(0, MAX_REVISION)]
    """The revision of the match's log that the screen showed."""
    facts: Annotated[HandRecord, Field(_hand)]
    revision: Annotated[int, number(0, MAX_REVISION)]
    """The table's revision that the screen showed."""


@action("confirm", by=SCORERS, payload=Confirm, of="match")
def confirm(context: ActionContext, shown: Confirm) -> None:
    """Makes a hand part of the match as it was shown. It may come when its hand is over.

    Where another phone was first with another hand, this one is kept as a conflict to be compared.
    """
    if shown.log == context.log_revision:
        context.check_screen(shown.revision)
    asked = context.request
    key = hand_key(context.table.code, asked.match_no, asked.hand_no, shown.log, shown.facts)
    change: Callable[..., object] = log.record
    if asked.is_editing:
        change = partial(log.edit, hand_no=asked.hand_no, match_no=asked.match_no)
    try:
        change(context.table, shown.facts, key=key, expected=shown.log, device=context.device)
    except ConflictError as error:
        if error.conflict is None:
            raise


@dataclass(frozen=True, kw_only=True)
class ShownTable:
    """The table's revision that the screen showed."""

    revision: Annotated[int, number(0, MAX_REVISION)]


@action("undo", by=SCORERS, payload=ShownTable)
def undo(context: ActionContext, shown: ShownTable) -> None:
    """Takes back the last step of the match."""
    context.check_screen(shown.revision)
    revision = context.log_revision
    key = f"undo-{context.match.match_no}-{revision}"
    log.undo(context.table, key=key, expected=revision, device=context.device)


@action("redo", by=SCORERS, payload=ShownTable)
def redo(context: ActionContext, shown: ShownTable) -> None:
    """Takes the step again that was taken back last."""
    context.check_screen(shown.revision)
    revision = context.log_revision
    key = f"redo-{context.match.match_no}-{revision}"
    log.redo(context.table, key=key, expected=revision, device=context.device)


@dataclass(frozen=True, kw_only=True)
class ShownLog:
    """The revision of the match's log that the screen showed."""

    log: Annotated[int, number(0, MAX_REVISION)]


@dataclass(frozen=True, kw_only=True)
class Decide(ShownLog):
    """Which of two versions of a hand counts."""

    proposal: Annotated[int, number(0, MAX_ID)]
    accept: Annotated[bool, Field(lambda value: value is True)]
    """Whether it is the one that came second."""


@action("decide", by=SCORERS, payload=Decide)
def decide(context: ActionContext, decision: Decide) -> None:
    """Keeps the current version of a hand, or puts the one that came second in its place."""
    context.check_log(decision.log)
    if decision.accept:
        log.accept(context.table, decision.proposal, expected=decision.log, device=context.device)
    else:
        log.dismiss(context.table, decision.proposal)


@action("mend", by=SCORERS)
def start_editing(context: ActionContext, _payload: None) -> None:
    """Makes the piles of a confirmed hand editable, with the photos they were read from.

    Where somebody has begun to edit it since the match last changed, those edits stay.
    """
    hand = context.state.match.hands[context.confirmed_hand() - 1]
    match_no = context.match.match_no
    changed_at = max(step.made_at for step in log.steps(context.table, match_no))
    drafts = stored.drafts(context.table, match_no=match_no, hand_no=context.hand_no)
    if any(row.made_at > changed_at and row.draft.get("scope") is not None for row in drafts):
        return

    def confirmed(piles: Piles) -> Piles:
        return tuple(
            replace(pile.holding(card.code for card in side.pile), scope=side.scope)
            for pile, side in zip(piles, hand.sides, strict=True)
        )

    context.update_piles(confirmed)


def _replace_hand(context: ActionContext, facts: HandRecord) -> None:
    """Replaces the confirmed hand on the screen, whose match has not changed."""
    hand_no, revision = context.confirmed_hand(), context.log_revision
    match_no = context.match.match_no
    log.edit(
        context.table,
        facts,
        hand_no=hand_no,
        key=hand_key(context.table.code, match_no, hand_no, revision, facts),
        expected=revision,
        match_no=match_no,
        device=context.device,
    )


@dataclass(frozen=True, kw_only=True)
class RestoreHand(ShownLog):
    """An earlier version of a confirmed hand."""

    facts: Annotated[HandRecord, Field(_hand)]


@action("stand", by=SCORERS, payload=RestoreHand)
def restore_hand(context: ActionContext, version: RestoreHand) -> None:
    """Makes another version of a confirmed hand count, in this match or an earlier one."""
    context.check_log(version.log)
    _replace_hand(context, version.facts)


@action("out", by=SCORERS, payload=ShownLog)
def void_hand(context: ActionContext, shown: ShownLog) -> None:
    """Voids a confirmed hand: it keeps its number and counts nothing."""
    context.check_log(shown.log)
    hand = context.state.match.hands[context.confirmed_hand() - 1]
    sides = tuple(Side(name, ()) for name in context.state.match.names)
    _replace_hand(context, replace(hand, sides=sides))


# Matches and tables


@action("rematch", by=SCORERS, payload=ShownLog, of="table")
def rematch(context: ActionContext, shown: ShownLog) -> None:
    """Opens the next match of the same sides, unless another phone has done so."""
    if context.request.match_no != context.match.match_no:
        return
    context.check_log(shown.log)
    log.rematch(
        context.table,
        after=context.match.match_no,
        expected=shown.log,
        device=context.device,
    )


@action("leave", by=SCORERS, payload=ShownLog, of="table")
def leave_match(context: ActionContext, shown: ShownLog) -> None:
    """Goes back to the match before, as this one was opened by mistake, unless that was done."""
    if context.request.match_no != context.match.match_no:
        return
    context.check_log(shown.log)
    log.leave_match(
        context.table, match_no=context.match.match_no, expected=shown.log, device=context.device
    )


@dataclass(frozen=True, kw_only=True)
class ShowDrawing:
    """The cards that screens show."""

    drawing: Annotated[Drawing, Field(_drawing)]


@action("drawing", by=SCORERS, payload=ShowDrawing, of="table")
def show_drawing(context: ActionContext, cards: ShowDrawing) -> None:
    """Shows other cards on the screens of the table; what was played does not change."""
    context.table.drawing = cards.drawing


@dataclass(frozen=True, kw_only=True)
class SharePhotos:
    """Whether photos of the table, with what was answered about them, may train the networks."""

    shares: bool


@action("share_photos", by=SCORERS, payload=SharePhotos, of="table", over_http=False)
def share_photos(context: ActionContext, consent: SharePhotos) -> None:
    """Keeps the scorers' consent; see `table.consent`."""
    context.table.lends_photos = consent.shares


@dataclass(frozen=True, kw_only=True)
class RenewLink:
    """The new secret of the scorers' link."""

    link: str = field(repr=False)
    before: str | None = field(repr=False)
    """Hash of the link that the screen showed."""


@action("renew_link", by=SCORERS, payload=RenewLink, of="table", over_http=False)
def renew_link(context: ActionContext, renewed: RenewLink) -> None:
    """Replaces the scorers' link: holders of the old one only look from now on.

    Raises:
        LinkTakenError: Somebody else renewed it first.
    """
    tables.put_link(context.table, hash_link(renewed.link), expected=renewed.before)


@action("close", by=ORGANISERS, of="table", over_http=False)
def close_table(context: ActionContext, _payload: None) -> None:
    """Closes a table: its scorers only look from now on."""
    tables.close(context.table)


@action("reopen", by=ORGANISERS, of="table", over_http=False)
def reopen_table(context: ActionContext, _payload: None) -> None:
    """Opens a closed table again: its scorers go on where they were."""
    context.table.closed_at = None


# What needs no table, or none that has scorers


def open_table(
    store: Store,
    names: Sequence[str],
    *,
    rules: Rules,
    link: str,
    first_dealer: int = 0,
    drawing: Drawing = Drawing.ITALIAN,
    device: str = "",
) -> Table:
    """Opens a table with its first match; holders of the link are its scorers.

    Asked twice with the same link, it is opened once.

    Raises:
        NoNameError, LongNameError, SameNameError: The names cannot be used.
    """
    return store.open_table(
        checked_names(names),
        rules,
        link_hash=hash_link(link),
        first_dealer=first_dealer,
        drawing=drawing,
        device=device,
    )


def take_over(store: Store, code: str, *, link: str) -> None:
    """Gives a table that has no scorers' link one; asked twice with the same link, once.

    Only tables of releases before 0.3 have none: whoever knew their code scored there.

    Raises:
        LinkTakenError: Somebody else took the table over first.
        TableClosedError: The organiser has closed it.
    """
    with store.write(code) as table:
        if table.is_closed:
            raise TableClosedError(table.code)
        tables.put_link(table, hash_link(link), expected=None)


def keep_rules(
    store: Store, rules: Rules, *, credentials: Credentials, has_organiser: bool
) -> None:
    """Keeps rules of the club's own by their name.

    Args:
        store: Where they are kept.
        rules: The rules.
        credentials: Of the phone.
        has_organiser: Whether the club has one: then only the organiser changes what is kept.

    Raises:
        KeptRulesError: Rules of that name are kept, and it is not the organiser.
    """
    if has_organiser and not credentials.is_organiser and rules.name in store.house_rules():
        raise KeptRulesError(rules.name)
    store.keep_rules(rules)


def forget_rules(store: Store, name: str, *, credentials: Credentials, has_organiser: bool) -> None:
    """Offers rules of the club's own no more; raises as `keep_rules`."""
    if has_organiser and not credentials.is_organiser:
        raise KeptRulesError(name)
    store.forget_rules(name)
