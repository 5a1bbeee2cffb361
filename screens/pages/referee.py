"""The referee: what a card may capture and why, and whether the deal is valid."""

# ruff: noqa: D103  the functions of a page are its own

from collections.abc import Mapping
from typing import Any

import streamlit as st

from scoring.captures import rule_on
from scoring.play import deal_ruling
from screens import render, state
from screens.parts import frame, rules
from screens.parts.choosing import Chosen, choosing
from screens.parts.sending import send_file
from screens.words import capital, card, refusal, t
from table.view import TableView

PHOTOS = "image/*,.heic,.heif,.avif"
"""The kinds of files that the phone offers."""


def snap(view: TableView) -> Mapping[str, Any] | None:
    """Draw the button for a photo of the table cards; return what was read on the last one."""
    with st.expander(t("table_photo")):
        st.write(t("table_photo_help"))
        url = f"/door/{view.code}/look"
        came = send_file(url, key="table_photo", label=t("table_photo_take"), accept=PHOTOS)
    if came is not None and came["is"] == "refused":
        render.note(refusal(came), kind="stop")
    elif came is not None:
        state.session().table_seen = came
    return state.session().table_seen


def doubts(seen: Mapping[str, Any]) -> None:
    if not seen["codes"]:
        render.note(t("table_photo_nothing"), kind="ask")
    said = [
        t("table_doubt", card=card(code), others=", ".join(map(card, others)))
        if others
        else t("table_doubt_alone", card=card(code))
        for code, others in seen["doubts"].items()
    ]
    said += [t("unread", n=seen["unread"])] if seen["unread"] else []
    if said:
        render.note("\n".join(said), kind="ask")


def answer(view: TableView, chosen: Chosen) -> None:
    played_rules, lang = view.match.rules, state.language()
    if chosen.played is None:
        if len(chosen.table) == played_rules.table_cards and chosen.table:
            stands, why = deal_ruling(chosen.table, played_rules, lang=lang)
            render.note(f"{capital(why)}.", kind="" if stands else "stop")
        st.write(t("referee_help"))
        return
    place = st.container()
    last = st.toggle(t("last_card"), key="last_card")
    found = rule_on(chosen.table, chosen.played, rules=played_rules, last_card=last, lang=lang)
    place.html(rules.ruling(found, chosen.played))


def main() -> None:
    view = frame.require_view()
    frame.band(view, back="play")
    with st.container(key="referee"):
        with st.container(key="referee_cards"):
            seen = snap(view)
            chosen = choosing(seen)
        with st.container(key="referee_says"):
            if seen is not None:
                doubts(seen)
            answer(view, chosen)


main()
