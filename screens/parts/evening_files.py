"""What is taken along of an evening, and taken in: files, picture, public page."""

import streamlit as st

from scoring.errors import ScoringError
from screens import navigation, render, state
from screens.parts import downloads, evening_picture, frame, joining
from screens.words import error_text, t
from store import season
from table.access import new_link
from table.evening_exchange import (
    evening_from_json,
    evening_json,
    results_csv,
    standings_csv,
    take_in,
)
from table.evening_view import EveningView


def take_along(view: EveningView) -> None:
    """Draws, folded into one line, everything that can be taken along."""
    with st.expander(t("take_away"), key="evening_files"):
        public(view)
        _files(view)
        if view.evening.rounds:
            evening_picture.draw(view)


def _files(view: EveningView) -> None:
    name = f"{t('file_evening')}-{view.code}"
    files = [
        ("standings_csv", f"{name}-standings.csv", "text/csv", lambda: standings_csv(view.evening)),
        ("results_csv", f"{name}-results.csv", "text/csv", lambda: results_csv(view.evening)),
        ("json", f"{name}.json", "application/json", lambda: whole(view)),
    ]
    downloads.save(files)


def whole(view: EveningView) -> str:
    """The evening as JSON, with the matches of its tables."""
    codes = [seat.code for one in view.evening.rounds for seat in one.seats]
    with state.store().reading() as session:
        return evening_json(view.log, season.played(session, codes))


def public(view: EveningView) -> None:
    """Opens the public page under a new link, which is shown once, or closes it with a tap."""
    if view.evening.public is None:
        if st.button(t("evening_publish"), key="evening_publish", width="stretch"):
            link = new_link()
            with frame.flash_errors():
                state.execute(view.code, "evening_public", link=link)
                state.keep_public_link(view.code, link)
            st.rerun()
        return
    link = state.kept_public_link(view.code)
    if link:
        st.write(t("evening_public"))
        url = joining.address() + navigation.path("results", {state.PAGE: link})
        st.html(joining.qr_code(url, alt=t("qr_code", url=url)))
        st.code(url, language=None, wrap_lines=True)
    else:
        render.quiet(t("evening_public_elsewhere"))
    if st.button(t("evening_unpublish"), key="evening_unpublish", width="stretch"):
        with frame.flash_errors():
            state.execute(view.code, "evening_public", link=None)
        st.rerun()


def bring_in() -> None:
    """Lets somebody take an evening in from a file; its tables have no scorers' link."""
    with st.expander(t("evening_bring_in"), key="evening_bring_in"):
        key = state.upload_key("evening")
        file = st.file_uploader(
            t("bring_in_file"), type="json", key=key, label_visibility="collapsed"
        )
        if file is None:
            return
        try:
            found = evening_from_json(file.getvalue())
            with state.store().writing() as session:
                table = take_in(session, found)
        except ScoringError as error:
            render.note(error_text(error), kind="stop")
            return
        state.clear_uploads()
        if table is None:
            state.flash(t("evening_known"))
            st.rerun()
        navigation.go("evening", table.code)
