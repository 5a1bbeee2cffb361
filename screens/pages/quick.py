"""A hand counted without cards: who has which point, as a table knows it by heart."""

# ruff: noqa: D103  the functions of a page are its own

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from scoring.explain import point_name
from scoring.hand import score_hand
from scoring.record import HandRecord
from scoring.rules import Rules
from screens import render, state
from screens.parts import by_hand, frame, phone, sides
from screens.words import capital, t
from table.view import TableView

POINTS = ("carte", "denari", "settebello", "primiera")
"""The settings of the points that are asked about one by one."""

FURTHER = (
    *("napola", "re_bello", "trente", "piccola", "grande", "frac"),
    *("most_sevens", "all_sevens", "settanta", "all_coins", "card_points"),
)
"""The settings of points for which each side says a number."""


def winners(view: TableView) -> dict[str, int | None]:
    """Asks who has each point; gives those that were answered, None for nobody's."""
    nobody = len(view.names)
    labels = [*map(render.plain, view.names), t("nobody_won")]
    answers = {}
    for point in POINTS:
        if getattr(view.match.rules, point):
            chosen = st.segmented_control(
                capital(point_name(point, lang=state.language())),
                range(nobody + 1),
                format_func=labels.__getitem__,
                key=f"quick_{point}_{view.row.match_no}_{view.hand_no}",
                width="stretch",
            )
            if chosen is not None:
                answers[point] = None if chosen == nobody else chosen
    return answers


def further(view: TableView) -> list[int]:
    """Asks for points that only some rules have; gives those of each side."""
    rules = view.match.rules
    if not any(getattr(rules, name) for name in FURTHER):
        return [0] * len(view.names)
    with st.expander(t("quick_further"), key="quick_further"):
        return [
            int(st.number_input(render.plain(name), 0, 99, key=f"quick_more_{side}"))
            for side, name in enumerate(view.names)
        ]


def counted(
    view: TableView, answers: dict[str, int | None], more: Sequence[int], rules: Rules
) -> HandRecord:
    """The hand: of each side its scope, and the sum of its other points."""
    made = [points + side.declared for points, side in zip(more, view.facts.sides, strict=True)]
    for point, winner in answers.items():
        if winner is not None:
            made[winner] += getattr(rules, point)
    sides = zip(view.facts.sides, made, strict=True)
    return HandRecord(
        tuple(replace(side, pile=(), declared=points) for side, points in sides), dealer=view.dealer
    )


def main() -> None:
    view = frame.require_view(of_hand=True, confirms=True)
    frame.band(view, back="play")
    sides.ways_to_count(view, "quick")
    st.header(t("quick_head", hand=view.hand_no))
    rules = view.match.rules
    answers = winners(view)
    hand = counted(view, answers, further(view), rules)
    with st.container(key="scope_rows"):
        for side in range(len(view.names)):
            phone.tally(view, side)
    hand = replace(hand, is_last=by_hand.ask(view))
    left = sum(bool(getattr(rules, point)) for point in POINTS) - len(answers)
    with st.bottom:
        if left:
            label = t("quick_left", n=left)
            st.button(label, key="quick_left", type="primary", width="stretch", disabled=True)
            return
        points = score_hand(hand.sides, rules).points
        made = " · ".join(f"{s.name} {p:+}" for s, p in zip(hand.sides, points, strict=True))
        label = f"{t('confirm_edit' if view.editing else 'confirm', hand=view.hand_no)}: {made}"
        phone.buttons(view, [phone.confirm(view, hand, label)], key="confirm", is_column=True)


main()
