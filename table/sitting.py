"""A table as one screen sees it: the match, the hand on the screen, its drafts and its scope."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from scoring.hand import HandScore, Side, score_hand
from scoring.match import Match
from scoring.play import dealer_of, next_seat
from scoring.record import HandRecord
from store import MatchState, PileDraft, Store, Table, UploadState
from table.draft import Draft
from table.next_question import Agenda, NothingLeft, agenda
from table.piles import Piles
from table.roles import Pass, Role


@dataclass(frozen=True, kw_only=True)
class ShownHand:
    """A hand as it stood on a screen on which somebody confirmed it."""

    match_no: int
    hand_no: int
    is_mending: bool
    """It was confirmed before, and is being mended."""
    revision: int
    """The revision of the match that the screen showed."""
    facts: HandRecord

    def key(self, code: str) -> str:
        """The same for the same hand of a table sent twice, another for anything else."""
        told = [code, self.match_no, self.hand_no, self.revision, self.facts.to_dict()]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Sitting:
    """What stands at a table and what is being done to one of its hands."""

    table: Table
    """The table."""
    row: MatchState
    """Its match, replayed."""
    hand_no: int
    """The hand on the screen, counted from 1."""
    piles: Piles
    scope: tuple[int, ...]
    """Its scope, by side."""
    side: int
    """Whose pile is on the screen."""
    me: int | None
    """The side that holds this device, None where nobody said."""
    first_dealer: int = 0
    """The side that deals the first hand of the match."""
    role: Role
    """What whoever looks at it may do."""
    reading: tuple[int, ...] = ()
    """The side of each photo of the hand that waits to be read or is being read."""
    at_once: bool = False
    """Somebody at this device answers doubts now, although a pile that is out may settle them."""

    @property
    def code(self) -> str:
        """The table's code."""
        return self.table.code

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self.row.match

    @property
    def names(self) -> tuple[str, ...]:
        """The sides' names."""
        return self.match.names

    @property
    def is_earlier(self) -> bool:
        """Whether another match has followed the one on the screen."""
        return self.row.match_no != self.table.match_no

    @property
    def mending(self) -> int | None:
        """The number of the hand being mended, None for the hand being played."""
        return self.hand_no if self.hand_no <= len(self.match.hands) else None

    @property
    def device(self) -> str:
        """What other devices call this one: the side that holds it, or nothing."""
        return "" if self.me is None else self.names[self.me]

    @property
    def dealer(self) -> int:
        """The side that deals the hand on the screen."""
        sides = len(self.names)
        return dealer_of(self.hand_no - 1, self.match.rules, first=self.first_dealer, players=sides)

    @cached_property
    def agenda(self) -> Agenda:
        """Everything that is open in the hand on the screen."""
        return agenda(
            self.piles,
            self.match.rules,
            scope=self.scope,
            reading=self.reading,
            at_once=self.at_once,
        )

    @property
    def is_settled(self) -> bool:
        """Whether the hand can be confirmed."""
        return isinstance(self.agenda.next, NothingLeft)

    @property
    def facts(self) -> HandRecord:
        """The hand as it would be confirmed now."""
        sides = tuple(
            Side(name, tuple(sorted(draft.pile)), scope)
            for name, draft, scope in zip(self.names, self.piles, self.scope, strict=True)
        )
        return HandRecord(sides, dealer=self.dealer)

    @property
    def score(self) -> HandScore:
        """The points of the hand as it would be confirmed now."""
        return score_hand(self.facts.sides, self.match.rules)

    @property
    def after(self) -> Match:
        """The match as it would be with this hand."""
        if self.mending:
            return self.match.edit(self.mending - 1, self.facts)
        return self.match.record(self.facts)

    @property
    def shown(self) -> "ShownHand":
        """The hand on the screen, to be confirmed as it stands there."""
        return ShownHand(
            match_no=self.row.match_no,
            hand_no=self.hand_no,
            is_mending=self.mending is not None,
            revision=self.row.revision,
            facts=self.facts,
        )


def sit(
    store: Store,
    code: str,
    *,
    held: Pass,
    side: int = 0,
    match_no: int | None = None,
    hand_no: int | None = None,
    me: int | None = None,
) -> Sitting:
    """Gives a table as it stands now; raises a StoreError where it is not there or not readable.

    Args:
        store: Where tables are kept.
        code: The table's code, as somebody typed it.
        held: What the phone shows of itself: it says what its holder may do.
        side: Whose pile is looked at; the last side where there are fewer.
        match_no: The match that is looked at; None for the match being played.
        hand_no: The confirmed hand to be mended, from 1; None for the hand being played.
        me: The side that holds the device, None where nobody said.
    """
    with store.one_state():
        table = store.find_table(code)
        row = store.match_of(table, match_no=match_no)
        sides, played = len(row.match.names), len(row.match.hands)
        number = hand_no if hand_no and hand_no <= played else played + 1
        piles = laid_out(store.drafts(table, match_no=match_no, hand_no=number), sides=sides)
        return Sitting(
            table=table,
            row=row,
            hand_no=number,
            piles=piles,
            scope=_scope(store, table, row=row, hand_no=number, piles=piles),
            side=min(side, sides - 1),
            me=me if me is not None and me < sides else None,
            role=held.role_at(table),
            reading=_reading(store, table, match_no=row.match_no, hand_no=number),
            first_dealer=_first_dealer(store, table, row=row),
        )


def _reading(store: Store, table: Table, *, match_no: int, hand_no: int) -> tuple[int, ...]:
    """The side of each photo of a hand that is not read yet."""
    uploads = store.uploads(table, match_no=match_no, hand_no=hand_no)
    return tuple(row.side for row in uploads if row.state is UploadState.WAITING)


def _first_dealer(store: Store, table: Table, *, row: MatchState) -> int:
    """The side that deals first: in a rematch the one after the last dealer of the match before."""
    if row.match_no == 1 or row.first_dealer is not None:
        return row.first_dealer or 0
    match = store.match_of(table, match_no=row.match_no - 1).match
    dealt = [hand.dealer for hand in match.hands if hand.dealer is not None]
    return next_seat(dealt[-1], match.rules, players=len(match.names)) if dealt else 0


def laid_out(rows: Iterable[PileDraft], *, sides: int) -> Piles:
    """Gives the drafts of a hand, an empty one for each side that the store has none of."""
    laid = {row.side: Draft.from_dict(row.draft) for row in rows}
    return tuple(laid.get(side, Draft()) for side in range(sides))


def _scope(
    store: Store, table: Table, *, row: MatchState, hand_no: int, piles: Piles
) -> tuple[int, ...]:
    """The scope of a hand: the taps at the table, or of a confirmed hand what it holds."""
    if row.match_no != table.match_no and hand_no > len(row.match.hands):
        return (0,) * len(piles)  # no hand is played in a match that is over
    if hand_no > len(row.match.hands):
        taps = store.scope_counts(table)
        return tuple(taps[side] for side in range(len(piles)))
    sides = row.match.hands[hand_no - 1].sides
    return tuple(
        side.scope if draft.scope is None else draft.scope
        for draft, side in zip(piles, sides, strict=True)
    )
