"""A table as one screen sees it, and everything a tap can do to it."""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from scoring.cards import Card
from scoring.facts import HandFacts
from scoring.hand import HandScore, Side, score_hand
from scoring.match import Match
from screens import state
from table.doubts import Asked, asked, uncounted
from table.draft import Draft
from table.piles import doubled, renewed, waiting
from table.store import DraftRow, MatchRow, StaleDraftError, TableRow

TRIES = 5
"""How often a change of a draft is repeated when other phones change it at the same moment."""

Piles = tuple[Draft, ...]
"""The drafts of a hand, one a side."""


@dataclass(frozen=True, kw_only=True)
class Sitting:
    """What stands at a table and what is being done to one of its hands."""

    table: TableRow
    """The table."""
    row: MatchRow
    """Its match, replayed."""
    hand_no: int
    """The hand on the screen, counted from 1."""
    piles: Piles
    """Its drafts, one a side."""
    scope: tuple[int, ...]
    """Its scope, by side."""
    address: state.Address
    """What the URL said."""

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
    def side(self) -> int:
        """Whose pile is on the screen."""
        return min(self.address.side, len(self.names) - 1)

    @property
    def mending(self) -> int | None:
        """The number of the hand being mended, None for the hand being played."""
        return self.hand_no if self.hand_no <= len(self.match.hands) else None

    @property
    def device(self) -> str:
        """What other devices call this one: the side that holds it, or nothing."""
        me = self.address.me
        return self.names[me] if me is not None and me < len(self.names) else ""

    @property
    def dealer(self) -> int:
        """The side that deals the hand on the screen; the first side dealt the first hand."""
        return (self.hand_no - 1) % len(self.names)

    @property
    def is_settled(self) -> bool:
        """Whether every pile is there once and nothing open or uncounted could change a point."""
        asked = self.asked.places or self.asked.lost or doubled(self.piles) or self.waiting
        return not asked and self.uncounted is None

    @property
    def waiting(self) -> tuple[int, ...]:
        """Sides whose pile nobody has shown yet."""
        return waiting(self.piles)

    @property
    def uncounted(self) -> int | None:
        """The side whose cards must be counted before the hand counts, or None."""
        return uncounted(self.piles)

    @cached_property
    def asked(self) -> Asked:
        """What must be answered before the hand counts."""
        return asked(self.piles, self.names, rules=self.match.rules)

    def asks(self, side: int) -> int:
        """Counts the questions of a side that must be answered."""
        return len(self.asked.of(side))

    @property
    def facts(self) -> HandFacts:
        """The hand as it would be confirmed now."""
        sides = tuple(
            Side(name, tuple(draft.pile), scope)
            for name, draft, scope in zip(self.names, self.piles, self.scope, strict=True)
        )
        return HandFacts(sides, dealer=self.dealer)

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
    def key(self) -> str:
        """The same for the same hand sent twice, another for anything else."""
        told = [self.code, self.row.match_no, self.hand_no, self.row.revision, self.facts.to_dict()]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def sit(address: state.Address) -> Sitting:
    """Gives the table of an address as it stands now.

    Raises:
        StoreError: There is no such table, or the store cannot be read.
    """
    store = state.store()
    table = store.find_table(address.table)
    state.see(table.revision, address)
    row = store.match_of(table)
    playing = len(row.match.hands) + 1
    hand_no = address.hand if address.hand and address.hand < playing else playing
    piles = _piles(table, hand_no, sides=len(row.match.names))
    taps = store.scope_counts(table)
    if hand_no < playing:
        sides = row.match.hands[hand_no - 1].sides
        scope = tuple(
            side.scope if draft.scope is None else draft.scope
            for draft, side in zip(piles, sides, strict=True)
        )
    else:
        scope = tuple(taps[side] for side in range(len(piles)))
    return Sitting(table=table, row=row, hand_no=hand_no, piles=piles, scope=scope, address=address)


def _piles(table: TableRow, hand_no: int, *, sides: int) -> Piles:
    return _laid_out(state.store().drafts(table, hand_no=hand_no), sides)


def _laid_out(rows: Iterable[DraftRow], sides: int) -> Piles:
    laid = {row.side: Draft.from_dict(row.draft) for row in rows}
    return tuple(laid.get(side, Draft()) for side in range(sides))


def change(sitting: Sitting, how: Callable[[Piles], Piles]) -> None:
    """Changes the piles as they stand in the store now, not as they were on the screen.

    Raises:
        StoreError: The change could not be kept.
    """
    for tries_left in reversed(range(TRIES)):
        try:
            return _change_once(sitting, how)
        except StaleDraftError:
            if not tries_left:
                raise
    return None


def _change_once(sitting: Sitting, how: Callable[[Piles], Piles]) -> None:
    store = state.store()
    rows = {row.side: row for row in store.drafts(sitting.table, hand_no=sitting.hand_no)}
    before = _laid_out(rows.values(), len(sitting.names))
    after = renewed(how(before))
    pairs = enumerate(zip(before, after, strict=True))
    changed = {side: new.to_dict() for side, (old, new) in pairs if new != old}
    if changed:
        store.put_drafts(
            sitting.table,
            changed,
            match_no=sitting.row.match_no,
            hand_no=sitting.hand_no,
            expected={side: row.version for side, row in rows.items()},
            device=sitting.device,
        )


def confirm(sitting: Sitting) -> None:
    """Makes the hand on the screen part of the match; sent twice, it counts once.

    Raises:
        ConflictError: Another device was first; this hand is kept as a proposal.
        ScoringError: The match or the store refuses it.
    """
    store = state.store()
    if sitting.mending:
        store.edit_hand(
            sitting.table,
            sitting.facts,
            hand_no=sitting.mending,
            key=sitting.key,
            expected=sitting.row.revision,
            device=sitting.device,
        )
    else:
        store.record_hand(
            sitting.table,
            sitting.facts,
            key=sitting.key,
            expected=sitting.row.revision,
            device=sitting.device,
        )


def add_scope(sitting: Sitting, side: int, *, delta: int) -> None:
    """Adds a scopa to a side or takes one back, in the hand on the screen.

    Raises:
        StoreError: There is none to take back, or the hand is over.
    """
    if sitting.mending is None:
        state.store().add_scope(
            sitting.table,
            side,
            delta=delta,
            match_no=sitting.row.match_no,
            hand_no=sitting.hand_no,
            device=sitting.device,
        )
        return
    confirmed = sitting.match.hands[sitting.mending - 1].sides[side].scope
    change(sitting, lambda piles: _with_scope(piles, side, delta=delta, confirmed=confirmed))


def _with_scope(piles: Piles, side: int, *, delta: int, confirmed: int) -> Piles:
    said = piles[side].scope
    count = max(0, (confirmed if said is None else said) + delta)
    return (*piles[:side], replace(piles[side], scope=count), *piles[side + 1 :])


def open_for_mending(sitting: Sitting, hand_no: int) -> None:
    """Lays out the piles of a confirmed hand as drafts, with the photos they were read from.

    Where somebody has begun to mend it since the match last changed, that is gone on with.

    Raises:
        StoreError: They could not be kept.
    """
    facts = sitting.match.hands[hand_no - 1]
    changed_at = max(step.made_at for step in state.store().log_of(sitting.table))
    drafts = state.store().drafts(sitting.table, hand_no=hand_no)
    if any(row.made_at > changed_at and row.draft.get("scope") is not None for row in drafts):
        return
    mended = replace(sitting, hand_no=hand_no)
    change(
        mended,
        lambda piles: tuple(
            replace(draft.holding(_codes(side.pile)), scope=side.scope)
            for draft, side in zip(piles, facts.sides, strict=True)
        ),
    )


def _codes(pile: tuple[Card, ...]) -> tuple[str, ...]:
    return tuple(card.code for card in pile)
