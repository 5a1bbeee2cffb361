"""Check an installation and say what to do about each problem. Nothing is changed."""

import http.client
import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from screens.network import (
    LOOPBACK,
    PortBusyError,
    check_address,
    check_port,
    given_address,
    lan_address,
)
from store import SettingError, StoreError, default_url, home
from store.check import Examination, examine
from store.retention import days_kept
from vision.errors import ModelError
from vision.networks import MODELS, missing_networks
from vision.reader import Reader
from web.logging import log_format
from web.metrics import visible_to

LEAST_FREE_MB = 500
"""Least free disk space: room for some hundred photos and a backup."""

LEAST_DESCRIPTORS = 1024
"""Least number of files and connections per process, as a club of forty tables needs."""

LONGEST_WAIT = timedelta(minutes=10)
"""Longest time that a photo may wait to be read."""

FIRST_DAY = datetime(2026, 11, 21, tzinfo=UTC)
"""An earlier date means that the clock is wrong: Settebello is not older."""


@dataclass(frozen=True)
class Finding:
    """The result of one check."""

    what: str
    said: str
    """The state; if it is wrong, also what to do."""
    is_well: bool = True


def findings(*, port: int) -> Iterator[Finding]:
    """Run the checks one after another."""
    try:
        found = examine(default_url())
    except StoreError as error:
        yield Finding("database", str(error), is_well=False)
    else:
        yield from _database(found)
        yield from _of_database(found)
    yield _disk(home())
    yield _networks(MODELS)
    yield _descriptors(allowed_descriptors())
    yield _port(port)
    yield _address(port)
    yield _settings()


def report(found: list[Finding]) -> str:
    """Return the text that the command prints.

    >>> print(report([Finding("disk", "9 GB free"), Finding("port", "busy: stop it", False)]))
    well    disk       9 GB free
    WRONG   port       busy: stop it
    1 thing is wrong.
    """
    lines = [f"{'well ' if one.is_well else 'WRONG'}   {one.what:<10} {one.said}" for one in found]
    wrong = sum(not one.is_well for one in found)
    summary = {0: "Nothing is wrong.", 1: "1 thing is wrong."}
    return "\n".join([*lines, summary.get(wrong, f"{wrong} things are wrong.")])


def _database(found: Examination | None) -> Iterator[Finding]:
    """Check where the database is and whether it can be written."""
    if found is None:
        yield Finding("database", f"none yet in {home()}: the first start makes it")
        return
    file = Path(found.place)
    if file.exists() and not (os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)):
        said = f"{file} is read-only for this user: make it and its folder writable"
        yield Finding("database", said, is_well=False)
        return
    yield Finding("database", f"{found.place}, whole")
    said = f"{found.schema or 'none yet'}, this version's"
    if found.schema != found.newest:
        said = f"{found.schema or 'none yet'}: the next start brings it to {found.newest}; "
        said += "make a backup first"
    yield Finding("schema", said)


def _of_database(found: Examination | None) -> Iterator[Finding]:
    """Check the database's rows: photos that wait, and the clock."""
    now = datetime.now(UTC)
    last = None if found is None else found.last_at
    if found is not None:
        since = found.waiting_since or now
        said = f"{found.waiting} wait to be read"
        if found.readers is not None:
            said += f", {found.readers} processes read"
        if now - since > LONGEST_WAIT:
            said += f", the first since {since:%Y-%m-%d %H:%M} UTC: start Settebello, or start it "
            said += (
                "again (on PostgreSQL settebello-reader will do), and look whether the networks "
            )
            said += "are well"
        yield Finding("photos", said, is_well=now - since <= LONGEST_WAIT)
    said = f"{now:%Y-%m-%d %H:%M:%S} UTC"
    if now < FIRST_DAY or (last is not None and now + timedelta(minutes=1) < last):
        said += f", yet something happened {(last or FIRST_DAY):%Y-%m-%d %H:%M} UTC: set the clock"
        yield Finding("clock", said, is_well=False)
    else:
        yield Finding("clock", said)


def _disk(folder: Path) -> Finding:
    """Check the free space where the data is."""
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    free_mb = shutil.disk_usage(there).free // 10**6
    said = f"{free_mb:,} MB free at {there}"
    if free_mb < LEAST_FREE_MB:
        return Finding("disk", f"{said}: make room, or move the data (--home)", is_well=False)
    return Finding("disk", said)


def allowed_descriptors() -> int:
    """Return how many files and connections a process may open; Windows has no such limit."""
    if sys.platform == "win32":
        return LEAST_DESCRIPTORS
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft


def _descriptors(allowed: int) -> Finding:
    """Check how many files and connections the server may open."""
    said = f"{allowed:,} connections and files may be open"
    if allowed < LEAST_DESCRIPTORS:
        said += f": allow {LEAST_DESCRIPTORS:,} (ulimit -n, LimitNOFILE of systemd)"
        return Finding("limits", said, is_well=False)
    return Finding("limits", said)


def _networks(folder: Path) -> Finding:
    """Check that the networks are installed and load."""
    missing = missing_networks(folder)
    if missing:
        said = f"{', '.join(missing)} missing in {folder}: install Settebello again"
        return Finding("networks", f"{said}; cards can be tapped by hand meanwhile", is_well=False)
    try:
        Reader(folder).load()
    except ModelError as error:
        return Finding("networks", str(error), is_well=False)
    return Finding("networks", f"loaded from {folder}")


def _port(port: int) -> Finding:
    """Check that the port is free, or that Settebello answers there."""
    answer = health(port)
    if answer is not None:
        ill = ", ".join(name for name, is_well in answer.items() if is_well is False)
        if ill:
            said = f"Settebello answers at {port} and is not well ({ill}): look at its log, then "
            return Finding("port", f"{said}start it again", is_well=False)
        return Finding("port", f"Settebello answers at {port} and is well")
    try:
        check_port(port)
    except PortBusyError as error:
        return Finding("port", str(error), is_well=False)
    return Finding("port", f"{port} is free: Settebello does not run here")


def health(port: int) -> dict[str, object] | None:
    """Return what a Settebello on this machine says about itself; None if none answers."""
    try:
        with closing(http.client.HTTPConnection(LOOPBACK, port, timeout=10)) as line:
            line.request("GET", "/health")
            with line.getresponse() as reply:
                parsed = json.loads(reply.read(10_000))
    except (OSError, ValueError, OverflowError, http.client.HTTPException):
        return None
    return parsed if isinstance(parsed, dict) and "is" in parsed else None


def _address(port: int) -> Finding:
    """Check the address by which phones join."""
    try:
        check_address()
    except SettingError as error:
        return Finding("address", str(error), is_well=False)
    address = given_address() or f"http://{lan_address()}:{port}"
    if urlsplit(address).hostname in {LOOPBACK, "localhost", "::1"}:
        said = f"{address} is this machine alone, so no phone can join: connect it to a network, "
        return Finding("address", f"{said}or set SETTEBELLO_ADDRESS", is_well=False)
    return Finding("address", f"phones join by {address}")


def _settings() -> Finding:
    """List the settings for photos, the log and the metrics."""
    try:
        days = days_kept()
        log_format()
        seen_by = visible_to()
    except StoreError as error:
        return Finding("settings", str(error), is_well=False)
    kept = "for ever" if days is None else f"for {days} days"
    return Finding("settings", f"photos are kept {kept}; /metrics is shown to {seen_by}")
