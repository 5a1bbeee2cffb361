"""The table teaches its deck: lays it out, looks at what each card was taken for, names it."""

# ruff: noqa: D103  the functions of a page are its own

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from screens import navigation, render, state
from screens.parts import frame, teaching
from screens.words import refusal, t
from store import Deck, ReferenceImage, UploadState
from store import decks as stored
from table import decks
from table.view import TableView
from vision.decks.references import unpacked

PICTURES = ("jpg", "jpeg", "png", "heic", "heif", "avif", "webp")
"""Endings of the files that are offered as photos."""
NO_DECK = 0
"""Chosen where a table plays with no deck that was taught."""


def played_with(view: TableView, offered: Sequence[Deck]) -> Deck | None:
    with state.store().read(view.code) as table:
        seat = stored.table_deck(table)
    named = {NO_DECK: t("deck_none")} | {deck.id: deck.name for deck in offered}
    now = NO_DECK if seat is None else seat.deck.id
    chosen = st.selectbox(
        t("deck_played"),
        list(named),
        index=list(named).index(now),
        format_func=named.__getitem__,
        key=state.choice_key(f"deck_played_{now}_{len(named)}"),
    )
    if chosen != now:
        is_none = chosen == NO_DECK
        with frame.flash_errors():
            state.execute(view.code, "choose_deck", deck=None if is_none else chosen)
            key = "deck_chosen_none" if is_none else "deck_chosen"
            state.flash(t(key, name=named[chosen]))
        st.rerun()
    return None if seat is None else seat.deck


def take_photos(view: TableView, deck: Deck) -> None:
    files: list[UploadedFile] = st.file_uploader(
        t("deck_photos"),
        type=list(PICTURES),
        accept_multiple_files=True,
        key=state.upload_key(f"deck_{deck.id}"),
    )
    with frame.flash_errors():
        for file in files:
            photo = {"deck": deck.id, "name": file.name, "data": file.getvalue()}
            state.execute(view.code, "add_deck_photo", **photo)
    with state.store().reading() as session:
        is_waiting = stored.waiting(session, deck.id) is not None
    if is_waiting:
        with frame.flash_errors(), st.spinner(t("deck_reading")), render.yielding():
            decks.read_waiting(state.store(), view.code, deck=deck.id, reader=state.reader)
    if files:
        state.clear_uploads()
        st.rerun()


def images(deck: Deck) -> tuple[ReferenceImage, ...]:
    with state.store().reading() as session:
        return stored.images(session, deck.id)


def shown(view: TableView, deck: Deck) -> None:
    """Shows the photos of a deck, with the cards on each; a tap says which card one is."""
    with state.store().reading() as session:
        views = stored.images(session, deck.id)
        photos = {photo.id: photo for photo in stored.photos(session, deck.id)}
    for number in dict.fromkeys([*photos, *(image.photo for image in views)]):
        photo = photos.get(number) if number else None
        if photo is not None and photo.state is UploadState.REFUSED and photo.refusal:
            render.note(refusal(photo.refusal), kind="stop")
        own = [image for image in views if image.photo == number]
        named = teaching.tiles(own, key=f"deck_tiles_{number}") if own else None
        if named is not None:
            with frame.flash_errors():
                card = {"deck": deck.id, "image": named.view, "code": named.code}
                state.execute(view.code, "name_deck_card", **card)
            st.rerun()
        if photo is not None:
            label = render.plain(t("deck_drop_photo", name=photo.name))
            if st.button(label, key=f"deck_drop_{number}"):
                with frame.flash_errors():
                    state.execute(view.code, "drop_deck_photo", deck=deck.id, photo=photo.id)
                st.rerun()


def finish(view: TableView, deck: Deck, *, is_ready: bool) -> None:
    """Gives the deck a name, once nothing is open, and keeps it."""
    name = None
    if is_ready:
        name = st.text_input(
            t("deck_name"),
            key=f"deck_name_{deck.id}",
            max_chars=40,
            placeholder=t("deck_name_example"),
        )
    with st.bottom:
        pressed = st.button(
            t("deck_keep"), key="deck_keep", type="primary", width="stretch",
            disabled=not is_ready,
        )  # fmt: skip
    if pressed:
        with frame.flash_errors():
            state.execute(view.code, "keep_deck", deck=deck.id, name=name or "")
            state.flash(t("deck_kept", name=(name or "").strip()))
        st.rerun()


def teach(view: TableView, deck: Deck) -> None:
    st.subheader(t("deck_teach"))
    is_empty = not deck.cards
    with st.expander(t("deck_guide"), expanded=is_empty, key=f"deck_guide_{is_empty}"):
        teaching.picture_of_it()
    take_photos(view, deck)
    views = images(deck)
    finish(view, deck, is_ready=teaching.to_do(views) if views else False)
    shown(view, deck)
    drop(view, deck, label=t("deck_stop"))


def own(view: TableView, deck: Deck) -> None:
    """Draws the deck of the table, taught before: more photos of it, as a file, its end."""
    with st.expander(t("deck_better"), key="deck_better"):
        st.write(t("deck_better_told"))
        take_photos(view, deck)
        if deck.cards:
            with frame.flash_errors(), st.spinner(t("deck_trying")), render.yielding():
                pairs = decks.looks_alike(state.store(), deck.id, deck.revision, state.reader)
                teaching.alike(pairs)
        teaching.to_do(images(deck))
        shown(view, deck)
        drop(view, deck, label=t("deck_forget", name=deck.name))


def learning(view: TableView, deck: Deck) -> None:
    with state.store().read(view.code) as table:
        seat = stored.table_deck(table)
    learns = seat is not None and seat.learns
    wanted = st.toggle(
        t("deck_learns"), value=learns, key=f"deck_learns_{learns}", help=t("deck_learns_told")
    )
    if wanted is not learns:
        with frame.flash_errors():
            state.execute(view.code, "learn", learns=wanted)
            state.flash(t("deck_learns_on" if wanted else "deck_learns_off"))
        st.rerun()
    number = decks.learnt_count(images(deck))
    if number and st.button(t("deck_unlearn", n=number), key="deck_unlearn", width="stretch"):
        with frame.flash_errors():
            state.execute(view.code, "unlearn", deck=deck.id)
            state.flash(t("deck_unlearnt", n=number))
        st.rerun()


def lending(view: TableView) -> None:
    lends = view.table.lends_photos
    wanted = st.toggle(t("lends_photos"), value=lends, key=f"lends_photos_{lends}")
    st.write(t("lends_photos_told"))  # nobody agrees to what stands behind a question mark
    if wanted is not lends:
        with frame.flash_errors():
            state.execute(view.code, "share_photos", shares=wanted)
            state.flash(t("lends_photos_on" if wanted else "lends_photos_off"))
        st.rerun()


def drop(view: TableView, deck: Deck, *, label: str) -> None:
    with st.popover(render.plain(label), width="stretch"):
        st.write(t("deck_forget_told"))
        if st.button(t("deck_forget_yes"), key=f"deck_forget_{deck.id}", width="stretch"):
            with frame.flash_errors():
                state.execute(view.code, "forget_deck", deck=deck.id)
                state.flash(t("deck_forgotten"))
            st.rerun()


def begin(view: TableView) -> None:
    if st.button(t("deck_begin"), key="deck_begin", type="primary", width="stretch"):
        with frame.flash_errors():
            state.execute(view.code, "begin_deck", key=state.pending_link())
        state.forget_link()
        st.rerun()
    with st.expander(t("deck_bring_in"), key="deck_bring_in"):
        file = st.file_uploader(
            t("deck_file"),
            type=["zip"],
            key=state.upload_key("deck_file"),
        )
        if file is not None:
            with frame.flash_errors():
                data = file.getvalue()
                deck = unpacked(data, path=Path(file.name))
                state.execute(view.code, "import_deck", file=deck, key=sha256(data).hexdigest())
                with state.store().read(view.code) as table:
                    chosen = stored.table_deck(table)
                state.flash(t("deck_kept", name=chosen.deck.name if chosen else deck.name))
            state.clear_uploads()
            st.rerun()


def main() -> None:
    view = frame.require_view(for_scorers=True)
    frame.band(view, back="play")
    st.header(t("deck_head"))
    st.write(t("deck_help"))
    with state.store().read(view.code) as table:
        taught = stored.unfinished(table)
    if taught is not None:
        teach(view, taught)
        return
    with state.store().reading() as session:
        offered = stored.offered(session)
    seat = played_with(view, offered)
    if seat is not None:
        name = f"{seat.name}.zip"
        file = decks.as_file(state.store(), seat.id)
        label = render.plain(t("deck_take_away", name=seat.name))
        st.download_button(label, file, file_name=name, key="deck_take_away", width="stretch")
        if decks.may_change(seat, view.code, view.role):
            learning(view, seat)
            own(view, seat)
    begin(view)
    lending(view)
    navigation.link("play", t("deck_back"), view.code)


main()
