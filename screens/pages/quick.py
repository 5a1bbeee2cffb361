"""A hand counted without cards: who has which point, as a table knows it by heart."""

# ruff: noqa: D103  the functions of a page are its own

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from scoring.cards import DECK
from scoring.hand import score_hand
from scoring.points import PONINO, Point, outright_points, points_of
from scoring.record import HandRecord
from scoring.rules import Ties
from screens import render
from screens.parts import by_hand, frame, phone, sides
from screens.words import point_label, t
from table.view import TableView

USUAL = ("carte", "denari", "settebello", "primiera")
"""The points that somebody has to answer; of others nobody has one until it is said."""

Figures = tuple[int, ...]
"""What was said of a point: each side's figure, see `scoring.hand.Side.counted`."""


def said_before(view: TableView, point: str) -> list[int | None]:
    """What the hand being edited says of a point, by side."""
    if not view.editing:
        return [None] * len(view.names)
    return [side.said(point) for side in view.match.hands[view.hand_no - 1].sides]


def key_of(view: TableView, point: str) -> str:
    return f"quick_{point}_{view.row.match_no}_{view.hand_no}"


def who_has(view: TableView, point: str, label: str, *, may_share: bool = False) -> Figures | None:
    """Asks who has a point, or which sides that are level; None before somebody has answered."""
    nobody, before = len(view.names), said_before(view, point)
    had = [side for side, figure in enumerate(before) if figure]
    if not had and (point not in USUAL or before != [None] * nobody):
        had = [nobody]
    labels = [*map(render.plain, view.names), t("nobody_won")]
    drawn: dict[str, Any] = {
        "options": range(nobody + 1),
        "format_func": labels.__getitem__,
        "key": key_of(view, point),
        "width": "stretch",
    }
    chosen: Sequence[int]
    if may_share:
        chosen = st.segmented_control(label, selection_mode="multi", default=had, **drawn)
    else:
        one = st.segmented_control(label, default=had[0] if had else None, **drawn)
        chosen = () if one is None else (one,)
    return tuple(int(side in chosen) for side in range(nobody)) if chosen else None


def how_many(view: TableView, point: str, label: str) -> Figures:
    """Asks how many cards of a point each side has, where each of them makes points."""
    return tuple(
        int(
            st.number_input(
                f"{label}: {render.plain(name)}",
                *(0, len(DECK), before or 0),
                key=f"{key_of(view, point)}_{side}",
            )
        )
        for side, (name, before) in enumerate(
            zip(view.names, said_before(view, point), strict=True)
        )
    )


def ask(view: TableView, point: Point) -> Figures | None:
    label = point_label(point.name)
    if point.per_figure:
        return how_many(view, point.name, label)
    return who_has(view, point.name, label, may_share=point.ties is not Ties.NOBODY)


def further(view: TableView, points: Sequence[Point]) -> dict[str, Figures | None]:
    """Asks for the points that only some rules have, and for what doubles scope or wins at once."""
    rules = view.rules
    if not (points or rules.ponino):
        return {}
    with st.expander(t("quick_further"), key="quick_further", expanded=bool(view.editing)):
        said = {point.name: ask(view, point) for point in points}
        if rules.ponino:
            said[PONINO] = who_has(view, PONINO, t("setting_ponino"))
    return said


def counted(view: TableView) -> tuple[HandRecord, int]:
    """Asks for all points of the rules; gives the hand, and how many are still to be answered."""
    rules = view.rules
    points = points_of(rules)
    said = {point.name: ask(view, point) for point in points if point.name in USUAL}
    left = sum(not figures for figures in said.values())
    others = [point for point in points if point.name not in USUAL]
    said |= further(view, [*others, *outright_points(rules)])
    answered = [(name, figures) for name, figures in said.items() if figures]
    record = HandRecord(
        tuple(
            replace(side, pile=(), counted=tuple((name, of[number]) for name, of in answered))
            for number, side in enumerate(view.facts.sides)
        ),
        dealer=view.dealer,
    )
    return record, left


def main() -> None:
    view = frame.require_view(of_hand=True, confirms=True)
    frame.band(view, back="play")
    sides.ways_to_count(view, "quick")
    st.header(t("quick_head", hand=view.hand_no))
    hand, left = counted(view)
    with st.container(key="scope_rows"):
        for side in range(len(view.names)):
            phone.tally(view, side)
    hand = replace(hand, is_last=by_hand.ask(view))
    with st.bottom:
        if left:
            label = t("quick_left", n=left)
            st.button(label, key="quick_left", type="primary", width="stretch", disabled=True)
            return
        points = score_hand(hand.sides, view.rules).points
        made = " · ".join(f"{s.name} {p:+}" for s, p in zip(hand.sides, points, strict=True))
        label = f"{t('confirm_edit' if view.editing else 'confirm', hand=view.hand_no)}: {made}"
        phone.buttons(view, [phone.confirm(view, hand, label)], key="confirm", is_column=True)


main()
