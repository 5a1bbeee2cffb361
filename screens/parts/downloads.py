"""What can be taken away: files of a match and of a season; and matches brought in from a file."""

from collections.abc import Callable, Sequence

import streamlit as st

from scoring.errors import ScoringError
from screens import render, state
from screens.parts import frame
from screens.words import error_text, t
from store import PlayedMatch, season
from table.exchange import from_json, matches_csv, season_csv, to_json
from table.season import season_of


def buttons(rows: Sequence[PlayedMatch], *, name: str, with_players: bool) -> None:
    """Draws the buttons that save matches as files.

    Args:
        rows: The matches.
        name: How the files are called, without their endings.
        with_players: Whether the table of the players can be saved too.
    """
    files = [
        ("hands_csv", f"{name}.csv", "text/csv", lambda: matches_csv(rows).encode()),
        ("json", f"{name}.json", "application/json", lambda: to_json(rows).encode()),
    ]
    if with_players:
        players = f"{name}-players.csv"
        made = lambda: season_csv(season_of(rows)).encode()  # noqa: E731  beside the two above
        files.insert(0, ("players_csv", players, "text/csv", made))
    save(files)


def save(files: Sequence[tuple[str, str, str, Callable[[], str | bytes]]]) -> None:
    """Draws a button a file, which makes it when somebody asks for it.

    Args:
        files: The key of the button's sentence after `save_`, name, MIME type and content of each.
    """
    with st.container(key="downloads", horizontal=True):
        for key, file, mime, data in files:
            st.download_button(
                t(f"save_{key}"),
                data,
                file_name=file,
                mime=mime,
                key=f"save_{key}",
                on_click="ignore",
                width="stretch",
            )


def bring_in() -> None:
    """Lets somebody bring matches in from a file that Settebello saved.

    Their tables have no scorers' link: who brought them in takes them over, as any table without.
    """
    with st.expander(t("bring_in"), key="bring_in"):
        st.write(t("bring_in_help"))
        key = state.upload_key("matches")
        file = st.file_uploader(
            t("bring_in_file"), type="json", key=key, label_visibility="collapsed"
        )
        if file is not None:
            take_in(file.getvalue())


def take_in(data: bytes) -> None:
    """Takes the matches of a file in, and says what became of them."""
    try:
        rows = from_json(data)
        with state.store().writing() as session:
            tables = season.import_matches(session, rows)
    except ScoringError as error:
        render.note(error_text(error), kind="stop")
        return
    state.clear_uploads()  # else it would be taken in again with each tap on the screen
    with frame.flash_errors():
        codes = [table.code for table in tables]
        for code in codes:
            state.note_visit(code)
        with state.store().reading() as session:
            new = len(season.played(session, codes))
        state.flash(t("brought_in", n=new, known=len(rows) - new, codes=", ".join(codes) or "–"))
    st.rerun()
