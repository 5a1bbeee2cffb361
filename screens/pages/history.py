"""The hands of a match, any of them mended; the other matches of the table, the rules."""

import streamlit as st

from scoring.explain import describe
from scoring.presets import PRESETS
from screens import navigation, state
from screens.look import theme
from screens.parts import frame, phone, sides
from screens.parts.past import charts, hand_log, match_picture, sheet, take_away
from screens.parts.phone import Act
from screens.words import say
from store import LogStep, TableMatch
from table.sitting import Sitting

LISTED = 50
"""The most matches of a table that are listed, the newest first."""


def undo(sitting: Sitting) -> None:
    """Draws the buttons that undo (after a question) and redo the last step."""
    seen = sitting.table.revision
    offered = []
    if sitting.row.can_undo:
        deed = {"do": "undo", "revision": seen}
        yes = Act(id="undo_yes", label=say("undo_yes"), deed=deed, kind="primary")
        head = say("undo_sure")
        offered.append(Act(id="undo", label=say("undo"), head=head, more=(yes,)))
    if sitting.row.can_redo:
        deed = {"do": "redo", "revision": seen}
        offered.append(Act(id="redo", label=say("redo"), deed=deed))
    if offered:
        phone.acts(sitting, offered, key="undo", is_column=True)


def leaving(sitting: Sitting) -> None:
    """Offers to leave a match without hands for the one before it: it was opened by mistake."""
    deed = {"do": "leave", "log": sitting.row.revision}
    yes = Act(id="leave_yes", label=say("leave_yes"), deed=deed)
    ask = Act(id="leave", label=say("leave"), head=say("leave_sure"), more=(yes,))
    phone.acts(sitting, [ask], key="leave", is_column=True)


def went(sitting: Sitting) -> None:
    """Draws how the match went: the running score, and where the points came from."""
    match = sitting.match
    told = " · ".join(f"{n} {t}" for n, t in zip(match.names, match.totals, strict=True))
    with st.expander(say("went"), key="went"):
        charts.draw(charts.running_score(match), "running", told=told)
        st.subheader(say("went_from"))
        charts.draw(charts.sources(match), "sources", told=told)


def keep(sitting: Sitting) -> None:
    """Draws what can be taken away of the match on the screen."""
    if not sitting.match.hands:
        return
    [row] = state.store().played([sitting.code], match_no=sitting.row.match_no)
    st.html(sheet.match(row))
    with st.expander(say("take_away"), key="take_away"):
        match_picture.draw(row)
        take_away.downloads([row], name=f"{say('file_match')}-{row.code}", with_players=False)
        sheet.print_button()


def others(sitting: Sitting) -> None:
    """Draws the ways to the other matches of this table, the newest first."""
    matches = state.store().results_of(sitting.table, most=LISTED)
    if (
        len(matches) > 1
        and not sitting.is_earlier
        and not sitting.match.hands
        and sitting.role.may_write
    ):
        leaving(sitting)
    other = [row for row in matches if row.match_no != sitting.row.match_no]
    if other:
        st.subheader(say("other_matches"))
    with st.container(key="other_matches"):
        for row in other:
            st.page_link(
                navigation.script("history"),
                label=theme.plain(match_told(row)),
                query_params=navigation.way(sitting.code, match=row.match_no),
            )


def match_told(row: TableMatch) -> str:
    """Gives "Match 1, won by Anna · Anna 11 · Bruno 8"."""
    label = say("match_open", match=row.match_no)
    if row.winner is not None:
        label = say("match_row", match=row.match_no, name=row.side_names[row.winner])
    pairs = zip(row.side_names, row.totals, strict=True)
    return " · ".join((label, *(f"{name} {total}" for name, total in pairs)))


def rules(sitting: Sitting) -> None:
    """Draws the rules that the match was opened with."""
    played = sitting.match.rules
    name = say(f"rules_{played.name}") if played.name in PRESETS else played.name
    label = say("rules_row", name=name or say("rules_own"))
    with st.expander(theme.plain(label), key="rules"):
        st.markdown(
            "\n".join(f"- {sentence}" for sentence in describe(played, lang=state.language()))
        )


def steps(sitting: Sitting, log: list[LogStep]) -> None:
    """Draws everything that was done in the match, also what was undone; the newest first."""
    with st.expander(say("log_head", n=len(log)), key="log"):
        st.html(hand_log.story(log[::-1], sitting))


def main() -> None:
    """Draws the hands played."""
    sitting = frame.seated()
    frame.band(sitting, back="play")
    sheet.dress()
    match_no = sitting.row.match_no
    st.header(say("history_head_of", match=match_no) if sitting.is_earlier else say("history_head"))
    log = list(state.store().log_of(sitting.table, match_no=match_no))
    photos = state.store().photos(sitting.table, match_no=match_no)
    if not sitting.match.hands:
        st.write(say("history_empty"))
    else:
        went(sitting)
    for place in reversed(range(len(sitting.match.hands))):
        hand_log.hand(sitting, place, log=log, photos=photos)
    if sitting.role.may_write and not sitting.is_earlier:
        undo(sitting)
    steps(sitting, log)
    rules(sitting)
    keep(sitting)
    others(sitting)
    screen = "play" if sitting.role.may_write else "board"
    if sitting.role.may_write:
        sides.proposals(sitting)
    with st.bottom:
        if st.button(say(f"to_{screen}"), key=f"to_{screen}", type="primary", width="stretch"):
            navigation.go(screen, sitting.code)


main()
