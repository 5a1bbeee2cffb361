"""Files: a match or a season saved, and a match imported."""

from collections.abc import Callable, Sequence

import streamlit as st

from scoring.errors import ScoringError
from screens import render, state
from screens.parts import frame
from screens.words import error_text, t
from store import PlayedMatch, season
from table.exchange import match_from_json, matches_csv, season_csv, to_json
from table.season import season_of


def match_files(row: PlayedMatch) -> None:
    """Draw the buttons that save a match: its hands for a spreadsheet, and JSON to import."""
    name = f"{t('file_match')}-{row.code}"
    save(
        [
            ("hands_csv", f"{name}.csv", "text/csv", lambda: matches_csv([row])),
            ("json", f"{name}.json", "application/json", lambda: to_json([row])),
        ]
    )


def season_files(rows: Sequence[PlayedMatch], *, name: str) -> None:
    """Draw the buttons that save many matches for a spreadsheet: their players and their hands.

    Args:
        rows: The matches.
        name: How the files are called, without their endings.
    """
    save(
        [
            (
                "players_csv",
                f"{name}-players.csv",
                "text/csv",
                lambda: season_csv(season_of(rows)),
            ),
            ("hands_csv", f"{name}.csv", "text/csv", lambda: matches_csv(rows)),
        ]
    )


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
    """Import a match from a file that Settebello saved.

    Its table has no scorers' link: this phone may take it over, as any table without one.
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
    """Import the match of a file, and say at which table it is now."""
    try:
        row = match_from_json(data)
        with state.store().writing() as session:
            tables = season.import_matches(session, [row])
    except ScoringError as error:
        render.note(error_text(error), kind="stop")
        return
    state.clear_uploads()  # else it would be imported again with each tap on the screen
    with frame.flash_errors():
        for table in tables:
            state.note_visit(table.code)
            state.flash(t("brought_in", code=table.code))
        if not tables:
            state.flash(t("brought_in_known"))
    st.rerun()
