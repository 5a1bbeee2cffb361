"""One pile: the photo with each card named, what is doubtful first, and the forty cards to tap."""

import streamlit as st
from markupsafe import Markup

from scoring.cards import CODES
from screens import crops, navigation, state
from screens.look import theme
from screens.parts import frame, picker, questions, sides
from screens.parts.photo_view import photo_view
from screens.words import say
from table.piles import disputed, missing
from table.sitting import Sitting


def remarks(sitting: Sitting) -> None:
    """Says what the camera saw that is no card of the pile, and what the photo lacks."""
    draft = sitting.piles[sitting.side]
    odd = (("back", "face_down"), ("x", "strangers"))
    said = [say(key, n=draft.count(guess)) for guess, key in odd if draft.count(guess)]
    said += [say("unread", n=draft.unread)] if draft.unread else []
    if said or draft.notes:
        theme.note("\n".join([*said, *draft.notes]), kind="ask")


def photos(sitting: Sitting) -> None:
    """Shows each photo of the pile; a tap on a card asks which one it is."""
    draft = sitting.piles[sitting.side]
    for photo in draft.photos:
        jpeg = state.photo(photo)
        seen = [(i, one) for i, one in enumerate(draft.seen) if one.photo == photo]
        index = photo_view(photo, jpeg, seen=seen, size_wh=crops.size_wh(jpeg))
        if index is not None:
            questions.choose(sitting, index)
    if draft.seen:
        st.html(Markup('<span class="quiet">{}</span>').format(say("photo_tap")))


def rest_button(sitting: Sitting) -> None:
    """Offers the cards of no pile to the one side that has none yet, else to this side."""
    left = missing(sitting.piles)
    empty = sitting.waiting
    if not left or len(empty) > 1 or len(left) == len(CODES) or questions.asks_lost(sitting):
        return
    side = empty[0] if empty else sitting.side
    if sitting.piles[side].photos and sitting.asked.places:
        return  # what is in no pile may be what an open question turns out to be
    label = say("rest", n=len(left), name=sitting.names[side])
    st.button(label, key="rest", on_click=questions.rest, args=(sitting, side), width="stretch")


def next_step(sitting: Sitting) -> tuple[str, str, int]:
    """Says what comes after this pile: the button's words, the screen (none: not yet), the side.

    First every pile is shown; then only what could change a point is asked.
    """
    side = sitting.side
    if side in sitting.waiting:
        return say("tap_first"), "", side
    left = [other for other in sitting.waiting if other != side]
    if left:
        key = "next_pile_later" if sitting.asks(side) else "next_pile"
        return say(key, name=sitting.names[left[0]]), "capture", left[0]
    here = sitting.asks(side) + len(disputed(sitting.piles))
    if here:
        return say("answer_first", n=here), "", side
    for other, name in enumerate(sitting.names):
        if sitting.asks(other):
            return say("other_asks", name=name, n=sitting.asks(other)), "review", other
    if lost := sitting.asked.lost:
        return say("settle_first", n=len(lost)), "", side
    return say("to_points"), "points", side


def onward(sitting: Sitting) -> None:
    """Draws the one button that leads on, or says what holds the pile up."""
    label, screen, side = next_step(sitting)
    if st.button(label, key="onward", type="primary", width="stretch", disabled=not screen):
        navigation.go(screen, sitting.code, side=side, hand=sitting.mending)


def main() -> None:
    """Draws the review of one side's pile."""
    sitting = frame.seated(of_hand=True)
    frame.band(sitting, back="capture", side=sitting.side)
    sides.switch(sitting)
    st.header(say("snap_head", name=sitting.names[sitting.side]))
    remarks(sitting)
    questions.questions(sitting)
    with st.container(key="pile"):
        if sitting.piles[sitting.side].photos:
            with st.container(key="shots"):
                photos(sitting)
        with st.container(key="cards"):
            picker.picker(sitting)
    with st.container(key="steps"):
        rest_button(sitting)
        if not questions.count(sitting):
            onward(sitting)


main()
