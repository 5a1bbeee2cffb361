"""House rules: made from an existing rule set, named, stored, and offered for every table."""

# ruff: noqa: D103  the functions of a page are its own

import streamlit as st

from scoring.errors import ScoringError
from scoring.presets import DEFAULT, PRESETS
from scoring.rules import Rules
from screens import navigation, render, state
from screens.parts import frame, rules
from screens.words import error_text, t
from store import SAMPLE, club
from table import opening
from table.names import clean_name


def start() -> tuple[Rules, Rules | None]:
    """Ask for the rule set to start from; return it, and the linked one if there is one."""
    sets = rules.rule_sets()
    called = {name: rules.called(name) for name in sets}
    chosen = st.selectbox(
        t("house_from"), list(sets), key="house_from", format_func=called.__getitem__
    )
    try:
        return sets[chosen or DEFAULT], rules.linked()
    except ScoringError as error:
        render.note(error_text(error), kind="stop")
        return sets[chosen or DEFAULT], None


def keep(rules: Rules) -> None:
    with frame.flash_errors():
        opening.keep_rules(
            state.store(),
            rules,
            credentials=state.credentials(),
            has_organiser=state.auth().organiser.exists,
        )
        state.flash(t("house_kept", name=rules.name))


def forget(name: str) -> None:
    with frame.flash_errors():
        opening.forget_rules(
            state.store(),
            name,
            credentials=state.credentials(),
            has_organiser=state.auth().organiser.exists,
        )
        state.flash(t("house_forgotten", name=name))


def may_forget() -> bool:
    """Return whether this phone may delete house rules; in a club only its organiser may."""
    return state.credentials().is_organiser or not state.auth().organiser.exists


def trouble(name: str, *, found: list[str]) -> list[str]:
    """Return why the rules cannot be stored: settings that clash, or an unusable name."""
    ours = {SAMPLE, *PRESETS, *map(rules.called, PRESETS)}
    taken = {key.casefold() for key in ours}
    if name.casefold() in taken:
        return [*found, t("house_name_taken", name=name)]
    return found if name else [*found, t("house_no_name")]


def editor() -> None:
    with st.container(key="house"):
        with st.container(key="house_set"):
            before, linked = start()
            begun = linked or before
            if linked is not None:
                st.html(rules.changes(before, linked))
                way = navigation.way() | {state.RULES: rules.in_address(linked)}
                home = navigation.script(navigation.HOME)
                st.page_link(home, label=t("rules_link_play"), query_params=way)
            own = "" if begun.name in PRESETS or linked else begun.name
            typed = st.text_input(
                t("house_name"),
                value=own,
                key=f"house_name_{begun.name}",
                max_chars=40,
                placeholder=t("house_name_example"),
            )
            values = rules.settings(begun)
            if own and may_forget():
                label = render.plain(t("house_forget", name=own))
                st.button(label, key="house_forget", on_click=forget, args=(own,), width="stretch")
        found = rules.clashes(values)
        with st.container(key="house_says"):
            for sentence in found:
                render.note(sentence, kind="stop")
            if not found:
                st.html(rules.in_words(Rules(**values)))
    name = clean_name(typed or "")
    with st.bottom:
        pressed = st.button(
            t("house_save"),
            key="house_save",
            type="primary",
            width="stretch",
            disabled=bool(found),
        )
        if pressed:
            wrong = trouble(name, found=found)
            for sentence in wrong:
                render.note(sentence, kind="stop")
            if not wrong:
                keep(Rules(**(values | {"name": name})))
                st.rerun()


def main() -> None:
    frame.bar(t("house_link"))
    st.header(t("house_head"))
    frame.flashes()
    st.write(t("house_help"))
    with state.store().reading() as session:
        outdated = club.outdated_rules(session)
    if outdated:
        render.note(t("house_outdated", names=", ".join(outdated)), kind="ask")
    try:
        editor()
    except ScoringError as error:
        render.note(error_text(error), kind="stop")


main()
