"""CSV files for spreadsheets: the hands of matches, and the players of a season."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, tzinfo

from store import PlayedMatch
from store.tables import reads_as_number
from table.season.statistics import Season

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Characters with which spreadsheets begin a formula."""

MATCH_COLUMNS = (
    *("table", "match", "opened_at", "hand", "counts", "side", "points", "total", "cards"),
    *("denari", "settebello", "primiera", "napola", "scope", "pile", "by", "at", "rules"),
)
"""The columns of the CSV file of matches: a row for each side of each hand.

If a hand was counted without cards, or with only some of them, the columns of cards and denari are
empty, and the pile lists the known cards.
"""

SEASON_COLUMNS = (
    *("player", "matches", "won", "points", "hands", "scope", "settebelli", "primiere"),
    *("napole", "level", "lost"),
)
"""The columns of the CSV file of a season: a row for each player."""


def matches_csv(matches: Iterable[PlayedMatch], *, delimiter: str = ",", zone: tzinfo = UTC) -> str:
    """Return the hands of some matches: a row for each side of each hand.

    Args:
        matches: The matches.
        delimiter: What separates cells: spreadsheets expect a semicolon in languages that write
            decimals with a comma.
        zone: The time zone of the times.
    """
    rows = (cells for row in matches for cells in _hand_cells(row, zone=zone))
    return _csv_text(MATCH_COLUMNS, rows, delimiter=delimiter)


def season_csv(season: Season, *, delimiter: str = ",") -> str:
    """Return the players of a season, a row for each."""
    rows = (
        [defused(one.name), *(getattr(one, column) for column in SEASON_COLUMNS[1:])]
        for one in season.standings
    )
    return _csv_text(SEASON_COLUMNS, rows, delimiter=delimiter)


def defused(text: str) -> str:
    """Return a text as a cell that no spreadsheet takes for a formula.

    >>> defused("=1+1"), defused("Anna")
    ("'=1+1", 'Anna')
    """
    return f"'{text}" if text.startswith(FORMULA) else text


def code_cell(code: str) -> str:
    """Return the code of a table as a cell that spreadsheets keep as text.

    Codes of earlier versions may read as a number or a date. A tab before them would keep them as
    text too, but stays in the cell.

    >>> code_cell("K7QF"), code_cell("2E34")
    ('K7QF', '="2E34"')
    """
    return f'="{code}"' if reads_as_number(code) else code


def in_zone(moment: datetime, zone: tzinfo) -> datetime:
    """Return a moment in a time zone, or unchanged if its year there is before 1 or after 9999.

    >>> from datetime import timedelta, timezone
    >>> in_zone(datetime.max.replace(tzinfo=UTC), timezone(timedelta(hours=1))).year
    9999
    """
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment


def _csv_text(columns: Sequence[str], rows: Iterable[Iterable[object]], *, delimiter: str) -> str:
    """Return a CSV text with a byte order mark, by which spreadsheets recognise UTF-8."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow(columns)
    writer.writerows(rows)
    return f"\ufeff{text.getvalue()}"


def _hand_cells(row: PlayedMatch, *, zone: tzinfo) -> Iterator[list[object]]:
    def local(moment: datetime) -> str:
        return in_zone(moment, zone).replace(tzinfo=None).isoformat(" ", "seconds")

    match = row.match
    totals = [0] * len(match.names)
    place_cells = [code_cell(row.code), row.match_no, local(row.opened_at)]
    for place, (hand, score) in enumerate(zip(match.hands, match.scores, strict=True)):
        counts = place < match.counted
        has_all_cards = not any(side.counted for side in hand.sides)
        sent = row.hands[place]
        for side, name in enumerate(match.names):
            totals[side] += score.points[side] if counts else 0
            held = hand.sides[side]
            denari = sum(card.code.endswith("d") for card in held.pile)
            won = {line.point for line in score.of(side) if line.amount}
            yield [
                *(*place_cells, place + 1, int(counts)),
                *(defused(name), score.points[side], totals[side]),
                *([len(held.pile), denari] if has_all_cards else ["", ""]),
                *(int(point in won) for point in ("settebello", "primiera", "napola")),
                *(held.scope, " ".join(card.code for card in held.pile)),
                *(defused(sent.device), local(sent.made_at)),
                defused(match.rules_of(place).name),
            ]
