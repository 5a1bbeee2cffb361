"""What goes around every request: security headers, no writes from other sites, the access log.

`SecurityHeadersMiddleware` and `CrossOriginProtection` go around everything that the server
answers, Streamlit's own pages too; `RequestLogMiddleware` around each of our routes.
"""

import base64
import hashlib
import json
import logging
import re
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from web.logging import fields, log_context
from web.metrics import ACTIONS

HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(self), microphone=(), geolocation=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""Headers of every answer, beside the policy of `content_policy`."""

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

REQUEST_ID = "x-request-id"
"""The header that names a request: a proxy's name for it is taken over."""

LOG = logging.getLogger(__name__)

_HOST = re.compile(r"[A-Za-z0-9.\-_]+(:\d+)?|\[[0-9a-fA-F:.]+\](:\d+)?")
_REQUEST_ID = re.compile(r"[A-Za-z0-9-]{1,64}")
_CODE = re.compile(r"[A-Z0-9]{1,8}")


def hash_source(script: str) -> str:
    """How a content security policy names an inline script.

    >>> hash_source("")
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def content_policy(host: str, *, scripts: Sequence[str] = ()) -> str:
    """The content security policy of a page: everything comes from this server alone.

    Streamlit draws charts and components with code that it puts together in the browser, which
    needs 'unsafe-eval' and blob:; styles are inline.

    Args:
        host: The server's name and port, as the browser calls it; older browsers do not count
            its WebSocket as its own.
        scripts: Inline scripts of the page that may run.
    """
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    hashes = "".join(f" {hash_source(script)}" for script in scripts)
    return "; ".join((
        "default-src 'self'",
        f"script-src 'self' 'unsafe-eval' blob:{hashes}",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        f"connect-src 'self' data: blob:{sockets}",
        "worker-src 'self' blob:",
        "media-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-src 'none'",
        "frame-ancestors 'none'",
    ))  # fmt: skip


class SecurityHeadersMiddleware:
    """Puts `HEADERS` and the content security policy on every answer."""

    def __init__(self, app: ASGIApp, *, scripts: Sequence[str] = ()) -> None:
        """Wraps an application; `scripts` are the inline scripts of its pages that may run."""
        self._app, self._scripts = app, scripts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        policy = content_policy(Headers(scope=scope).get("host", ""), scripts=self._scripts)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers["content-security-policy"] = policy
            await send(message)

        await self._app(scope, receive, send_with_headers)


class CrossOriginProtection:
    """Refuses requests that write and come from a page of another site (cross-site forgery).

    Browsers say where a request comes from; programs do not, and hold no cookies of anybody.
    """

    def __init__(self, app: ASGIApp, *, origins: Sequence[str] = ()) -> None:
        """Wraps an application; `origins` are its further addresses, such as a proxy's."""
        self._app, self._origins = app, origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        allowed = (
            scope["type"] != "http"
            or scope["method"] in SAFE_METHODS
            or is_same_origin(Headers(scope=scope), origins=self._origins)
        )
        app = self._app if allowed else JSONResponse({"is": "refused"}, status_code=403)
        await app(scope, receive, send)


def is_same_origin(headers: Headers, *, origins: Sequence[str] = ()) -> bool:
    """Whether a request with these headers comes from our own page, or from no page.

    >>> is_same_origin(Headers({"host": "a:1", "origin": "http://a:1"}))
    True
    >>> is_same_origin(Headers({"host": "a:1", "origin": "http://evil.example"}))
    False
    """
    if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        return False
    origin = headers.get("origin")
    hosts = {headers.get("host", ""), *(urlsplit(one).netloc for one in origins)}
    return origin is None or urlsplit(origin).netloc in hosts - {""}


class RequestLogMiddleware:
    """Logs every request of a route with its table and outcome, and counts what phones sent."""

    def __init__(self, app: ASGIApp) -> None:
        """Wraps the endpoint of a route."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        started = time.monotonic()
        name = Headers(scope=scope).get(REQUEST_ID, "")
        request_id = name if _REQUEST_ID.fullmatch(name) else uuid4().hex[:12]
        code = scope["path_params"].get("code", "").strip().upper()
        answer: dict[str, Any] = {"status": 0, "is_json": False, "body": b""}

        def log() -> None:
            answered = json.loads(answer["body"]) if answer["is_json"] else {}
            answered = answered if isinstance(answered, dict) else {}
            if "is" in answered and scope["method"] in {"POST", "PUT"}:
                what = "photo" if scope["method"] == "PUT" else "tap"
                ACTIONS.labels(what=what, outcome=answered["is"]).inc()
            outcome = {name: answered[name] for name in ("is", "error") if name in answered}
            seconds = round(time.monotonic() - started, 3)
            line = fields(
                method=scope["method"], status=answer["status"], **outcome, seconds=seconds
            )
            LOG.info("a request was answered", extra=line)

        async def send_and_log(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers[REQUEST_ID] = request_id
                answer["status"] = message["status"]
                answer["is_json"] = headers.get("content-type", "") == "application/json"
                if not answer["is_json"]:
                    log()  # a stream of events has no end
            elif answer["is_json"]:
                answer["body"] += message.get("body", b"")
                if not message.get("more_body"):
                    log()
            await send(message)

        with log_context(request=request_id, table=code if _CODE.fullmatch(code) else ""):
            await self._app(scope, receive, send_and_log)
