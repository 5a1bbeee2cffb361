"""The start page: go on, join or open a table."""

# ruff: noqa: D103  the functions of a page are its own

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from scoring.errors import ScoringError
from scoring.rules import Rules
from screens import navigation, render, state
from screens.parts import frame, phone, rules, seats
from screens.words import error_text, standings, t, to_number
from store import Drawing, Table, club, tables
from table import opening
from table.access import Role
from table.names import checked_names

RECENT = 4
"""How many tables the start page offers to go on with."""


NAMES_KNOWN = 60
"""The most names that are offered for a new table."""


def asked_for() -> Table | None:
    """Gives the table of the address, if there is one; whoever may only look sees its board."""
    code = state.address().table
    if state.take_refusal():
        state.flash(t("link_refused"), "stop")
    if not code:
        return None
    with frame.flash_errors():
        table = state.find_table(code)
        if table.is_evening:
            navigation.go("evening", table.code)
        if not state.credentials().role_at(table).may_write:
            navigation.go("board", table.code)
        return table
    return None


def who_holds(table: Table) -> None:
    """Asks a scorer who holds this device, unless that was said before; then joins."""
    here = state.address()
    if here.is_board:
        navigation.go("board", table.code)
    if here.me is not None and here.me < len(table.side_names):
        navigation.go("play", table.code)
    st.subheader(render.plain(t("joining", code=table.code, names=", ".join(table.side_names))))
    st.write(t("who_holds"))
    for side, name in enumerate(table.side_names):
        if st.button(render.plain(name), key=f"me_{side}", width="stretch"):
            st.query_params[state.ME] = str(side)
            navigation.go("play", table.code)
    if st.button(t("nobody_holds"), key="me_watch", width="stretch"):
        st.query_params[state.ME] = state.NOBODY_HERE
        navigation.go("board", table.code)


def my_tables() -> list[Table]:
    codes = state.my_tables()
    with state.store().reading() as session:
        found = tables.newest(session, codes=codes)
    return sorted(found, key=lambda table: codes.index(table.code))


def newest(tables: Sequence[Table]) -> None:
    for table in tables[:1]:
        label = t("go_on_table", standings=standings(table.side_names, table.totals))
        if st.button(render.plain(label), key="go_on", type="primary", width="stretch"):
            navigation.go("play", table.code)


def recent(tables: Sequence[Table]) -> None:
    if tables[1:]:
        st.subheader(t("recent_head"))
    for table in tables[1:RECENT]:
        label = t("recent", standings=standings(table.side_names, table.totals), code=table.code)
        if st.button(render.plain(label), key=f"recent_{table.code}", width="stretch"):
            navigation.go("play", table.code)


def join() -> None:
    st.subheader(t("join_head"))
    note = st.container()  # above the field: the bar at the bottom would hide it below
    with st.container(horizontal=True, vertical_alignment="bottom", key="join_row"):
        code = st.text_input(t("code"), key="code", max_chars=8, placeholder="K7QF")
        pressed = st.button(t("join"), key="join")
    if pressed and not (code or "").strip():
        with note:
            render.note(t("no_code"), kind="stop")
    elif pressed:
        st.query_params[state.TABLE] = code
        st.rerun()


def rules_of(sides: int, tables: Sequence[Table]) -> tuple[Rules, Drawing]:
    """Asks, folded into one line, for the rules that so many sides can play, target and cards."""
    sets = rules.rule_sets(sides)
    played = list(sets)
    called = {name: rules.called(name) for name in played}
    coded = rules.of_address()
    before = coded.name if coded else state.kept_choice(state.RULES)
    usual = before if before in played else played[0]
    target = state.kept_choice("target") or sets[usual].target
    label = f"{called[usual]}, {to_number(int(target))}"
    with st.expander(render.plain(label), key="opening_rules"):
        preset = st.selectbox(
            t("rules"),
            played,
            index=played.index(usual),
            key=state.choice_key("rules"),
            format_func=called.__getitem__,
            on_change=state.forget_choice,
            args=("target",),
        )
        chosen = sets[preset]
        wanted = rules.target(chosen, key=f"target_{preset}", kept=state.kept_choice("target"))
        navigation.link("house", t("house_link"))
        drawing = cards_shown(tables)
    for name, value, standard in (
        ("rules", preset, played[0]),
        ("target", str(wanted), str(chosen.target)),
    ):
        state.keep_choice(name, value if value != standard else None)
    return chosen.changed(target=wanted), drawing


def known_names() -> tuple[str, ...]:
    """Gives the names to offer: of the tables this phone was at; to the organiser, of the club."""
    codes = None if state.credentials().is_organiser else state.my_tables()
    with state.store().reading() as session:
        return club.names(session, codes, most=NAMES_KNOWN)


def open_form(tables: Sequence[Table]) -> None:
    with st.container(key="opening"):
        st.subheader(t("open_head"))
        as_last_time(tables)
        sat = seats.seats(known_names())
        played, drawing = rules_of(len(sat.names), tables)
    with st.bottom:
        note = st.container()
        kind: Literal["primary", "secondary"] = "secondary" if tables else "primary"
        if st.button(t("open"), key="open", type=kind, width="stretch"):
            with note:
                open_table(sat, rules=played, drawing=drawing)


def open_table(sat: seats.Seats, *, rules: Rules, drawing: Drawing) -> None:
    """Opens a table, once, and leads this phone to it as a scorer's; or says what is wrong."""
    link = state.pending_link()
    try:
        names = checked_names(sat.names)
        state.auth().limiter.count_opening(state.network_address())
        table = opening.open_table(
            state.store(),
            names,
            rules=rules,
            link=link,
            first_dealer=sat.first_dealer,
            drawing=drawing,
        )
    except ScoringError as error:
        render.note(error_text(error), kind="stop")
        return
    state.forget_link()
    phone.enter(navigation.join_path(table.code, link, screen="play"))


def scored_here(tables: Sequence[Table]) -> list[Table]:
    """Gives those of some tables at which this phone scores, or scored until they were closed."""
    held = state.credentials()
    return [table for table in tables if held.role_at(table) is not Role.VIEWER]


def cards_shown(tables: Sequence[Table]) -> Drawing:
    """Asks which cards the screens of the table show: at first those of last time."""
    last = next((table.drawing for table in scored_here(tables)), Drawing.ITALIAN)
    words = {t(f"cards_{drawing}"): drawing for drawing in Drawing}
    usual = t(f"cards_{last}")
    chosen = st.pills(
        t("cards_shown"), list(words), default=usual, required=True, key=state.choice_key("cards")
    )
    return words[chosen or usual]


def as_last_time(tables: Sequence[Table]) -> None:
    for last in scored_here(tables)[:1]:
        names, to = " · ".join(last.side_names), to_number(last.rules.target)
        label = render.plain(t("as_last_time", names=names, to=to))
        if st.button(label, key="as_last_time", width="stretch"):
            dealer = last.match.first_dealer or 0
            sat = seats.Seats(names=last.side_names, first_dealer=dealer)
            open_table(sat, rules=last.rules, drawing=last.drawing)


def sample_hand() -> None:
    if state.SAMPLES.is_dir() and st.button(t("sample_hand"), key="sample_hand", width="stretch"):
        link = state.pending_link()
        state.auth().limiter.count_opening(state.network_address())
        table = opening.open_sample(state.store(), state.SAMPLES, link=link)
        state.forget_link()
        phone.enter(navigation.join_path(table.code, link, screen="points"))


def main() -> None:
    table = asked_for()
    with st.container(key="front"):
        st.html(render.piece("hero"))
        frame.language_button()
    frame.flashes()
    if table is not None:
        who_holds(table)
        return
    try:
        tables = [table for table in my_tables() if not table.is_sample]
        newest(tables)
        open_form(tables)
        sample_hand()
        join()
        recent(tables)
        with st.container(horizontal=True, key="ways"):
            navigation.link("learn", t("learn"))
            navigation.link("season", t("season"))
            navigation.link("evening", t("page_evening"))
            if state.auth().organiser.exists:
                navigation.link("club", t("page_club"))
        frame.theme_buttons()
    except ScoringError as error:
        render.note(error_text(error), kind="stop")


main()
