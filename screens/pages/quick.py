"""A hand scored without cards: the table says who won each point.

The answers are stored at the table like tapped cards: they outlive a reload, and every phone shows
them. Points that the known cards decide are filled in.
"""

# ruff: noqa: D103  the functions of a page are its own

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from scoring.explain import explain_known
from scoring.hand import score_hand
from scoring.points import ALL_CARDS, PONINO
from scoring.record import HandRecord
from scoring.rules import Ties
from screens import render, state
from screens.parts import by_hand, frame, hand_log, lines, phone, questions, sides
from screens.words import SIGNS, in_text, isolated, point_label, t
from table.hand.quick import AskedPoint, QuickCount, quick_count
from table.view import TableView

SHORT_NAMES = 20
"""Most letters of all names together that stand on the button that saves the hand."""


def name_of(asked: AskedPoint) -> str:
    return t("setting_ponino") if asked.name == PONINO else point_label(asked.name)


def say(asked: AskedPoint, figures: Sequence[int | None]) -> dict[str, object]:
    """Return the action that answers a point: a figure for each side, None if unchanged."""
    return {"do": "say", "point": asked.name, "figures": figures, "before": asked.said}


def answers(view: TableView, asked: AskedPoint) -> list[phone.Button]:
    """Return a button per possible winner of a point, plus a tie or nobody where allowed."""
    places, answer = range(len(view.names)), asked.answer
    shares = asked.point.ties is not Ties.NOBODY
    offered = []
    for side, name in enumerate(view.names):
        has = bool(answer and answer[side])
        figures = [
            int(not (shares and has)) if one == side else None if shares else 0 for one in places
        ]
        button = phone.Button(id=f"{asked.name}_{side}", label=name, action=say(asked, figures))
        offered.append(replace(button, side=side, pressed=has))
    nobody = answer is not None and not any(answer)
    if not (asked.can_be_nobodys or nobody):
        return offered
    action = say(asked, [0] * len(places))
    last = phone.Button(id=f"{asked.name}_nobody", label=t("nobody_won"), action=action)
    return [*offered, replace(last, pressed=nobody)]


def numbers(view: TableView, asked: AskedPoint) -> list[phone.Button]:
    """Return a button per side for its figure; each opens a sheet of numbers."""
    places, answer = range(len(view.names)), asked.answer
    offered = []
    for side, name in enumerate(view.names):
        sheet = tuple(
            phone.Button(
                id=f"{asked.name}_{side}_{figure}",
                label=str(figure),
                action=say(asked, [figure if one == side else None for one in places]),
            )
            for figure in range(asked.point.measure(ALL_CARDS) + 1)
        )
        label = f"{in_text(name)} {answer[side] if answer else 0}"
        head = f"{name_of(asked)}: {SIGNS[side]} {in_text(name)}"
        button = phone.Button(id=f"{asked.name}_{side}", label=label, head=head, more=sheet)
        offered.append(replace(button, side=side))
    return offered


def ask(view: TableView, asked: AskedPoint, cards: tuple[int, ...]) -> None:
    """Draw a point: its name, what the known cards say about it, and the answers."""
    known = explain_known(asked.point, cards, [*map(isolated, view.names)], lang=state.language())
    if known and asked.is_against_cards:
        known = t("quick_against", known=known)
    st.html(render.piece("asked", name_of(asked), lines.suited(known), asked.is_against_cards))
    offered = numbers(view, asked) if asked.point.per_figure else answers(view, asked)
    phone.buttons(view, offered, key=f"quick_{asked.name}")


def ask_all(view: TableView, count: QuickCount) -> None:
    """Ask for every point of the rules; the unusual ones are folded."""
    questions.rest(view)
    if len(view.names) > 3:
        st.html(render.piece("legend", view.names))
    usual = [asked for asked in count.points if asked.is_usual]
    further = [asked for asked in count.points if not asked.is_usual]
    with st.container(key=f"asked_of_{len(view.names)}"):
        for asked in usual:
            ask(view, asked, count.cards)
        if further:
            is_said = any(any(asked.answer or ()) for asked in further)
            with st.expander(t("quick_further"), key="quick_further", expanded=is_said):
                for asked in further:
                    ask(view, asked, count.cards)


def main() -> None:
    view = frame.require_view(of_hand=True)
    frame.band(view, back="play")
    count = quick_count(view)
    with st.container(key="fold"):
        sides.ways_to_count(view, "quick")
        with st.container(key="quick_points"):
            st.header(t("quick_head", hand=view.hand_no))
            ask_all(view, count)
        st.html(sides.standing(view))
        with st.container(key="scope_rows"):
            for side in range(len(view.names)):
                phone.tally(view, side)
        hand = replace(count.hand, is_last=by_hand.ask(view))
        with st.container(key="steps"):
            save(view, count, hand)


def save(view: TableView, count: QuickCount, hand: HandRecord) -> None:
    """Draw the red button: it saves the hand, or shows how many points are left."""
    if count.left:
        label = t("quick_left", n=count.left)
        st.button(label, key="quick_left", type="primary", width="stretch", disabled=True)
        return
    is_short = len("".join(view.names)) <= SHORT_NAMES
    names = view.names if is_short else ("",) * len(view.names)  # the signs are enough
    made = hand_log.points_made(score_hand(hand.sides, view.rules), names)
    label = f"{phone.save_label(view, hand)}: {made}"
    phone.buttons(view, [phone.confirm(view, hand, label)], key="confirm", is_column=True)


main()
