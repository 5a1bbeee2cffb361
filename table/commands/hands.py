"""What taps do to hands that are confirmed, or are about to be."""

from dataclasses import replace

from scoring.hand import Side
from scoring.record import HandRecord
from store import Store
from table.commands.drafts import change
from table.piles import Piles
from table.roles import by_scorers
from table.sitting import ShownHand, Sitting


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
def replace_hand(store: Store, sitting: Sitting, *, hand_no: int, facts: HandRecord) -> None:
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
