"""The piles of a hand on one screen: photos or taps, and one question at a time."""

# ruff: noqa: D103  the functions of a page are its own

from collections.abc import Sequence

import streamlit as st

from screens import navigation, photos, render, state
from screens.parts import frame, guide, phone, photo_view, questions, sides
from screens.words import t
from table.hand.questions import AwaitPhotos, KeepTapping, NothingLeft, ShowMore, ShowPiles
from table.view import TableView


def shots(view: TableView, *, by_hand: bool) -> None:
    """Show the photos of the pile, or how to take one, and what to change about a bad one."""
    draft = view.piles[view.side]
    photo_view.draw(view)
    if gone := sum(photos.photo(photo) is None for photo in draft.photos):
        render.quiet(t("photo_gone", n=gone))
    fault = guide.worst_fault(view)
    if fault is not None:
        guide.advice(view, fault)
    if not (draft.codes or draft.photos or view.side in view.reading):
        st.html(render.piece("spread", guide.SPREAD))
    elif not draft.codes or view.side in sides.to_snap(view):
        return  # the red camera is of this pile
    elif fault is not None:
        bad = {view.side: fault.photo}
        phone.snap(view, view.side, t("photo_again"), sent=(), key="more", replaces=bad)
    elif not (draft.photos or by_hand):
        phone.snap(view, view.side, t("snap_pile", name=view.names[view.side]), sent=(), key="more")


def pile(view: TableView, *, by_hand: bool) -> None:
    """Draw the pile: its photos, the forty cards, or on a wide screen both."""
    with st.container(key="pile_cards" if by_hand else "pile_photos"):
        with st.container(key="shots"):
            shots(view, by_hand=by_hand)
        with st.container(key="cards"):
            phone.forty(view)


def camera(view: TableView, *, by_hand: bool) -> None:
    """Draw the red camera if a pile is photographed next, and what became of photos."""
    left = () if by_hand else sides.to_snap(view, first=view.side)
    side, label = view.side, ""
    if left:
        side, label = left[0], t("snap_pile", name=view.names[left[0]])
    bad = guide.useless_photos(view.piles)
    phone.snap(view, side, label, then=left[1:], sent=view.uploads, replaces=bad)


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
        case _ if view.side in questions.sides_of(view, step):
            questions.ask(view)
        case _:
            next_pile(view, questions.sides_of(view, step)[0])
    questions.count_again(view)


def points(view: TableView, label: str, *, is_open: bool) -> None:
    """Draw the red button that leads to the points, or says what they wait for."""
    if st.button(label, key="onward", type="primary", width="stretch", disabled=not is_open):
        navigation.go("points", view.code, side=view.side, hand=view.editing)


def main() -> None:
    view = frame.require_view(of_hand=True, at_pile=True)
    taken, state.session().taken = state.session().taken, None
    if taken not in (None, view.side):
        navigation.go("settle", view.code, side=taken, hand=view.editing)
    frame.band(view, back="play")
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
            camera(view, by_hand=by_hand)
            onward(view, by_hand=by_hand)


main()
