"""The commands that load a server, in short: tables in play without an error, boards that wait."""

import pytest

from load import idle, play
from load.clients import Board, Figures, Table


@pytest.mark.slow
@pytest.mark.models
def test_tables_in_play_lead_to_no_error(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    short = ["--tables", "3", "--photos", "0.2", "--seconds", "12", "--leave", "1"]
    play.main([*short, "--database", database])
    said = capsys.readouterr().out
    for what in ("taps answered", "boards show them", "boards drawn anew", "photos kept"):
        assert f"{what}: never" not in said
    assert "errors: none" in said


@pytest.mark.slow
@pytest.mark.timing
def test_boards_that_wait_cost_next_to_nothing(
    database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--boards", "100", "--seconds", "8", "--no-screens", "--database", database]
    idle.main([*asked, "--limit", "0.05"])
    assert "100 boards" in capsys.readouterr().out


def test_a_limit_that_is_passed_ends_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="expected at most 0% of a core"):
        idle.main(["--boards", "1", "--seconds", "1", "--no-screens", "--limit", "0"])
    assert "1 boards" in capsys.readouterr().out


def test_a_board_counts_each_tap_when_it_shows_it() -> None:
    table = Table("K7QF", Figures())
    first, second = Board(table), Board(table)
    table.tapped(5, at=0.0)
    first.shows(4)
    assert table.figures.boards == []
    first.shows(6)
    assert len(table.figures.boards) == 1
    second.shows(6)
    second.shows(7)
    assert len(table.figures.boards) == 2
    assert first.owed == second.owed == []


def test_a_card_in_both_piles_is_found() -> None:
    table = Table("K7QF", Figures())
    table.hears({"revision": 1, "piles": {"held": [["1c", "7d"], ["7d", "10s"]]}})
    assert table.doubled() == ["7d"]
