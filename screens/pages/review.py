"""One pile: questions first, then the photos with each card named, and the forty cards to tap."""

# ruff: noqa: D103  the functions of a page are its own

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
    SettleRepeat,
    ShowPiles,
)
from table.view import TableView


def remarks(view: TableView) -> None:
    """Says what the camera saw that is no card of the pile."""
    if view.adds_up or view.questions.pending:
        return  # it may be none of the forty
    draft = view.piles[view.side]
    odd = (("back", "face_down"), ("x", "strangers"))
    said = [t(key, n=draft.count(guess)) for guess, key in odd if draft.count(guess)]
    said += [t("unread", n=draft.unread)] if draft.unread else []
    if said:
        render.note("\n".join(said), kind="ask")


def shots(view: TableView) -> None:
    """Shows each photo of the pile; a tap on a card asks which one it is."""
    draft = view.piles[view.side]
    shown = [photo for photo in draft.photos if photos.photo(photo) is not None]
    for photo in shown:
        photo_view(view, photo, number=draft.photos.index(photo) + 1)
    gone = len(draft.photos) - len(shown)
    said = [t("photo_gone", n=gone)] if gone else []
    said += [t("photo_tap")] if shown and draft.detected else []
    for sentence in said:
        render.quiet(sentence, "span")


def rest_button(view: TableView) -> None:
    left, issues = missing(view.piles), view.questions
    if issues.repeat is not None:
        return
    asked_for = isinstance(issues.next_step, PlaceMissing)
    if not left or len(issues.missing_piles) > 1 or len(left) == len(CODES) or asked_for:
        return
    side = issues.missing_piles[0] if issues.missing_piles else view.side
    if issues.reading:
        return  # a missing card may lie on a photo that is being read
    if view.piles[side].photos and issues.doubts:
        return  # a missing card may be one of those still in doubt
    label = t("rest", n=len(left), name=view.names[side])
    rest = questions.give_rest(side, label, name="rest")
    phone.buttons(view, [rest], key="rest", is_column=True)


def next_step(view: TableView) -> tuple[str, str, int]:
    """Says what comes after this pile: the button's words, the screen (none: not yet), the side."""
    side, issues = view.side, view.questions
    here = len(issues.doubts_of(side)) + len(issues.conflicting)
    match issues.next_step:
        case SettleRepeat():
            return t("answer_first", n=1), "", side
        case ShowPiles(sides) if side in sides:
            return t("tap_first"), "", side
        case ShowPiles(sides=(other, *_)):
            return t("next_pile", name=view.names[other]), "capture", other
        case AwaitPhotos(sides=being_read):
            names = ", ".join(view.names[other] for other in being_read)
            return t("photos_first", names=names), "", side
        case AnswerDoubts() | SettleOwner() if here:
            return t("answer_first", n=here), "", side
        case AnswerDoubts(doubts=doubts):
            other = min(doubt.side for doubt in doubts)
            count = len(issues.doubts_of(other))
            return t("other_asks", name=view.names[other], n=count), "review", other
        case PlaceMissing(codes) | KeepTapping(codes):
            return t("settle_first", n=len(codes)), "", side
    return t("to_points"), "points", side


def onward(view: TableView) -> None:
    label, screen, side = next_step(view)
    shown = render.plain(label)
    if st.button(shown, key="onward", type="primary", width="stretch", disabled=not screen):
        navigation.go(screen, view.code, side=side, hand=view.editing)


def main() -> None:
    view = frame.require_view(of_hand=True)
    frame.band(view, back="capture", side=view.side)
    sides.switch(view)
    st.header(render.plain(t("snap_head", name=view.names[view.side])))
    guide.advice(view)
    remarks(view)
    questions.questions(view)
    with st.container(key="pile"):
        if view.piles[view.side].photos:
            with st.container(key="shots"):
                shots(view)
        with st.container(key="cards"):
            st.html(render.piece("plain_div", t("picker_head")))
            phone.forty(view)
    with st.container(key="steps"):
        rest_button(view)
        if not questions.count(view):
            onward(view)


main()
