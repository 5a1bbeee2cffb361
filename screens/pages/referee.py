"""The referee: what a card may take and why, and whether the deal is fine."""

# ruff: noqa: D103  the functions of a page are its own

from hashlib import sha256

import streamlit as st

from scoring.captures import rule_on
from scoring.play import deal_ruling
from screens import render, state
from screens.parts import frame, rules
from screens.parts.choosing import Chosen, choosing
from screens.words import capital, card, error_text, t
from table.view import TableView
from vision.errors import VisionError
from vision.reading import Reading


def snap() -> tuple[str, Reading] | None:
    """Lets somebody take a photo of the table cards; gives what was read on the last one."""
    with st.expander(t("table_photo")):
        file = st.file_uploader(
            t("table_photo_help"), type=["jpg", "jpeg", "png", "heic", "heif", "avif", "webp"]
        )
    seen = state.table_seen()
    if file is None:
        return None
    data = file.getvalue()
    photo = sha256(data).hexdigest()
    if seen is None or seen[0] != photo:
        try:
            with st.spinner(t("reading")), render.yielding():
                reader = state.reader()
                reading = reader.read(reader.open_photo(data, file.name))
        except VisionError as error:
            render.note(error_text(error), kind="stop")
            return None
        state.note_table_seen(photo, reading=reading)
        seen = photo, reading
    return seen


def doubts(reading: Reading) -> None:
    if not reading.codes:
        render.note(t("table_photo_nothing"), kind="ask")
    said = [
        t("table_doubt", card=card(found.card), others=", ".join(map(card, found.alternatives)))
        if found.alternatives
        else t("table_doubt_alone", card=card(found.card))
        for found in reading.doubts
        if found.card in reading.codes
    ]
    said += [t("unread", n=unread)] if (unread := len(reading.cards) - len(reading.codes)) else []
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
            seen = snap()
            chosen = choosing(seen)
        with st.container(key="referee_says"):
            if seen is not None:
                doubts(seen[1])
            answer(view, chosen)


main()
