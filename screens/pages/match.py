"""Names, dealer, target and rules of the current match, and what its table shares."""

# ruff: noqa: D103  the functions of a page are its own

from typing import Any

import streamlit as st

from scoring.match import Match
from scoring.play import dealer_of
from scoring.points import outright_points, points_of
from scoring.rules import Rules
from screens import navigation, render, state
from screens.parts import frame, rules, seats
from screens.parts.switch import switch
from screens.words import SIGNS, isolated, standings, t
from table.view import TableView

SHOWN = "match_shown"
"""Revision of the log that the screen showed when the user tapped Save."""


def names(view: TableView) -> list[str]:
    with st.container(key="match_names"):
        return [
            st.text_input(
                f"{SIGNS[side]} {t('team' if is_team else 'name', number=side + 1)}",
                name,
                key=f"match_name_{side}_{name}",
            )
            for side, (name, is_team) in enumerate(
                (name, len(seats.people([name])) > 1) for name in view.names
            )
        ]


def played(view: TableView) -> Rules:
    now, sets = view.match.rules, rules.rule_sets(len(view.names))
    called = {now.name: now} | {name: one for name, one in sets.items() if name != now.name}
    picked = st.selectbox(
        t("rules"), list(called), key=f"match_rules_{now.name}", format_func=rules.called
    )
    chosen = called[picked or now.name]
    target = rules.target(chosen, key=f"match_target_{chosen.name}_{now.target}")
    return chosen.changed(target=target)


def best_of(view: TableView) -> int:
    """Ask how many matches are played at most, unless an evening decides that."""
    now = view.table.match.best_of
    if view.table.evening_code:
        return now
    return rules.best_of(now, key=f"match_best_of_{now}")


def dealer(view: TableView, chosen: Rules) -> int | None:
    """Ask who deals the current hand; return who then dealt first, None if unchanged."""
    sides = range(len(view.names))
    if view.match.is_over:
        return None
    deals = switch(
        t("next_dealer", hand=view.hand_no),
        sides,
        default=view.dealer,
        format_func=[*map(render.plain, view.names)].__getitem__,
        key=f"match_dealer_{view.hand_no}_{view.dealer}",
    )
    hands, players = view.hand_no - 1, len(sides)
    dealt_first = next(
        first for first in sides if dealer_of(hands, chosen, first=first, players=players) == deals
    )
    return None if dealt_first == view.first_dealer else dealt_first


def preview(view: TableView, chosen: Rules) -> bool:
    """Show what other rules would make of the match; return whether they recount its hands."""
    now, count = view.match, len(view.match.hands)
    if chosen == now.rules:
        return False
    after = now.under(chosen, since=0)
    played = [now.rules_of(hand).changed(target=chosen.target) for hand in range(count)]
    recounts = any(rules != chosen for rules in played)
    with frame.flash_errors():
        if recounts:
            anew, before = (standings(map(isolated, now.names), one.totals) for one in (after, now))
            render.note(t("match_recount", n=count, before=before, after=anew), kind="ask")
            if unasked := unsaid(now, chosen):
                render.note(
                    t("recount_unsaid", n=len(unasked), hands=", ".join(map(str, unasked))),
                    kind="ask",
                )
        outcome(now, after)
    return recounts


def unsaid(match: Match, chosen: Rules) -> list[int]:
    """Return the hands counted without cards for which other rules need more answers."""
    asked = {point.name for point in (*points_of(chosen), *outright_points(chosen))}
    said = [{name for side in hand.sides for name, _ in side.counted} for hand in match.hands]
    return [number for number, names in enumerate(said, start=1) if names and asked - names]


def outcome(now: Match, after: Match) -> None:
    """Say where other rules or another target would end the match, or let it go on."""
    if after.ending == now.ending:
        return
    if not after.is_over:
        render.note(t("match_goes_on"), kind="ask")
    elif after.winner is None:
        render.note(t("ends_level"), kind="ask")
    else:
        render.note(t("wins", name=isolated(after.names[after.winner])), kind="ask")
    if after.counted < len(after.hands):
        render.note(t("after_end", hand=after.counted), kind="ask")


def save(view: TableView, label: str, **match: Any) -> None:
    """Draw the red button. It saves what was decided on the screen of this revision."""
    with st.bottom:
        trouble = st.container()
        pressed = st.button(
            label,
            key="match_save",
            type="primary",
            width="stretch",
            on_click=st.session_state.__setitem__,
            args=(SHOWN, view.row.revision),
        )
    if not pressed:
        return
    with frame.flash_errors():
        state.execute(view.code, "change_match", shown=st.session_state.pop(SHOWN), **match)
        if match["rules"] != view.match.rules:
            state.session().save(t("match_saved"))
        else:
            state.flash(t("match_saved"))
        navigation.go("play", view.code)
    with trouble:
        frame.flashes()


def main() -> None:
    view = frame.require_view(for_scorers=True)
    frame.band(view, back="play")
    st.header(t("page_match"))
    typed, chosen = names(view), played(view)
    recounts = preview(view, chosen)
    series, first_dealer = best_of(view), dealer(view, chosen)
    if view.match.hands:
        navigation.link("history", t("match_wrong"), view.code)
    frame.flashes()
    label = t("match_save_recount" if recounts else "match_save")
    match = {"names": typed, "rules": chosen, "best_of": series, "first_dealer": first_dealer}
    save(view, label, **match)


main()
