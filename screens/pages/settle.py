"""The piles of a hand on one screen: photos or taps, and one question at a time."""

# ruff: noqa: D103  the functions of a page are its own

from collections.abc import Sequence

import streamlit as st

from screens import navigation, photos, render, state
from screens.parts import frame, guide, phone, questions, sides
from screens.parts.photo_view import drop_button, photo_view
from screens.words import t
from store import Upload, uploads
from table.hand.questions import AwaitPhotos, KeepTapping, NothingLeft, ShowMore, ShowPiles
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
    fault = guide.worst_fault(view)
    if fault is not None:
        guide.advice(view, fault)
    is_next = not by_hand and sides.next_to_snap(view, first=view.side) == view.side
    if fault is not None and draft.codes:
        phone.snap(view, view.side, t("photo_again"), key="more", replaces=fault.photo)
    elif not is_next and (draft.photos or (draft.codes and not by_hand)):
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


def camera(view: TableView, sent: Sequence[Upload], *, by_hand: bool) -> None:
    """Draw the red camera if a pile is photographed next, and the progress of photos."""
    side = None if by_hand else sides.next_to_snap(view, first=view.side)
    label = "" if side is None else t("snap_pile", name=view.names[side])
    target = view.side if side is None else side
    replaces = guide.useless_photo(view.piles[target])
    if phone.snap(view, target, label, sent=sent, replaces=replaces):
        navigation.go("settle", view.code, side=target, hand=view.editing)


def next_pile(view: TableView, side: int) -> None:
    """Draw the red button that shows the pile of another side."""
    label, args = render.plain(t("next_pile", name=view.names[side])), (state.SIDE, str(side))
    st.button(
        label, key="next_pile", type="primary", width="stretch", on_click=state.put, args=args
    )


def tap_next(view: TableView, missing: Sequence[int]) -> None:
    """Lead from a pile that was tapped in to the next one, or offer it the remaining cards."""
    others = [side for side in missing if side != view.side]
    is_next = not questions.rest(view, kind="primary") and view.piles[view.side].codes
    if is_next and others:
        next_pile(view, others[0])


def onward(view: TableView, *, by_hand: bool) -> None:
    """Draw the next step: what goes with the camera, a question, another pile, or the points."""
    step = view.questions.next_step
    match step:
        case ShowPiles(sides=missing) if by_hand:
            tap_next(view, missing)
        case ShowPiles():
            questions.rest(view)
        case ShowMore(codes=codes):
            questions.hints(view)
            questions.give_missing(view)
            if by_hand:
                points(view, t("settle_first", n=len(codes)), is_open=False)
        case KeepTapping(codes=codes):
            points(view, t("settle_first", n=len(codes)), is_open=False)
        case AwaitPhotos(sides=read):
            names = ", ".join(view.names[side] for side in read)
            points(view, render.plain(t("photos_first", names=names)), is_open=False)
        case NothingLeft():
            points(view, t("to_points"), is_open=True)
            questions.count_again(view)
        case _ if view.side in questions.sides_of(view, step):
            questions.ask(view)
        case _:
            next_pile(view, questions.sides_of(view, step)[0])


def points(view: TableView, label: str, *, is_open: bool) -> None:
    """Draw the red button that leads to the points, or says what they wait for."""
    if st.button(label, key="onward", type="primary", width="stretch", disabled=not is_open):
        navigation.go("points", view.code, side=view.side, hand=view.editing)


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
            onward(view, by_hand=by_hand)


main()
