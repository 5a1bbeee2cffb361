"""How the server is: for a proxy that asks whether to send people here, and for Prometheus.

GET /health    {"is": "well", "store": true, "readers": true, "networks": true}, status 200;
               {"is": "ill", ...} with what is false, status 503
GET /metrics   the counters, for this machine alone unless SETTEBELLO_METRICS says otherwise
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address

from anyio import move_on_after, to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from scoring.errors import ScoringError
from store import Store
from store.retention import days_kept
from web import logs, metrics
from web.changes import Changes
from web.readers import Readers, read_here
from web.sweep import keep_swept

PATIENCE_S = 5.0
"""Seconds after which a store that has not answered counts as one that does not."""

FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""Headers by which a request is known that a proxy passed on for somebody else."""


@dataclass(frozen=True)
class _Watched:
    """What is looked at."""

    store: Store
    readers: Readers
    changes: Changes


class Health:
    """The routes that tell how a server is, and what goes on beside them while it runs."""

    def __init__(self, has_networks: Callable[[], bool]) -> None:
        self._has_networks = has_networks
        self._of: _Watched | None = None

    @asynccontextmanager
    async def watching(
        self, store: Store, *, readers: Readers, changes: Changes
    ) -> AsyncIterator[None]:
        """Deletes old photos and answers the routes as long as it is entered."""
        self._of = _Watched(store, readers, changes)
        sweeping = asyncio.create_task(keep_swept(store))
        try:
            yield
        finally:
            self._of = None
            sweeping.cancel()
            with suppress(asyncio.CancelledError):
                await sweeping

    def routes(self) -> list[Route]:
        """The routes, to be mounted beside the pages."""
        return [
            Route("/health", self.tell_health, methods=["GET"]),
            Route("/metrics", self.tell_metrics, methods=["GET"]),
        ]

    async def tell_health(self, _request: Request) -> Response:
        """Tells whether all that a table needs is there; never why not, which the log tells."""
        of = self._of
        told = {
            "store": of is not None and await _answers(of.store),
            "readers": of is not None and of.readers.is_alive,
            "networks": await to_thread.run_sync(self._has_networks),
        }
        is_well = all(told.values())
        status = HTTPStatus.OK if is_well else HTTPStatus.SERVICE_UNAVAILABLE
        headers = {"cache-control": "no-store"}
        body = {"is": "well" if is_well else "ill", **told}
        return JSONResponse(body, status_code=status, headers=headers)

    async def tell_metrics(self, request: Request) -> Response:
        """Tells the metrics to whom may see them."""
        if self._of is None or not may_see(request):
            return Response(status_code=HTTPStatus.NOT_FOUND)
        of = self._of
        ask = partial(metrics.text, store=of.store, listeners=of.changes.listeners)
        return Response(await to_thread.run_sync(ask), media_type=metrics.CONTENT_TYPE)


def check_settings() -> None:
    """Proves that what the environment says of photos, log, metrics and readers means something.

    Raises:
        SettingError: It does not.
    """
    days_kept()
    logs.log_form()
    metrics.who_may_see()
    read_here()


def may_see(request: Request) -> bool:
    """Whether somebody who asks may see the metrics."""
    try:
        who = metrics.who_may_see()
    except ScoringError:
        return False
    if who != "loopback":
        return who == "all"
    if request.client is None or any(name in request.headers for name in FORWARDED):
        return False
    try:
        host = ip_address(request.client.host)
    except ValueError:
        return False
    mapped = host.ipv4_mapped if isinstance(host, IPv6Address) else None
    return (mapped or host).is_loopback


async def _answers(store: Store) -> bool:
    """Whether a store answers."""
    with move_on_after(PATIENCE_S):
        with suppress(ScoringError):
            await to_thread.run_sync(store.upload_counts, abandon_on_cancel=True)
            return True
    return False
