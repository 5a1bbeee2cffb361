"""The public page of an evening: rounds and standings for whoever has its link, until it closes."""

# ruff: noqa: D103  the functions of a page are its own

import streamlit as st

from scoring.errors import ScoringError
from screens import render, state
from screens.parts import evening, frame
from screens.words import error_text, t
from table.evening_view import EveningView, public_evening
from web.limits import Purpose


def found() -> EveningView | None:
    """The evening of the link in the address; a wrong link counts as a try."""
    link = state.public_link()
    try:
        view = public_evening(state.store(), link) if link else None
        if view is None:
            address = state.network_address()
            state.auth().limiter.check(Purpose.LINK, address, is_right=False)
    except ScoringError as error:
        render.note(error_text(error), kind="stop")
        return None
    return view


def main() -> None:
    frame.bar(t("page_evening"))
    view = found()
    if view is None:
        render.note(t("results_closed"), kind="ask")
        return
    st.header(render.plain(evening.title(view.evening)))
    render.quiet(evening.progress(view.evening))
    st.html(evening.standings(view))
    for number in reversed(range(len(view.evening.rounds))):
        st.subheader(t("evening_round", round=number + 1))
        st.html(evening.seats(view.evening, number))


main()
