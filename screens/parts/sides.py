"""The sides of a table: a panel each, whose pile comes next, links and buttons they share."""

import streamlit as st

from screens import navigation, render, state
from screens.parts import frame, phone
from screens.words import t
from store import Drawing, log
from table.view import TableView


def panel(sitting: TableView, side: int) -> None:
    """Draws one side: name and score, and until the match is won how far its pile is."""
    match = sitting.match
    pile = pile_state(sitting, side) if match.winner is None else ""
    is_ready = side not in sitting.questions.pending and not sitting.questions.doubts_of(side)
    name, total, target = sitting.names[side], match.totals[side], match.rules.target
    st.html(render.piece("side", name, side, total, target, pile, is_ready))


def pile_state(sitting: TableView, side: int) -> str:
    """Says how far a pile is: its photos being read, to answer, waiting, or its count."""
    if photos := sitting.reading.count(side):
        return t("photos_being_read", n=photos)
    if doubts := sitting.questions.doubts_of(side):
        return t("asks", n=len(doubts))
    if side in sitting.questions.missing_piles:
        return t("waiting")
    return t("captured", n=len(sitting.piles[side].codes))


def who_is_in(sitting: TableView) -> str:
    """Says which piles are in, with their cards, and which are waited for.

    Gives "Anna 18 cards ✓ · waiting for Bruno".
    """
    out = sitting.questions.pending
    here = [
        f"{name} {t('captured', n=len(sitting.piles[side].codes))}"
        for side, name in enumerate(sitting.names)
        if side not in out
    ]
    names = ", ".join(sitting.names[side] for side in out)
    return " · ".join([*here, t("waiting_for", names=names)] if out else here)


def why_doubts_wait(sitting: TableView, *, count: int) -> str:
    """Says why some doubts are not asked about yet, and who is in."""
    names = ", ".join(sitting.names[side] for side in sitting.questions.pending)
    if not sitting.questions.missing_piles:
        reason = t("doubts_wait_reading", n=count, names=names)
    elif len(sitting.questions.pending) > 1:
        reason = t("doubts_wait_several", n=count, names=names)
    else:
        reason = t("doubts_wait", n=count, name=names)
    return f"{reason}\n{who_is_in(sitting)}"


def next_to_snap(sitting: TableView) -> int | None:
    """The side whose pile comes next: this device's own first, None when all are there."""
    left = sitting.questions.missing_piles
    return sitting.me if sitting.me in left else left[0] if left else None


def switch(sitting: TableView) -> None:
    """Draws one button a side; the pile on the screen is marked, each says how far it is."""
    with st.container(horizontal=True, key="switch"):
        for side, name in enumerate(sitting.names):
            st.button(
                f"{render.plain(name)}  \n{pile_state(sitting, side)}",
                key=f"turn_{side}",
                on_click=state.turn_to,
                args=(side,),
                disabled=side == sitting.side,
            )


def other_cards(sitting: TableView) -> None:
    """Draws the button that shows the other cards on the screens of this table."""
    other = Drawing.ITALIAN if state.card_style() is Drawing.FRENCH else Drawing.FRENCH
    label = t("show_italian" if other is Drawing.ITALIAN else "show_french")
    action = {"do": "drawing", "drawing": other.value}
    phone.buttons(sitting, [phone.Button(id="drawing", label=label, action=action)], key="drawing")


def ways(sitting: TableView) -> None:
    """Draws the links to the other screens, and the themes of this device."""
    with st.container(horizontal=True, vertical_alignment="center", key="ways"):
        writing = ("invite",) if sitting.role.may_write else ()
        shown = ("board", "history", "season", "referee", *writing)
        for screen in shown:
            navigation.link(screen, t(screen), sitting.code)
        if sitting.role.may_write:
            mine = t("phone_of", name=sitting.device) if sitting.device else t("phone_whose")
            home = navigation.script(navigation.HOME)
            ask = navigation.way(sitting.code) | {state.ME: state.ASK}
            st.page_link(home, label=render.plain(mine), query_params=ask)
        navigation.link(navigation.HOME, t("home"))
    if sitting.role.may_write:
        other_cards(sitting)
    frame.theme_buttons()


def proposals(sitting: TableView) -> None:
    """Says that two phones sent the same hand, and leads to the comparison."""
    with state.store().read(sitting.code) as table:
        conflicts = log.conflicts(table)
    for proposal in conflicts:
        render.note(conflict_sentence(sitting, proposal.hand_no), kind="ask")
        if st.button(t("compare"), key=f"compare_{proposal.id}", width="stretch"):
            navigation.go("compare", sitting.code)


def conflict_sentence(sitting: TableView, hand_no: int) -> str:
    """Says whose hand was first and what became of the other, or that none stands in its place."""
    hands = sitting.row.hands
    if hand_no > len(hands):
        return t("conflict_free", hand=hand_no)
    first = hands[hand_no - 1].device
    if first and first != sitting.device:
        return t("conflict_named", hand=hand_no, name=first)
    return t("conflict", hand=hand_no)


def rematch(sitting: TableView) -> None:
    """Draws what opens the next match of the same sides: two taps, since Confirm stood there."""
    action = {"do": "rematch", "log": sitting.row.revision}
    play = navigation.path("play", navigation.way(sitting.code))
    yes = phone.Button(id="rematch", label=t("rematch_yes"), action=action, kind="primary", to=play)
    label = t("rematch")
    ask = phone.Button(id="rematch_ask", label=label, head=label, kind="primary", more=(yes,))
    with st.bottom:
        phone.buttons(sitting, [ask], key="rematch", is_column=True)
