"""How others join the table: a code to score, and a code to watch."""

# ruff: noqa: D103  the functions of a page are its own

import streamlit as st

from screens import components, navigation, render, state
from screens.parts import frame, joining, phone
from screens.words import t
from table.access import new_link
from table.view import TableView


def share(view: TableView, link: str) -> None:
    url = joining.address() + navigation.join_path(view.code, link)
    picture = joining.qr_code(url, alt=t("invite_qr", url=url))
    st.html(render.piece("invite", picture))
    st.write(t("invite_scorers"))
    st.code(url, language=None, wrap_lines=True)
    words = {"send": t("share"), "copy": t("copy"), "copied": t("copied")}
    title = f"{t('title')} · {view.code}"
    components.show("share", key="share", data={"url": url, "title": title, **words})


def renew(view: TableView) -> None:
    """Offer another link. Phones with the old one may only watch from then on."""
    with st.popover(t("renew"), width="stretch", key="renew_ask"):
        st.write(t("renew_sure"))
        if st.button(t("renew_yes"), key="renew", type="primary", width="stretch"):
            link = new_link()
            with frame.flash_errors():
                before = view.table.link_hash
                state.execute(view.code, "renew_link", link=link, before=before)
                phone.enter(navigation.join_path(view.code, link, screen="invite"))
            st.rerun()


def main() -> None:
    view = frame.require_view(for_scorers=True)
    frame.band(view, back="play")
    st.header(t("invite_head"))
    link = state.credentials().links.get(view.code, "")
    if link:
        share(view, link)
    else:
        render.note(t("invite_none"), kind="ask")
    st.write(t("invite_viewers", code=view.code))
    navigation.link("rules", t("page_rules"), view.code)
    renew(view)


main()
