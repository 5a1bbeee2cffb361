"""The photo of one pile: the phone's own camera, this device's camera, or a sample."""

import streamlit as st

from screens import navigation, state
from screens.addresses import gives_camera
from screens.look import theme
from screens.parts import frame, sides
from screens.words import say, why
from table.photos import TakenIn, Upload, drop, take_in
from table.sitting import Sitting

KINDS = ("image", "heic", "heif")
"""What the file picker offers; a phone then offers its camera too."""


def read(sitting: Sitting, uploads: list[Upload]) -> None:
    """Reads the photos and shows the pile; what failed is said, the rest is kept."""
    with st.spinner(say("reading")), frame.spoken():
        try:
            taken_in = take_in(state.store(), sitting, uploads=uploads, reader=state.reader)
        finally:
            state.clear_uploads()  # else the next run would read them again
        report(taken_in)
        if len(taken_in.refused) == len(uploads):
            st.rerun()
        navigation.go("review", sitting.code, side=sitting.side, hand=sitting.mending)
    st.rerun()


def report(taken_in: TakenIn) -> None:
    """Says, on the next screen, what became of the photos that were sent."""
    for error in taken_in.refused:
        state.complain(say("photo_failed", why=why(error)))
    if taken_in.no_reader is not None:
        state.complain(say("no_reader", why=why(taken_in.no_reader)))
    if taken_in.came_again:
        state.tell(say("photo_again"))


def _upload_key(sitting: Sitting, name: str) -> str:
    # Each pile has its own widget: a photo still being sent to one pile does not land in another.
    return state.upload_key(
        name, match_no=sitting.row.match_no, hand_no=sitting.hand_no, side=sitting.side
    )


def taken(sitting: Sitting) -> None:
    """Shows the photos of this pile that are there already."""
    photos = sitting.piles[sitting.side].photos
    if not photos:
        return
    st.write(say("photos_taken", n=len(photos)))
    dropped = None
    with st.container(horizontal=True, key="thumbs"):
        for place, photo in enumerate(photos, start=1):
            with st.container(key=f"thumb_{place}", width=170):
                st.image(state.photo(photo))
                label = say("photo_drop", number=place)
                if st.button(label, key=f"drop_{photo}"):
                    dropped = photo
    if dropped is not None:
        with st.spinner(say("reading")), frame.spoken():
            report(drop(state.store(), sitting, photo=dropped, reader=state.reader))
        st.rerun()


def samples(sitting: Sitting) -> None:
    """Offers the photos that came with the app."""
    found = sorted(state.SAMPLES.glob("*.jpg"))
    if not found:
        return
    with st.popover(say("sample"), width="stretch", key="samples"):
        chosen = st.selectbox(
            say("sample_pick"), found, key="sample_pick", format_func=lambda path: path.stem
        )
        label = theme.plain(say("sample_use", name=sitting.names[sitting.side]))
        if st.button(label, key="sample_use", width="stretch"):
            read(sitting, [Upload(chosen.name, chosen.read_bytes())])


def camera(sitting: Sitting) -> None:
    """Offers the camera of this device where the browser allows it.

    The browser asks for it only when somebody wants it.
    """
    if not gives_camera(str(st.context.url or "")):
        return
    if st.toggle(say("camera"), key="camera_on", help=say("camera_help")):
        shot = st.camera_input(
            say("camera"),
            key=_upload_key(sitting, "camera"),
            resolution="1080p",
            label_visibility="collapsed",
        )
        if shot is not None:
            read(sitting, [Upload(shot.name, shot.getvalue())])


def main() -> None:
    """Draws the screen that takes a pile's photo."""
    sitting = frame.seated(of_hand=True)
    frame.band(sitting, back="play")
    sides.switch(sitting)
    name = sitting.names[sitting.side]
    st.header(theme.plain(say("snap_head", name=name)))
    st.write(say("snap_help"))
    taken(sitting)
    camera(sitting)
    samples(sitting)
    pile = sitting.piles[sitting.side]
    label = theme.plain(say("to_review", name=name) if pile.codes else say("by_hand"))
    if st.button(label, key="by_hand", width="stretch"):
        navigation.go("review", sitting.code, side=sitting.side, hand=sitting.mending)
    with st.bottom, st.container(key="snap"):
        files = st.file_uploader(
            theme.plain(say("snap", name=name)),
            type=KINDS,
            accept_multiple_files=True,
            key=_upload_key(sitting, "photos"),
            label_visibility="collapsed",
        )
    if files:
        read(sitting, [Upload(file.name, file.getvalue()) for file in files])


theme.snap_label(say("snap_short"))
main()
