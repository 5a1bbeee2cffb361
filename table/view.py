"""A table as one screen shows it: the match, and the hand on the screen with its piles and scope.

`load_view` reads it; `snapshot` is the part of it that phones get with every change.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scoring.hand import HandScore, Side, score_hand
from scoring.match import Match
from scoring.play import dealer_of, next_seat
from scoring.record import HandRecord
from scoring.rules import Rules
from store import (
    KeptMatch,
    MatchState,
    PileDraft,
    Store,
    Table,
    Upload,
    UploadState,
    log,
    tables,
    uploads,
)
from store import piles as stored
from table.access import SYSTEM, Credentials, Role
from table.evening import view as evening_view
from table.hand.pile import ByHand, CardRef, Pile
from table.hand.piles import Piles, Summary, summarise
from table.hand.questions import (
    NothingLeft,
    OpenQuestions,
    PlaceMissing,
    ShowMore,
    open_questions,
)
from table.series import Series


@dataclass(frozen=True, kw_only=True)
class TableView:
    """A table and one of its hands."""

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
    """The side whose pile is on the screen."""
    me: int | None
    """The side that holds this device; None if it is not known."""
    first_dealer: int = 0
    """The side that deals the first hand of the match."""
    role: Role
    """The viewer's role."""
    uploads: tuple[Upload, ...] = ()
    """The photos of the hand that are not in its piles: waiting, refused or late."""
    series: Series
    """The series of the current match."""
    keys: tuple[str, ...] = ()
    """The idempotency keys of the last actions at the table, whose effect is in this view."""

    @property
    def reading(self) -> tuple[int, ...]:
        """The side of each photo of the hand that waits or is being read."""
        return tuple(one.side for one in self.uploads if one.state is UploadState.WAITING)

    @property
    def code(self) -> str:
        """The table's code."""
        return self.table.code

    @property
    def match(self) -> Match:
        """The current match."""
        return self.row.match

    @property
    def is_kept(self) -> bool:
        """Whether the match plays a rule that is no longer scored, so that it can only be read."""
        return isinstance(self.match, KeptMatch)

    @property
    def rules(self) -> Rules:
        """The rules of the hand on the screen. A confirmed hand keeps the rules that scored it."""
        return self.match.rules_of(self.hand_no - 1)

    @property
    def names(self) -> tuple[str, ...]:
        """The sides' names."""
        return self.match.names

    @property
    def is_earlier(self) -> bool:
        """Whether the match on the screen is not the latest."""
        return self.row.match_no != self.table.match_no

    @property
    def editing(self) -> int | None:
        """The number of the confirmed hand being edited; None for the hand being played."""
        return self.hand_no if self.hand_no <= len(self.match.hands) else None

    @property
    def device(self) -> str:
        """The name of this device on others: the side that holds it, or an empty text."""
        return "" if self.me is None else self.names[self.me]

    @property
    def dealer(self) -> int:
        """The side that deals the hand on the screen; for a confirmed hand the recorded one."""
        sides = len(self.names)
        if self.editing and (noted := self.match.hands[self.editing - 1].dealer) is not None:
            return noted % sides
        return dealer_of(self.hand_no - 1, self.match.rules, first=self.first_dealer, players=sides)

    @cached_property
    def summary(self) -> Summary:
        """What the piles of the hand on the screen hold."""
        return summarise(self.piles)

    @cached_property
    def questions(self) -> OpenQuestions:
        """Everything open in the hand on the screen."""
        return open_questions(self.summary, self.rules, scope=self.scope, reading=self.reading)

    @property
    def is_settled(self) -> bool:
        """Whether the hand can be confirmed."""
        return isinstance(self.questions.next_step, NothingLeft)

    def is_unclear(self, ref: CardRef) -> bool:
        """Return whether a detected card keeps a point open."""
        looks_for_cards = isinstance(self.questions.next_step, ShowMore | PlaceMissing)
        pile = self.piles[ref.side]
        if ref in self.questions.doubts or ref.number in pile.clashing:
            return True
        return pile.detected[ref.number].is_unread and looks_for_cards

    @property
    def facts(self) -> HandRecord:
        """The hand as it would be confirmed now."""
        sides = tuple(
            Side(name, tuple(sorted(pile.cards)), scope, **vars(self.by_hand(side)))
            for side, (name, pile, scope) in enumerate(
                zip(self.names, self.piles, self.scope, strict=True)
            )
        )
        return HandRecord(sides, dealer=self.dealer)

    def by_hand(self, side: int) -> ByHand:
        """Return the points of a side entered by hand: now, or in the hand being edited."""
        if self.editing and self.piles[side].points is None:
            confirmed = self.match.hands[self.hand_no - 1].sides[side]
            # 0.3 stored all points of a hand without cards as declared; they are asked for again
            declared = confirmed.declared if confirmed.pile or confirmed.counted else 0
            return ByHand(
                declared=declared, correction=confirmed.correction, reason=confirmed.reason
            )
        return self.piles[side].points or ByHand()

    @property
    def score(self) -> HandScore:
        """The points of the hand as it would be confirmed now."""
        return score_hand(self.facts.sides, self.rules)

    @property
    def after(self) -> Match:
        """The match with this hand added or replaced."""
        return self.with_hand(self.facts)

    def with_hand(self, facts: HandRecord) -> Match:
        """Return the match with this hand added, or in place of the confirmed one on the screen."""
        if self.editing:
            return self.match.edit(self.editing - 1, facts)
        return self.match.record(facts)


def load_view(
    store: Store,
    code: str,
    *,
    credentials: Credentials,
    side: int = 0,
    match_no: int | None = None,
    hand_no: int | None = None,
    me: int | None = None,
) -> TableView:
    """Read a table in one transaction.

    Args:
        store: Where tables are kept.
        code: The table's code, as the user typed it.
        credentials: They decide the viewer's role.
        side: The side whose pile is on the screen; the last side if there are fewer.
        match_no: The match on the screen; None for the match being played.
        hand_no: The confirmed hand to be edited, from 1; None for the hand being played.
        me: The side that holds the device; None if it is not known.

    Raises:
        StoreError: The table does not exist or cannot be read.
    """
    with store.read(code) as table:
        row = log.match_state(table, match_no)
        sides, played = len(row.match.names), len(row.match.hands)
        number = hand_no if hand_no and hand_no <= played else played + 1
        drafts = stored.drafts(table, match_no=row.match_no, hand_no=number)
        piles = piles_of(drafts, sides=sides)
        return TableView(
            table=table,
            row=row,
            hand_no=number,
            piles=piles,
            scope=_scope(table, row=row, hand_no=number, piles=piles),
            side=min(side, sides - 1),
            me=me if me is not None and me < sides else None,
            role=Role.VIEWER if isinstance(row.match, KeptMatch) else credentials.role_at(table),
            uploads=uploads.of_hand(table, match_no=row.match_no, hand_no=number),
            first_dealer=_first_dealer(table, row=row),
            series=_series(table),
            keys=tables.latest_keys(table),
        )


def piles_of(drafts: Iterable[PileDraft], *, sides: int) -> Piles:
    """Return the piles of a hand, with an empty one for each side that has none stored."""
    stored = {draft.side: Pile.from_dict(draft.draft) for draft in drafts}
    return tuple(stored.get(side, Pile()) for side in range(sides))


def snapshot(view: TableView) -> dict[str, Any]:
    """Return the hand on the screen as JSON: totals, scope and piles, with the table's revision.

    By the keys a phone knows which of its actions are in it, before each has its own answer.
    """
    return {
        "revision": view.table.revision,
        "keys": view.keys,
        "code": view.code,
        "match": view.row.match_no,
        "hand": view.hand_no,
        "totals": view.match.totals,
        "scopes": view.scope,
        "piles": piles_as_json(view),
    }


def snapshot_of(store: Store, code: str) -> dict[str, Any]:
    """Return the snapshot of the hand being played at a table, or that of an evening."""
    with store.reading() as session:
        place = tables.find_place(session, code)
        if isinstance(place, Table):
            return snapshot(load_view(store, code, credentials=SYSTEM))
        return evening_view.snapshot(store, place)


def piles_as_json(view: TableView) -> dict[str, Any]:
    """Return the piles of the hand by codes of cards. "asked" are those asked about now.

    Doubtful cards that change no point, or that another pile may settle, are not among them.
    """
    piles = view.piles
    asked = view.questions.doubts if any(pile.questions for pile in piles) else ()
    guesses = [
        {pile.detected[doubt.number].guess for doubt in asked if doubt.side == side}
        for side, pile in enumerate(piles)
    ]
    return {
        "held": [sorted(pile.codes) for pile in piles],
        "asked": [
            sorted(pile.asked_codes & codes) for pile, codes in zip(piles, guesses, strict=True)
        ],
        "absent": sorted(view.summary.absent),
        "rest": next((side for side, pile in enumerate(piles) if pile.takes_rest), None),
    }


def _series(table: Table) -> Series:
    """Return the series of the current match. After the end of a series a new one begins."""
    current = table.match
    series = new = Series(best_of=current.best_of, won=(0,) * len(current.sides))
    for match in log.matches(table) if current.best_of > 1 else [current]:
        if series.is_over or match.best_of != current.best_of:
            series = new
        if match.best_of == current.best_of and match.is_over:
            series = series.after(match.winner)
    return series


def _first_dealer(table: Table, *, row: MatchState) -> int:
    """The side that deals first; in a rematch the one after the previous match's last dealer."""
    if row.match_no == 1 or row.first_dealer is not None:
        return row.first_dealer or 0
    return next_dealer(log.match_state(table, row.match_no - 1).match)


def next_dealer(match: Match) -> int:
    """Return the side that deals first in the match after this one."""
    dealt = [hand.dealer for hand in match.hands if hand.dealer is not None]
    return next_seat(dealt[-1], match.rules, players=len(match.names)) if dealt else 0


def rematch_dealer(match: Match) -> int:
    """Return the side that deals first in a rematch: the one with the worst score.

    If several have it, the one whose turn to deal comes first.
    """
    count, turn = len(match.names), next_dealer(match)
    others = [side for side in (*range(turn, count), *range(turn)) if side != match.winner]
    sign = -1 if match.rules.perdere else 1
    loser: int = min(others, key=lambda side: sign * match.totals[side])
    return loser


def _scope(table: Table, *, row: MatchState, hand_no: int, piles: Piles) -> tuple[int, ...]:
    """The scope of a hand: the taps at the table, or the recorded scope of a confirmed hand."""
    if hand_no <= len(row.match.hands):
        sides = row.match.hands[hand_no - 1].sides
        return tuple(
            side.scope if pile.scope is None else pile.scope
            for pile, side in zip(piles, sides, strict=True)
        )
    if row.match_no != table.match_no:
        return (0,) * len(piles)  # no hand is played in a match that is over
    return stored.scope_counts(table)
