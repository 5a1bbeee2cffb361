"""The evening on this device: the organiser runs it; other devices show tables and standings."""

# ruff: noqa: D103  the functions of a page are its own

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from screens import navigation, render, state
from screens.parts import evening as parts
from screens.parts import evening_opening, frame
from screens.words import isolated, t
from store import club
from store import evening as stored
from table.evening.replay import Evening, Teams
from table.evening.view import EveningView

NAMES_KNOWN = 40
"""The most names of earlier evenings and tables that are offered."""

EVENINGS = 10
"""The most evenings that are offered to go on with, the latest first."""


def do(view: EveningView, name: str, /, **payload: Any) -> None:
    """Run an action of the evening; a refusal is shown at the top of the next run."""
    with frame.flash_errors():
        state.execute(view.code, f"evening_{name}", **payload)


def tap(label: str, key: str, view: EveningView, name: str, /, **payload: Any) -> None:
    """Draw a button that runs an action."""
    st.button(
        render.plain(label),
        key=key,
        on_click=do,
        args=(view, name),
        kwargs=payload,
        width="stretch",
    )


# Without an evening


def start() -> None:
    frame.bar(t("page_evening"))
    frame.flashes()
    held = state.credentials()
    codes = None if held.is_organiser else [*held.seen, *held.links]
    with state.store().reading() as session:
        found = stored.newest(session, codes=codes, most=EVENINGS)
    for row in found:
        if held.knows(row):
            view = state.evening(row.code)
            label = f"{parts.title(view.evening)} · {row.code}"
            if st.button(render.plain(label), key=f"evening_{row.code}", width="stretch"):
                navigation.go("evening", row.code)
    st.header(t("evening_new"))
    evening_opening.form()


# The organiser


def players(view: EveningView) -> None:
    evening = view.evening
    st.subheader(t("evening_players", n=len(evening.here)))
    with st.form("evening_add", clear_on_submit=True, border=False):
        typed = st.text_input(t("evening_add_names"), key="evening_names")
        if st.form_submit_button(t("evening_add"), width="stretch"):
            for name in filter(None, map(str.strip, (typed or "").split(","))):
                do(view, "player", name=name)
            st.rerun()
    known(view)
    if evening.players:
        names = {player.number: player.name for player in evening.players}
        st.pills(
            t("evening_here"),
            [*names],
            selection_mode="multi",
            default=[*evening.here],
            format_func=lambda number: render.plain(names[number]),
            key=here_key(view),
            on_change=lambda: mark_here(view),
        )


def here_key(view: EveningView) -> str:
    return f"evening_here_{view.log.revision}"


def mark_here(view: EveningView) -> None:
    chosen = {*st.session_state[here_key(view)]}
    for number in chosen ^ {*view.evening.here}:
        do(view, "here", player=number, here=number in chosen)


def known(view: EveningView) -> None:
    """Offer known names as buttons."""
    codes = None if state.credentials().is_organiser else state.my_tables()
    with state.store().reading() as session:
        names = club.names(session, codes, most=NAMES_KNOWN)
    taken = {player.name.casefold() for player in view.evening.players}
    offered = [name for name in names if name.casefold() not in taken and " & " not in name]
    key = f"evening_known_{view.log.revision}"
    if offered:
        st.pills(
            t("names_known"),
            offered,
            format_func=render.plain,
            key=key,
            on_change=lambda: do(view, "player", name=st.session_state[key]),
        )


def pairs(view: EveningView) -> None:
    """Draw the fixed pairs: the organiser chooses them, or draws the rest by lot."""
    evening = view.evening
    if evening.plan.teams is not Teams.FIXED:
        return
    st.subheader(t("evening_pairs", n=len(evening.pairs)))
    render.quiet(
        " · ".join(isolated(evening.name_of(pair)) for pair in evening.pairs)
        or t("evening_no_pairs")
    )
    if evening.rounds or len(evening.unpaired) < 2:
        return
    names = {number: evening.player(number).name for number in evening.unpaired}

    def put_together(*pair: int) -> None:
        do(view, "pairs", pairs=[*evening.pairs, pair])

    choose_two(t("evening_choose_pair"), names, f"evening_pair_{view.log.revision}", put_together)
    tap(t("evening_draw_pairs"), "evening_draw_pairs", view, "pairs", pairs=evening.drawn_pairs())


def choose_two(
    label: str, names: Mapping[int, str], key: str, chosen: Callable[[int, int], None]
) -> None:
    """Offer names, of which the organiser taps two."""

    def when_two() -> None:
        numbers = st.session_state[key]
        if len(numbers) == 2:
            chosen(*numbers)

    st.pills(
        label,
        [*names],
        selection_mode="multi",
        format_func=lambda number: render.plain(names[number]),
        key=key,
        on_change=when_two,
    )


def results(view: EveningView) -> None:
    """Draw the tables of the round, and the form that corrects a result."""
    evening = view.evening
    if not evening.rounds:
        return
    st.subheader(t("evening_round", round=len(evening.rounds)))
    st.html(parts.seats(evening, len(evening.rounds) - 1))
    render.quiet(parts.byes(evening, evening.rounds[-1]))
    link = state.credentials().links.get(view.code, "")
    if link:
        with st.expander(t("evening_codes"), key="evening_codes"):
            st.html(parts.codes(view, link))
    with st.expander(t("evening_fix"), key="evening_fix"):
        fix(view, evening)


def fix(view: EveningView, evening: Evening) -> None:
    seats = {
        seat.code: f"{number}. {' – '.join(map(evening.name_of, seat.sides))}"
        for number, one in enumerate(evening.rounds, start=1)
        for seat in reversed(one.seats)
    }
    codes = [*seats][::-1]
    code = st.selectbox(
        t("evening_fix_table"), codes, key="evening_fix_table", format_func=seats.__getitem__
    )
    seat = evening.seat(code or codes[0])
    now = evening.meeting(seat.code)
    names = [evening.name_of(side) for side in seat.sides]
    with st.container(horizontal=True):
        made = [
            st.number_input(render.plain(name), -99, 999, now.totals[side],
                            key=f"fix_{seat.code}_{side}_{view.log.revision}")
            for side, name in enumerate(names)
        ]  # fmt: skip
    points = (int(made[0]), int(made[1]))
    tap(t("evening_fix_save"), "fix_save", view, "result", code=seat.code, points=points)
    for side, name in enumerate(names):
        label = t("evening_fix_absent", name=name)
        tap(label, f"fix_absent_{side}", view, "result", code=seat.code, absent=side)
    if now.is_set:
        tap(t("evening_fix_played"), "fix_played", view, "result", code=seat.code)
    navigation.link("history", t("evening_fix_hands"), seat.code)


def main_step(view: EveningView) -> None:
    """Draw the one main button of a round."""
    evening, shown = view.evening, view.log.revision
    with st.bottom:
        if parts.can_draw(evening):
            key = "evening_first" if not evening.rounds else "evening_next"
            st.button(
                t(key, round=len(evening.rounds) + 1),
                key="evening_draw",
                type="primary",
                width="stretch",
                on_click=do,
                args=(view, "round"),
                kwargs={"shown": shown},
            )
        else:
            render.quiet(parts.progress(evening))


def steps(view: EveningView) -> None:
    """Draw Undo, and the button that ends the evening."""
    with st.container(horizontal=True, key="evening_steps"):
        if view.log.can_undo:
            tap(t("evening_undo"), "evening_undo", view, "undo", shown=view.log.revision)
        if view.evening.rounds:
            over = not view.evening.is_over
            label = t("evening_end" if over else "evening_go_on")
            tap(label, "evening_end", view, "end", over=over)


def run(view: EveningView) -> None:
    results(view)
    if view.evening.rounds:
        st.subheader(t("evening_standings"))
        st.html(parts.standings(view))
    pairs(view)
    if not view.evening.is_over:
        players(view)
    steps(view)
    main_step(view)


# Others


def look(view: EveningView) -> None:
    evening = view.evening
    if evening.rounds:
        st.subheader(t("evening_round", round=len(evening.rounds)))
        st.html(parts.seats(evening, len(evening.rounds) - 1))
        st.subheader(t("evening_standings"))
        st.html(parts.standings(view))
    else:
        render.quiet(", ".join(isolated(player.name) for player in evening.players))


def band(view: EveningView) -> None:
    frame.bar(f"{view.code} · {view.evening.plan.name}", translate=False)
    frame.flashes()


def main() -> None:
    if not state.address().table:
        start()
        return
    view = frame.require_evening()
    band(view)
    st.header(render.plain(parts.title(view.evening)))
    if not view.role.may_write:
        render.quiet(parts.progress(view.evening))
    with st.container(horizontal=True, key="evening_ways"):
        navigation.board_link(view.code)
    if view.role.may_write and view.evening.plan.can_be_played:
        run(view)
    else:
        look(view)


main()
