"""Dates and times in the words and the time zone of the browser."""

from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import streamlit as st

from screens.words import t
from table.season.spreadsheet import in_zone

LATE = timedelta(hours=5)
"""Hours after midnight that still count as the evening before."""


def zone() -> tzinfo:
    """Return the time zone of the browser; UTC if it names none that is known."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (KeyError, ValueError, OSError):  # the browser may send any text
        return UTC


def evening() -> datetime:
    """Return when today began in the browser's zone: at five in the morning."""
    here = datetime.now(zone())
    return (here - LATE).replace(hour=0, minute=0, second=0, microsecond=0) + LATE


def day(moment: datetime) -> str:
    """Return the day of a moment in the browser's zone: "25 Nov 2026"."""
    return calendar_day(in_zone(moment, zone()).date())


def calendar_day(day: date) -> str:
    """Return a day: "25 Nov 2026"."""
    return t("day", day=day.day, month=t(f"month_{day.month}"), year=day.year)


def when(moment: datetime) -> str:
    """Return a moment in the browser's zone: "25 Nov 2026, 18:42"."""
    return t("when", day=day(moment), time=hour(moment))


def hour(moment: datetime) -> str:
    """Return the time of a moment in the browser's zone: "18:42"."""
    return f"{in_zone(moment, zone()):%H:%M}"
