"""Files: a match or a season saved, and a match imported."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from screens import navigation, render, state
from screens.parts.sending import send_file
from screens.words import refusal, t
from store import PlayedMatch
from table.exchange import matches_csv, season_csv, to_json
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
        answer = send_file(
            "/door/matches", key="bring_in_file", label=t("file_choose"), accept=".json"
        )
        if answer is not None:
            say(answer)


def say(answer: Mapping[str, Any]) -> None:
    """Say at which table an imported match is, or why it was refused."""
    if answer["is"] == "refused":
        render.note(refusal(answer), kind="stop")
    elif answer["code"] is None:
        render.note(t("brought_in_known"))
    else:
        state.session().visit(answer["code"])
        render.note(t("brought_in", code=answer["code"]))
        navigation.link("history", t("page_history"), answer["code"])
