"""One pile: questions first, then the photos with each card named, and the forty cards to tap."""

import streamlit as st

from scoring.cards import CODES
from screens import navigation, photos, render
from screens.parts import frame, guide, phone, questions, sides
from screens.parts.photo_view import photo_view
from screens.words import t
from table.piles import missing
from table.questions import (
    AnswerDoubts,
    AwaitPhotos,
    KeepTapping,
    PlaceMissing,
    SettleOwner,
    ShowPiles,
)
from table.view import TableView


def remarks(sitting: TableView) -> None:
    """Says what the camera saw that is no card of the pile."""
    draft = sitting.piles[sitting.side]
    odd = (("back", "face_down"), ("x", "strangers"))
    said = [t(key, n=draft.count(guess)) for guess, key in odd if draft.count(guess)]
    said += [t("unread", n=draft.unread)] if draft.unread else []
    if said:
        render.note("\n".join(said), kind="ask")


def shots(sitting: TableView) -> None:
    """Shows each photo of the pile; a tap on a card asks which one it is."""
    draft = sitting.piles[sitting.side]
    shown = [photo for photo in draft.photos if photos.photo(photo) is not None]
    for photo in shown:
        photo_view(sitting, photo, number=draft.photos.index(photo) + 1)
    gone = len(draft.photos) - len(shown)
    said = [t("photo_gone", n=gone)] if gone else []
    said += [t("photo_tap")] if shown and draft.detected else []
    for sentence in said:
        render.quiet(sentence, "span")


def rest_button(sitting: TableView) -> None:
    """Offers the missing cards to the one side that has none yet, else to this side."""
    left, issues = missing(sitting.piles), sitting.questions
    asked_for = isinstance(issues.next_step, PlaceMissing)
    if not left or len(issues.missing_piles) > 1 or len(left) == len(CODES) or asked_for:
        return
    side = issues.missing_piles[0] if issues.missing_piles else sitting.side
    if issues.reading:
        return  # a missing card may lie on a photo that is being read
    if sitting.piles[side].photos and issues.doubts:
        return  # a missing card may be one of those still in doubt
    label = t("rest", n=len(left), name=sitting.names[side])
    rest = questions.give_rest(side, label, name="rest")
    phone.buttons(sitting, [rest], key="rest", is_column=True)


def next_step(sitting: TableView) -> tuple[str, str, int]:
    """Says what comes after this pile: the button's words, the screen (none: not yet), the side."""
    side, issues = sitting.side, sitting.questions
    here = len(issues.doubts_of(side)) + len(issues.conflicting)
    match issues.next_step:
        case ShowPiles(sides) if side in sides:
            return t("tap_first"), "", side
        case ShowPiles(sides=(other, *_)):
            key = "next_pile_later" if issues.doubts_of(side) else "next_pile"
            return t(key, name=sitting.names[other]), "capture", other
        case AwaitPhotos(sides=being_read):
            names = ", ".join(sitting.names[other] for other in being_read)
            return t("photos_first", names=names), "", side
        case AnswerDoubts() | SettleOwner() if here:
            return t("answer_first", n=here), "", side
        case AnswerDoubts(doubts=doubts):
            other = min(doubt.side for doubt in doubts)
            count = len(issues.doubts_of(other))
            return t("other_asks", name=sitting.names[other], n=count), "review", other
        case PlaceMissing(codes) | KeepTapping(codes):
            return t("settle_first", n=len(codes)), "", side
    return t("to_points"), "points", side


def onward(sitting: TableView) -> None:
    """Draws the one button that leads on, or says what holds the pile up."""
    label, screen, side = next_step(sitting)
    shown = render.plain(label)
    if st.button(shown, key="onward", type="primary", width="stretch", disabled=not screen):
        navigation.go(screen, sitting.code, side=side, hand=sitting.editing)


def main() -> None:
    """Draws the review of one side's pile."""
    sitting = frame.require_view(of_hand=True)
    frame.band(sitting, back="capture", side=sitting.side)
    sides.switch(sitting)
    st.header(render.plain(t("snap_head", name=sitting.names[sitting.side])))
    guide.advice(sitting)
    remarks(sitting)
    questions.questions(sitting)
    with st.container(key="pile"):
        if sitting.piles[sitting.side].photos:
            with st.container(key="shots"):
                shots(sitting)
        with st.container(key="cards"):
            st.html(render.piece("plain_div", t("picker_head")))
            phone.forty(sitting)
    with st.container(key="steps"):
        rest_button(sitting)
        if not questions.count(sitting):
            onward(sitting)


main()
