"""The points of the hand with why, before anything is confirmed."""

# ruff: noqa: D103  the functions of a page are its own

from dataclasses import replace
from functools import partial

import streamlit as st

from scoring.check import ProblemKind, check_piles
from scoring.hand import score_hand
from screens import navigation, render, state
from screens.parts import by_hand, frame, lines, phone
from screens.words import cards, t
from table.piles import absent, duplicated, missing
from table.view import TableView


def doubts(view: TableView) -> None:
    issues = view.questions
    for side, name in enumerate(view.names):
        if asked := issues.doubts_of(side):
            render.note(t("still_asks", name=name, n=len(asked)), kind="stop")
    if repeat := issues.repeat:
        render.note(t("same_pile", name=view.names[repeat.other], count=repeat.count), kind="stop")


def obstacles(view: TableView) -> None:
    issues = view.questions
    doubts(view)
    if issues.uncounted is not None:
        render.note(t("count_first", name=view.names[issues.uncounted]), kind="stop")
    if not (issues.deferred or issues.repeat) and (twice := duplicated(view.piles)):
        render.note(t("still_doubled", n=len(twice), cards=cards(twice)), kind="stop")
    for side in issues.missing_piles:
        render.note(t("still_waiting", name=view.names[side]), kind="stop")
    if (left := missing(view.piles)) and not issues.pending:
        matters = bool(issues.missing)
        key, codes = ("still_missing", issues.missing) if matters else ("idle_missing", left)
        say = partial(render.note, kind="stop") if matters else render.quiet
        say(t(key, n=len(codes), cards=cards(codes)))
    if gone := absent(view.piles):
        render.quiet(t("told_absent", cards=cards(gone)))
    odd = check_piles(
        [pile.cards for pile in view.piles],
        view.scope,
        rules=view.match.rules,
    )
    for problem in odd:
        message = problem.sentence(view.names, lang=state.language())
        if problem.kind is ProblemKind.ODD_SUM and any(pile.photos for pile in view.piles):
            render.quiet(message_case(message))  # maybe a card lies in the wrong pile
        elif problem.kind not in {ProblemKind.DUPLICATE, ProblemKind.MISSING, ProblemKind.ODD_SUM}:
            render.note(message_case(message), kind="ask")


def message_case(message: str) -> str:
    """A sentence of `scoring` with a capital and a full stop."""
    return f"{message[:1].upper()}{message[1:].rstrip('.')}."


def scope(view: TableView) -> None:
    st.subheader(t("scope_head"))
    with st.container(key="scope_rows"):
        for side, name in enumerate(view.names):
            phone.tally(view, side, name=name)


def total(view: TableView) -> None:
    match = view.after
    totals = match.standings[min(view.hand_no, match.counted) - 1]
    st.html(lines.sum_of(view.score, view.names, totals=totals))
    if match.winner is not None:
        render.note(t("wins", name=view.names[match.winner]))
    elif match.is_over:
        render.note(t("ends_level"))
    if match.counted < len(match.hands):
        render.note(t("after_end", hand=match.counted), kind="ask")


def held_up(view: TableView) -> int:
    """Gives a side whose pile holds up the confirmation, if possible the side on the screen."""
    issues = view.questions
    if issues.repeat is not None:
        return issues.repeat.side
    sides = (view.side, *range(len(view.names)))
    open_now = (side for side in sides if issues.doubts_of(side) or side in issues.missing_piles)
    return next(open_now, view.side)


def main() -> None:
    view = frame.require_view(of_hand=True, confirms=True)
    frame.band(view, back="review", side=view.side)
    st.header(t("points_head", hand=view.hand_no))
    obstacles(view)
    if not (duplicated(view.piles) or view.questions.missing_piles):
        total(view)
        score = score_hand(view.facts.sides, view.match.rules, lang=state.language())
        st.html(lines.table(score, view.names, rules=view.match.rules))
    scope(view)
    hand = replace(view.facts, is_last=by_hand.ask(view))
    with st.bottom:
        if view.is_settled:
            label = t("confirm_edit" if view.editing else "confirm", hand=view.hand_no)
            phone.buttons(view, [phone.confirm(view, hand, label)], key="confirm", is_column=True)
        elif st.button(t("not_yet"), key="back_to_piles", type="primary", width="stretch"):
            navigation.go("review", view.code, side=held_up(view), hand=view.editing)


main()
