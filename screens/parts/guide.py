"""Help with photos: how to spread a pile, and after a bad photo the one thing to change."""

import streamlit as st

from screens import navigation, photos, render, state
from screens.parts import phone
from screens.parts.phone import Button
from screens.words import fault_sentence, t
from table.pile import Fault, Pile
from table.view import TableView
from vision.advice import FAULTS

SPREAD = (
    ("7d", "2c", "10s", "4b", "1d"),
    ("8c", "6s", "3b", "9d", "5c"),
    ("1s", "7b", "2d", "10c", "6b"),
)
"""The cards of the drawn example, row by row."""


def spread(view: TableView) -> None:
    """Shows how to spread a pile: open before a table's first photo, folded away after it."""
    is_first = not view.match.hands and not any(draft.photos for draft in view.piles)
    with st.expander(t("guide_head"), expanded=is_first, key="guide"):
        st.html(render.piece("spread", SPREAD))


def advice(view: TableView) -> None:
    """Says the one thing to change about a photo that came out badly, with its place marked.

    It can be taken again, or used as it is: then nothing more is said of it on this device.
    """
    fault = worst(view)
    picture = None if fault is None else photos.photo(fault.photo)
    if fault is None or picture is None:
        return
    capture = navigation.way(view.code, side=view.side, hand=view.editing)
    with st.container(key="advice"):
        with st.container(key=f"bad_shot_{fault.region or 'everywhere'}"):
            st.image(picture, width="stretch")
        with st.container(key="advice_told"):
            st.html(render.piece("advice", fault_sentence(fault.kind, fault.region)))
            with st.container(horizontal=True, key="advice_choice"):
                again = Button(
                    id="advice_again",
                    label=t("photo_again"),
                    action={"do": "remove", "photo": fault.photo},
                    to=navigation.path("capture", capture),
                )
                phone.buttons(view, [again], key="advice_again", is_column=True)
                st.button(
                    t("photo_use"),
                    key="advice_use",
                    on_click=state.use_photo,
                    args=(fault.photo,),
                )


def worst(view: TableView) -> Fault | None:
    """Gives the fault of the pile's photos that is worst, if it is worth a word.

    It is where cards are missing once all piles are in, and before that where a photo is hardly
    read at all. The order of `vision.advice.FAULTS` is that of what hides most.
    """
    if view.adds_up:
        return None
    order, draft = [*FAULTS], view.piles[view.side]
    faults = [
        fault
        for fault in draft.faults
        if not state.is_used(fault.photo)
        and (not view.questions.pending or is_hardly_read(draft, fault.photo))
    ]
    return min(
        faults,
        key=lambda fault: order.index(fault.kind) if fault.kind in order else -1,
        default=None,
    )


def is_hardly_read(pile: Pile, photo: int) -> bool:
    """Says whether a third of the cards on a photo are unclear, or none was found."""
    cards = [card for card in pile.detected if card.photo == photo]
    unclear = sum(card.is_open or card.is_unread for card in cards)
    return not cards or 3 * unclear >= len(cards)
