"""Files: save a match or a season, import a match."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from screens import navigation, render, state, times
from screens.parts.sending import send_file
from screens.words import refusal, t
from store import PlayedMatch
from table.season.exchange import to_json
from table.season.spreadsheet import matches_csv, season_csv
from table.season.statistics import season_of


def match_files(row: PlayedMatch) -> None:
    """Draw the buttons that save a match: its hands as CSV, and JSON to import."""
    name = f"{t('file_match')}-{row.code}"
    hands = partial(matches_csv, [row], delimiter=delimiter(), zone=times.zone())
    save(
        [
            ("hands_csv", f"{name}.csv", "text/csv", hands),
            ("json", f"{name}.json", "application/json", lambda: to_json(row)),
        ]
    )


def season_files(rows: Sequence[PlayedMatch], *, name: str) -> None:
    """Draw the buttons that save many matches as CSV: their players and their hands.

    Args:
        rows: The matches.
        name: Name of the files, without endings.
    """
    separator, zone = delimiter(), times.zone()

    def players() -> str:
        return season_csv(season_of(rows), delimiter=separator)

    hands = partial(matches_csv, rows, delimiter=separator, zone=zone)
    save(
        [
            ("players_csv", f"{name}-players.csv", "text/csv", players),
            ("hands_csv", f"{name}.csv", "text/csv", hands),
        ]
    )


def delimiter() -> str:
    """Return what separates the cells of a CSV file where the user's language is spoken."""
    return "," if state.language() == "en" else ";"


def save(files: Sequence[tuple[str, str, str, Callable[[], str | bytes]]]) -> None:
    """Draw a button per file; the file is made when the user asks for it.

    Args:
        files: Of each file the key of its label after `save_`, the name, the MIME type, the
            content.
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

    Its table has no scorers' link, so this phone may take it over.
    """
    with st.expander(t("bring_in"), key="bring_in"):
        st.write(t("bring_in_help"))
        answer = send_file(
            "/door/matches", key="bring_in_file", label=t("file_choose"), accept=".json"
        )
        if answer is not None:
            say(answer)


def say(answer: Mapping[str, Any]) -> None:
    """Show at which table the imported match is, or why it was refused."""
    if answer["is"] == "refused":
        render.note(refusal(answer), kind="stop")
    elif answer["code"] is None:
        render.note(t("brought_in_known"))
    else:
        state.session().visit(answer["code"])
        render.note(t("brought_in", code=answer["code"]))
        navigation.link("history", t("page_history"), answer["code"])
