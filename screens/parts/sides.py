"""The sides of a table: a panel each, whose pile comes next, links and buttons they share."""

import streamlit as st

from screens import navigation, render, state
from screens.parts import phone
from screens.words import t
from store import log
from table.view import TableView


def panel(view: TableView, side: int) -> None:
    """Draws one side: name and score, and until the match is won how far its pile is."""
    match = view.match
    pile = pile_state(view, side) if not match.is_over else ""
    kind = "ask" if asked_of(view, side) else "wait" if side in view.questions.pending else "ready"
    name, total, target = view.names[side], match.totals[side], match.rules.target
    st.html(render.piece("panel", name, side, total, target, pile, kind))


def pile_state(view: TableView, side: int) -> str:
    """Says how far a pile is: its photos being read, to answer, waiting, or its count."""
    if photos := view.reading.count(side):
        return t("photos_being_read", n=photos)
    if asked := asked_of(view, side):
        return t("asks", n=asked)
    if side in view.questions.missing_piles:
        return t("waiting")
    return t("captured", n=len(view.piles[side].codes))


def asked_of(view: TableView, side: int) -> int:
    """How many questions about a side's pile are open."""
    repeat = view.questions.repeat
    return int(repeat is not None and repeat.side == side) or len(view.questions.doubts_of(side))


def next_to_snap(view: TableView) -> int | None:
    """The side whose pile comes next: this device's own first, None when all are there."""
    left = view.questions.missing_piles
    return view.me if view.me in left else left[0] if left else None


def switch(view: TableView) -> None:
    """Draws one button a side; the pile on the screen is marked, each says how far it is."""
    with st.container(horizontal=True, key="switch"):
        for side, name in enumerate(view.names):
            st.button(
                f"{render.plain(name)}  \n{pile_state(view, side)}",
                key=f"turn_{side}",
                on_click=state.turn_to,
                args=(side,),
                disabled=side == view.side,
            )


def proposals(view: TableView) -> None:
    """Says that two phones sent the same hand, and leads to the comparison."""
    with state.store().read(view.code) as table:
        conflicts = log.conflicts(table)
    for proposal in conflicts:
        render.note(conflict_sentence(view, proposal.hand_no), kind="ask")
        if st.button(t("compare"), key=f"compare_{proposal.id}", width="stretch"):
            navigation.go("compare", view.code)


def conflict_sentence(view: TableView, hand_no: int) -> str:
    """Says whose hand was first and what became of the other, or that none stands in its place."""
    hands = view.row.hands
    if hand_no > len(hands):
        return t("conflict_free", hand=hand_no)
    first = hands[hand_no - 1].device
    if first and first != view.device:
        return t("conflict_named", hand=hand_no, name=first)
    return t("conflict", hand=hand_no)


def rematch(view: TableView) -> None:
    """Draws what opens the next match of the same sides: two taps, since Confirm stood there."""
    action = {"do": "rematch", "log": view.row.revision}
    play = navigation.path("play", navigation.way(view.code))
    yes = phone.Button(id="rematch", label=t("rematch_yes"), action=action, kind="primary", to=play)
    label = t("rematch")
    ask = phone.Button(id="rematch_ask", label=label, head=label, kind="primary", more=(yes,))
    with st.bottom:
        phone.buttons(view, [ask], key="rematch", is_column=True)
