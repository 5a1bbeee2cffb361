"""Two phones sent the same hand: both versions side by side, and the choice of one."""

# ruff: noqa: D103  the functions of a page are its own

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from scoring.cards import CODES
from scoring.hand import Side, score_hand
from scoring.record import HandRecord
from screens import navigation, render, state
from screens.parts import frame, hand_log, lines, phone, sides
from screens.parts.phone import Button
from screens.words import t
from store import Conflict, log
from table.view import TableView


def version(view: TableView, facts: HandRecord, *, title: str) -> None:
    """Draws one of the two versions: its points and why."""
    st.subheader(render.plain(title))
    score = score_hand(facts.sides, view.rules, lang=state.language())
    st.html(render.piece("bold", hand_log.points_made(score, view.names)))
    st.html(lines.table(score, view.names, rules=view.rules))


def by(key: str, device: str) -> str:
    return t(f"{key}_by", name=device) if device else t(key)


def moved(one: Sequence[Side], other: Sequence[Side]) -> dict[tuple[str, str], list[str]]:
    """Gives the cards that lie elsewhere in the other version, by who has them in each.

    Nobody is the empty name. Of a hand counted without cards it says nothing which pile lacks one.
    """
    before, after = (
        {card.code: s.name for s in sides for card in s.pile} for sides in (one, other)
    )
    is_whole = not any(side.counted for side in (*one, *other))
    found: dict[tuple[str, str], list[str]] = {}
    for code in CODES:
        way = before.get(code, ""), after.get(code, "")
        if way[0] != way[1] and (is_whole or all(way)):
            found.setdefault(way, []).append(code)
    return found


def different(view: TableView, one: Sequence[Side], other: Sequence[Side]) -> None:
    """Draws what differs between the piles of two versions; else says what is the same."""
    places = {name: place for place, name in enumerate(view.names)}
    ways = [
        ([(places.get(name), name) for name in way], codes)
        for way, codes in moved(one, other).items()
    ]
    if ways:
        st.html(render.piece("moved", t("difference"), ways))
    elif [side.counted for side in one] == [side.counted for side in other]:
        same_scope = [side.scope for side in one] == [side.scope for side in other]
        st.write(t("alike" if same_scope else "no_difference"))


def answers(proposal: Conflict, *, standing: int) -> tuple[tuple[str, str, bool], ...]:
    """Gives the answers: each a key, its words, and whether it accepts the proposal.

    `standing` is the number of confirmed hands. The last answer is the primary button: it changes
    no confirmed hand. If no hand is confirmed under the proposal's number, that is to accept it; if
    hands before it are not confirmed either, it can only be left out.
    """
    if proposal.hand_no > standing + 1:
        return (("keep", t("leave_out"), False),)
    if proposal.hand_no > standing:
        counted = t("count_it", hand=proposal.hand_no)
        return ("keep", t("leave_out"), False), ("take", counted, True)
    return ("take", t("take"), True), ("keep", t("keep"), False)


def decisions(view: TableView, proposal: Conflict, *, standing: int) -> list[Button]:
    """The buttons that decide; they say what was shown, so that nothing else is decided on."""
    is_free = proposal.hand_no > standing
    seen = {"do": "decide", "proposal": proposal.id, "log": view.row.revision}
    return [
        Button(
            id=f"{key}_{proposal.id}",
            label=label,
            action={**seen, "accept": accept},
            kind="primary" if accept is is_free else "",
        )
        for key, label, accept in answers(proposal, standing=standing)
    ]


def main() -> None:
    view = frame.require_view(for_scorers=True)
    with state.store().read(view.code) as table:
        waiting = log.conflicts(table)
    if not waiting:
        navigation.go("play", view.code)
    frame.band(view, back="play")
    proposal = waiting[0]
    render.note(sides.conflict_sentence(view, proposal.hand_no), kind="ask")
    standing, of_hand = len(view.match.hands), replace(view, hand_no=proposal.hand_no)
    if proposal.hand_no > standing + 1:
        render.note(t("conflict_early", hand=standing + 1), kind="ask")
    versions = [(proposal.facts, by("proposal", proposal.device))]
    if proposal.hand_no <= standing:
        stands = view.row.hands[proposal.hand_no - 1]
        different(view, stands.facts.sides, proposal.facts.sides)
        versions.insert(0, (stands.facts, by("stands", stands.device)))
    with st.container(key="versions"):
        for facts, title in versions:
            with st.container():
                version(of_hand, facts, title=title)
    with st.bottom:
        offered = decisions(view, proposal, standing=standing)
        phone.buttons(view, offered, key="decide", is_column=True)


main()
