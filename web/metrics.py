"""What is counted while the server runs, in the form that Prometheus reads."""

import os
from collections.abc import Iterable
from contextlib import suppress

import psutil
from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric

from store import SettingError, Store, StoreError

SEEN_BY = "SETTEBELLO_METRICS"
"""Environment variable: who may see the metrics."""

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
"""The type of what `text` gives."""

REGISTRY = CollectorRegistry()
"""What is counted."""

DELIVERIES = Counter(
    "settebello_deliveries",
    "What phones sent, by what became of it: done, known (sent again) or refused.",
    ["what", "outcome"],
    registry=REGISTRY,
)
READING_SECONDS = Histogram(
    "settebello_reading_seconds",
    "Seconds from taking a photo off the queue until it was read or refused.",
    buckets=(0.5, 1, 2, 3, 5, 8, 13, 21, 60),
    registry=REGISTRY,
)


def who_may_see() -> str:
    """Who may see the metrics: "loopback" (this machine), "all" or "nobody".

    Raises:
        SettingError: The environment says something else.
    """
    known = ("loopback", "all", "nobody")
    said = os.environ.get(SEEN_BY, "").strip().lower() or known[0]
    if said not in known:
        raise SettingError(SEEN_BY, expected=", ".join(known), came=said)
    return said


def text(*, store: Store, listeners: int) -> bytes:
    """All metrics as they stand; photos are left out where the store does not answer."""
    memory = psutil.Process().memory_info().rss
    troubles = CounterMetricFamily(
        "settebello_store_errors",
        "How often the database failed this process, by the name of the error.",
        labels=["error"],
    )
    for name, count in store.error_counts.items():
        troubles.add_metric([name], count)
    now: list[Metric] = [
        troubles,
        GaugeMetricFamily("settebello_listeners", "Screens that listen.", value=listeners),
        GaugeMetricFamily("settebello_memory_bytes", "Resident memory.", value=memory),
    ]
    with suppress(StoreError):
        photos = GaugeMetricFamily("settebello_photos", "Photos sent, by state.", labels=["state"])
        for state, count in store.upload_counts().items():
            photos.add_metric([state], count)
        now.append(photos)
    return generate_latest(REGISTRY) + generate_latest(_Now(now))


class _Now(CollectorRegistry):
    """Metrics that are asked for rather than counted."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        super().__init__()
        self._metrics = metrics

    def collect(self) -> Iterable[Metric]:
        """Gives them."""
        return self._metrics
