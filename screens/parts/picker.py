"""The forty cards as pictures to tap: into this pile, out of it, or over from another one."""

import streamlit as st
from markupsafe import Markup

from screens import state
from screens.look import theme
from screens.parts import frame
from screens.words import card, say
from table import commands
from table.piles import missing, owners
from table.sitting import Sitting


def tap(sitting: Sitting, code: str) -> None:
    """Does what a tap on a card means."""
    with frame.spoken():
        commands.tap_card(state.store(), sitting, code=code)


def counts(sitting: Sitting) -> Markup:
    """Gives "18 here · 22 Bruno · 0 missing"."""
    here = say("counts_here", n=len(sitting.piles[sitting.side].codes))
    others = [
        say("counts_other", n=len(draft.codes), name=name)
        for side, (name, draft) in enumerate(zip(sitting.names, sitting.piles, strict=True))
        if side != sitting.side
    ]
    left = say("counts_missing", n=len(missing(sitting.piles)))
    return Markup(" · ").join([Markup("<b>{}</b>").format(here), *others, left])


def picker(sitting: Sitting) -> None:
    """Draws the forty cards with their states."""
    st.html(Markup("<div>{}</div>").format(say("picker_head")))
    st.html(Markup('<div class="counts" translate="no">{}</div>').format(counts(sitting)))
    st.html(styles(sitting))
    with st.container(key="picker_cards"):
        for code, sides in owners(sitting.piles).items():
            where = state_of(sitting, code, sides=sides)
            st.button(
                theme.plain(say("picker_card", card=card(code), state=where)),
                key=f"card_{code}",
                on_click=tap,
                args=(sitting, code),
            )


def state_of(sitting: Sitting, code: str, *, sides: tuple[int, ...]) -> str:
    """Says where a card is, for those who do not see the colours."""
    if len(sides) > 1:
        return say("state_two")
    if code in sitting.piles[sitting.side].asked_codes:
        return say("state_ask")
    if sitting.side in sides:
        return say("state_here")
    return say("state_other", name=sitting.names[sides[0]]) if sides else say("state_none")


def styles(sitting: Sitting) -> Markup:
    """Gives the style that shows where each card is."""
    side = sitting.side
    asked = sitting.piles[side].asked_codes
    states = {}
    for code, sides in owners(sitting.piles).items():
        if len(sides) > 1:
            states[code] = ("two", "!")
        elif side in sides:
            states[code] = ("ask", "?") if code in asked else ("here", "✓")
        elif sides:
            states[code] = ("other", sitting.names[sides[0]][:2])
    return theme.picker_styles(states)
