"""Photos that are older than the owner keeps them are deleted while nobody waits for a reading."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta

from anyio import to_thread

from scoring.errors import ScoringError
from store import Store, UploadState
from store.retention import days_kept
from web.logs import told

FIRST_AFTER_S = 60.0
"""Seconds after the start until old photos are first looked for."""

LOOK_EVERY_S = 3600.0
"""Seconds between two looks for old photos."""

PAUSE_S = 1.0
"""Seconds between the transactions of one sweep, in which others write."""

LOG = logging.getLogger(__name__)


async def keep_swept(store: Store) -> None:
    """Sweeps the old photos of a store, again and again until it is cancelled."""
    await asyncio.sleep(FIRST_AFTER_S)
    while True:
        try:
            count = 0
            while swept := await to_thread.run_sync(sweep, store):
                count += swept
                await asyncio.sleep(PAUSE_S)
            if count:
                await to_thread.run_sync(store.evidence.leave_nothing)
                LOG.info("old photos were deleted", extra=told(photos=count))
        except ScoringError:
            LOG.warning("old photos could not be deleted", exc_info=True)
        await asyncio.sleep(LOOK_EVERY_S)


def sweep(store: Store) -> int:
    """Deletes some photos that are too old; none while others wait to be read, or none are too old.

    Raises:
        StoreError: The store does not answer, or the days of keeping cannot be understood.
    """
    days = days_kept()
    if days is None or store.upload_counts()[UploadState.WAITING]:
        return 0
    return store.evidence.sweep(before=datetime.now(UTC) - timedelta(days=days))
