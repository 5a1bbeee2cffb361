"""A saved hand: its points, cards and photos, its versions, and who changed it."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from markupsafe import Markup

from scoring.hand import HandScore, score_hand
from scoring.record import HandRecord
from screens import navigation, render
from screens.parts import board, lines, phone, rules
from screens.parts.phone import Button
from screens.times import when
from screens.words import SIGNS, capital, in_text, isolated, t, to_number
from store import LogStep, Step, StoredPhoto
from table.view import TableView


def title(view: TableView, place: int) -> str:
    """Return a row of the score sheet as Markdown that `past.css` lays out in columns.

    Its parts are the number of the hand, and of each side the name (for screen readers), the points
    and in bold the total. The winner's are in italics, and points that do not count are struck out.
    """
    match, made = view.match, view.match.scores[place].points
    counts = place < match.counted and not match.hands[place].is_empty
    totals = match.standings[place] if counts else ("–",) * len(made)
    winner = board.ahead(made, match.rules_of(place)) if counts else None
    row = [f"{place + 1}"]
    for side, (name, points, total) in enumerate(zip(match.names, made, totals, strict=True)):
        mark = "*" if side == winner else "" if counts else "~~"
        gain = f"{mark}{points:+}{mark}" if points else "0"
        called = render.plain(in_text(name))
        row.append(f":small[{SIGNS[side]} {called}] {gain} {mark}**{total}**{mark}")
    return " ".join(row)


def points_made(score: HandScore, names: Sequence[str]) -> str:
    """Return "● Anna +4 · ▲ Bruno +1"; a line breaks between sides, never after a sign.

    An empty name leaves the sign alone.
    """
    made = zip(SIGNS, names, score.points, strict=False)
    return " · ".join(
        "\N{NO-BREAK SPACE}".join(filter(None, (sign, in_text(name), f"{n:+}")))
        for sign, name, n in made
    )


def hand(
    view: TableView, place: int, *, log: Sequence[LogStep], rows: Sequence[StoredPhoto]
) -> None:
    """Draw a hand as a row that unfolds to its points, what may be done, photos, cards and story.

    Args:
        view: The match on the screen.
        place: Index of the hand, from 0.
        log: The steps of the match.
        rows: The photos of the match.
    """
    match, number = view.match, place + 1
    steps = [row for row in log if row.hand_no == number]
    with st.expander(title(view, place), key=f"hand_{number}"):
        if match.hands[place].is_empty:
            render.quiet(t("hand_out"))
        else:
            st.html(lines.strip(match.scores[place], match.names))
        if place >= match.counted:
            render.quiet(t("after_end_row"))
        if view.role.may_write:
            changes(view, number, steps=steps)
        taken = [
            (phone.picture(view, row.id) if row.size else "", view.names[row.side])
            for row in rows
            if row.hand_no == number
        ]
        st.html(render.piece("photos", taken))
        for side, name in zip(match.hands[place].sides, match.names, strict=True):
            if side.pile:
                st.html(render.piece("pile", name, [card.code for card in side.pile]))
        st.html(story(steps, view))


def story(steps: Sequence[LogStep], view: TableView) -> Markup:
    """Return HTML of a hand's steps, with who and when, the earliest first."""
    return render.piece("story", [step_sentence(row, view) for row in steps])


def step_sentence(row: LogStep, view: TableView) -> str:
    """Return one step as a sentence: what, who if known, when, and the points."""
    points = (
        "" if row.facts is None else version_points(row.facts, view, row.hand_no or 1, in_html=True)
    )
    return " · ".join(
        filter(None, [what(row), row.device and isolated(row.device), when(row.made_at), points])
    )


def what(row: LogStep) -> str:
    """Return what a step did: "Hand 3 confirmed", "From hand 4 on: Escoba · To 21 points"."""
    if row.rules is None:
        return t(f"step_{row.step}", hand=row.hand_no, names=" & ".join(row.members))
    before, after = row.rules
    to = capital(t("played_to", to=to_number(after.target)))
    if before == after.changed(target=before.target):
        return to
    said = t("rules_from", hand=row.hand_no, rules=rules.called(after.name))
    return said if before.target == after.target else f"{said} · {to}"


def version_points(
    facts: HandRecord, view: TableView, number: int, *, in_html: bool = False
) -> str:
    """Return the points of a version of a hand, by the rules of that hand."""
    if facts.is_empty:
        return t("hand_out")
    named = facts.seated_as(view.names)
    names = [*map(isolated, view.names)] if in_html else view.names
    return points_made(score_hand(named.sides, view.match.rules_of(number - 1)), names)


def changes(view: TableView, number: int, *, steps: Sequence[LogStep]) -> None:
    """Offer to edit or remove a hand, to restore an earlier version, and to undo the last change.

    Undo is offered with the hand that the last change concerned, mostly the newest.
    """
    of_hand = replace(view, hand_no=number)
    offered = [mend(of_hand), *versions(of_hand, steps=steps)]
    if view.row.last is view.row.hands[number - 1] and not view.is_earlier:
        action = {"do": "undo", "revision": view.table.revision}
        offered.insert(0, Button(id="undo", label=t("undo"), action=action))
    if not view.match.hands[number - 1].is_empty:
        offered.append(take_out(of_hand))
    phone.buttons(of_hand, offered, key=f"changes_{number}")


def versions(view: TableView, *, steps: Sequence[LogStep]) -> list[Button]:
    """Return the buttons that restore an earlier version of the hand."""
    number = view.hand_no
    stands = view.match.hands[number - 1]
    sent = {row.facts: row for row in steps if row.facts is not None}  # each version once
    return [
        Button(
            id=f"stand_{number}_{row.revision}",
            label=t(
                "stand_again", version=version_points(facts, view, number), when=when(row.made_at)
            ),
            action={"do": "stand", "facts": facts.to_dict(), "log": view.row.revision},
        )
        for facts, row in sent.items()
        if facts != stands and row.step in {Step.RECORD, Step.EDIT}
    ]


def mend(view: TableView) -> Button:
    """Return the button that lays out the hand's piles for editing, and leads to them."""
    number = view.hand_no
    way = navigation.way(view.code, side=0, hand=number, match=view.row.match_no)
    hand = view.match.hands[number - 1]
    has_cards = any(side.pile for side in hand.sides)
    is_quick = any(side.counted for side in hand.sides) or not (has_cards or hand.is_empty)
    return Button(
        id=f"edit_{number}",
        label=t("edit", hand=number),
        action={"do": "mend"},
        to=navigation.path("quick" if is_quick else "settle", way),
    )


def take_out(view: TableView) -> Button:
    """Return the button that removes the hand from the match, after a question."""
    number = view.hand_no
    action = {"do": "out", "log": view.row.revision}
    yes = Button(id=f"out_yes_{number}", label=t("take_out_yes"), action=action)
    label = t("take_out", hand=number)
    return Button(id=f"out_{number}", label=label, head=t("take_out_sure"), more=(yes,))
