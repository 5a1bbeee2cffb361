"""The routes of the door: what people send comes in here, and changes go out.

    POST /door/{code}                what somebody did: a delivery as JSON; scorers only
    PUT  /door/{code}/photos/{key}   a photo as a file; scorers only
    GET  /door/{code}/changes        how the table stands, now and with every change
    GET  /door/{code}/pictures/{n}   a photo of the table, as it was kept
    GET  /door/samples/{name}        a photo to try the app with

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

from scoring.errors import ScoringError
from store import (
    PhotoGoneError,
    Store,
    StoreUnavailableError,
    Table,
    TableNotFoundError,
    UnknownPlaceError,
)
from table import commands
from table.photos import GivesReader
from table.roles import NotAllowedError, Pass, TableClosedError, check_writes
from web.changes import Changes, Presence
from web.deeds import Delivery, DeliveryError
from web.deliveries import check_hand, check_match, deliver, read_delivery, sitting_of
from web.entrance import Entrance, address_of, note_seen
from web.guard import Guard, TooManyTriesError
from web.health import Health
from web.readers import Readers, check_read_here, read_here, refusal_of

MOST_JSON = 100_000
"""Bytes that a delivery may have."""

MOST_PHOTO = 60_000_000
"""Bytes that a photo may have; phones shrink larger ones before they send them."""

FOR_GOOD = "private, max-age=31536000, immutable"
"""How long a browser may keep a photo: a number never names another one."""


class UploadTooLargeError(ScoringError):
    """A request with more bytes than are taken in."""

    def __init__(self, name: str, *, most: int) -> None:
        self.name = name
        self.most_mb = most // 1_000_000
        super().__init__(f"{name}: expected at most {most:,} bytes, got more: send a smaller one")


class UnknownSampleError(ScoringError):
    """A sample photo was asked for that is not there."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"{name}: expected one of the photos in samples/, found none: choose one")


@dataclass(frozen=True)
class _Opened:
    """What works behind the routes while the door is open."""

    store: Store
    readers: Readers
    changes: Changes


class Door:
    """The routes and what stands behind them, for one process."""

    def __init__(
        self,
        store: Callable[[], Store],
        reader: GivesReader,
        *,
        guard: Guard,
        health: Health,
        samples: Path,
    ) -> None:
        self._store, self._reader, self._samples = store, reader, samples
        self._guard, self._health = guard, health
        self._opened: _Opened | None = None

    @asynccontextmanager
    async def open(self, _app: object) -> AsyncIterator[None]:
        """Reads photos and watches for changes as long as it is entered."""
        store = await to_thread.run_sync(self._store)
        changes = Changes(store)
        check_read_here(store)
        readers = Readers(store, self._reader, tell=changes.tell_stage, at_once=read_here())
        opened = _Opened(store, readers, changes)
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
            Route("/door/samples/{name}", self.give_sample, methods=["GET"]),
            Route("/door/{code}/pictures/{number:int}", self.give_picture, methods=["GET"]),
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
        self._inside.changes.hurry()
        self._inside.readers.tell()
        return JSONResponse({"is": "done" if told.is_new else "known", "revision": told.revision})

    async def _find(self, request: Request) -> tuple[Table, Pass]:
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
        check_writes(table.code, role=held.role_at(table))
        return table.code, held

    async def take_photo(self, request: Request) -> Response:
        """Takes in one photo, to be read; the delivery it belongs to stands in the query."""
        query = request.query_params
        name = query.get("name", "")[:200] or "photo"
        try:
            told: dict[str, Any] = {"key": request.path_params["key"], "do": "forget"}
            told["mending"] = query.get("mending") == "true"
            for field in ("match", "hand", "side", "me"):
                told[field] = _number(query.get(field, ""))
            delivery = read_delivery(told)
            code, held = await self._admit(request)
            data = await _body(request, most=MOST_PHOTO, name=name)
            keep = partial(self._keep_photo, code, delivery, held=held, name=name, data=data)
            revision = await to_thread.run_sync(keep)
        except (NotAllowedError, TableClosedError) as error:
            await _pour_away(request)
            return _refused(error)
        except ScoringError as error:
            return _refused(error)
        self._inside.changes.hurry()
        self._inside.readers.tell()
        return JSONResponse({"is": "done", "revision": revision})

    def _keep_photo(
        self, code: str, delivery: Delivery, *, held: Pass, name: str, data: bytes
    ) -> int:
        """Puts a photo into the queue of the readers; gives the table's revision after it."""
        sitting = sitting_of(self._inside.store, delivery, code=code, held=held)
        check_match(sitting, delivery)
        check_hand(sitting, delivery)
        commands.keep_photo(self._inside.store, sitting, data=data, key=delivery.key, name=name)
        return self._inside.store.revision(sitting.table)

    async def tell_changes(self, request: Request) -> Response:
        """Tells how a table stands, now and with every change, as server-sent events."""
        try:
            table, held = await self._find(request)
        except ScoringError as error:
            return _refused(error)
        presence = _presence_of(request) if held.role_at(table).may_write else None
        answer = EventSourceResponse(self._events(table.code, presence), ping=20)
        note_seen(answer, request, code=table.code)
        return answer

    async def _events(self, code: str, presence: Presence | None) -> AsyncIterator[dict[str, str]]:
        async for said in self._inside.changes.of(code, presence):
            yield {"data": json.dumps(said)}

    async def give_picture(self, request: Request) -> Response:
        """Gives a photo to the people of its table."""
        try:
            table, _ = await self._find(request)
            number = request.path_params["number"]
            find = partial(self._inside.store.photo, number, table=table)
            jpeg = await to_thread.run_sync(find)
        except (UnknownPlaceError, PhotoGoneError) as error:
            return _refused(error, status=HTTPStatus.NOT_FOUND)
        except ScoringError as error:
            return _refused(error)
        return Response(jpeg, media_type="image/jpeg", headers={"cache-control": FOR_GOOD})

    async def give_sample(self, request: Request) -> Response:
        """Gives a photo that came with the app."""
        asked = request.path_params["name"]
        found = next((one for one in self._samples.glob("*.jpg") if one.name == asked), None)
        if found is None:
            error = UnknownSampleError(asked)
            return _refused(error, status=HTTPStatus.NOT_FOUND)
        return FileResponse(found, media_type="image/jpeg")


def _presence_of(request: Request) -> Presence | None:
    """Where a phone says that it is; None where it is at no pile."""
    query = request.query_params
    pile, me = (_number(query.get(name, "")) for name in ("pile", "me"))
    return None if pile is None else Presence(phone=query.get("phone", "")[:20], me=me, pile=pile)


def _number(text: str) -> int | None:
    """A number of a query; None where it is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


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


def _refused(error: Exception, *, status: HTTPStatus = HTTPStatus.CONFLICT) -> Response:
    """The answer to what is not taken in; where it may be later, the phone tries again."""
    if isinstance(error, StoreUnavailableError):
        status = HTTPStatus.SERVICE_UNAVAILABLE
    elif isinstance(error, TableNotFoundError):
        status = HTTPStatus.NOT_FOUND
    elif isinstance(error, NotAllowedError | TableClosedError):
        status = HTTPStatus.FORBIDDEN
    elif isinstance(error, TooManyTriesError):
        status = HTTPStatus.TOO_MANY_REQUESTS
    elif isinstance(error, DeliveryError):
        status = HTTPStatus.BAD_REQUEST
    return JSONResponse({"is": "refused", **refusal_of(error)}, status_code=status)
