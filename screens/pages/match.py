"""Names and target of the match being played and, before its first hand, its rules."""

# ruff: noqa: D103  the functions of a page are its own

import streamlit as st

from scoring.rules import Rules
from screens import navigation, render, state
from screens.parts import frame, rules
from screens.words import t
from table.view import TableView


def names(view: TableView) -> list[str]:
    with st.container(key="match_names"):
        return [
            st.text_input(t("name", number=side + 1), name, key=f"match_name_{side}_{name}")
            for side, name in enumerate(view.names)
        ]


def played(view: TableView) -> Rules:
    now, sets = view.match.rules, rules.rule_sets(len(view.names))
    chosen = now
    if view.match.hands:
        render.quiet(t("match_rules_fixed"))
    else:
        called = {now.name: now} | {name: one for name, one in sets.items() if name != now.name}
        picked = st.selectbox(
            t("rules"), list(called), key=f"match_rules_{now.name}", format_func=rules.called
        )
        chosen = called[picked or now.name]
    target = rules.target(chosen, key=f"match_target_{chosen.name}_{now.target}")
    return chosen.changed(target=target)


def main() -> None:
    view = frame.require_view(for_scorers=True)
    frame.band(view, back="play")
    st.header(t("page_match"))
    typed, chosen = names(view), played(view)
    with st.bottom:
        if st.button(t("match_save"), key="match_save", type="primary", width="stretch"):
            with frame.flash_errors():
                state.execute(view.code, "change_match", names=typed, rules=chosen)
                state.flash(t("match_saved"))
                navigation.go("play", view.code)
            st.rerun()


main()
