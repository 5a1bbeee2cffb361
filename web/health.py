"""How the server is: for a proxy that asks whether to send people here, and for Prometheus.

GET /health    {"is": "well", "store": true, "readers": true, "networks": true}, status 200;
               {"is": "ill", ...} with what is false, status 503
GET /metrics   the counters, for this machine alone unless SETTEBELLO_METRICS says otherwise
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
"""After which a store that has not answered counts as one that does not."""

FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""Headers by which a request is known that a proxy passed on for somebody else."""


@dataclass(frozen=True)
class Services:
    """What runs behind the routes of one process."""

    store: Store
    worker: Worker
    hub: EventHub


def routes(
    services: Callable[[], Services | None], has_networks: Callable[[], bool]
) -> list[Route]:
    """The routes.

    Args:
        services: Gives what is looked at; None while the server starts or ends.
        has_networks: Whether the files of the networks are there.
    """

    async def show_health(_request: Request) -> Response:
        """Whether all that a table needs works; never why not, which is logged."""
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
    """Proves that what the environment says of photos, log, metrics and workers means something.

    Raises:
        SettingError: It does not.
    """
    days_kept()
    logging.log_format()
    metrics.visible_to()
    worker_count()


def may_see_metrics(request: Request) -> bool:
    """Whether the sender of a request may see the metrics."""
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
