"""Counters and gauges of the server, in the format of Prometheus."""

import os
from collections.abc import Iterable
from contextlib import suppress

import psutil
from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric

from store import SettingError, Store, StoreError, uploads

VISIBLE_TO = "SETTEBELLO_METRICS"
"""Environment variable that says who may see the metrics."""

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
"""The content type of what `text` returns."""

REGISTRY = CollectorRegistry()
"""The counters."""

ACTIONS = Counter(
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


def visible_to() -> str:
    """Return who may see the metrics: "loopback" (this machine), "all" or "nobody".

    Raises:
        SettingError: The environment has another value.
    """
    known = ("loopback", "all", "nobody")
    value = os.environ.get(VISIBLE_TO, "").strip().lower() or known[0]
    if value not in known:
        raise SettingError(VISIBLE_TO, expected=", ".join(known), came=value)
    return value


def text(*, store: Store, subscribers: int) -> bytes:
    """Return all current metrics. Those of photos are left out if the store does not answer."""
    errors = CounterMetricFamily(
        "settebello_store_errors",
        "How often the database failed this process, by the name of the error.",
        labels=["error"],
    )
    for name, count in store.error_counts.items():
        errors.add_metric([name], count)
    gauges: list[Metric] = [
        errors,
        GaugeMetricFamily("settebello_listeners", "Screens that listen.", value=subscribers),
        GaugeMetricFamily("settebello_memory_bytes", "Resident memory.", value=memory_bytes()),
    ]
    with suppress(StoreError):
        photos = GaugeMetricFamily("settebello_photos", "Photos sent, by state.", labels=["state"])
        with store.reading() as session:
            counts = uploads.counts(session)
        for state, count in counts.items():
            photos.add_metric([state], count)
        gauges.append(photos)
    return generate_latest(REGISTRY) + generate_latest(_Gauges(gauges))


def memory_bytes() -> int:
    """Return the resident memory of this process and of those in which it reads photos."""
    own = psutil.Process()
    total = 0
    for process in (own, *own.children()):
        with suppress(psutil.NoSuchProcess):  # it has just ended
            total += process.memory_info().rss
    return total


class _Gauges(CollectorRegistry):
    """Metrics that are read when they are requested."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        super().__init__()
        self._metrics = metrics

    def collect(self) -> Iterable[Metric]:
        """Return the metrics."""
        return self._metrics
