"""The routes of the door: what people send comes in here, and changes go out.

    POST /door/{code}                what somebody did: a delivery as JSON; scorers only
    PUT  /door/{code}/photos/{key}   a photo as a file; scorers only
    GET  /door/{code}/changes        the table's revision, now and with every change
    GET  /door/outbox.js             the script that keeps on a phone what is not taken in yet

Every answer is JSON. A delivery is answered with {"is": "done", "revision": N}; with "known" in
place of "done" where it had come before; or with {"is": "refused", "error": NAME, ...} and the data
of the error, which the phone says in words. Only what is answered in one of these ways leaves the
phone.
"""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

from anyio import to_thread
from sse_starlette import EventSourceResponse
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from door.changes import Changes
from door.deliveries import (
    Delivery,
    DeliveryError,
    check_hand,
    deliver,
    read_delivery,
    sitting_of,
)
from door.entrance import Entrance, address_of, note_seen
from door.guard import Guard, TooManyTriesError
from door.health import Health
from door.readers import ReaderThread, refusal_of
from scoring.errors import ScoringError
from table import commands
from table.photos import GivesReader
from table.roles import NotAllowedError, Pass
from table.store import Store, StoreUnavailableError, TableNotFoundError, TableRow

MOST_JSON = 100_000
"""Bytes that a delivery may have."""

MOST_PHOTO = 60_000_000
"""Bytes that a photo may have; phones shrink larger ones before they send them."""


OUTBOX = Path(__file__).with_name("outbox.js")
"""The script that keeps on a phone what the server has not taken in yet."""


async def give_script(_request: Request) -> Response:
    """Gives the outbox script."""
    return FileResponse(OUTBOX, media_type="text/javascript", headers={"cache-control": "no-cache"})


class UploadTooLargeError(ScoringError):
    """A request with more bytes than are taken in."""

    def __init__(self, name: str, *, most: int) -> None:
        self.name = name
        self.most_mb = most // 1_000_000
        super().__init__(f"{name}: expected at most {most:,} bytes, got more: send a smaller one")


@dataclass(frozen=True)
class _Opened:
    """What works behind the routes while the door is open."""

    store: Store
    readers: ReaderThread
    changes: Changes


class Door:
    """The routes and what stands behind them, for one process."""

    def __init__(
        self, store: Callable[[], Store], reader: GivesReader, *, guard: Guard, health: Health
    ) -> None:
        self._store, self._reader = store, reader
        self._guard, self._health = guard, health
        self._opened: _Opened | None = None

    @asynccontextmanager
    async def open(self, _app: object) -> AsyncIterator[None]:
        """Reads photos and watches for changes as long as it is entered."""
        store = await to_thread.run_sync(self._store)
        opened = _Opened(store, ReaderThread(store, self._reader), Changes(store))
        opened.readers.start()
        self._opened = opened
        try:
            async with self._health.watching(store, readers=opened.readers, changes=opened.changes):
                yield
        finally:
            self._opened = None
            opened.readers.stop()
            await opened.changes.close()

    @property
    def _inside(self) -> _Opened:
        """What works behind the routes while the door is open."""
        if self._opened is None:
            raise RuntimeError("expected an open door, got one that is closed")
        return self._opened

    def routes(self) -> list[Route]:
        """The routes, to be mounted beside the pages."""
        return [
            *Entrance(self._store, self._guard).routes(),
            Route("/door/{code}", self.take_delivery, methods=["POST"]),
            Route("/door/{code}/photos/{key}", self.take_photo, methods=["PUT"]),
            Route("/door/{code}/changes", self.tell_changes, methods=["GET"]),
            Route("/door/outbox.js", give_script, methods=["GET"]),
        ]

    async def take_delivery(self, request: Request) -> Response:
        """Takes in one delivery."""
        try:
            code, held = await self._admit(request)
            body = await _body(request, most=MOST_JSON)
            delivery = read_delivery(_json(body))
            take = partial(deliver, self._inside.store, delivery, code=code, held=held)
            told = await to_thread.run_sync(take)
        except ScoringError as error:
            return _refused(error)
        return JSONResponse({"is": "done" if told.is_new else "known", "revision": told.revision})

    async def _find(self, request: Request) -> tuple[TableRow, Pass]:
        """The table of a request, and what the phone shows of itself."""
        held = self._guard.held(request.cookies)
        find = partial(self._guard.find, held=held, address=address_of(request))
        code = request.path_params["code"]
        return await to_thread.run_sync(find, self._inside.store, code), held

    async def _admit(self, request: Request) -> tuple[str, Pass]:
        """The code of the table of a request that writes, and what the phone shows of itself.

        Raises:
            NotAllowedError: The phone may only look; the body of the request is not read.
        """
        table, held = await self._find(request)
        if not (role := held.role_at(table)).may_write:
            raise NotAllowedError(table.code, role=role)
        return table.code, held

    async def take_photo(self, request: Request) -> Response:
        """Takes in one photo, to be read; the delivery it belongs to stands in the query."""
        query = request.query_params
        name = query.get("name", "photo")[:200]
        try:
            told: dict[str, Any] = {"key": request.path_params["key"], "do": "forget"}
            told["mending"] = query.get("mending") == "true"
            for field in ("match", "hand", "side", "me"):
                text = query.get(field, "")
                told[field] = int(text) if text.isdecimal() and len(text) < 10 else None
            delivery = read_delivery(told)
            code, held = await self._admit(request)
            data = await _body(request, most=MOST_PHOTO, name=name)
            keep = partial(self._keep_photo, code, delivery, held=held, name=name, data=data)
            revision = await to_thread.run_sync(keep)
        except NotAllowedError as error:
            await _pour_away(request)
            return _refused(error)
        except ScoringError as error:
            return _refused(error)
        self._inside.readers.tell()
        return JSONResponse({"is": "done", "revision": revision})

    def _keep_photo(
        self, code: str, delivery: Delivery, *, held: Pass, name: str, data: bytes
    ) -> int:
        """Puts a photo into the queue of the readers; gives the table's revision after it."""
        sitting = sitting_of(self._inside.store, delivery, code=code, held=held)
        check_hand(sitting, delivery)
        commands.keep_photo(self._inside.store, sitting, data=data, key=delivery.key, name=name)
        return self._inside.store.revision(sitting.table)

    async def tell_changes(self, request: Request) -> Response:
        """Tells the revision of a table, now and with every change, as server-sent events."""
        try:
            table, _ = await self._find(request)
        except ScoringError as error:
            return _refused(error)
        answer = EventSourceResponse(self._events(table.code), ping=20)
        note_seen(answer, request, code=table.code)
        return answer

    async def _events(self, code: str) -> AsyncIterator[dict[str, str]]:
        async for revision in self._inside.changes.of(code):
            yield {"data": str(revision)}


async def _body(request: Request, *, most: int, name: str = "delivery") -> bytes:
    """The body of a request, given up as soon as it is too long.

    Raises:
        UploadTooLargeError: It has more bytes.
        DeliveryError: The line broke before its end.
    """
    parts, size = [], 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > most:
                raise UploadTooLargeError(name, most=most)
            parts.append(part)
    except ClientDisconnect as error:
        raise DeliveryError("body", expected="all of it", came="a part") from error
    return b"".join(parts)


async def _pour_away(request: Request) -> None:
    """Lets a phone send its photo to the end and keeps nothing: else it would hear no answer."""
    size = 0
    with suppress(ClientDisconnect):
        async for part in request.stream():
            size += len(part)
            if size > MOST_PHOTO:
                return


def _json(body: bytes) -> Any:
    """The JSON value of a body."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise DeliveryError("body", expected="JSON", came=body[:60]) from error


def _refused(error: Exception) -> Response:
    """The answer to what is not taken in; where it may be later, the phone tries again."""
    status = HTTPStatus.CONFLICT
    if isinstance(error, StoreUnavailableError):
        status = HTTPStatus.SERVICE_UNAVAILABLE
    elif isinstance(error, TableNotFoundError):
        status = HTTPStatus.NOT_FOUND
    elif isinstance(error, NotAllowedError):
        status = HTTPStatus.FORBIDDEN
    elif isinstance(error, TooManyTriesError):
        status = HTTPStatus.TOO_MANY_REQUESTS
    elif isinstance(error, DeliveryError):
        status = HTTPStatus.BAD_REQUEST
    return JSONResponse({"is": "refused", **refusal_of(error)}, status_code=status)
