"""Health for a proxy that selects a server, and metrics for Prometheus.

GET /health    {"is": "well", "store": true, "readers": true, "networks": true}, status 200;
               {"is": "ill", ...} with the failed parts false, status 503
GET /metrics   the counters, for this machine only unless SETTEBELLO_METRICS names others
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from ipaddress import ip_address

from anyio import move_on_after, to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from scoring.errors import ScoringError
from store import Store, uploads
from store.retention import days_kept
from web import logging, metrics
from web.events import EventHub
from web.limits import plain_address
from web.worker import Worker, worker_count

PATIENCE_SECONDS = 5.0
"""Seconds until a store without an answer counts as failed."""

FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""Headers of a request that a proxy has passed on."""


@dataclass(frozen=True)
class Services:
    """The services behind the routes of one process."""

    store: Store
    worker: Worker
    hub: EventHub


def routes(
    services: Callable[[], Services | None], has_networks: Callable[[], bool]
) -> list[Route]:
    """Return the routes.

    Args:
        services: Returns the services to check, or None while the server starts or stops.
        has_networks: Returns whether the files of the networks exist.
    """

    async def show_health(_request: Request) -> Response:
        """Return whether every part that a table needs works. The log has the reasons."""
        running = services()
        parts = {
            "store": running is not None and await _answers(running.store),
            "readers": running is not None and running.worker.is_alive,
            "networks": await to_thread.run_sync(has_networks),
        }
        is_well = all(parts.values())
        return JSONResponse(
            {"is": "well" if is_well else "ill", **parts},
            HTTPStatus.OK if is_well else HTTPStatus.SERVICE_UNAVAILABLE,
            headers={"cache-control": "no-store"},
        )

    async def show_metrics(request: Request) -> Response:
        running = services()
        if running is None or not may_see_metrics(request):
            return Response(status_code=HTTPStatus.NOT_FOUND)
        text = partial(metrics.text, store=running.store, subscribers=running.hub.subscribers)
        return Response(await to_thread.run_sync(text), media_type=metrics.CONTENT_TYPE)

    return [
        Route("/health", show_health, methods=["GET"]),
        Route("/metrics", show_metrics, methods=["GET"]),
    ]


def check_settings() -> None:
    """Check the settings of photos, log, metrics and workers in the environment.

    Raises:
        SettingError: One of them is malformed.
    """
    days_kept()
    logging.log_format()
    metrics.visible_to()
    worker_count()


def may_see_metrics(request: Request) -> bool:
    """Return whether the sender of a request may see the metrics."""
    try:
        visible_to = metrics.visible_to()
    except ScoringError:
        return False
    if visible_to != "loopback":
        return visible_to == "all"
    if request.client is None or any(name in request.headers for name in FORWARDED):
        return False
    try:
        return ip_address(plain_address(request.client.host)).is_loopback
    except ValueError:
        return False


def _query(store: Store) -> None:
    with store.reading() as session:
        uploads.counts(session)
    store.check_writable()


async def _answers(store: Store) -> bool:
    with move_on_after(PATIENCE_SECONDS):
        with suppress(ScoringError):
            await to_thread.run_sync(_query, store, abandon_on_cancel=True)
            return True
    return False
