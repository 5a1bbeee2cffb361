"""What was just saved or undone: a note for some seconds that takes no room."""

import streamlit as st

from screens import render, state
from screens.parts import phone
from screens.words import t
from table.view import TableView


def saved(view: TableView) -> None:
    """Show for some seconds what was just saved, with a button to undo it, or what was undone."""
    session = state.session()
    if not session.just_saved:
        return
    with st.container(key="toast", horizontal=True):
        st.html(render.piece("saved", session.just_saved))
        is_open = view.role.may_write and not view.is_earlier
        if session.offers_undo and is_open and view.row.can_undo:
            phone.buttons(view, [undo(view)], key="undo")


def undo(view: TableView) -> phone.Button:
    """Return the button that undoes the last step of the match."""
    action = {"do": "undo", "revision": view.table.revision}
    return phone.Button(id="undo", label=t("undo"), action=action)
