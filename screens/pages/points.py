"""The points of the hand with why, before anything is confirmed."""

import streamlit as st

from scoring.check import ProblemKind, check_piles
from scoring.hand import score_hand
from screens import navigation, render, state
from screens.parts import frame, lines, phone, sides
from screens.parts.phone import Button
from screens.words import cards, t
from table.piles import absent, duplicated, missing
from table.view import TableView


def doubts(sitting: TableView) -> None:
    """Says which piles have questions, and why some doubts wait."""
    issues = sitting.questions
    for side, name in enumerate(sitting.names):
        if asked := issues.doubts_of(side):
            render.note(t("still_asks", name=name, n=len(asked)), kind="stop")
    if issues.deferred:
        render.note(sides.why_doubts_wait(sitting, count=len(issues.deferred)), kind="ask")


def obstacles(sitting: TableView) -> None:
    """Says everything that keeps the hand from being confirmed, and what looks odd."""
    issues = sitting.questions
    doubts(sitting)
    if issues.uncounted is not None:
        render.note(t("count_first", name=sitting.names[issues.uncounted]), kind="stop")
    if not issues.deferred and (twice := duplicated(sitting.piles)):
        render.note(t("still_doubled", n=len(twice), cards=cards(twice)), kind="stop")
    for side in issues.missing_piles:
        render.note(t("still_waiting", name=sitting.names[side]), kind="stop")
    if (left := missing(sitting.piles)) and not issues.pending:
        matters = bool(issues.missing)
        key, codes = ("still_missing", issues.missing) if matters else ("idle_missing", left)
        render.note(t(key, n=len(codes), cards=cards(codes)), kind="stop" if matters else "ask")
    if gone := absent(sitting.piles):
        render.note(t("told_absent", cards=cards(gone)), kind="ask")
    odd = check_piles(
        [pile.cards for pile in sitting.piles],
        sitting.scope,
        rules=sitting.match.rules,
    )
    for problem in odd:
        if problem.kind not in {ProblemKind.DUPLICATE, ProblemKind.MISSING}:
            message = problem.sentence(sitting.names, lang=state.language())
            render.note(f"{message[:1].upper()}{message[1:]}.", kind="ask")


def scope(sitting: TableView) -> None:
    """Lets the scope be put right."""
    st.subheader(t("scope_head"))
    with st.container(key="scope_rows"):
        for side, name in enumerate(sitting.names):
            phone.tally(sitting, side, name=name)


def total(sitting: TableView) -> None:
    """Shows what the hand makes and what stands after it."""
    match = sitting.after
    totals = match.standings[min(sitting.hand_no, match.counted) - 1]
    st.html(lines.sum_of(sitting.score, sitting.names, totals=totals))
    if match.winner is not None:
        render.note(t("wins", name=sitting.names[match.winner]))
    if match.counted < len(match.hands):
        render.note(t("after_end", hand=match.counted), kind="ask")


def confirm(sitting: TableView) -> Button:
    """The button that makes the hand part of the match as it is shown."""
    action = {
        "do": "confirm",
        "facts": sitting.facts.to_dict(),
        "log": sitting.row.revision,
        "revision": sitting.table.revision,
    }
    key = "confirm_edit" if sitting.editing else "confirm"
    label = t(key, hand=sitting.hand_no)
    return Button(id="confirm", label=label, action=action, kind="primary")


def held_up(sitting: TableView) -> int:
    """Gives a side whose pile holds up the confirmation, if possible the side on the screen."""
    sides = (sitting.side, *range(len(sitting.names)))
    issues = sitting.questions
    open_now = (side for side in sides if issues.doubts_of(side) or side in issues.missing_piles)
    return next(open_now, sitting.side)


def main() -> None:
    """Draws the points of the hand on the screen."""
    sitting = frame.require_view(of_hand=True, confirms=True)
    frame.band(sitting, back="review", side=sitting.side)
    st.header(t("points_head", hand=sitting.hand_no))
    obstacles(sitting)
    if not (duplicated(sitting.piles) or sitting.questions.missing_piles):
        total(sitting)
        score = score_hand(sitting.facts.sides, sitting.match.rules, lang=state.language())
        st.html(lines.table(score, sitting.names))
    scope(sitting)
    with st.bottom:
        if sitting.is_settled:
            phone.buttons(sitting, [confirm(sitting)], key="confirm", is_column=True)
        elif st.button(t("not_yet"), key="back_to_piles", type="primary", width="stretch"):
            navigation.go("review", sitting.code, side=held_up(sitting), hand=sitting.editing)


main()
