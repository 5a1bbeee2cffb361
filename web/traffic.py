"""Every request that comes in at the door is counted and told to the log."""

import json
import logging
import re
import time
from collections.abc import Awaitable, Callable, Iterable
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from web.logs import about, told
from web.metrics import DELIVERIES

REQUEST_ID = "x-request-id"
"""The header that names a request: a proxy's name for it is taken over."""

LOG = logging.getLogger(__name__)

_NAMED = re.compile(r"[A-Za-z0-9-]{1,64}")
_CODE = re.compile(r"[A-Z0-9]{1,8}")

Endpoint = Callable[[Request], Awaitable[Response]]
"""What answers a request."""


def watched(routes: Iterable[Route]) -> list[Route]:
    """The same routes; each request is counted by its outcome, and told to the log."""
    return [
        Route(route.path, _watched(route.endpoint), methods=sorted(route.methods or ()))
        for route in routes
    ]


def _watched(answer: Endpoint) -> Endpoint:
    """An endpoint whose requests are counted and told."""

    async def answered(request: Request) -> Response:
        began = time.monotonic()
        name = request.headers.get(REQUEST_ID, "")
        name = name if _NAMED.fullmatch(name) else uuid4().hex[:12]
        code = request.path_params.get("code", "").strip().upper()
        with about(request=name, table=code if _CODE.fullmatch(code) else ""):
            response = await answer(request)
            _count(request, response, seconds=time.monotonic() - began)
        response.headers[REQUEST_ID] = name
        return response

    return answered


def _count(request: Request, response: Response, *, seconds: float) -> None:
    """Counts what became of a request, and tells the log."""
    said: dict[str, object] = {}
    if isinstance(response, JSONResponse):
        body = json.loads(bytes(response.body))
        said = body if isinstance(body, dict) else {}
    outcome = said.get("is")
    if outcome is not None and request.method in {"POST", "PUT"}:
        what = "photo" if request.method == "PUT" else "tap"
        DELIVERIES.labels(what=what, outcome=outcome).inc()
    fields: dict[str, object] = {"method": request.method, "status": response.status_code}
    fields |= {name: said[name] for name in ("is", "error") if name in said}
    LOG.info("a request was answered", extra=told(**fields, seconds=round(seconds, 3)))
