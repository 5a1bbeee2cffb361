"""The start page: continue a match, open a table, see a sample hand, join by code."""

# ruff: noqa: D103  the functions of a page are its own

from collections.abc import Sequence
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from assets.deck import CardStyle
from scoring.errors import ScoringError
from scoring.rules import Rules
from screens import navigation, render, state, times
from screens.parts import frame, phone, rules, seats
from screens.words import error_text, standings, t, to_number
from store import Table, club, tables
from table import opening
from table.access import Role
from table.names import checked_names
from table.series import LENGTHS

RECENT = 4
"""Number of tables that the start page offers to continue."""

UNFOLDED = "opening_rules"
"""Key of the line that unfolds to rules, target, dealer and cards."""

SAMPLE_PILES = (("7d", "10s", "1c", "6b", "9d"), ("7c", "8s", "5d", "10b", "3c"))
"""Cards of the sample hand, for its picture."""

NAMES_KNOWN = 60
"""Most names to offer for a new table."""


def asked_for() -> Table | None:
    """Return the address's table, if any; a device that may only watch leaves for its board."""
    code = state.address().table
    refused = state.take_refusal()
    if not code:
        return None
    with frame.flash_errors():
        table = state.find_table(code)
        if not isinstance(table, Table):
            navigation.go("evening", table.code)
        if not state.credentials().role_at(table).may_write:
            frame.to_board(table.code, **({state.REFUSED: "yes"} if refused else {}))
        return table
    return None


def who_holds(table: Table) -> None:
    """Ask a scorer who holds this device, unless that is known, then open the table."""
    here = state.address()
    if here.is_board:
        frame.to_board(table.code)
    if here.me is not None and here.me < len(table.side_names):
        navigation.go("play", table.code)
    st.header(render.plain(t("joining", code=table.code, names=", ".join(table.side_names))))
    st.write(t("who_holds"))
    for side, name in enumerate(table.side_names):
        if st.button(render.plain(name), key=f"me_{side}", width="stretch"):
            state.put(state.ME, str(side))
            navigation.go("play", table.code)
    if st.button(t("nobody_holds"), key="me_watch", width="stretch"):
        frame.to_board(table.code, **{state.ME: state.NOBODY_HERE})


def my_tables() -> list[Table]:
    codes = state.my_tables()
    with state.store().reading() as session:
        found = tables.newest(session, codes=codes)
    return sorted(found, key=lambda table: codes.index(table.code))


def going_on(tables: Sequence[Table]) -> Table | None:
    """Show the latest table with an unfinished match and a link to it; return the table."""
    found = next((one for one in tables if not (one.is_over or one.is_closed)), None)
    if found is None:
        return None
    with st.container(key="going"):
        since = times.hour if found.match.opened_at >= times.evening() else times.when
        progress = t(
            "going_told",
            hand=found.hands + 1,
            to=to_number(found.rules.target),
            since=since(found.match.opened_at),
        )
        st.html(template().going(found.side_names, found.totals, progress))
        if st.button(t("go_on_table"), key="go_on", type="primary", width="stretch"):
            navigation.go("play", found.code)
    return found


def template() -> render.Macros:
    return render.macros("home.html")


def recent(tables: Sequence[Table]) -> None:
    if tables:
        st.header(t("recent_head"))
    for table in tables[:RECENT]:
        when = times.when(table.match.opened_at)
        label = t("recent", standings=standings(table.side_names, table.totals), when=when)
        if table.is_over:
            navigation.board_link(table.code, label)
        elif st.button(render.plain(label), key=f"recent_{table.code}", width="stretch"):
            navigation.go("play", table.code)


def join() -> None:
    note = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", key="join_row"):
        code = st.text_input(t("code"), key="code", max_chars=8, placeholder="K7QF")
        pressed = st.button(t("join"), key="join")
    if pressed and not (code or "").strip():
        with note:
            render.note(t("no_code"), kind="stop")
    elif pressed:
        state.put(state.TABLE, code)
        st.rerun()


def rules_of(
    sat: seats.Seats, tables: Sequence[Table], line: DeltaGenerator
) -> tuple[Rules, CardStyle, int]:
    """Show the rules in one line, which unfolds to choose them; the line goes into `line`.

    Returns:
        The rules, the card style, and how many matches are played at most.
    """
    sets = rules.rule_sets(len(sat.names))
    called = {name: rules.called(name) for name in sets}
    first, last = next(iter(sets)), last_cards(tables)
    linked, kept = rules.of_address(), state.address()
    asked = linked.name if linked else kept.rules
    preset = asked if asked in sets else first
    drawing = CardStyle(kept.cards) if kept.cards in [*CardStyle] else last
    series = int(kept.best_of) if kept.best_of in map(str, LENGTHS) else 1
    if UNFOLDED not in state.session().unfolded:
        wanted = int(kept.target) if kept.target.isdecimal() else sets[preset].target
        with line:
            fold_line(called[preset], sat, target=wanted, series=series)
        return sets[preset].changed(target=wanted), drawing, series
    with st.container(key="unfolded"):
        preset = st.selectbox(
            t("rules"),
            list(sets),
            index=list(sets).index(preset),
            key=state.choice_key("rules"),
            format_func=called.__getitem__,
            on_change=state.put,
            args=(state.TARGET, None),
        )
        chosen = sets[preset]
        wanted = rules.target(chosen, key=f"target_{preset}", kept=kept.target)
        series = rules.best_of(series, key="best_of")
        navigation.link("house", t("house_link"))
        words = {t(f"cards_{one}"): one for one in CardStyle}
        usual = t(f"cards_{drawing}")
        key = state.choice_key("cards")
        shown = st.pills(t("cards_shown"), list(words), default=usual, required=True, key=key)
        drawing = words[shown or usual]
    with line:  # after the choices below it, so that it says what they are now
        fold_line(called[preset], sat, target=wanted, series=series)
    is_linked = linked is not None and preset == linked.name
    for name, value, standard in (
        (state.RULES, rules.in_address(chosen) if is_linked else preset, first),
        (state.TARGET, str(wanted), str(chosen.target)),
        (state.CARDS, drawing.value, last.value),
        (state.BEST_OF, str(series), "1"),
    ):
        state.put(name, value if value != standard else None)
    return chosen.changed(target=wanted), drawing, series


def fold_line(called: str, sat: seats.Seats, *, target: int, series: int) -> None:
    """Draw the line that says what is played and unfolds the choices."""
    now = state.session()
    to, dealer = to_number(target), sat.names[sat.first_dealer]
    label = t("opening_line", rules=called, to=to, dealer=dealer)
    label += f" · {t('evening_best_of')} {series}" if series > 1 else ""
    label = f"{render.plain(label)} {'⌄' if UNFOLDED in now.unfolded else '›'}"
    st.button(label, key=UNFOLDED, on_click=now.turn_fold, args=(UNFOLDED,), width="stretch")


def known_names() -> tuple[str, ...]:
    """Return names to offer: of this phone's tables, or of the club's for the organiser."""
    codes = None if state.credentials().is_organiser else state.my_tables()
    with state.store().reading() as session:
        return club.names(session, codes, most=NAMES_KNOWN)


def open_form(tables: Sequence[Table], *, is_first: bool) -> None:
    with st.container(key="opening"):
        st.header(t("open_head"))
        sat = seats.seats(known_names(), asks_dealer=UNFOLDED in state.session().unfolded)
        line, start = st.container(), st.container(key="start")  # in sight, whatever unfolds
        played, drawing, series = rules_of(sat, tables, line)
        kind: Literal["primary", "secondary"] = "primary" if is_first else "secondary"
        with start:
            note = st.container()
            if st.button(t("open"), key="open", type=kind, width="stretch"):
                with note:
                    open_table(sat, rules=played, drawing=drawing, best_of=series)
        as_last_time(tables)


def open_table(sat: seats.Seats, *, rules: Rules, drawing: CardStyle, best_of: int) -> None:
    """Open a table, once, and lead this phone to it as a scorer; or show what is wrong."""
    link = state.session().link
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
            best_of=best_of,
        )
    except ScoringError as error:
        render.note(error_text(error), kind="stop")
        return
    state.session().open_another()
    phone.enter(navigation.join_path(table.code, link, screen="play"))


def scored_here(tables: Sequence[Table]) -> list[Table]:
    """Return the tables at which this phone scores, or scored until they were closed."""
    held = state.credentials()
    return [table for table in tables if held.role_at(table) is not Role.VIEWER]


def last_cards(tables: Sequence[Table]) -> CardStyle:
    """Return the card style of the latest table."""
    return next((table.drawing for table in scored_here(tables)), CardStyle.ITALIAN)


def as_last_time(tables: Sequence[Table]) -> None:
    for last in scored_here(tables)[:1]:
        names, to = " · ".join(last.side_names), to_number(last.rules.target)
        label = render.plain(t("as_last_time", names=names, to=to))
        if st.button(label, key="as_last_time", width="stretch"):
            dealer = last.match.first_dealer or 0
            sat = seats.Seats(names=last.side_names, first_dealer=dealer)
            series = last.match.best_of
            open_table(sat, rules=last.rules, drawing=last.drawing, best_of=series)


def sample_hand() -> None:
    if not state.SAMPLES.is_dir():
        return
    with st.container(key="sample"):
        st.html(template().sample(SAMPLE_PILES, t("sample_told")))
        if st.button(t("sample_hand"), key="sample_hand", width="stretch"):
            link = state.session().link
            state.auth().limiter.count_opening(state.network_address())
            table = opening.open_sample(state.store(), state.SAMPLES, link=link)
            state.session().open_another()
            phone.enter(navigation.join_path(table.code, link, screen="points"))


def main() -> None:
    table = asked_for()
    with st.container(key="front"):
        st.html(render.piece("hero"))
        frame.menu()
    frame.flashes()
    if table is not None:
        who_holds(table)
        return
    try:
        tables = [table for table in my_tables() if not table.is_sample]
        with st.container(key="home"):
            going = going_on(tables)
            open_form(tables, is_first=going is None)
            with st.container(key="else"):
                sample_hand()
                join()
                recent([table for table in tables if table is not going])
    except ScoringError as error:
        render.note(error_text(error), kind="stop")


main()
