"""Names, dealer, target and rules of the match being played, and what its table shares."""

# ruff: noqa: D103  the functions of a page are its own

from dataclasses import replace

import streamlit as st

from scoring.play import dealer_of
from scoring.rules import Rules
from screens import navigation, render, state
from screens.parts import frame, rules
from screens.words import standings, t
from table.names import MAX_LETTERS
from table.series import LENGTHS
from table.view import TableView


def names(view: TableView) -> list[str]:
    with st.container(key="match_names"):
        return [
            st.text_input(t("name", number=side + 1), name, key=f"match_name_{side}_{name}")
            for side, name in enumerate(view.names)
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
    """How many matches are played at most, where no evening says so."""
    now = view.table.match.best_of
    if view.table.evening_code:
        return now
    key = f"match_best_of_{now}"
    return st.pills(t("evening_best_of"), LENGTHS, default=now, required=True, key=key) or now


def place(view: TableView) -> None:
    """Lets somebody take a player's place from the hand being played on."""
    with st.expander(t("seat_head"), key="seat"):
        people = [one for team in view.people for one in team]
        key = f"seat_leaves_{view.row.revision}"
        leaves = st.selectbox(t("seat_leaves"), people, key=key, format_func=render.plain)
        comes = st.text_input(t("seat_comes"), key="seat_comes", max_chars=MAX_LETTERS)
        render.quiet(t("seat_rule", hand=view.hand_no))
        if st.button(t("seat_save"), key="seat_save", width="stretch"):
            with frame.flash_errors():
                seen = view.row.revision
                state.execute(view.code, "seat", shown=seen, leaves=leaves, comes=comes or "")
                navigation.go("play", view.code)
            st.rerun()


def share_photos(view: TableView) -> None:
    """Asks whether photos of confirmed hands may be trained on; no by default."""
    lends = view.table.lends_photos
    wanted = st.toggle(t("lends_photos"), value=lends, key=f"lends_photos_{lends}")
    st.write(t("lends_photos_told"))  # nobody agrees to what stands behind a question mark
    if wanted is not lends:
        with frame.flash_errors():
            state.execute(view.code, "share_photos", shares=wanted)
            state.flash(t("lends_photos_on" if wanted else "lends_photos_off"))
        st.rerun()


def dealer(view: TableView, chosen: Rules) -> int | None:
    """Asks who deals the hand being played; gives who then dealt first, None as it was."""
    sides = range(len(view.names))
    if view.match.is_over:
        return None
    deals = st.segmented_control(
        t("next_dealer", hand=view.hand_no),
        sides,
        default=view.dealer,
        required=True,
        format_func=[*map(render.plain, view.names)].__getitem__,
        key=f"match_dealer_{view.hand_no}_{view.dealer}",
        width="stretch",
    )
    if deals == view.dealer:
        return None
    hands, players = view.hand_no - 1, len(sides)
    return next(
        first for first in sides if dealer_of(hands, chosen, first=first, players=players) == deals
    )


def recount(view: TableView, chosen: Rules) -> bool:
    """Says what the hands come to under other rules; says whether they are to be counted anew."""
    now = view.match
    if not now.hands or chosen == now.rules.changed(target=chosen.target):
        return False
    with frame.flash_errors():
        anew = standings(now.names, replace(now, rules=chosen).totals)
        before = standings(now.names, now.totals)
        n = len(now.hands)
        render.note(t("match_recount", n=n, before=before, after=anew), kind="ask")
    return True


def main() -> None:
    view = frame.require_view(for_scorers=True)
    frame.band(view, back="play")
    st.header(t("page_match"))
    typed, chosen, series = names(view), played(view), best_of(view)
    first_dealer = dealer(view, chosen)
    recounts = recount(view, chosen)
    if not view.match.is_over:
        place(view)
    share_photos(view)
    frame.flashes()
    with st.bottom:
        label = t("match_save_recount" if recounts else "match_save")
        if st.button(label, key="match_save", type="primary", width="stretch"):
            with frame.flash_errors():
                match = {"names": typed, "rules": chosen, "best_of": series}
                match |= {"first_dealer": first_dealer, "recounts": recounts}
                state.execute(view.code, "change_match", **match)
                state.flash(t("match_saved"))
                navigation.go("play", view.code)
            st.rerun()


main()
