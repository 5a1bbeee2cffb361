"""Rules of a house's own: made from a set that is there, named, kept, offered to every table."""

import streamlit as st

from scoring.errors import ScoringError
from scoring.presets import DEFAULT, PRESETS
from scoring.rules import Rules
from screens import navigation, state
from screens.look import theme
from screens.parts import frame, rules_editor, rules_view
from screens.words import say, why
from store import SAMPLE
from table import commands


def start() -> Rules:
    """Asks which rule set to start from."""
    sets = rules_editor.offered()
    called = {name: rules_editor.called(name) for name in sets}
    chosen = st.selectbox(
        say("house_from"), list(sets), key="house_from", format_func=called.__getitem__
    )
    return sets[chosen or DEFAULT]


def keep(rules: Rules) -> None:
    """Keeps the rules under their name."""
    with frame.spoken():
        is_led = state.guard().organiser.is_there
        commands.keep_rules(state.store(), rules, held=state.held(), is_led=is_led)
        state.tell(say("house_kept", name=rules.name))


def forget(name: str) -> None:
    """Takes own rules out of those that are offered."""
    with frame.spoken():
        is_led = state.guard().organiser.is_there
        commands.forget_rules(state.store(), name, held=state.held(), is_led=is_led)
        state.tell(say("house_forgotten", name=name))


def may_forget() -> bool:
    """Whether this phone may take rules out: in a club with an organiser only the organiser's."""
    return state.held().is_organiser or not state.guard().organiser.is_there


def trouble(name: str, *, found: list[str]) -> list[str]:
    """Gives what keeps the rules from being kept: settings that clash, a name that cannot be."""
    ours = {SAMPLE, *PRESETS, *map(rules_editor.called, PRESETS)}
    taken = {key.casefold() for key in ours}
    if name.casefold() in taken:
        return [*found, say("house_name_taken", name=name)]
    return found if name else [*found, say("house_no_name")]


def editor() -> None:
    """Draws the editor."""
    with st.container(key="house"):
        with st.container(key="house_set"):
            begun = start()
            own = "" if begun.name in PRESETS else begun.name
            typed = st.text_input(
                say("house_name"),
                value=own,
                key=f"house_name_{begun.name}",
                max_chars=40,
                placeholder=say("house_name_example"),
            )
            told = rules_editor.settings(begun)
            if own and may_forget():
                label = theme.plain(say("house_forget", name=own))
                st.button(label, key="house_forget", on_click=forget, args=(own,), width="stretch")
        found = rules_editor.clashes(told)
        with st.container(key="house_says"):
            for sentence in found:
                theme.note(sentence, kind="stop")
            if not found:
                st.html(rules_view.in_words(Rules(**told)))
    name = (typed or "").strip()
    with st.bottom:
        pressed = st.button(
            say("house_save"),
            key="house_save",
            type="primary",
            width="stretch",
            disabled=bool(found),
        )
        if pressed:
            wrong = trouble(name, found=found)
            for sentence in wrong:
                theme.note(sentence, kind="stop")
            if not wrong:
                keep(Rules(**(told | {"name": name})))
                st.rerun()


def main() -> None:
    """Draws the page of own rules."""
    with st.container(key="front"):
        st.page_link(
            navigation.script(navigation.HOME), label=say("home"), query_params=navigation.way()
        )
        frame.language_button()
    st.header(say("house_head"))
    frame.sentences()
    st.write(say("house_help"))
    try:
        editor()
    except ScoringError as error:
        theme.note(why(error), kind="stop")


main()
