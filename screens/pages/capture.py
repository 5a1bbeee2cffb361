"""The photos of one pile: the phone's own camera, its photos, this device's camera, a sample."""

# ruff: noqa: D103  the functions of a page are its own

from collections.abc import Sequence

import streamlit as st

from screens import navigation, photos, render, state
from screens.network import gives_camera
from screens.parts import frame, guide, phone, sides
from screens.parts.phone import Button
from screens.words import t
from store import Upload, UploadState, uploads
from table.view import TableView


def follow_reading(view: TableView, sent: Sequence[Upload], *, were_sent: bool) -> None:
    """Opens the pile once the photos are read that this screen sent or saw waiting.

    After a lost connection they may have been read before the screen is drawn again.
    """
    waiting = {
        upload.id
        for upload in sent
        if upload.side == view.side and upload.state is UploadState.WAITING
    }
    was_waiting = state.waits((view.code, view.hand_no, view.side), ids=waiting)
    refused = any(upload.state is UploadState.REFUSED for upload in sent)
    if (was_waiting or were_sent) and not waiting and not refused:
        navigation.go("review", view.code, side=view.side, hand=view.editing)


def taken(view: TableView) -> None:
    taken_photos = view.piles[view.side].photos
    if not taken_photos:
        return
    st.write(t("photos_taken", n=len(taken_photos)))
    with st.container(horizontal=True, key="thumbs"):
        for place, photo in enumerate(taken_photos, start=1):
            with st.container(key=f"thumb_{place}", width=170):
                if photos.photo(photo) is None:
                    st.html(render.piece("photo_gone"))
                else:
                    alt = t("photo_number", number=place)
                    st.html(render.piece("photo", phone.picture(view, photo), alt))
                label, action = t("photo_drop", number=place), {"do": "remove", "photo": photo}
                drop = Button(id=f"drop_{place}", label=label, action=action)
                phone.buttons(view, [drop], key=f"drop_{place}", is_column=True)


def lending(view: TableView) -> None:
    lends = view.table.lends_photos
    wanted = st.toggle(t("lends_photos"), value=lends, key=f"lends_photos_{lends}")
    st.write(t("lends_photos_told"))  # nobody agrees to what stands behind a question mark
    if wanted is not lends:
        with frame.flash_errors():
            state.execute(view.code, "share_photos", shares=wanted)
            state.flash(t("lends_photos_on" if wanted else "lends_photos_off"))
        st.rerun()


def main() -> None:
    view = frame.require_view(of_hand=True)
    frame.band(view, back="play")
    with state.store().read(view.code) as table:
        sent = uploads.of_hand(table, match_no=view.row.match_no, hand_no=view.hand_no)
    sides.switch(view)
    name = view.names[view.side]
    st.header(render.plain(t("snap_head", name=name)))
    guide.spread(view)
    taken(view)
    if gives_camera(str(st.context.url or "")):  # browsers give it to secure addresses alone
        phone.live_camera(view)
    phone.samples(view)
    lending(view)
    pile = view.piles[view.side]
    label = render.plain(t("to_review", name=name) if pile.codes else t("by_hand"))
    if st.button(label, key="by_hand", width="stretch"):
        navigation.go("review", view.code, side=view.side, hand=view.editing)
    with st.bottom, st.container(key="snap"):
        were_sent = phone.snap(view, sent)
    follow_reading(view, sent, were_sent=were_sent)


main()
