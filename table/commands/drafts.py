"""What taps do to the piles of a hand that is not confirmed: scope, cards, answers, counts."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from store import StaleDraftError, Store
from table.next_question import as_said
from table.piles import Piles, given, put_into, renewed, tapped, with_absent, with_rest
from table.roles import by_scorers
from table.seen import SeenAt
from table.sitting import Sitting, laid_out

TRIES = 5
"""How often a change of drafts is repeated when other phones change them at the same moment."""


@by_scorers
def change(store: Store, sitting: Sitting, *, how: Callable[[Piles], Piles]) -> None:
    """Changes the drafts of the hand on the screen as they stand in the store now."""
    for tries_left in reversed(range(TRIES)):
        try:
            return _change_once(store, sitting, how=how)
        except StaleDraftError:
            if not tries_left:
                raise
    return None


def _change_once(store: Store, sitting: Sitting, *, how: Callable[[Piles], Piles]) -> None:
    """Changes the drafts, unless another phone does at the same moment (StaleDraftError)."""
    match_no = sitting.row.match_no
    found = store.drafts(sitting.table, match_no=match_no, hand_no=sitting.hand_no)
    rows = {row.side: row for row in found}
    before = laid_out(rows.values(), sides=len(sitting.names))
    after = renewed(how(before))
    pairs = enumerate(zip(before, after, strict=True))
    changed = {side: new.to_dict() for side, (old, new) in pairs if new != old}
    if changed:
        store.put_drafts(
            sitting.table,
            changed,
            match_no=match_no,
            hand_no=sitting.hand_no,
            expected={side: row.version for side, row in rows.items()},
            device=sitting.device,
        )


@by_scorers
def add_scope(store: Store, sitting: Sitting, *, side: int, delta: int) -> None:
    """Adds a scopa to a side or takes one back, in the hand on the screen.

    Raises:
        StoreError: There is none to take back, or the hand is over.
    """
    if sitting.mending is None:
        store.add_scope(
            sitting.table,
            side,
            delta=delta,
            match_no=sitting.row.match_no,
            hand_no=sitting.hand_no,
            device=sitting.device,
        )
        return
    confirmed = sitting.match.hands[sitting.mending - 1].sides[side].scope

    def with_scope(piles: Piles) -> Piles:
        said = piles[side].scope
        count = max(0, (confirmed if said is None else said) + delta)
        return given(piles, side, draft=replace(piles[side], scope=count))

    change(store, sitting, how=with_scope)


@by_scorers
def set_card(store: Store, sitting: Sitting, *, code: str, is_in: bool) -> None:
    """Puts a card into the pile on the screen, wherever it was, or takes it out of it.

    It says what a tap meant, so it may come late and still do no other thing.
    """

    def with_card(piles: Piles) -> Piles:
        here = piles[sitting.side]
        is_certain = code in here.codes - here.asked_codes
        return piles if is_certain is is_in else tapped(piles, sitting.side, code=code)

    change(store, sitting, how=with_card)


@by_scorers
def answer(store: Store, sitting: Sitting, *, index: int, code: str) -> None:
    """Settles the card seen at `index` as `code`; if it lay in another pile, it moves here.

    Where another pile has it by an open guess alone, that question stays open. Where another phone
    has removed the photo meanwhile, nothing is settled.
    """
    shown = sitting.piles[sitting.side].seen[index]

    def settled(piles: Piles) -> Piles:
        at = piles[sitting.side].place_of(shown)
        if at is None:
            return piles
        freed = tuple(
            draft.take(code) if side != sitting.side and code not in draft.asked_codes else draft
            for side, draft in enumerate(piles)
        )
        return given(freed, sitting.side, draft=freed[sitting.side].answered(at, code))

    change(store, sitting, how=settled)


@by_scorers
def agree(store: Store, sitting: Sitting, *, said: Mapping[SeenAt, str]) -> None:
    """Settles some doubtful cards as the camera's guesses that were shown.

    Those of a photo that another phone has removed meanwhile are left out.
    """
    shown = [(side, sitting.piles[side].seen[index], code) for (side, index), code in said.items()]

    def settled(piles: Piles) -> Piles:
        places = [(side, piles[side].place_of(seen), code) for side, seen, code in shown]
        there = {SeenAt(side, at): code for side, at, code in places if at is not None}
        return as_said(piles, there)

    change(store, sitting, how=settled)


@by_scorers
def give_card(store: Store, sitting: Sitting, *, code: str, owner: int) -> None:
    """Settles in which pile a card lies."""
    change(store, sitting, how=lambda piles: put_into(piles, code, side=owner))


@by_scorers
def set_absent(store: Store, sitting: Sitting, *, code: str) -> None:
    """Settles that a card is in no pile: the pack lacks it."""
    change(store, sitting, how=lambda piles: with_absent(piles, code))


@by_scorers
def give_rest(store: Store, sitting: Sitting, *, side: int) -> None:
    """Puts all cards without a pile into the pile of a side."""
    change(store, sitting, how=lambda piles: with_rest(piles, side))


@by_scorers
def count_pile(store: Store, sitting: Sitting, *, side: int, number: int | None) -> None:
    """Keeps how many cards somebody counted in a pile; with None it is asked again."""

    def counted(piles: Piles) -> Piles:
        return given(piles, side, draft=replace(piles[side], counted=number))

    change(store, sitting, how=counted)
