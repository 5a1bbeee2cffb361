"""When something happened and who did it, in the words of the screen."""

from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import streamlit as st

from screens.words import t
from table.spreadsheet import in_zone

LATE = timedelta(hours=5)
"""How long after midnight it still is the evening before."""


def zone() -> tzinfo:
    """Gives the time zone of the browser; UTC where it names none that is known."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (KeyError, ValueError, OSError):  # what the browser says is anybody's text
        return UTC


def evening() -> datetime:
    """Gives when today began where the browser is: at five in the morning, as evenings are long."""
    here = datetime.now(zone())
    return (here - LATE).replace(hour=0, minute=0, second=0, microsecond=0) + LATE


def day(moment: datetime) -> str:
    """Gives the day of a moment where the browser is: "25 Nov 2026"."""
    return calendar_day(in_zone(moment, zone()).date())


def calendar_day(day: date) -> str:
    """Gives a day: "25 Nov 2026"."""
    return t("day", day=day.day, month=t(f"month_{day.month}"), year=day.year)


def when(moment: datetime) -> str:
    """Gives a moment where the browser is: "25 Nov 2026, 18:42"."""
    return t("when", day=day(moment), time=hour(moment))


def hour(moment: datetime) -> str:
    """Gives the time of a moment where the browser is: "18:42"."""
    return f"{in_zone(moment, zone()):%H:%M}"
