"""Everything that a tap can do to a table, a function a tap. Nothing else writes to the store.

A command takes the store and the `Sitting` that was on the screen. Piles are changed as they stand
in the store now, not as they were on the screen; what a phone saw says which match and hand it
meant. Every command may raise a leaf of `StoreError`, and then has changed nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from scoring.facts import HandFacts
from scoring.hand import Side
from scoring.rules import Rules
from table.next_question import as_said
from table.piles import (
    Piles,
    given,
    put_into,
    renewed,
    tapped,
    with_absent,
    with_rest,
)
from table.roles import by_scorers, hash_of
from table.seen import SeenAt
from table.sitting import ShownHand, Sitting, laid_out
from table.store import StaleDraftError, Store, TableRow

TRIES = 5
"""How often a change of drafts is repeated when other phones change them at the same moment."""


READ_AGAIN = ""
"""The name of a file in the queue of the readers that is none: the photos of its hand that are
there already are to be read again."""


# Tables and matches


def open_table(
    store: Store, names: Sequence[str], *, rules: Rules, link: str, device: str = ""
) -> TableRow:
    """Opens a table with its first match; whoever holds the link scores there.

    Asked twice with the same link, it is opened once.
    """
    return store.open_table(names, rules, link_hash=hash_of(link), device=device)


def take_over(store: Store, code: str, *, link: str) -> None:
    """Gives a table that has no scorers' link one; asked twice with the same link, once.

    Only tables of releases before 0.3 have none: whoever knew their code scored there.

    Raises:
        LinkTakenError: Somebody else took the table over first.
    """
    store.put_link(code, hash_of(link), expected=None)


@by_scorers
def renew_link(store: Store, sitting: Sitting, *, link: str) -> None:
    """Puts another link in the place of the scorers' link: whoever holds the old one only looks.

    Raises:
        LinkTakenError: Somebody else renewed it at the same moment.
    """
    store.put_link(sitting.table, hash_of(link), expected=sitting.table.link_hash)


@by_scorers
def rematch(store: Store, sitting: Sitting) -> None:
    """Opens the next match of the same sides; tapped twice, it is opened once."""
    store.rematch(
        sitting.table,
        after=sitting.row.match_no,
        expected=sitting.row.revision,
        device=sitting.device,
    )


@by_scorers
def leave_match(store: Store, sitting: Sitting) -> None:
    """Goes back to the match before, as the one on the screen was opened by mistake."""
    store.leave_match(
        sitting.table,
        match_no=sitting.row.match_no,
        expected=sitting.row.revision,
        device=sitting.device,
    )


# Scope


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


# Cards


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


# Photos


@by_scorers
def keep_photo(store: Store, sitting: Sitting, *, data: bytes, key: str, name: str) -> None:
    """Puts a photo of the pile on the screen into the queue of the readers.

    The same key again puts none in.
    """
    store.put_upload(
        sitting.table,
        data,
        key=key,
        name=name,
        match_no=sitting.row.match_no,
        hand_no=sitting.hand_no,
        side=sitting.side,
        is_mending=sitting.mending is not None,
        device=sitting.device,
    )


@by_scorers
def remove_photo(store: Store, sitting: Sitting, *, photo: int, key: str) -> None:
    """Takes a photo of the pile on the screen out of its draft, and what was seen on it.

    What it told of the other photos goes with it: they are put into the queue of the readers, under
    a key of the sender's, to be looked at again without it.
    """
    change(store, sitting, how=lambda piles: _without(piles, sitting.side, photo=photo))
    if any(set(draft.photos) - {photo} for draft in sitting.piles):
        keep_photo(store, sitting, data=b"", key=key, name=READ_AGAIN)


def _without(piles: Piles, side: int, *, photo: int) -> Piles:
    return given(piles, side, draft=piles[side].without_photo(photo))


@by_scorers
def forget_photo(store: Store, sitting: Sitting, *, upload: int) -> None:
    """Says no more of a photo that was refused or came late."""
    store.forget_upload(sitting.table, upload)


@by_scorers
def take_up_photo(store: Store, sitting: Sitting, *, upload: int) -> None:
    """Lets a photo whose hand was over before it was read be read into the pile on the screen."""
    store.take_up_upload(
        sitting.table,
        upload,
        match_no=sitting.row.match_no,
        hand_no=sitting.hand_no,
        side=sitting.side,
        is_mending=sitting.mending is not None,
    )


# Hands


@by_scorers
def confirm(store: Store, sitting: Sitting, *, shown: ShownHand) -> None:
    """Makes a hand part of the match as it was shown; sent twice, it counts once.

    Raises:
        ConflictError: Another device was first; this hand is kept as a proposal.
        ScoringError: The match or the store refuses it.
    """
    key, seen, device = shown.key(sitting.code), shown.revision, sitting.device
    if shown.is_mending:
        store.edit_hand(
            sitting.table,
            shown.facts,
            match_no=shown.match_no,
            hand_no=shown.hand_no,
            key=key,
            expected=seen,
            device=device,
        )
    else:
        store.record_hand(sitting.table, shown.facts, key=key, expected=seen, device=device)


@by_scorers
def replace_hand(store: Store, sitting: Sitting, *, hand_no: int, facts: HandFacts) -> None:
    """Lets another version of a confirmed hand stand, in this match or an earlier one.

    Raises:
        ConflictError: Another device has changed the match meanwhile.
    """
    version = replace(sitting.shown, hand_no=hand_no, is_mending=True, facts=facts)
    store.edit_hand(
        sitting.table,
        facts,
        match_no=version.match_no,
        hand_no=hand_no,
        key=version.key(sitting.code),
        expected=sitting.row.revision,
        device=sitting.device,
    )


@by_scorers
def take_out(store: Store, sitting: Sitting, *, hand_no: int) -> None:
    """Takes a confirmed hand out of its match: it keeps its number and counts nothing.

    Raises:
        ConflictError: Another device has changed the match meanwhile.
    """
    held = sitting.match.hands[hand_no - 1]
    nothing = replace(held, sides=tuple(Side(name, ()) for name in sitting.names))
    replace_hand(store, sitting, hand_no=hand_no, facts=nothing)


@by_scorers
def undo(store: Store, sitting: Sitting) -> None:
    """Takes back the last step that was on the screen; tapped twice, once."""
    key = f"undo-{sitting.row.match_no}-{sitting.row.revision}"
    store.undo_hand(sitting.table, key=key, expected=sitting.row.revision, device=sitting.device)


@by_scorers
def redo(store: Store, sitting: Sitting) -> None:
    """Takes the step again that was taken back last; tapped twice, once."""
    key = f"redo-{sitting.row.match_no}-{sitting.row.revision}"
    store.redo_hand(sitting.table, key=key, expected=sitting.row.revision, device=sitting.device)


@by_scorers
def decide(store: Store, sitting: Sitting, *, proposal: int, accept: bool) -> None:
    """Lets the hand stand that stands, or puts the proposal with this number in its place."""
    if accept:
        store.accept_proposal(
            sitting.table, proposal, expected=sitting.row.revision, device=sitting.device
        )
    else:
        store.dismiss_proposal(sitting.table, proposal)


@by_scorers
def open_for_mending(store: Store, sitting: Sitting, *, hand_no: int) -> None:
    """Lays out the piles of a confirmed hand as drafts, with the photos they were read from.

    Where somebody has begun to mend it since the match last changed, that is gone on with.
    """
    facts = sitting.match.hands[hand_no - 1]
    match_no = sitting.row.match_no
    changed_at = max(step.made_at for step in store.log_of(sitting.table, match_no=match_no))
    drafts = store.drafts(sitting.table, match_no=match_no, hand_no=hand_no)
    if any(row.made_at > changed_at and row.draft.get("scope") is not None for row in drafts):
        return

    def confirmed(piles: Piles) -> Piles:
        return tuple(
            replace(draft.holding(card.code for card in side.pile), scope=side.scope)
            for draft, side in zip(piles, facts.sides, strict=True)
        )

    change(store, replace(sitting, hand_no=hand_no), how=confirmed)


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
