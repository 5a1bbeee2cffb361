"""The hands of the match, any of them mended, the last step undone; earlier matches, the rules."""

import streamlit as st
from markupsafe import Markup

from scoring.rules import PRESETS
from scoring.rules.describe import describe
from screens import navigation, state
from screens.look import theme
from screens.parts import frame, lines, sides
from screens.words import say
from table import commands
from table.sitting import Sitting


def step(sitting: Sitting, *, back: bool) -> None:
    """Undoes the last step that was on the screen, or redoes it; two quick taps count once."""
    act = commands.undo if back else commands.redo
    with frame.spoken():
        act(state.store(), sitting)
        state.tell(say("undone" if back else "redone"))


def hand(sitting: Sitting, place: int) -> None:
    """Draws one hand: its points, why, and the way to mend it."""
    match = sitting.match
    score = match.score(place, lang=state.language())
    made = " · ".join(f"{n} +{p}" for n, p in zip(match.names, score.points, strict=True))
    if place >= match.counted:
        made += f" · {say('after_end_row')}"
    title = theme.plain(f"{say('hand_row', hand=place + 1)} · {made}")
    with st.expander(title, key=f"hand_{place + 1}"):
        totals = match.standings[min(place, match.counted - 1)]
        st.html(lines.sum_of(score, match.names, totals=totals))
        st.html(lines.table(score, match.names))
        for side in match.hands[place].sides:
            faces = theme.faces(card.code for card in side.pile)
            st.html(Markup('<b translate="no">{}</b>{}').format(side.name, faces))
        if not sitting.role.may_write:
            return
        label = say("edit", hand=place + 1)
        if st.button(label, key=f"edit_{place + 1}", width="stretch"):
            with frame.spoken():
                commands.open_for_mending(state.store(), sitting, hand_no=place + 1)
                navigation.go("review", sitting.code, side=0, hand=place + 1)


def undo(sitting: Sitting) -> None:
    """Draws the buttons that undo (after a confirmation) and redo the last step.

    Their keys name the revision, so that a late second tap does not undo another step.
    """
    at = sitting.row.revision

    def way(name: str, *, back: bool) -> None:
        told = {"sitting": sitting, "back": back}
        st.button(say(name), key=f"{name}_{at}", on_click=step, kwargs=told, width="stretch")

    if sitting.row.can_undo:
        with st.popover(say("undo"), width="stretch", key=f"undo_{at}"):
            st.write(say("undo_sure"))
            way("undo_yes", back=True)
    if sitting.row.can_redo:
        way("redo", back=False)


def leave(sitting: Sitting) -> None:
    """Goes back to the match before; the one on the screen was opened by mistake."""
    with frame.spoken():
        commands.leave_match(state.store(), sitting)
        state.tell(say("left"))


def earlier(sitting: Sitting) -> None:
    """Draws the earlier matches of this table; an empty match can be left for the one before."""
    before = state.store().matches_of(sitting.table)[:-1]
    if before and not sitting.match.hands and sitting.role.may_write:
        with st.popover(say("leave"), width="stretch", key=f"leave_{sitting.row.match_no}"):
            st.write(say("leave_sure"))
            way = {"sitting": sitting}
            label = say("leave_yes")
            st.button(label, key="leave_yes", on_click=leave, kwargs=way, width="stretch")
    for row in reversed(before):
        match = row.match
        totals = match.standings[-1] if match.standings else (0,) * len(match.names)
        ended = " · ".join(f"{n} {t}" for n, t in zip(match.names, totals, strict=True))
        label = say("match_open", match=row.match_no)
        if match.winner is not None:
            label = say("match_row", match=row.match_no, name=match.names[match.winner])
        with st.expander(theme.plain(f"{label} · {ended}"), key=f"match_{row.match_no}"):
            for place in range(len(match.hands)):
                st.html(Markup("<b>{}</b>").format(say("hand_row", hand=place + 1)))
                st.html(lines.short(match.score(place, lang=state.language()), match.names))


def rules(sitting: Sitting) -> None:
    """Draws the rules that the match was opened with."""
    played = sitting.match.rules
    name = say(f"rules_{played.name}") if played.name in PRESETS else played.name
    label = say("rules_row", name=name or say("rules_own"))
    with st.expander(theme.plain(label), key="rules"):
        st.markdown(
            "\n".join(f"- {sentence}" for sentence in describe(played, lang=state.language()))
        )


def main() -> None:
    """Draws the hands played."""
    sitting = frame.seated()
    frame.band(sitting, back="play")
    st.header(say("history_head"))
    if not sitting.match.hands:
        st.write(say("history_empty"))
    for place in reversed(range(len(sitting.match.hands))):
        hand(sitting, place)
    if sitting.role.may_write:
        undo(sitting)
    earlier(sitting)
    rules(sitting)
    screen = "play" if sitting.role.may_write else "board"
    if sitting.role.may_write:
        sides.proposals(sitting)
    with st.bottom:
        if st.button(say(f"to_{screen}"), key=f"to_{screen}", type="primary", width="stretch"):
            navigation.go(screen, sitting.code)


main()
