"""The hands of the match: each with its points, any of them mended, the last step undone."""

from uuid import uuid4

import streamlit as st

from app_pages import frame, lines, screens, sides, state, theme
from app_pages.sitting import Sitting, open_for_mending
from app_pages.words import say


def step(sitting: Sitting, key: str, *, back: bool) -> None:
    """Takes the last step back, or takes it again."""
    act = state.store().undo_hand if back else state.store().redo_hand
    with frame.spoken():
        act(sitting.table, key=key, expected=sitting.row.revision, device=sitting.device)
        state.tell(say("undone" if back else "redone"))


def hand(sitting: Sitting, place: int) -> None:
    """Draws one hand: its points, why, and the way to mend it."""
    match = sitting.match
    score = match.scores[place]
    made = " · ".join(f"{n} +{p}" for n, p in zip(match.names, score.points, strict=True))
    with st.expander(f"{say('hand_row', hand=place + 1)} · {made}", key=f"hand_{place + 1}"):
        totals = match.standings[min(place, match.counted - 1)]
        st.html(lines.sum_of(score, match.names, totals=totals))
        st.html(lines.table(score, match.names))
        for side in match.hands[place].sides:
            st.html(f"<b>{theme.safe(side.name)}</b>{theme.faces([c.code for c in side.pile])}")
        label = say("edit", hand=place + 1)
        if st.button(label, key=f"edit_{place + 1}", width="stretch"):
            with frame.spoken():
                open_for_mending(sitting, place + 1)
                screens.go("review", sitting.code, side=0, hand=place + 1)


def undo(sitting: Sitting) -> None:
    """Offers the last step back, after a second look, and again."""
    key = f"step-{uuid4()}"
    if sitting.row.can_undo:
        with st.popover(say("undo"), width="stretch", key="undo"):
            st.write(say("undo_sure"))
            if st.button(say("undo_yes"), key="undo_yes", width="stretch"):
                step(sitting, key, back=True)
                st.rerun()
    if sitting.row.can_redo and st.button(say("redo"), key="redo", width="stretch"):
        step(sitting, key, back=False)
        st.rerun()


def main() -> None:
    """Draws the hands played."""
    sitting = frame.seated()
    frame.band(sitting, back="play")
    st.header(say("history_head"))
    if not sitting.match.hands:
        st.write(say("history_empty"))
    for place in reversed(range(len(sitting.match.hands))):
        hand(sitting, place)
    undo(sitting)
    sides.proposals(sitting)
    with st.bottom:
        if st.button(say("to_play"), key="to_play", type="primary", width="stretch"):
            screens.go("play", sitting.code)


main()
