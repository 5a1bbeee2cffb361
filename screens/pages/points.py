"""The points of the hand and their reasons, before the hand is saved."""

# ruff: noqa: D103  the functions of a page are its own

from dataclasses import replace

import streamlit as st

from scoring.check import ProblemKind, check_piles
from screens import navigation, render, state
from screens.parts import by_hand, frame, lines, phone, sides
from screens.parts.rules import called
from screens.words import capital, cards, isolated, t
from table.view import TableView


def remarks(view: TableView) -> None:
    """Show what is odd about a hand that can be saved."""
    if left := view.summary.missing:
        render.quiet(t("idle_missing", n=len(left), cards=cards(left)))
    if gone := view.summary.absent:
        render.quiet(t("told_absent", cards=cards(gone)))
    odd = check_piles(
        [pile.cards for pile in view.piles],
        view.scope,
        rules=view.rules,
    )
    for problem in odd:
        if problem.kind in {ProblemKind.ODD_SUM, ProblemKind.NOT_FIFTEENS}:
            if any(pile.photos for pile in view.piles):
                look(view, problem.sides[0])
        elif problem.kind not in {ProblemKind.DUPLICATE, ProblemKind.MISSING}:
            message = problem.sentence([*map(isolated, view.names)], lang=state.language())
            render.note(message_case(message), kind="ask")


def look(view: TableView, side: int) -> None:
    """Say that a card may be in the wrong pile, and lead to a pile that cannot be right."""
    with st.container(horizontal=True, key="look"):
        render.quiet(t("wrong_pile"))
        navigation.link("settle", t("look"), view.code, side=side, hand=view.editing)


def message_case(message: str) -> str:
    """Return a sentence of `scoring` with a capital and a full stop."""
    return f"{capital(message).rstrip('.')}."


def total(view: TableView) -> None:
    match = view.after
    totals = match.standings[min(view.hand_no, match.counted) - 1]
    st.html(lines.sum_of(view, totals=totals))
    if match.winner is None and match.is_over:
        render.note(t("ends_level"))
    if match.counted < len(match.hands):
        render.note(t("after_end", hand=match.counted), kind="ask")


def not_yet(view: TableView) -> None:
    """Lead back to the cards, as the hand cannot be scored yet."""
    render.quiet(t("not_counted"))
    with st.container(key="instead"):
        screen, label = "settle", "not_yet"
        if sides.begun_by(view) == "quick":
            screen, label = "quick", "go_on"
        navigation.link(screen, t(label), view.code, side=view.side, hand=view.editing)


def main() -> None:
    view = frame.require_view(of_hand=True)
    if not (view.editing or sides.begun_by(view)):
        navigation.go("play", view.code)  # nothing to count: the previous hand was just saved
    frame.band(view, back="settle", side=view.side)
    st.header(t("points_head", hand=view.hand_no))
    if not view.is_settled:
        not_yet(view)
        return
    with st.container(key="fold"):
        remarks(view)
        total(view)
        if view.match.has_mixed_rules:
            render.quiet(t("counted_by", rules=called(view.rules.name)))
        score = view.score
        st.html(lines.table(score, view.names, rules=view.rules))
        with st.container(key="scope_rows"):
            for side in range(len(view.names)):
                phone.tally(view, side)
        hand = replace(view.facts, is_last=by_hand.ask(view))
        with st.container(key="steps"):
            save = phone.confirm(view, hand, phone.save_label(view, hand))
            phone.buttons(view, [save], key="confirm", is_column=True)


main()
