"""Everything that can be done to a table, a function an action. Nothing else writes to its hands.

    execute(store, code, request, credentials=...)

opens the table's write transaction, checks the role once, records the request's idempotency key and
runs the action, all in that transaction: what is raised leaves no trace, and a request sent again
does nothing. `table.registry` says what an action is; those of evenings are in `table.evenings`.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.errors import ScoringError
from scoring.hand import Side, score_hand
from scoring.record import HandRecord
from scoring.rules import Rules
from store import (
    ConflictError,
    LogEntry,
    Outcome,
    Step,
    Store,
    UnknownPlaceError,
    idempotent,
    log,
    tables,
    uploads,
)
from store import piles as stored
from table import (
    evenings,  # noqa: F401  its actions are registered
    quick,
)
from table.access import ORGANISERS, SCORERS, Credentials, authorize, hash_link
from table.names import checked_names
from table.pile import ByHand, CardRef
from table.piles import Piles, put_into, tapped, with_absent, with_pile, with_rest
from table.questions import with_answers
from table.registry import ACTIONS, READ_AGAIN, ActionContext, action
from table.requests import (
    Accepts,
    AnswerCode,
    Answers,
    CardCode,
    CardCount,
    Cards,
    Field,
    Figures,
    FirstDealer,
    Hand,
    IsIn,
    NextTarget,
    PhotoNumber,
    Request,
    RequestError,
    RowNumber,
    Saved,
    ScopeChange,
    ShownCard,
    ShownFigures,
    ShownLog,
    ShownTable,
    SideNumber,
    Text,
    parse_place,
    read_fields,
    read_key,
)
from table.series import LENGTHS

# Running an action


class EndedError(ScoringError):
    """An action that this version no longer has; pages and outboxes of older ones still send it."""


class SignUpEndedError(EndedError):
    """A player signs up for an evening."""

    message = "players no longer sign up by phone: tell the organiser your name"


class SubstitutesEndedError(EndedError):
    """A substitute takes a player's place."""

    message = "expected no substitute, as versions before 0.4 had them: rename the player instead"


ENDED: Mapping[str, type[EndedError]] = {
    "evening_sign_up": SignUpEndedError,
    "seat": SubstitutesEndedError,
}
"""The error of each action that has ended."""


def parse_request(data: Any) -> Request:
    """The request in a JSON value.

    Raises:
        RequestError: A field is missing or malformed.
        EndedError: The action is one that this version no longer has.

    >>> sent = {"key": "k", "match": 1, "hand": 1, "side": 0, "do": "scopa", "delta": 1}
    >>> parse_request(sent).payload
    {'side': 0, 'delta': 1}
    >>> parse_request([])
    Traceback (most recent call last):
    table.requests.RequestError: delivery: expected a JSON object, got []: load the page again
    """
    if not isinstance(data, Mapping):
        raise RequestError("delivery", expected="a JSON object", came=data)
    read_fields({"key": Field(read_key)}, data)
    do = data.get("do")
    if isinstance(do, str) and do in ENDED:
        raise ENDED[do]
    known = [name for name, action in ACTIONS.items() if action.over_http]
    if not isinstance(do, str) or do not in known:
        raise RequestError("do", expected=f"one of {', '.join(known)}", came=do)
    place = {"match": 1, "hand": 1, "side": 0} if ACTIONS[do].of == "evening" else {}
    placed = parse_place({**data, **place}, do=do)
    return replace(placed, payload=read_fields(ACTIONS[do].fields, data))


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
    try:
        with store.write(code) as table:
            role = credentials.role_at(table)
            authorize(table.code, role, by=asked.by)
            context = ActionContext(table, request, role, credentials)
            if not idempotent(table, request.key, device=context.device):
                raise _DoneBeforeError(table.revision - 1)
            context.check(asked.of)
            asked.run(context, **request.payload)
            return Done(is_new=True, revision=table.revision)
    except _DoneBeforeError as before:
        return Done(is_new=False, revision=before.revision)


class _DoneBeforeError(Exception):
    """Rolls the transaction of a request that was done before back: it changes no revision."""

    def __init__(self, revision: int) -> None:
        self.revision = revision


# The piles of a hand


@action("scopa", by=SCORERS)
def add_scope(context: ActionContext, side: SideNumber, delta: ScopeChange) -> None:
    """Adds scope to a side or takes it back; ScopeBelowZeroError where there is none to take."""
    context.check_side("side", side)
    if not context.is_editing:
        stored.add_scope(
            context.table,
            side,
            delta=delta,
            match_no=context.match.match_no,
            hand_no=context.hand_no,
            device=context.device,
        )
        return
    confirmed = context.state.match.hands[context.hand_no - 1].sides[side].scope

    def with_scope(piles: Piles) -> Piles:
        before = piles[side].scope
        scope = max(0, (confirmed if before is None else before) + delta)
        return with_pile(piles, side, replace(piles[side], scope=scope))

    context.update_piles(with_scope)


@action("by_hand", by=SCORERS, over_http=False)
def say_points(context: ActionContext, side: int, points: ByHand) -> None:
    """Keeps the points of a side that are entered by hand: declared in play, or a correction."""
    context.check_side("side", side)
    context.update_piles(lambda piles: with_pile(piles, side, replace(piles[side], points=points)))


@action("card", by=SCORERS)
def set_card(context: ActionContext, code: CardCode, is_in: IsIn) -> None:
    """Puts a card into the pile on the screen, wherever it was, or takes it out of it.

    The request says what the tap meant, so one that comes late does nothing else.
    """

    def with_card(piles: Piles) -> Piles:
        pile = piles[context.side]
        is_certain = code in pile.codes - pile.asked_codes
        if not is_in and code in pile.asked_codes:
            return with_pile(piles, context.side, pile.take(code))
        return piles if is_certain is is_in else tapped(piles, context.side, code=code)

    context.update_piles(with_card)


@action("answer", by=SCORERS)
def answer(context: ActionContext, code: AnswerCode, card: ShownCard) -> None:
    """Settles a doubtful card of the pile on the screen; if it lay in another pile, it moves here.

    Where another pile has it by an open guess alone, that question stays open. Where another phone
    has removed the photo, nothing is settled.
    """

    def settled(piles: Piles) -> Piles:
        side = context.side
        index = None if card is None else piles[side].index_of(card)
        if index is None:
            return piles
        freed = tuple(
            pile.take(code) if other != side and code not in pile.asked_codes else pile
            for other, pile in enumerate(piles)
        )
        return with_pile(freed, side, freed[side].answered(index, code))

    context.update_piles(settled)


@action("agree", by=SCORERS)
def agree(context: ActionContext, answers: Answers) -> None:
    """Settles some doubtful cards as they were guessed; those of a photo that is gone stay open.

    No screen asks for it any more; outboxes of phones may hold it.
    """
    for one in answers:
        context.check_side("side", one.side)

    def settled(piles: Piles) -> Piles:
        found: dict[CardRef, str] = {}
        for code, card, side in answers:
            index = None if card is None else piles[side].index_of(card)
            if index is not None:
                found[CardRef(side, index)] = code
        return with_answers(piles, found)

    context.update_piles(settled)


@action("give", by=SCORERS)
def give_card(context: ActionContext, code: CardCode, owner: SideNumber) -> None:
    """Settles in which pile a card lies."""
    context.check_side("owner", owner)
    context.update_piles(lambda piles: put_into(piles, code, side=owner))


@action("absent", by=SCORERS)
def set_absent(context: ActionContext, code: CardCode) -> None:
    """Settles that a card is in no pile: the pack lacks it."""
    context.update_piles(lambda piles: with_absent(piles, code))


@action("rest", by=SCORERS)
def give_rest(context: ActionContext, owner: SideNumber, number: CardCount) -> None:
    """Puts all cards without a pile into the pile of a side, which then has `number` of them.

    None: nobody has counted it yet.
    """
    context.check_side("owner", owner)

    def with_rest_counted(piles: Piles) -> Piles:
        rested = with_rest(piles, owner)
        return with_pile(rested, owner, replace(rested[owner], counted=number))

    context.update_piles(with_rest_counted)


@action("count", by=SCORERS)
def count_pile(context: ActionContext, owner: SideNumber, number: CardCount) -> None:
    """Keeps how many cards somebody counted in a pile; with None it is to be asked again."""
    context.check_side("owner", owner)

    def counted(piles: Piles) -> Piles:
        return with_pile(piles, owner, replace(piles[owner], counted=number))

    context.update_piles(counted)


@action("say", by=SCORERS)
def say_point(
    context: ActionContext, point: Text, figures: Figures, shown: ShownFigures = None
) -> None:
    """Keeps who has a point, as `quick.answered` says; AnsweredError if another phone differs."""
    sides = len(context.match.sides)
    if point not in quick.points_asked(context.state.match.rules_of(context.hand_no - 1)):
        raise RequestError("point", expected="a point of these rules", came=point)
    if {len(figures), sides if shown is None else len(shown)} != {sides}:
        raise RequestError("figures", expected=f"{sides} figures", came=figures)
    context.update_piles(lambda piles: quick.answered(piles, point, figures, shown=shown))


# Photos


@action("photo", by=SCORERS, over_http=False)
def add_photo(context: ActionContext, data: bytes, name: str) -> None:
    """Puts a photo of the pile on the screen into the workers' queue; its route is a PUT."""
    context.enqueue(data, name=name)


@action("remove", by=SCORERS)
def remove_photo(context: ActionContext, photo: PhotoNumber) -> None:
    """Takes a photo of the pile on the screen out of it, and what was read on it.

    It helped to read the other photos, so they are put into the queue to be read again without it.
    """
    side, others = context.side, set[int]()

    def without(piles: Piles) -> Piles:
        others.update(number for pile in piles for number in pile.photos)
        return with_pile(piles, side, piles[side].without_photo(photo))

    context.update_piles(without)
    if others - {photo}:
        context.enqueue(b"", name=READ_AGAIN)


@action("forget", by=SCORERS)
def forget_upload(context: ActionContext, upload: RowNumber) -> None:
    """Shows an upload no more that was refused or came late."""
    uploads.forget(context.table, upload)


@action("take", by=SCORERS)
def take_upload(context: ActionContext, upload: RowNumber) -> None:
    """Has a photo whose hand was over before it was read be read into the pile on the screen."""
    uploads.reassign(
        context.table,
        upload,
        match_no=context.match.match_no,
        hand_no=context.hand_no,
        side=context.side,
        is_mending=context.is_editing,
    )


# Confirmed hands


def _append_hand(context: ActionContext, step: Step, facts: HandRecord, *, expected: int) -> None:
    """Append a hand to the log as the next one, or in place of the one on the screen.

    The entry's key is the same if the same hand is confirmed twice on one screen.
    """
    asked, facts_json = context.request, facts.to_dict()
    parts = [context.table.code, asked.match_no, asked.hand_no, expected, facts_json]
    key = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
    entry = LogEntry(
        step=step, hand_no=asked.hand_no, facts_json=facts_json, key=key, device=context.device
    )
    entry.facts = facts
    log.append(context.table, entry, expected=expected, state=context.state)


@dataclass(eq=False)
class SavedElsewhereError(ScoringError):
    """Another phone changed the match before this phone's hand arrived.

    The phone keeps its hand. Its user replaces the saved hand, or saves this one if none is saved:
    the phone then sends the hand again with `saved`. Or the user discards it.
    """

    message = "hand {hand_no}: expected it to be the first, but another phone was: decide"
    hand_no: int
    saved: int
    """Revision of the log entry that has the hand now; 0 if it is not saved."""
    device: str
    """The name of the side whose phone saved it; empty if that is unknown."""
    saved_points: str
    """Points of the saved hand: "Anna 3 · Bruno 1"."""
    own_points: str
    """Points of this phone's hand."""


@action("confirm", by=SCORERS, of="match")
def confirm(
    context: ActionContext, shown: ShownLog, facts: Hand, revision: ShownTable, saved: Saved = None
) -> None:
    """Makes a hand part of the match as it was shown. It may come when its hand is over.

    With `saved`, the version that the user was told of, it replaces this version.

    Raises:
        SavedElsewhereError: Another phone saved another version, or changed the match, first.
    """
    asked, hands = context.request, context.state.hands
    current = hands[asked.hand_no - 1] if asked.hand_no <= len(hands) else None
    is_decided = saved == (0 if current is None else current.revision)
    if current is None and asked.hand_no > len(hands) + 1:
        is_decided = False  # the hand before it is not saved yet
    if is_decided:
        shown = context.state.revision
    elif shown == context.state.revision:
        context.check_screen(revision)
    replaces = current is not None if is_decided else asked.is_editing
    try:
        _append_hand(context, Step.EDIT if replaces else Step.RECORD, facts, expected=shown)
    except ConflictError:
        if current is None or not log.is_same_hand(current.facts, facts):
            raise _saved_elsewhere(context, facts, current) from None


def _saved_elsewhere(
    context: ActionContext, facts: HandRecord, current: LogEntry | None
) -> SavedElsewhereError:
    match, hand_no = context.state.match, context.request.hand_no

    def points(hand: HandRecord) -> str:
        made = score_hand(hand.sides, match.rules_of(hand_no - 1)).points
        return " · ".join(f"{name} {n}" for name, n in zip(match.names, made, strict=False))

    return SavedElsewhereError(
        hand_no=hand_no,
        saved=0 if current is None else current.revision,
        device="" if current is None else current.device,
        saved_points="" if current is None else points(current.facts),
        own_points=points(facts),
    )


@action("undo", by=SCORERS)
def undo(context: ActionContext, revision: ShownTable) -> None:
    """Takes back the last step of the match."""
    _append_step(context, Step.UNDO, revision)


@action("redo", by=SCORERS)
def redo(context: ActionContext, revision: ShownTable) -> None:
    """Takes the step again that was taken back last."""
    _append_step(context, Step.REDO, revision)


def _append_step(context: ActionContext, step: Step, revision: int) -> None:
    context.check_screen(revision)
    expected = context.log_revision
    key = f"{step}-{context.match.match_no}-{expected}"
    entry = LogEntry(step=step, key=key, device=context.device)
    log.append(context.table, entry, expected=expected)


@action("decide", by=SCORERS)
def decide(context: ActionContext, shown: ShownLog, proposal: RowNumber, accept: Accepts) -> None:
    """Keeps the current version of a hand, or replaces it with one that an old version stored."""
    context.check_log(shown)
    conflict = log.conflict(context.table, proposal)
    if not accept:
        if conflict.outcome is Outcome.OPEN:
            conflict.outcome = Outcome.DISMISSED
        return
    hands, hand_no = context.match.hands, conflict.hand_no
    if conflict.match_id != context.match.id or hand_no > hands + 1:
        raise UnknownPlaceError("hand", hand_no, known=hands)
    conflict.outcome = Outcome.ACCEPTED
    entry = LogEntry(
        step=Step.RECORD if hand_no > hands else Step.EDIT,
        hand_no=hand_no,
        facts_json=conflict.facts_json,
        key=f"proposal-{conflict.id}",
        device=context.device,
    )
    log.append(context.table, entry, expected=shown)


@action("mend", by=SCORERS)
def start_editing(context: ActionContext) -> None:
    """Makes the piles of a confirmed hand editable, with the photos they were read from.

    Where somebody has begun to edit it since the match last changed, those edits stay.
    """
    hand = context.state.match.hands[context.confirmed_hand() - 1]
    match_no = context.match.match_no
    changed_at = max(entry.made_at for entry in context.state.entries)
    drafts = stored.drafts(context.table, match_no=match_no, hand_no=context.hand_no)
    if any(row.made_at > changed_at and row.draft.get("scope") is not None for row in drafts):
        return

    def confirmed(piles: Piles) -> Piles:
        return tuple(
            replace(
                pile.holding(card.code for card in side.pile), scope=side.scope, said=side.counted
            )
            for pile, side in zip(piles, hand.sides, strict=True)
        )

    context.update_piles(confirmed)


@action("stand", by=SCORERS)
def restore_hand(context: ActionContext, shown: ShownLog, facts: Hand) -> None:
    """Makes another version of a confirmed hand count, in this match or an earlier one."""
    context.check_log(shown)
    context.confirmed_hand()
    _append_hand(context, Step.EDIT, facts, expected=shown)


@action("out", by=SCORERS)
def void_hand(context: ActionContext, shown: ShownLog) -> None:
    """Voids a confirmed hand: it keeps its number and counts nothing."""
    context.check_log(shown)
    hand = context.state.match.hands[context.confirmed_hand() - 1]
    sides = tuple(Side(name, ()) for name in context.state.match.names)
    _append_hand(context, Step.EDIT, replace(hand, sides=sides), expected=shown)


# Matches and tables


@action("rematch", by=SCORERS, of="table")
def rematch(
    context: ActionContext,
    shown: ShownLog,
    dealer: FirstDealer = None,
    target: NextTarget = None,
) -> None:
    """Opens the next match of the same sides, unless another phone has done so."""
    if context.request.match_no != context.match.match_no:
        return
    context.check_log(shown)
    if dealer is not None:
        context.check_side("dealer", dealer)
    log.rematch(
        context.table,
        after=context.match.match_no,
        expected=shown,
        first_dealer=dealer,
        target=target,
        device=context.device,
    )


@action("leave", by=SCORERS, of="table")
def leave_match(context: ActionContext, shown: ShownLog) -> None:
    """Goes back to the match before, as this one was opened by mistake, unless that was done."""
    if context.request.match_no == context.match.match_no:
        context.check_log(shown)
        match_no = context.match.match_no
        log.leave_match(context.table, match_no=match_no, expected=shown, device=context.device)


@action("drawing", by=SCORERS, of="table")
def show_drawing(context: ActionContext, drawing: Cards) -> None:
    """Shows other cards on the screens of the table; what was played does not change."""
    context.table.drawing = drawing


@action("change_match", by=SCORERS, of="table", over_http=False)
def change_match(
    context: ActionContext,
    shown: int,
    names: Sequence[str],
    rules: Rules,
    best_of: int | None = None,
    first_dealer: int | None = None,
) -> None:
    """Changes names, dealer, target and rules of the match being played.

    New rules recount the confirmed hands. With `best_of`, a series begins with the match, or goes
    on as one of at most so many.

    Raises:
        NoNameError, LongNameError, SameNameError: A name that does not do.
        ScreenChangedError: The match has changed since `shown`, the revision of its log.
        RulesError: The rules are not for so many sides.
        HandError: A confirmed hand holds what the new rules do not know.
    """
    context.check_log(shown)
    if context.table.evening_code:
        best_of = None  # the evening has decided
    if best_of not in {None, *LENGTHS}:
        raise RequestError("best_of", expected="1, 3 or 5", came=best_of)
    if first_dealer is not None:
        context.check_side("first_dealer", first_dealer)
    rules = rules.played_by(len(context.match.sides))
    log.change_match(
        context.table,
        side_names=checked_names(names),
        best_of=best_of,
        first_dealer=first_dealer,
    )
    if rules != context.match.rules:
        entry = LogEntry(
            step=Step.RULES,
            hand_no=1,
            facts_json={"rules": rules.to_dict(), "before": context.match.rules.to_dict()},
            key=f"rules-{context.match.match_no}-{shown}",
            device=context.device,
        )
        log.append(context.table, entry, expected=shown)


@action("renew_link", by=SCORERS, of="table", over_http=False)
def renew_link(context: ActionContext, link: str, before: str | None) -> None:
    """Replaces the scorers' link: holders of the old one only look from now on.

    Args:
        context: The table.
        link: The secret of the new link.
        before: The hash of the link that the screen showed.

    Raises:
        LinkTakenError: Somebody else renewed it first.
    """
    tables.put_link(context.table, hash_link(link), expected=before)


@action("close", by=ORGANISERS, of="table", over_http=False)
def close_table(context: ActionContext) -> None:
    """Closes a table: its scorers only look from now on."""
    tables.close(context.table)


@action("reopen", by=ORGANISERS, of="table", over_http=False)
def reopen_table(context: ActionContext) -> None:
    """Opens a closed table again: its scorers go on where they were."""
    context.table.closed_at = None
