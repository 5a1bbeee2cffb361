"""Help with photos: how to spread a pile, and what to change about a bad photo."""

import streamlit as st

from screens import photos, render
from screens.words import fault_sentence
from table.hand.pile import CardRef, Fault
from table.hand.piles import Piles
from table.hand.questions import AnswerDoubts, PlaceMissing, ShowMore, ShowPiles
from table.view import TableView
from vision.advice import FAULTS

SPREAD = (
    ("7d", "2c", "10s", "4b", "1d"),
    ("8c", "6s", "3b", "9d", "5c"),
    ("1s", "7b", "2d", "10c", "6b"),
)
"""The cards of the drawn example, row by row."""


def worst_fault(view: TableView) -> Fault | None:
    """Return the worst fault of the latest bad photo of the pile on the screen.

    A photo is bad if its pile has no card yet, or if a third of its cards keep a point open once
    all piles were shown. Return None if cards of the pile were tapped.
    `vision.advice.FAULTS` is in order of importance.
    """
    pile, step = view.piles[view.side], view.questions.next_step
    is_asked = isinstance(step, ShowMore | AnswerDoubts | PlaceMissing)
    is_blank = isinstance(step, ShowPiles) and not pile.codes
    if pile.by_hand or not (is_asked or is_blank):
        return None
    order = [*FAULTS]
    bad = [
        fault
        for fault in pile.faults
        if _is_hardly_read(view, fault.photo) and photos.photo(fault.photo) is not None
    ]
    latest = max((fault.photo for fault in bad), default=None)
    return min(
        (fault for fault in bad if fault.photo == latest),
        key=lambda fault: order.index(fault.kind) if fault.kind in order else -1,
        default=None,
    )


def _is_hardly_read(view: TableView, photo: int) -> bool:
    """Return whether no card was found on a photo, or a third of its cards keep a point open."""
    cards = [
        CardRef(view.side, number)
        for number, card in enumerate(view.piles[view.side].detected)
        if card.photo == photo
    ]
    return 3 * sum(map(view.is_unclear, cards)) >= len(cards)


def useless_photos(piles: Piles) -> dict[int, int]:
    """Return, by side, the latest photo of each pile that has faulty photos and no card."""
    return {
        side: max(fault.photo for fault in pile.faults)
        for side, pile in enumerate(piles)
        if pile.faults and not pile.codes
    }


def advice(view: TableView, fault: Fault) -> None:
    """Say what to change about a photo of the pile on the screen."""
    sentence = fault_sentence(fault.kind, fault.region)
    st.html(render.piece("advice", view.names[view.side], view.side, sentence))
