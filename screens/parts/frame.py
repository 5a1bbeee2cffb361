"""What every screen of a table shares: the band on top, the menu, news and errors."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import streamlit as st

from assets.deck import CardStyle
from scoring.errors import ScoringError
from scoring.locale import LANGUAGES
from screens import certificate, components, navigation, render, state
from screens.parts import hand_log, phone, seats, sides
from screens.words import SENTENCES, error_text, isolated, t
from store import LogStep, Step, TableNotFoundError, log
from table import opening
from table.evening.view import EveningView
from table.view import TableView, load_view
from vision.errors import VisionError


class StoreUnreachableError(RuntimeError):
    """The store does not answer. The screen stays and is drawn again once it does."""


def require_view(
    *, of_hand: bool = False, for_scorers: bool = False, at_pile: bool = False
) -> TableView:
    """Return the table that the address names; if there is none, open the start page and say so.

    Args:
        of_hand: The screen shows the current hand. Once that hand is saved or the match is over, it
            opens "Play", which says so.
        for_scorers: The screen writes, as every screen of a hand does; a device that may only
            watch gets the board instead.
        at_pile: The screen shows a pile; other phones say so.

    Raises:
        StoreUnreachableError: The store does not answer. The screen says so.
    """
    address = state.address()
    if address.table:
        try:
            view = _seated_at(address, at_pile=at_pile)
            _notice(view, of_hand=of_hand)
        except TableNotFoundError as error:
            state.flash(error_text(error), "stop")
        except ScoringError as error:
            render.note(error_text(error), kind="stop")
            state.session().rendered = state.Rendered(address=address)  # any revision is new
            raise StoreUnreachableError from error
        else:
            if (of_hand or for_scorers) and not view.role.may_write:
                to_board(view.code)
            if of_hand and view.match.is_over and not view.editing:
                navigation.go("play", view.code)  # no hand is played after the end
            return view
    else:
        state.flash(t("need_table"), "stop")
    return navigation.go_home()


def to_board(code: str, **query: str) -> NoReturn:
    """Leave for the board of a table; further query parameters are those of `screens.board`."""
    phone.enter(navigation.board_path(code, language=state.chosen_language(), **query))


def require_evening() -> EveningView:
    """Return the evening that the address names; if there is none, open the start page and say so.

    The screen is drawn again for decisions and results only, not for every score.

    Raises:
        StoreUnreachableError: The store does not answer. The screen says so.
    """
    address = state.address()
    try:
        view = state.evening(address.table)
    except TableNotFoundError as error:
        state.flash(error_text(error), "stop")
        return navigation.go_home()
    except ScoringError as error:
        render.note(error_text(error), kind="stop")
        state.session().rendered = state.Rendered(address=address)
        raise StoreUnreachableError from error
    state.session().visit(view.code)
    state.session().rendered = state.Rendered(
        address=address, revision=view.row.revision, evening=view.fingerprint
    )
    return view


def _seated_at(address: state.Address, *, at_pile: bool) -> TableView:
    """Load the table of an address, and remember that this screen shows it."""
    view = load_view(
        state.store(),
        state.find_table(address.table).code,
        credentials=state.credentials(),
        side=address.side,
        match_no=address.match,
        hand_no=address.hand,
        me=address.me,
    )
    state.session().visit(view.code)
    if view.table.drawing is not state.card_style():
        st.rerun()  # now that this device has been at the table, its card style applies
    state.session().rendered = state.Rendered(
        address=address,
        revision=view.table.revision,
        names=view.names,
        pile=view.side if at_pile else None,
    )
    return view


def _notice(view: TableView, *, of_hand: bool) -> None:
    """Tell what happened to the hand that this screen showed when it was last drawn.

    The hand may have been saved, on this phone or another; a step may have been undone.
    """
    now = state.HandShown(
        page=state.page(),
        code=view.code,
        match_no=view.row.match_no,
        hand_no=view.hand_no,
        revision=view.row.revision,
    )
    session = state.session()
    before = session.hand_shown
    if before is not None and (before.page, before.code) == (now.page, now.code):
        _tell(view, before, now, of_hand=of_hand)
    session.hand_shown = now  # last: if this run is cut off, the next one tells it again


def _tell(
    view: TableView,
    before: state.HandShown,
    now: state.HandShown,
    *,
    of_hand: bool,
) -> None:
    if before.match_no != now.match_no:
        if now.match_no < before.match_no and not view.is_earlier:
            state.flash(t("left"))
        return
    _tell_rules(view, since=before.revision)
    if of_hand:
        _move_on(view, before)
    else:
        _tell_steps(view, since=before.revision)


def _move_on(view: TableView, before: state.HandShown) -> None:
    """Leave a screen whose hand is saved."""
    steps = [step for step in _steps(view, since=before.revision) if step.step is Step.EDIT]
    if view.editing in {step.hand_no for step in steps} - {None}:
        state.session().save(t("hand_changed", hand=before.hand_no))
        navigation.go("history", view.code)
    if before.hand_no < view.hand_no:
        state.session().save(t("saved", hand=before.hand_no))
        navigation.go("play", view.code)


def _tell_rules(view: TableView, *, since: int) -> None:
    """Say on every screen that the rules were changed."""
    for step in _steps(view, since=since)[-1:]:
        if step.step is Step.RULES:
            state.flash(hand_log.what(step))


def _tell_steps(view: TableView, *, since: int) -> None:
    """Say that the last step was undone or redone, or what it did to a hand."""
    session = state.session()
    for step in _steps(view, since=since)[-1:]:
        if step.step is Step.UNDO:
            undone = {Step.RECORD: "undone", Step.EDIT: "undone_edit"}.get(step.of, "undone_step")
            session.save(t(undone, hand=step.hand_no), offers_undo=False)
        elif step.step is Step.REDO:
            session.save(t("redone"))
        elif step.step is Step.EDIT and step.facts is not None:
            key = "taken_out" if step.facts.is_empty else "hand_changed"
            session.save(t(key, hand=step.hand_no))


def _steps(view: TableView, *, since: int) -> list[LogStep]:
    """Return the steps of the match after a revision; mostly there are none to query for."""
    if view.row.revision == since:
        return []
    with state.store().read(view.code) as table:
        steps = log.steps(table, view.row.match_no)
    return [row for row in steps if row.revision > since]


def band(view: TableView, *, back: str | None = None, side: int | None = None) -> None:
    """Draw the band on top: a link back, the table, the hand and its dealer, the menu."""
    with st.container(key="bar", horizontal=True, vertical_alignment="center"):
        if back == "play" and view.editing:  # came from where hands are edited
            match = view.row.match_no if view.is_earlier else None
            navigation.link("history", "‹", view.code, match=match)
        elif back:
            navigation.link(back, "‹", view.code, side=side, hand=view.editing)
        where = " · ".join([_where(view), *sides.tally(view)])
        st.html(render.piece("band", where, max(map(len, view.names)), translate=False))
        menu(view)
        if view.role.may_write:
            components.show("phone_awake", key="phone_awake")
    if view.is_kept:
        render.note(t("error_DroppedRulesError"), kind="ask")
    if view.table.is_closed:
        may_write = view.role.may_write
        render.note(t("closed_organiser" if may_write else "closed_table"), kind="ask")
    flashes()


def bar(title: str, *, translate: bool = True) -> None:
    """Draw the band of a screen without a table: a link home, a title, the menu."""
    with st.container(key="bar", horizontal=True, vertical_alignment="center"):
        navigation.link(navigation.HOME, "‹")
        st.html(render.piece("band", title, translate=translate))
        menu()


def menu(view: TableView | None = None) -> None:
    """Draw the menu of every screen: links to the others, and settings of this phone.

    Args:
        view: The table of the screen; None for screens without a table.
    """
    with st.container(key="menu"), st.popover(t("menu"), key="menu_open"):
        components.show("menu", key="menu_sheet")
        with st.container(key="ways"):
            if view is None:
                _ways("rules", "season", "evening", "house")
                if certificate.is_offered():
                    _ways("trust")
                if state.auth().organiser.exists:
                    _ways("club")
            else:
                with st.container(key="way_board"):
                    navigation.board_link(view.code)
                writing = ("invite", "match") if view.role.may_write else ()
                _ways("history", "season", *writing, table=view.code)
                _ways(navigation.HOME)
        st.html(render.piece("quiet", t("this_phone")))
        with st.container(key="this_phone"):
            if view is not None:
                _at_table(view)
            language_buttons()
            theme_buttons()
        if view is not None and not view.role.may_write:
            _watching(view)


WAYS = {"rules": "page_rules", "evening": "page_evening", "house": "house_link",
        "trust": "page_trust", "club": "page_club", "match": "page_match"}  # fmt: skip
"""The label of a screen in the menu, if it has another key than the screen."""


def _ways(*screens: str, table: str | None = None) -> None:
    """Draw a row of the menu for each screen."""
    for screen in screens:
        with st.container(key=f"way_{screen}"):
            navigation.link(screen, t(WAYS.get(screen, screen)), table)


def _at_table(view: TableView) -> None:
    """Draw what is needed less often: whose phone it is, referee, rules, evening, card style."""
    if view.role.may_write:
        mine = t("phone_of", name=view.device) if view.device else t("phone_whose")
        ask = navigation.way(view.code) | {state.ME: state.ASK}
        with st.container(key="way_me"):
            home = navigation.script(navigation.HOME)
            st.page_link(home, label=render.plain(mine), query_params=ask)
    with st.container(key="less_often"):
        _ways("referee", "rules", table=view.code)
    if view.table.evening_code:
        _ways("evening", table=view.table.evening_code)
    if view.role.may_write:
        _card_styles(view)


def _watching(view: TableView) -> None:
    """Say how a watching device could score.

    A table of an early release has no scorers' link: the first device that asks takes it over.
    """
    if view.table.is_closed or view.is_kept:
        return  # the board says so
    if view.table.link_hash is not None:
        render.quiet(t("watching"))
    elif st.button(t("take_over"), key="take_over", width="stretch"):
        link = state.session().link
        with flash_errors():
            opening.take_over(state.store(), view.code, link=link)
            state.session().open_another()
            phone.enter(navigation.join_path(view.code, link))
        st.rerun()


def _label(key: str) -> None:
    """Draw the name of a group of settings above it."""
    st.html(render.piece("quiet", t(key), "small"))


def _card_styles(view: TableView) -> None:
    """Let the user choose the table's card style."""
    styles = [
        phone.Button(
            id=f"drawing_{style}",
            label=t(f"cards_{style}"),
            action={"do": "drawing", "drawing": style.value},
            pressed=style is state.card_style(),
        )
        for style in CardStyle
    ]
    _label("cards_shown")
    phone.buttons(view, styles, key="drawing")


def language_buttons() -> None:
    """Draw a button for every other language, labelled in that language."""
    _label("languages")
    with st.container(key="languages", horizontal=True):
        for other in LANGUAGES:
            if other != state.language():
                name = SENTENCES.say("language_name", other)
                chosen = (state.LANGUAGE, other)
                st.button(name, key=f"speak_{other}", on_click=state.put, args=chosen)


def _where(view: TableView) -> str:
    if view.is_earlier:
        key = "band_edit_earlier" if view.editing else "band_earlier"
        return t(key, code=view.code, match=view.row.match_no, hand=view.hand_no)
    if view.editing:
        return t("band_edit", code=view.code, hand=view.editing)
    winner = view.match.winner
    if winner is not None:
        return t("band_over", code=view.code, winner=isolated(view.names[winner]))
    if view.match.is_over:
        return t("band_level", code=view.code)
    dealer = view.names[view.dealer]
    n = len(seats.people([dealer]))
    return t("band", code=view.code, hand=view.hand_no, dealer=isolated(dealer), n=n)


def flashes() -> None:
    """Show the sentences that were stored for this screen."""
    for sentence, kind in state.session().take_flashes():
        render.note(sentence, kind=kind)


@contextmanager
def flash_errors() -> Iterator[None]:
    """Store the sentence of one of our errors for the next screen; other errors pass through."""
    try:
        yield
    except (ScoringError, VisionError) as error:
        state.flash(error_text(error), "stop")


def theme_buttons() -> None:
    """Let the user choose the theme of this device, for every screen."""
    _label("themes")
    data = {
        "label": t("themes"),
        "cookie": state.THEME,
        "chosen": state.chosen_theme(),
        "pages": navigation.SCREENS,
        "themes": [{"name": name, "label": t(f"theme_{name}")} for name in state.THEMES],
    }
    components.show("themes", key="themes", data=data)
