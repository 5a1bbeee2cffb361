"""Middleware: addresses and names of the client and the server, security headers, origins, the log.

`middleware` returns what wraps every response of the server, including Streamlit's pages and
WebSockets. `RequestLogMiddleware` wraps each route of this app.
"""

import base64
import hashlib
import json
import logging
import os
import re
import socket
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from web.limits import plain_address
from web.logging import fields, log_context
from web.metrics import ACTIONS

HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""Headers of every response, in addition to `content_policy`."""

HOSTS = "SETTEBELLO_HOSTS"
"""Environment variable with further names of the server, separated by commas."""

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

REQUEST_ID = "x-request-id"
"""The header with the identifier of a request. An identifier set by a proxy is kept."""

TRUSTED_PROXIES = "FORWARDED_ALLOW_IPS"
"""Environment variable of uvicorn: proxies whose headers about the client are trusted."""

MAX_HEADER_BYTES, MAX_COOKIE_BYTES = 16_384, 8_192
"""Maximum size of all headers of a request, and of its cookies: browsers send less than half."""

LOG = logging.getLogger(__name__)

_HOST = re.compile(r"[A-Za-z0-9.\-_]+(:\d+)?|\[[0-9a-fA-F:.]+\](:\d+)?")
_REQUEST_ID = re.compile(r"[A-Za-z0-9-]{1,64}")
_CODE = re.compile(r"[A-Z0-9]{1,8}")


def hash_source(script: str) -> str:
    """Return the source of an inline script for a content security policy.

    >>> hash_source("")
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def content_policy(host: str, *, scripts: Sequence[str] = ()) -> str:
    """Return the content security policy of a page: everything is loaded from this server.

    Streamlit runs charts and components with code that it generates in the browser, which needs
    'unsafe-eval' and blob:. Styles are inline.

    Args:
        host: The server's name and port as the browser uses it. For older browsers 'self' does
            not include a WebSocket.
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


def trusted_proxies() -> str:
    """Return the trusted proxies, separated by commas."""
    return os.environ.get(TRUSTED_PROXIES, "") or "127.0.0.1,::1"


class HeaderLimit:
    """Refuse requests with large headers before anything parses them.

    Python's own cookie parser takes seconds for a long value of backslashes.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with 431, or pass the request on; close a WebSocket with the status 1008."""
        app = self._app
        if scope["type"] in {"http", "websocket"} and not _fits(scope["headers"]):
            app = PlainTextResponse("expected smaller headers: delete this site's cookies", 431)
            if scope["type"] == "websocket":
                app = WebSocketClose(code=1008)
        await app(scope, receive, send)


def _fits(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    total = cookies = 0
    for name, value in headers:
        total += len(name) + len(value)
        cookies += len(value) if name == b"cookie" else 0
    return total <= MAX_HEADER_BYTES and cookies <= MAX_COOKIE_BYTES


class SecurityHeadersMiddleware:
    """Adds `HEADERS` and the content security policy to every response."""

    def __init__(self, app: ASGIApp, *, scripts: Sequence[str] = ()) -> None:
        """Wrap an application; `scripts` are the inline scripts of its pages that may run."""
        self._app, self._scripts = app, scripts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
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


class PlainAddresses:
    """Converts the address of a client to its usual form, in which trusted proxies are listed.

    A dual-stack socket calls the proxy of this machine `::ffff:127.0.0.1`.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on."""
        if scope.get("client"):
            host, port = scope["client"]
            scope = {**scope, "client": (plain_address(host), port)}
        await self._app(scope, receive, send)


class AllowedHosts:
    """Refuses requests to a name that is not of this server, as in DNS rebinding.

    Nobody else can register IP addresses, names without a dot, and names that end in `.local`. The
    owner lists all other names.
    """

    def __init__(self, app: ASGIApp, *, hosts: Sequence[str] = ()) -> None:
        """Wrap an application; `hosts` are its names, which may be such as `*.example.org`."""
        self._app = app
        self._hosts = [name.strip().lower() for name in hosts if name.strip()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or pass it on."""
        app = self._app
        host = Headers(scope=scope).get("host") if scope["type"] in {"http", "websocket"} else None
        if host is not None and not await self._is_allowed(host_name(f"//{host}")):
            text = f"expected one of this server's names: its owner sets {HOSTS}"
            app = PlainTextResponse(text, status_code=400)
            if scope["type"] == "websocket":
                app = WebSocketClose(code=1008)
        await app(scope, receive, send)

    async def _is_allowed(self, name: str | None) -> bool:
        if name is None:
            return False
        with suppress(ValueError):
            return bool(ip_address(name))
        if "." not in name or name.endswith((".local", ".localhost")):
            return True
        if any(
            name.endswith(own[1:]) if own.startswith("*.") else name == own for own in self._hosts
        ):
            return True
        return name in await to_thread.run_sync(_machine_names)


@cache
def _machine_names() -> frozenset[str]:
    """Return the names of this machine on its network. The lookup may take seconds."""
    return frozenset({socket.gethostname().lower(), socket.getfqdn().lower()})


def host_name(address: str) -> str | None:
    """Return the host of a web address, without port and last dot, or None if it is malformed.

    >>> host_name("http://Scopa.example.:8501"), host_name("//[::1]:8501"), host_name("http://[")
    ('scopa.example', '::1', None)
    """
    try:
        return (urlsplit(address).hostname or "").rstrip(".") or None
    except ValueError:
        return None


class CrossOriginProtection:
    """Refuses requests that a page of another site sends with its visitors' cookies (CSRF).

    Such a page may link to our pages and boards, and to join links, as a chat does. It may neither
    write nor call our routes, where wrong codes are counted. Browsers name the origin of a request.
    Programs do not, and have no cookies of a visitor.
    """

    def __init__(self, app: ASGIApp, *, origins: Sequence[str] = ()) -> None:
        """Wrap an application; `origins` are its further addresses, such as a proxy's."""
        self._app, self._origins = app, origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it; close a WebSocket with the status 1008."""
        app = self._app
        if scope["type"] == "http" and not self._is_allowed(scope, Headers(scope=scope)):
            app = JSONResponse({"is": "refused"}, status_code=403)
        elif scope["type"] == "websocket" and not has_own_origin(
            Headers(scope=scope), origins=self._origins
        ):
            app = WebSocketClose(code=1008)
        await app(scope, receive, send)

    def _is_allowed(self, scope: Scope, headers: Headers) -> bool:
        if is_same_origin(headers, origins=self._origins):
            return True
        if scope["path"].startswith(("/board/", "/join/")):
            is_page = headers.get("sec-fetch-dest", "document") == "document"
            return is_page and headers.get("sec-fetch-mode", "navigate") == "navigate"
        return scope["method"] in SAFE_METHODS and not scope["path"].startswith("/door/")


def is_same_origin(headers: Headers, *, origins: Sequence[str] = ()) -> bool:
    """Return whether a request with these headers comes from our own page, or from no page.

    >>> is_same_origin(Headers({"host": "a:1", "origin": "http://a:1"}))
    True
    >>> is_same_origin(Headers({"host": "a:1", "origin": "http://evil.example"}))
    False
    """
    if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        return False
    return has_own_origin(headers, origins=origins)


def has_own_origin(headers: Headers, *, origins: Sequence[str] = ()) -> bool:
    """Return whether the header Origin names this server or is missing. Programs do not send it.

    Browsers send it with every WebSocket. Another port of the host is another origin.
    """
    origin = headers.get("origin")
    hosts = {headers.get("host", ""), *map(_netloc, origins)}
    return origin is None or _netloc(origin) in hosts - {""}


def _netloc(address: str) -> str:
    try:
        return urlsplit(address).netloc
    except ValueError:
        return ""


def middleware(*, address: str = "", scripts: Sequence[str] = ()) -> list[Middleware]:
    """Return the middleware for everything, the outermost first.

    Args:
        address: The configured address of the server, as phones reach it through a proxy.
        scripts: Inline scripts of the pages that may run.
    """
    names = os.environ.get(HOSTS, "")
    return [
        Middleware(HeaderLimit),
        Middleware(PlainAddresses),
        Middleware(ProxyHeadersMiddleware, trusted_hosts=trusted_proxies()),
        Middleware(AllowedHosts, hosts=[host_name(address) or "", *names.split(",")]),
        Middleware(SecurityHeadersMiddleware, scripts=scripts),
        Middleware(CrossOriginProtection, origins=[address]),
        Middleware(NoStreamlitUploads),
    ]


class NoStreamlitUploads:
    """Answers Streamlit's upload route with 404, because this app has its own routes for files.

    Streamlit keeps each file in memory until the session of its sender ends, and everyone who opens
    a page has a session.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or pass it on."""
        app = self._app
        if scope["type"] == "http" and scope["path"].startswith("/_stcore/upload_file"):
            app = PlainTextResponse("files go to routes of this app", 404)
        await app(scope, receive, send)


class RequestLogMiddleware:
    """Logs every request of a route with its table and outcome, and counts actions."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap the endpoint of a route."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
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
                    log()  # a stream of events does not end
            elif answer["is_json"]:
                answer["body"] += message.get("body", b"")
                if not message.get("more_body"):
                    log()
            await send(message)

        with log_context(request=request_id, table=code if _CODE.fullmatch(code) else ""):
            await self._app(scope, receive, send_and_log)
