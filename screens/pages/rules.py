"""The rules of a table, or of a rule set chosen here, in words, with examples and a link."""

# ruff: noqa: D103  the functions of a page are its own

import streamlit as st

from scoring.presets import DEFAULT
from scoring.rules import Rules
from screens import state
from screens.parts import frame, rules
from screens.words import t


def chosen() -> Rules:
    """Ask for a rule set; the one in the address is offered first."""
    linked, asked, sets = rules.of_address(), state.address().rules, rules.rule_sets()
    called = {name: rules.called(name) for name in sets}
    usual = linked.name if linked else asked if asked in sets else DEFAULT
    picked = st.selectbox(
        t("rules"),
        list(sets),
        index=list(sets).index(usual),
        key="rules_chosen",
        format_func=called.__getitem__,
    )
    return sets[picked or usual]


def main() -> None:
    if state.address().table:
        view = frame.require_view()
        frame.band(view, back="play")
        match, played = view.match, view.match.rules
    else:
        frame.bar(t("page_rules"))
        match, played = None, chosen()
    frame.flashes()
    st.header(rules.called(played.name))
    st.html(rules.in_words(played, has_examples=True))
    if prime := rules.primiera(played, match):
        st.html(prime)
    st.html(rules.disputed(played))
    rules.share(played)


main()
