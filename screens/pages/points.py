"""The points of the hand with why, before anything is confirmed."""

import streamlit as st

from scoring.check import ProblemKind, check_piles
from scoring.hand import score_hand
from screens import navigation, render, state
from screens.parts import frame, lines, phone, sides
from screens.parts.phone import Button
from screens.words import cards, t
from table.piles import absent, doubled, missing
from table.sitting import Sitting


def doubts(sitting: Sitting) -> None:
    """Says which piles have questions, and why some doubts wait."""
    agenda = sitting.agenda
    for side, name in enumerate(sitting.names):
        if asked := agenda.doubts_of(side):
            render.note(t("still_asks", name=name, n=len(asked)), kind="stop")
    if agenda.held:
        render.note(sides.why_doubts_wait(sitting, count=len(agenda.held)), kind="ask")


def obstacles(sitting: Sitting) -> None:
    """Says everything that keeps the hand from being confirmed, and what looks odd."""
    agenda = sitting.agenda
    doubts(sitting)
    if agenda.uncounted is not None:
        render.note(t("count_first", name=sitting.names[agenda.uncounted]), kind="stop")
    if not agenda.held and (twice := doubled(sitting.piles)):
        render.note(t("still_doubled", n=len(twice), cards=cards(twice)), kind="stop")
    for side in agenda.awaited:
        render.note(t("still_waiting", name=sitting.names[side]), kind="stop")
    if (left := missing(sitting.piles)) and not agenda.out:
        matters = bool(agenda.missing)
        key, codes = ("still_missing", agenda.missing) if matters else ("idle_missing", left)
        render.note(t(key, n=len(codes), cards=cards(codes)), kind="stop" if matters else "ask")
    if gone := absent(sitting.piles):
        render.note(t("told_absent", cards=cards(gone)), kind="ask")
    odd = check_piles(
        [draft.pile for draft in sitting.piles],
        sitting.scope,
        rules=sitting.match.rules,
    )
    for problem in odd:
        if problem.kind not in {ProblemKind.DUPLICATE, ProblemKind.MISSING}:
            message = problem.sentence(sitting.names, lang=state.language())
            render.note(f"{message[:1].upper()}{message[1:]}.", kind="ask")


def scope(sitting: Sitting) -> None:
    """Lets the scope be put right."""
    st.subheader(t("scope_head"))
    with st.container(key="scope_rows"):
        for side, name in enumerate(sitting.names):
            phone.tally(sitting, side, name=name)


def total(sitting: Sitting) -> None:
    """Shows what the hand makes and what stands after it."""
    match = sitting.after
    totals = match.standings[min(sitting.hand_no, match.counted) - 1]
    st.html(lines.sum_of(sitting.score, sitting.names, totals=totals))
    if match.winner is not None:
        render.note(t("wins", name=sitting.names[match.winner]))
    if match.counted < len(match.hands):
        render.note(t("after_end", hand=match.counted), kind="ask")


def confirm(sitting: Sitting) -> Button:
    """The button that makes the hand part of the match as it is shown."""
    action = {
        "do": "confirm",
        "facts": sitting.facts.to_dict(),
        "log": sitting.row.revision,
        "revision": sitting.table.revision,
    }
    key = "confirm_edit" if sitting.mending else "confirm"
    label = t(key, hand=sitting.hand_no)
    return Button(id="confirm", label=label, action=action, kind="primary")


def held_up(sitting: Sitting) -> int:
    """Gives a side whose pile holds up the confirmation, if possible the side on the screen."""
    sides = (sitting.side, *range(len(sitting.names)))
    agenda = sitting.agenda
    open_now = (side for side in sides if agenda.doubts_of(side) or side in agenda.awaited)
    return next(open_now, sitting.side)


def main() -> None:
    """Draws the points of the hand on the screen."""
    sitting = frame.require_view(of_hand=True, confirms=True)
    frame.band(sitting, back="review", side=sitting.side)
    st.header(t("points_head", hand=sitting.hand_no))
    obstacles(sitting)
    if not (doubled(sitting.piles) or sitting.agenda.awaited):
        total(sitting)
        score = score_hand(sitting.facts.sides, sitting.match.rules, lang=state.language())
        st.html(lines.table(score, sitting.names))
    scope(sitting)
    with st.bottom:
        if sitting.is_settled:
            phone.buttons(sitting, [confirm(sitting)], key="confirm", is_column=True)
        elif st.button(t("not_yet"), key="back_to_piles", type="primary", width="stretch"):
            navigation.go("review", sitting.code, side=held_up(sitting), hand=sitting.mending)


main()
