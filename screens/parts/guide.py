"""Help with photos: how to spread a pile, and what to change about a bad photo."""

from dataclasses import dataclass

import streamlit as st

from screens import navigation, photos, render, state
from screens.words import fault_sentence, t
from table.hand.pile import Fault, Pile
from table.view import TableView
from vision.advice import FAULTS

SPREAD = (
    ("7d", "2c", "10s", "4b", "1d"),
    ("8c", "6s", "3b", "9d", "5c"),
    ("1s", "7b", "2d", "10c", "6b"),
)
"""The cards of the drawn example, row by row."""


@dataclass(frozen=True, kw_only=True)
class BadPhoto:
    """A photo to take again."""

    side: int
    photo: int
    fault: Fault


def worst(view: TableView) -> BadPhoto | None:
    """Return the latest photo that could hardly be read, with its worst fault.

    A photo does not count if the user accepted it, if cards of its pile were tapped since, or if
    the hand
    adds up without it. `vision.advice.FAULTS` is in order of importance.
    """
    if view.adds_up:
        return None
    order = [*FAULTS]
    bad = [
        BadPhoto(side=side, photo=fault.photo, fault=fault)
        for side, pile in enumerate(view.piles)
        for fault in sorted(
            pile.faults, key=lambda one: order.index(one.kind) if one.kind in order else -1
        )
        if not pile.by_hand
        and fault.photo not in state.session().photos_used
        and is_hardly_read(pile, fault.photo)
        and photos.photo(fault.photo) is not None
    ]
    latest = max((one.photo for one in bad), default=None)
    return next((one for one in bad if one.photo == latest), None)


def is_hardly_read(pile: Pile, photo: int) -> bool:
    """Return whether a third of a photo's cards are unclear, or no card was found."""
    cards = [card for card in pile.detected if card.photo == photo]
    unclear = sum(card.is_open or card.is_unread for card in cards)
    return not cards or 3 * unclear >= len(cards)


def advice(view: TableView, bad: BadPhoto) -> None:
    """Say what to change about a bad photo; the red button takes it again."""
    sentence = fault_sentence(bad.fault.kind, bad.fault.region)
    st.html(render.piece("advice", view.names[bad.side], bad.side, sentence))


def instead(view: TableView, bad: BadPhoto) -> None:
    """Offer what can be done without another photo: tap the cards, or accept it."""

    def use() -> None:
        state.session().photos_used |= {bad.photo}

    with st.container(horizontal=True, key="instead"):
        label, hand = t("tap_cards"), view.editing
        navigation.link("settle", label, view.code, side=bad.side, hand=hand, by_hand=True)
        keep = t("photo_use")
        st.button(keep, key="advice_use", on_click=use)
