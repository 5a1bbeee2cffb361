"""The shield: headers that tell browsers what a page of ours may do, and no writes from others.

An ASGI middleware around everything that the server answers, Streamlit's own pages too.
"""

import base64
import hashlib
import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(self), microphone=(), geolocation=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""Headers of every answer, the policy of `content_policy` aside."""

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""

_HOST = re.compile(r"[A-Za-z0-9.\-_]+(:\d+)?|\[[0-9a-fA-F:.]+\](:\d+)?")


def hash_source(script: str) -> str:
    """Gives how a content security policy names an inline script.

    >>> hash_source("")
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def content_policy(host: str, *, scripts: Sequence[str] = ()) -> str:
    """Gives the content security policy of a page.

    Everything comes from this server alone. Streamlit draws charts and components with code that it
    puts together in the browser, which wants 'unsafe-eval' and blob:; styles stand in the page.

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


def is_own(headers: Headers, *, addresses: Sequence[str] = ()) -> bool:
    """Says whether a request that writes comes from a page of ours.

    Browsers say where a request comes from; programs, which hold no cookies of anybody, do not.

    Args:
        headers: Those of the request.
        addresses: Further addresses of this server, where a proxy calls it by another name.

    >>> is_own(Headers({"host": "a:1", "origin": "http://a:1"}))
    True
    >>> is_own(Headers({"host": "a:1", "origin": "http://evil.example"}))
    False
    """
    if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        return False
    origin = headers.get("origin")
    hosts = {headers.get("host", ""), *(urlsplit(address).netloc for address in addresses)}
    return origin is None or urlsplit(origin).netloc in hosts - {""}


class Shield:
    """The middleware."""

    def __init__(
        self, app: ASGIApp, *, scripts: Sequence[str] = (), addresses: Sequence[str] = ()
    ) -> None:
        """Stands before an application.

        Args:
            app: What it stands before.
            scripts: Inline scripts of its pages that may run.
            addresses: Further addresses of this server.
        """
        self._app, self._scripts, self._addresses = app, scripts, addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        policy = content_policy(headers.get("host", ""), scripts=self._scripts)

        async def send_shielded(message: Message) -> None:
            if message["type"] == "http.response.start":
                answered = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answered.setdefault(name, value)
                answered["content-security-policy"] = policy
            await send(message)

        own = scope["method"] in SAFE or is_own(headers, addresses=self._addresses)
        answer = self._app if own else JSONResponse({"is": "refused"}, status_code=403)
        await answer(scope, receive, send_shielded)
