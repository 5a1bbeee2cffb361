"""The piles of a hand on one screen: photos or taps, and one question at a time."""

# ruff: noqa: D103  the functions of a page are its own

from collections.abc import Sequence

import streamlit as st

from screens import navigation, photos, render, state
from screens.parts import frame, guide, phone, questions, sides
from screens.parts.photo_view import drop_button, photo_view
from screens.words import t
from store import Upload, uploads
from table.hand.questions import AwaitPhotos, KeepTapping, NothingLeft, ShowPiles
from table.view import TableView


def shots(view: TableView, *, by_hand: bool) -> None:
    """Show each photo of the pile; a tap on a card asks which card it is."""
    draft = view.piles[view.side]
    gone = [photo for photo in draft.photos if photos.photo(photo) is None]
    for number, photo in enumerate(draft.photos, start=1):
        if photo in gone:
            phone.buttons(view, [drop_button(photo, number=number)], key=f"gone_{number}")
        else:
            photo_view(view, photo, number=number)
    if gone:
        render.quiet(t("photo_gone", n=len(gone)))
    if draft.photos or (draft.codes and not by_hand):
        label = t("snap_more" if draft.photos else "snap_pile", name=view.names[view.side])
        phone.snap(view, view.side, label, key="more")
    elif not draft.codes and view.side not in view.reading:
        st.html(render.piece("spread", guide.SPREAD))


def pile(view: TableView, *, by_hand: bool) -> None:
    """Draw the pile: its photos, the forty cards, or on a wide screen both."""
    with st.container(key="pile_cards" if by_hand else "pile_photos"):
        with st.container(key="shots"):
            shots(view, by_hand=by_hand)
        with st.container(key="cards"):
            phone.forty(view)
    if by_hand:
        return
    if view.table.is_sample:
        phone.samples(view)


def camera(view: TableView, sent: Sequence[Upload], *, by_hand: bool) -> None:
    """Draw the red camera of the next pile and the progress of photos, or repeat a bad photo."""
    fault, side = guide.worst(view), sides.next_to_snap(view, first=view.side)
    label = "" if side is None or by_hand else t("snap_pile", name=view.names[side])
    if fault is not None and not by_hand:
        side, label = fault.side, t("photo_again")
        guide.advice(view, fault)
    replaces = None if fault is None else fault.photo
    target = view.side if side is None else side
    if phone.snap(view, target, label, sent=sent, replaces=replaces):
        navigation.go("settle", view.code, side=target, hand=view.editing)
    if fault is not None and not by_hand:
        guide.instead(view, fault)


def onward(view: TableView, *, by_hand: bool) -> None:
    """Draw the next step if it is not the camera: a question, the next pile, or the points."""
    step = view.questions.next_step
    if by_hand and isinstance(step, ShowPiles):
        here = view.piles[view.side].codes
        others = [side for side in step.sides if side != view.side]
        if not questions.rest(view, kind="primary") and here and others:
            label = render.plain(t("next_pile", name=view.names[others[0]]))
            args = (state.SIDE, str(others[0]))
            st.button(
                label,
                key="next_pile",
                type="primary",
                width="stretch",
                on_click=state.put,
                args=args,
            )
        return
    if questions.ask(view):
        return
    match step:
        case NothingLeft():
            label, is_open = t("to_points"), True
        case AwaitPhotos(sides=read):
            names = ", ".join(view.names[side] for side in read)
            label, is_open = render.plain(t("photos_first", names=names)), False
        case KeepTapping(codes):
            label, is_open = t("settle_first", n=len(codes)), False
        case _:
            return
    if st.button(label, key="onward", type="primary", width="stretch", disabled=not is_open):
        navigation.go("points", view.code, side=view.side, hand=view.editing)
    questions.count_again(view)


def main() -> None:
    view = frame.require_view(of_hand=True)
    state.session().taken = None
    frame.band(view, back="play")
    with state.store().read(view.code) as table:
        sent = uploads.of_hand(table, match_no=view.row.match_no, hand_no=view.hand_no)
    draft = view.piles[view.side]
    by_hand = state.address().by_hand
    if by_hand is None:
        by_hand = bool(draft.codes) and not draft.photos
    with st.container(key="fold"):
        with st.container(key="counted"):
            sides.ways_to_count(view, "cards" if by_hand else "photo")
            sides.chips(view)
            st.html(sides.standing(view))
        pile(view, by_hand=by_hand)
        with st.container(key="steps"):
            camera(view, sent, by_hand=by_hand)
            waits_for_camera = not by_hand and (
                sides.next_to_snap(view, first=view.side) is not None
                or guide.worst(view) is not None
            )
            if view.questions.repeat is None and waits_for_camera:
                questions.rest(view)
            else:
                onward(view, by_hand=by_hand)


main()
