"""A confirmed hand: its points, cards and photos, its versions, who changed it."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from markupsafe import Markup

from scoring.hand import HandScore, score_hand
from scoring.record import HandRecord
from screens import navigation, state
from screens.look import theme
from screens.parts import lines, phone
from screens.parts.past.moments import when, who
from screens.parts.phone import Act
from screens.words import say
from store import LogStep, Step, StoredPhoto
from table.sitting import Sitting


def title(sitting: Sitting, place: int) -> str:
    """Gives the words of a hand in the list: its number and what each side made."""
    match = sitting.match
    made = points_made(match.scores[place], match.names)
    if match.hands[place].is_empty:
        made = say("hand_out")
    if place >= match.counted:
        made += f" · {say('after_end_row')}"
    return f"{say('hand_row', hand=place + 1)} · {made}"


def points_made(score: HandScore, names: Sequence[str]) -> str:
    """Gives "Anna +4 · Bruno +1"."""
    return " · ".join(f"{n} +{p}" for n, p in zip(names, score.points, strict=True))


def hand(
    sitting: Sitting, place: int, *, log: Sequence[LogStep], photos: Sequence[StoredPhoto]
) -> None:
    """Draws one hand: its points and why, its cards and photos, and what can be done with it.

    Args:
        sitting: The match on the screen.
        place: The hand, counted from 0.
        log: The lines of the match's log.
        photos: The photos of the match.
    """
    match, number = sitting.match, place + 1
    score = match.score(place, lang=state.language())
    with st.expander(theme.plain(title(sitting, place)), key=f"hand_{number}"):
        if not match.hands[place].is_empty:
            totals = match.standings[min(place, match.counted - 1)]
            st.html(lines.sum_of(score, match.names, totals=totals))
            st.html(lines.table(score, match.names))
            for side, name in zip(match.hands[place].sides, match.names, strict=True):
                faces = theme.faces(card.code for card in side.pile)
                st.html(Markup('<b translate="no">{}</b>{}').format(name, faces))
        pictures(sitting, number, photos=[row for row in photos if row.hand_no == number])
        told = [row for row in log if row.hand_no == number]
        st.html(story(told, sitting))
        if sitting.role.may_write:
            changes(sitting, number, told=told)


def pictures(sitting: Sitting, number: int, *, photos: Sequence[StoredPhoto]) -> None:
    """Offers the photos of a hand; none is sent to the phone before somebody asks for them."""
    if not photos:
        return
    label = say("hand_photos", n=len(photos))
    if st.toggle(label, key=f"photos_{sitting.row.match_no}_{number}"):
        with st.container(key=f"kept_{number}"):
            for photo in photos:
                jpeg, name = state.photo(photo.id), sitting.names[photo.side]
                if jpeg is None:
                    gone = Markup('<span class="gone"><b translate="no">{}</b> {}</span>')
                    st.html(gone.format(name, say("crop_gone")))
                else:
                    st.image(jpeg, caption=theme.plain(name), width="stretch")


def story(told: Sequence[LogStep], sitting: Sitting) -> Markup:
    """Gives HTML of what was done to a hand, by whom and when; the first thing first."""
    lines_told = (Markup("<li>{}</li>").format(step_told(row, sitting)) for row in told)
    return Markup('<ol class="story">{}</ol>').format(Markup("").join(lines_told))


def step_told(row: LogStep, sitting: Sitting) -> str:
    """Says one step of the log: what, who, when, and the points of the hand that was sent."""
    said = say(f"step_{row.step}", hand=row.hand_no, who=who(row.device), when=when(row.made_at))
    return f"{said} · {version_told(row.facts, sitting)}" if row.facts is not None else said


def version_told(facts: HandRecord, sitting: Sitting) -> str:
    """Says what a version of a hand makes."""
    if facts.is_empty:
        return say("hand_out")
    named = facts.seated_as(sitting.names)
    return points_made(score_hand(named.sides, sitting.match.rules), sitting.names)


def changes(sitting: Sitting, number: int, *, told: Sequence[LogStep]) -> None:
    """Offers to mend a hand, to take it out, and to let an earlier version of it stand again."""
    of_hand = replace(sitting, hand_no=number)
    offered = [*versions(of_hand, told=told), mend(of_hand)]
    if not sitting.match.hands[number - 1].is_empty:
        offered.append(take_out(of_hand))
    phone.acts(of_hand, offered, key=f"changes_{number}", is_column=True)


def versions(sitting: Sitting, *, told: Sequence[LogStep]) -> list[Act]:
    """Gives the acts that let an earlier version of the hand stand again."""
    stands = sitting.match.hands[sitting.hand_no - 1]
    sent = {row.facts: row for row in told if row.facts is not None}  # each version once
    return [
        Act(
            id=f"stand_{sitting.hand_no}_{row.revision}",
            label=say("stand_again", version=version_told(facts, sitting), when=when(row.made_at)),
            deed={"do": "stand", "facts": facts.to_dict(), "log": sitting.row.revision},
        )
        for facts, row in sent.items()
        if facts != stands and row.step in {Step.RECORD, Step.EDIT}
    ]


def mend(sitting: Sitting) -> Act:
    """Gives the act that lays out the hand's piles to be mended, and leads to them."""
    number = sitting.hand_no
    way = navigation.way(sitting.code, side=0, hand=number, match=sitting.row.match_no)
    return Act(
        id=f"edit_{number}",
        label=say("edit", hand=number),
        deed={"do": "mend"},
        to=navigation.path("review", way),
    )


def take_out(sitting: Sitting) -> Act:
    """Gives the act that takes the hand out of the match, after a question."""
    number = sitting.hand_no
    deed = {"do": "out", "log": sitting.row.revision}
    yes = Act(id=f"out_yes_{number}", label=say("take_out_yes"), deed=deed)
    label = say("take_out", hand=number)
    return Act(id=f"out_{number}", label=label, head=say("take_out_sure"), more=(yes,))
