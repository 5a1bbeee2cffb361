"""Everything that users can do at a table, one function per action.

Only these actions, and the workers that read photos (`table.hand.photos`), change its hands.

    execute(store, code, request, credentials=...)

opens the table's write transaction, checks the role once, records the request's idempotency key and
runs the action. An error rolls all of it back, and a request sent again does nothing.
`table.registry` defines actions; those of evenings are in `table.evening.actions`.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import table.evening.actions  # noqa: F401  they are registered
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
    evening,
    idempotent,
    log,
    tables,
    uploads,
)
from store import piles as stored
from table.access import ORGANISERS, SCORERS, Credentials, authorize, hash_link
from table.hand import quick
from table.hand.pile import ByHand, CardRef
from table.hand.piles import (
    Piles,
    put_into,
    tapped,
    with_absent,
    with_photo_moved,
    with_pile,
    with_rest,
)
from table.hand.questions import with_answers
from table.names import checked_names
from table.registry import ACTIONS, READ_AGAIN, Action, ActionContext, EveningContext, action
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
    MorePhotos,
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
    """An action of an earlier version, which old pages and outboxes still send."""


class SignUpEndedError(EndedError):
    """A phone sent the former action of signing up for an evening."""

    message = "players no longer sign up by phone: tell the organiser your name"


class SubstitutesEndedError(EndedError):
    """A phone sent the former action of seating a substitute."""

    message = "expected no substitute, as versions before 0.4 had them: rename the player instead"


ENDED: Mapping[str, type[EndedError]] = {
    "evening_sign_up": SignUpEndedError,
    "seat": SubstitutesEndedError,
}
"""The error of each action that has ended."""


def parse_request(data: Any) -> Request:
    """Return the request in a JSON value.

    Raises:
        RequestError: A field is missing or malformed.
        EndedError: It is an action of an earlier version.

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
    """The result of a request that was not refused."""

    is_new: bool
    """Whether it was done now. If not, a request with the same key was done before."""
    revision: int
    """The table's revision after the request. A screen of this revision shows its effect."""


def execute(store: Store, code: str, request: Request, *, credentials: Credentials) -> Done:
    """Do what a request asks for, unless a request with its key was done before.

    Raises:
        TableNotFoundError: There is no such table or evening.
        NotAllowedError, TableClosedError, NotOrganiserError: The role may not do this.
        HandClosedError, MatchClosedError: The hand or the match on the screen is over.
        ScoringError: The table refuses it. Nothing was changed, and the key is still unused.
    """
    asked = ACTIONS[request.do]
    do = _do_at_evening if asked.of == "evening" else _do_at_table
    try:
        revision = do(store, code, request, asked=asked, credentials=credentials)
    except _DoneBeforeError as before:
        return Done(is_new=False, revision=before.revision)
    return Done(is_new=True, revision=revision)


def _do_at_table(
    store: Store, code: str, request: Request, *, asked: Action, credentials: Credentials
) -> int:
    """Do an action at a table; return the table's revision."""
    with store.write(code) as table:
        role = credentials.role_at(table)
        authorize(table.code, role, by=asked.by)
        context = ActionContext(table, request, role, credentials)
        if not idempotent(table, request.key, device=context.device):
            raise _DoneBeforeError(table.revision - 1)
        context.check(asked.of)
        asked.run(context, **request.payload)
        return table.revision


def _do_at_evening(
    store: Store, code: str, request: Request, *, asked: Action, credentials: Credentials
) -> int:
    """Do an action at an evening; return the evening's revision."""
    with store.writing() as session:
        row = evening.lock(session, code)
        authorize(row.code, credentials.role_at(row), by=asked.by)
        if evening.has_key(row, request.key):
            raise _DoneBeforeError(row.revision - 1)
        asked.run(EveningContext(row, request, credentials), **request.payload)
        return row.revision


class _DoneBeforeError(Exception):
    """Rolls back the transaction of a request that was done before, so no revision changes."""

    def __init__(self, revision: int) -> None:
        self.revision = revision


# The piles of a hand


@action("scopa", by=SCORERS)
def add_scope(context: ActionContext, side: SideNumber, delta: ScopeChange) -> None:
    """Add scope to a side, or take some back.

    If the side of the hand being played has too little, raise ScopeBelowZeroError. In a confirmed
    hand that is being edited, the scope stops at 0 instead.
    """
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
    """Store the points of a side that were entered by hand: declared in play, or a correction."""
    context.check_side("side", side)
    context.update_piles(lambda piles: with_pile(piles, side, replace(piles[side], points=points)))


@action("card", by=SCORERS)
def set_card(context: ActionContext, code: CardCode, is_in: IsIn) -> None:
    """Put a card into the pile on the screen, wherever it was, or take it out of this pile.

    The request names the wanted state, so a request that arrives late has the same effect.
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
    """Settle a doubtful card of the pile on the screen. A card of another pile moves here.

    If the other pile has the card only by an open guess, that question stays open. If another phone
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
    """Settle some doubtful cards as they were guessed. Cards of a removed photo stay open.

    No screen sends it any more, but outboxes of phones may hold it.
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
    """Settle which pile a card is in."""
    context.check_side("owner", owner)
    context.update_piles(lambda piles: put_into(piles, code, side=owner))


@action("absent", by=SCORERS)
def set_absent(context: ActionContext, code: CardCode) -> None:
    """Settle that a card is in no pile: the deck lacks it."""
    context.update_piles(lambda piles: with_absent(piles, code))


@action("rest", by=SCORERS)
def give_rest(context: ActionContext, owner: SideNumber, number: CardCount) -> None:
    """Put all cards without a pile into the pile of a side, which then has `number` cards.

    None: the user has not counted them yet.
    """
    context.check_side("owner", owner)

    def with_rest_counted(piles: Piles) -> Piles:
        rested = with_rest(piles, owner)
        return with_pile(rested, owner, replace(rested[owner], counted=number))

    context.update_piles(with_rest_counted)


@action("count", by=SCORERS)
def count_pile(context: ActionContext, owner: SideNumber, number: CardCount) -> None:
    """Store how many cards a user counted in a pile; with None the app asks again."""
    context.check_side("owner", owner)

    def counted(piles: Piles) -> Piles:
        return with_pile(piles, owner, replace(piles[owner], counted=number))

    context.update_piles(counted)


@action("give_back", by=SCORERS)
def give_back(context: ActionContext, owner: SideNumber) -> None:
    """Take the cards that a pile got unseen out of it: the app asks whose they are."""
    context.check_side("owner", owner)
    context.update_piles(lambda piles: with_pile(piles, owner, piles[owner].without_rest()))


@action("say", by=SCORERS)
def say_point(
    context: ActionContext, point: Text, figures: Figures, shown: ShownFigures = None
) -> None:
    """Store who has a point (`quick.answered`); AnsweredError if another phone changed it."""
    sides = len(context.match.sides)
    if point not in quick.points_asked(context.state.match.rules_of(context.hand_no - 1)):
        raise RequestError("point", expected="a point of these rules", came=point)
    if {len(figures), sides if shown is None else len(shown)} != {sides}:
        raise RequestError("figures", expected=f"{sides} figures", came=figures)
    context.update_piles(lambda piles: quick.answered(piles, point, figures, shown=shown))


# Photos


@action("photo", by=SCORERS, over_http=False)
def add_photo(context: ActionContext, data: bytes, name: str) -> None:
    """Queue a photo of the pile on the screen for the workers. Its route is a PUT."""
    context.enqueue(data, name=name)


@action("remove", by=SCORERS)
def remove_photo(
    context: ActionContext, photo: PhotoNumber, more: MorePhotos = frozenset()
) -> None:
    """Remove photos of the pile on the screen, with the cards read on them.

    All photos of a hand are read together, so the ones that are left are queued to be read again.
    """
    side, others = context.side, set[int]()

    def without(piles: Piles) -> Piles:
        others.update(number for pile in piles for number in pile.photos)
        return with_pile(piles, side, piles[side].without_photos({photo, *more}))

    context.update_piles(without)
    if others - {photo, *more}:
        context.enqueue(b"", name=READ_AGAIN)


@action("move", by=SCORERS)
def move_photo(context: ActionContext, photo: PhotoNumber, owner: SideNumber) -> None:
    """Move a photo with its cards into the pile of a side. It may be one that was removed before.

    Each pile limits what the others may hold, so all photos are queued to be read again.
    """
    context.check_side("owner", owner)
    context.update_piles(lambda piles: with_photo_moved(piles, photo, side=owner))
    stored.move_photo(context.table, photo, side=owner)
    context.enqueue(b"", name=READ_AGAIN)


@action("forget", by=SCORERS)
def forget_upload(context: ActionContext, upload: RowNumber) -> None:
    """Hide an upload that was refused or arrived late."""
    uploads.forget(context.table, upload)


@action("take", by=SCORERS)
def take_upload(context: ActionContext, upload: RowNumber) -> None:
    """Queue a photo that arrived too late for its hand again, now for the pile on the screen."""
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

    The phone keeps its hand until the user decides. To save it, in place of the saved hand if there
    is one, the phone sends it again with `saved`. Otherwise the user discards it.
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
    """Add a hand to the match as the phone showed it, or replace the one being edited.

    `saved` is the user's decision after a SavedElsewhereError: the revision of the saved version
    that this hand replaces, or 0 to add it.

    Raises:
        SavedElsewhereError: Another phone saved another version first, or changed the match.
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
    """Undo the last step of the match."""
    _append_step(context, Step.UNDO, revision)


@action("redo", by=SCORERS)
def redo(context: ActionContext, revision: ShownTable) -> None:
    """Redo the step that was undone last."""
    _append_step(context, Step.REDO, revision)


def _append_step(context: ActionContext, step: Step, revision: int) -> None:
    context.check_screen(revision)
    expected = context.log_revision
    key = f"{step}-{context.match.match_no}-{expected}"
    entry = LogEntry(step=step, key=key, device=context.device)
    log.append(context.table, entry, expected=expected)


@action("decide", by=SCORERS)
def decide(context: ActionContext, shown: ShownLog, proposal: RowNumber, accept: Accepts) -> None:
    """Settle a conflict that Settebello stored before 0.4: replace the current hand, or keep it."""
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
    """Make the piles of a confirmed hand editable, with the photos they were read from.

    If a user has begun to edit it since the match last changed, those edits stay.
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
    """Replace a confirmed hand with another version of it, in this match or an earlier one."""
    context.check_log(shown)
    context.confirmed_hand()
    _append_hand(context, Step.EDIT, facts, expected=shown)


@action("out", by=SCORERS)
def void_hand(context: ActionContext, shown: ShownLog) -> None:
    """Void a confirmed hand: it keeps its number but no longer counts."""
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
    """Open the next match of the same sides, unless another phone has done so."""
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
    """Return to the previous match, if this one was opened by mistake and has not been left yet."""
    if context.request.match_no == context.match.match_no:
        context.check_log(shown)
        match_no = context.match.match_no
        log.leave_match(context.table, match_no=match_no, expected=shown, device=context.device)


@action("drawing", by=SCORERS, of="table")
def show_drawing(context: ActionContext, drawing: Cards) -> None:
    """Show other cards on the screens of the table. What was played does not change."""
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
    """Change names, dealer, target and rules of the current match.

    New rules recount the confirmed hands. With `best_of`, a series of at most so many matches
    begins with this match, or continues.

    Raises:
        NoNameError, LongNameError, SameNameError: A name cannot be used.
        ScreenChangedError: The match has changed since `shown`, the revision of its log.
        RulesError: The rules are not for so many sides.
        HandError: The new rules cannot score a confirmed hand.
    """
    context.check_log(shown)
    if context.table.evening_code:
        best_of = None  # the plan of the evening sets it
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
    """Replace the scorers' link: holders of the old link only look from now on.

    Args:
        context: The table.
        link: The secret of the new link.
        before: The hash of the link that the screen showed.

    Raises:
        LinkTakenError: Another phone renewed it first.
    """
    tables.put_link(context.table, hash_link(link), expected=before)


@action("close", by=ORGANISERS, of="table", over_http=False)
def close_table(context: ActionContext) -> None:
    """Close a table: its scorers only look from now on."""
    tables.close(context.table)


@action("reopen", by=ORGANISERS, of="table", over_http=False)
def reopen_table(context: ActionContext) -> None:
    """Open a closed table again for its scorers."""
    context.table.closed_at = None
