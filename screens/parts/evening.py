"""An evening as HTML: its tables with scores, its standings, its board."""

from collections.abc import Sequence
from datetime import date
from math import ceil, sqrt
from typing import Any

from markupsafe import Markup

from screens import navigation, render, state, times
from screens.navigation import join_path
from screens.parts import joining
from screens.words import isolated, t
from table.evening.replay import Evening, Meeting, Round
from table.evening.standings import Criterion
from table.evening.view import EveningView, seat_link

HEAD = ("played", "match_points", "difference", "scope")
"""The columns of the standings."""


def seats(evening: Evening, number: int) -> Markup:
    """Return HTML of the tables of a round, counted from 0, with their scores."""
    return _template().seats(_seats(evening, evening.meetings[number]))


def standings(view: EveningView) -> Markup:
    """Return HTML of the standings."""
    return _template().standings(_rows(view), HEAD)


def codes(view: EveningView, link: str) -> Markup:
    """Return HTML of a QR code for each table of the round: a phone that scans it scores there."""
    tables = []
    for seat in view.evening.rounds[-1].seats:
        url = joining.address() + join_path(seat.code, seat_link(link, seat.code))
        names = " – ".join(isolated(view.evening.name_of(side)) for side in seat.sides)
        alt = t("evening_qr", table=seat.table)
        tables.append({"table": seat.table, "names": names, "qr": joining.qr_code(url, alt=alt)})
    return _template().codes(tables)


def board(view: EveningView) -> Markup:
    """Return HTML of the whole board of an evening."""
    evening, rows = view.evening, _rows(view)
    half = ceil(len(rows) / 2) if len(rows) > 8 else len(rows)
    now = evening.rounds[-1] if evening.rounds else None
    ends_at = None if now is None or evening.is_over else now.ends_at
    watch = [] if now is None or evening.is_over else _watched(evening)
    url = joining.address() + navigation.path("evening", {state.TABLE: view.code})
    return _template().board(
        {
            "name": evening.plan.name,
            "round": progress(evening),
            "ends_ms": ends_at and round(ends_at.timestamp() * 1000),
            "bell": t("evening_bell"),
            "seats": _seats(evening, evening.meetings[-1]) if now else [],
            "seats_head": t("evening_round", round=len(evening.rounds)),
            "byes": "" if now is None else byes(evening, now),
            "next": [] if now is None or evening.is_over else _places(evening, now),
            "halves": [one for one in (rows[:half], rows[half:]) if one],
            "head": HEAD,
            "watch": watch,
            "columns": max(2, ceil(sqrt(len(watch)))),
            "lines": max(1, ceil(len(now.seats) / 2)) if now else 1,
            "places": max(6, ceil(len(evening.here) / 3)),
            "ranks": max(6, half),
            "qr": joining.qr_code(url, alt=t("qr_code", url=url)),
            "code": view.code,
        }
    )


def _watched(evening: Evening) -> list[dict[str, Any]]:
    """Return the tables in play, each with the viewers' address as a QR code."""
    return [
        {
            "table": meeting.seat.table,
            "code": meeting.seat.code,
            "names": [evening.name_of(side) for side in meeting.seat.sides],
            "qr": joining.qr_code_of(meeting.seat.code),
        }
        for meeting in evening.meetings[-1]
        if not meeting.is_over
    ]


def title(evening: Evening) -> str:
    """Return the name of an evening, with its date and place if known."""
    plan = evening.plan
    day = times.calendar_day(date.fromisoformat(plan.day)) if plan.day else ""
    return " · ".join(filter(None, (plan.name, day, plan.place)))


def progress(evening: Evening) -> str:
    """Return how far an evening is, in one line."""
    if evening.is_over:
        first = evening.standings[:1]
        names = [isolated(winner(evening, row.entrant)) for row in first]
        return t("evening_over", name=", ".join(names))
    if not evening.rounds:
        return t("evening_waiting", n=len(evening.here))
    done = sum(meeting.is_over for meeting in evening.meetings[-1])
    return t(
        "evening_progress",
        round=len(evening.rounds),
        done=done,
        tables=len(evening.meetings[-1]),
    )


def winner(evening: Evening, entrant: int) -> str:
    """Return an entrant's name."""
    return evening.name_of(evening.members(entrant))


def byes(evening: Evening, one: Round) -> str:
    """Return the entrants that sit a round out."""
    if not one.byes:
        return ""
    names = ", ".join(isolated(evening.player(number).name) for number in one.byes)
    return t("evening_byes", names=names)


def score(meeting: Meeting) -> str:
    """Return the score at a table: points, and in a best of three the matches won."""
    if not (meeting.hands or meeting.is_over):
        return "–"
    figures = f"{meeting.totals[0]} : {meeting.totals[1]}"
    return f"{meeting.won[0]} : {meeting.won[1]} ({figures})" if any_won(meeting) else figures


def any_won(meeting: Meeting) -> bool:
    """Return whether any match before the current one was won, or one decided the meeting."""
    return sum(meeting.won) > (1 if meeting.is_over else 0) and not meeting.is_set


def _seats(evening: Evening, meetings: Sequence[Meeting]) -> list[dict[str, Any]]:
    return [
        {
            "table": meeting.seat.table,
            "names": [evening.name_of(side) for side in meeting.seat.sides],
            "score": "" if meeting.absent is not None else score(meeting),
            "winner": meeting.winner,
            "state": "done" if meeting.is_over else "",
            "note": _note(evening, meeting),
        }
        for meeting in meetings
    ]


def _note(evening: Evening, meeting: Meeting) -> str:
    if meeting.absent is not None:
        return t(
            "evening_absent", name=isolated(evening.name_of(meeting.seat.sides[meeting.absent]))
        )
    if meeting.is_set:
        return t("evening_set")
    if meeting.seat.turn and not (meeting.is_over or meeting.hands):
        return t("evening_later")
    return ""


def _rows(view: EveningView) -> list[dict[str, Any]]:
    evening = view.evening
    return [
        {
            "rank": row.rank,
            "name": winner(evening, row.entrant),
            "by": t(f"ranks_by_{row.by}") if row.by in TOLD else "",
            "figures": [f"{row.difference:+}" if one == "difference" else getattr(row, one)
                        for one in HEAD],
        }
        for row in evening.standings
    ]  # fmt: skip


TOLD = {Criterion.DIRECT, Criterion.LOT}
"""Tie-breaks that are in no column of the row."""


def _places(evening: Evening, now: Round) -> list[dict[str, Any]]:
    """Return the players of the round by name, each with the table."""
    found = [
        {"name": evening.player(number).name, "table": seat.table}
        for seat in now.seats
        for side in seat.sides
        for number in side
    ]
    return sorted(found, key=lambda one: str(one["name"]).casefold())


def can_draw(evening: Evening) -> bool:
    """Return whether the next round can be drawn now."""
    over = all(meeting.is_over for one in evening.meetings[-1:] for meeting in one)
    return over and not evening.is_over and evening.plan.can_be_played


def _template() -> render.Macros:
    return render.macros("evening.html")
