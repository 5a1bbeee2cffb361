"""How much Streamlit's own upload route may hold.

It keeps every file in memory as long as the session of its sender lasts, whether or not a page
asked for one, and whoever opens a page has a session. Photos of piles come by our own route.
"""

from collections import Counter
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config, runtime

ROUTE = "/_stcore/upload_file/"
"""Where Streamlit's file widgets send files: the session and a name of the file follow."""

SESSION_BYTES = 200_000_000
"""Bytes that one session may hold: a dozen photos."""

ALL_BYTES = 800_000_000
"""Bytes that all sessions together may hold."""


class UploadLimit:
    """Refuses files where their session, or all sessions, hold too much already."""

    def __init__(self, app: ASGIApp) -> None:
        """Wraps an application."""
        self._app = app
        self._coming: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request, or passes it on."""
        is_upload = scope["type"] == "http" and scope["path"].startswith(ROUTE)
        if not is_upload or scope["method"] != "PUT":
            await self._app(scope, receive, send)
            return
        session = scope["path"].removeprefix(ROUTE).partition("/")[0]
        if not self._has_room(session):
            answer = PlainTextResponse("too many files", HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            await answer(scope, receive, send)
            return
        self._coming[session] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._coming -= Counter([session])

    def _has_room(self, session: str) -> bool:
        """Whether another file fits, however large it and those that are coming turn out to be."""
        most: int = config.get_option("server.maxUploadSize") * 2**20
        manager: Any = runtime.get_instance().uploaded_file_mgr
        files: Mapping[str, Mapping[str, Any]] = dict(manager.file_storage)
        held = {key: sum(len(one.data) for one in [*kept.values()]) for key, kept in files.items()}
        own = held.get(session, 0) + (self._coming[session] + 1) * most
        everybody = sum(held.values()) + (self._coming.total() + 1) * most
        return own <= SESSION_BYTES and everybody <= ALL_BYTES
