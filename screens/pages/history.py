"""The hands of a match, each of them editable; the table's other matches; its rules."""

# ruff: noqa: D103  the functions of a page are its own

from collections.abc import Sequence

import streamlit as st

from scoring.explain import describe
from screens import navigation, render, state
from screens.parts import (
    charts,
    downloads,
    frame,
    hand_log,
    lines,
    match_picture,
    phone,
)
from screens.parts.phone import Button
from screens.parts.rules import called, changes, since
from screens.parts.saved import saved
from screens.words import in_signs, isolated, standings, t
from store import LogStep, PlayedMatch, Step, StoredPhoto, TableMatch, log, piles
from table.view import TableView

LISTED = 50
"""Most matches of a table to list, the newest first."""


def undo_redo(view: TableView, taken: list[LogStep]) -> None:
    """Offer to undo a change of rules or seats, and to redo the step that was undone last.

    A change of a hand is undone in the row of that hand.
    """
    if view.is_earlier or not view.role.may_write:
        return
    offered, last = [], view.row.last
    if last is not None and last.step in {Step.RULES, Step.SEAT}:
        what = next(hand_log.what(step) for step in taken if step.revision == last.revision)
        action = {"do": "undo", "revision": view.table.revision}
        offered.append(Button(id="undo", label=f"{t('undo')} · {what}", action=action))
    if view.row.can_redo:
        action = {"do": "redo", "revision": view.table.revision}
        offered.append(Button(id="redo", label=t("redo"), action=action))
    if offered:
        phone.buttons(view, offered, key="undo_redo")


def waiting_versions(view: TableView) -> None:
    """Offer hands that a version before 0.4 stored because another phone had saved first."""
    if view.is_earlier or not view.role.may_write:
        return
    with state.store().read(view.code) as table:
        waiting = log.conflicts(table)
    for one in waiting:
        number, count = one.hand_no, len(view.match.hands)
        said = [t("hand_not_saved", hand=number)]
        if number <= count:
            saved = view.row.hands[number - 1]
            values = {
                "hand": number,
                "points": hand_log.version_points(saved.facts, view, number, in_html=True),
            }
            said = [
                t("hand_saved_named", name=isolated(saved.device), **values)
                if saved.device
                else t("hand_saved", **values)
            ]
        own = hand_log.version_points(one.facts, view, number, in_html=True)
        render.note(" ".join([*said, t("version_waiting", points=own)]), kind="ask")
        decide = {"do": "decide", "proposal": one.id, "log": view.row.revision}
        accept = Button(
            id=f"accept_{one.id}",
            label=t("version_replace" if number <= count else "version_save"),
            action={**decide, "accept": True},
        )
        discard = Button(
            id=f"discard_{one.id}", label=t("version_discard"), action={**decide, "accept": False}
        )
        offered = [accept, discard] if number <= count + 1 else [discard]
        phone.buttons(view, offered, key=f"version_{one.id}")


def leaving(view: TableView) -> None:
    """Offer to leave a match that has no hands, for the previous one."""
    action = {"do": "leave", "log": view.row.revision}
    yes = Button(id="leave_yes", label=t("leave_yes"), action=action)
    ask = Button(id="leave", label=t("leave"), head=t("leave_sure"), more=(yes,))
    phone.buttons(view, [ask], key="leave", is_column=True)


def sheet(view: TableView, *, taken: list[LogStep], rows: Sequence[StoredPhoto]) -> None:
    """Draw a row a hand, the newest last, between the names and the totals."""
    match = view.match
    with st.container(key="sheet", gap=None):
        st.html(lines.sheet_head(match.names))
        for place in range(len(match.hands)):
            since(match, place + 1)
            hand_log.hand(view, place, log=taken, rows=rows)
        since(match, len(match.hands) + 1)
        st.html(lines.sheet_foot(match.totals))
    if match.counted > 1:  # a line needs two hands
        description = standings(match.names, match.totals)
        charts.draw(charts.running_score(match), "running", description=description)


def others(view: TableView) -> None:
    with state.store().read(view.code) as table:
        matches = log.matches(table, most=LISTED)[::-1]
    if len(matches) > 1 and not view.is_earlier and not view.match.hands and view.role.may_write:
        leaving(view)
    other = [row for row in matches if row.match_no != view.row.match_no]
    with st.container(key="other_matches"):
        if other:
            st.subheader(t("other_matches"))
        for row in other:
            navigation.link("history", match_label(row), view.code, match=row.match_no)


def match_label(row: TableMatch) -> str:
    """Return "Match 1, won by Anna · Anna 11 · Bruno 8"."""
    label = t("match_level" if row.is_over else "match_open", match=row.match_no)
    if row.winner is not None:
        label = t("match_row", match=row.match_no, name=row.side_names[row.winner])
    return f"{label} · {standings(row.side_names, row.totals)}"


def rules(view: TableView) -> None:
    played = view.match.rules
    st.subheader(render.plain(t("rules_row", name=called(played.name) or t("rules_own"))))
    sentences = map(in_signs, describe(played, lang=state.language()))
    st.markdown("\n".join(f"- {sentence}" for sentence in sentences))
    for until, _ in view.match.earlier:
        since(view.match, until + 1)
        st.html(changes(view.match.rules_of(until - 1), view.match.rules_of(until)))


def more(view: TableView, taken: list[LogStep], row: PlayedMatch | None) -> None:
    """Draw the rules, every step of the match (undone ones, too; newest first), and downloads."""
    match = view.match
    with st.expander(t("more"), key="more"):
        if row:
            st.subheader(t("went_from"))
            description = standings(match.names, match.totals)
            charts.draw(charts.sources(match), "sources", description=description)
        rules(view)
        st.subheader(t("log_head", n=len(taken)))
        st.html(hand_log.story(taken[::-1], view))
        if row:
            with st.container(key="take_away"):
                if not match.is_over:
                    match_picture.draw(row)
                downloads.match_files(row)


def main() -> None:
    view = frame.require_view()
    frame.band(view, back="play")
    match_no = view.row.match_no
    st.header(t("history_head_of", match=match_no) if view.is_earlier else t("history_head"))
    with state.store().read(view.code) as table:
        taken = list(log.steps(table, match_no))
        rows = piles.photos(table, match_no=match_no)
    match = match_picture.row_of(view)
    if match and view.match.is_over:
        match_picture.draw(match)
    waiting_versions(view)
    if match:
        sheet(view, taken=taken, rows=rows)
    else:
        st.write(t("history_empty"))
        since(view.match, 1)
    undo_redo(view, taken)  # below the hands: none of them moves when it appears
    more(view, taken, match)
    others(view)
    with st.bottom:
        saved(view)
        if not view.role.may_write:
            navigation.board_link(view.code)
        elif st.button(t("to_play"), key="to_play", type="primary", width="stretch"):
            navigation.go("play", view.code)


main()
