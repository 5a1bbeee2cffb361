"""The HTTP routes of phones: they send actions and photos, and receive changes.

    POST /door/{code}                an action as JSON (`table.actions`) at a table or an evening
    PUT  /door/{code}/photos/{key}   a photo as a file; scorers only
    PUT  /door/{code}/look           a photo of the table cards, read for the referee and not kept
    PUT  /door/matches               a match in a file, which gets a new table
    GET  /door/{code}/changes        snapshots of the table, now and with every change
    GET  /door/{code}/pictures/{n}   a photo of the table, as it was stored
    GET  /door/samples/{name}        a photo to try the app with

`auth` and `health` have the other routes. Every response is JSON. An action is answered with
{"is": "done", "revision": N}; with "known" instead of "done" if it was done before; or with
{"is": "refused", "error": NAME, ...} and the fields of the error, which the phone says in words. A
phone keeps an action until it gets one of these answers. The paths must stay as they are: the
outboxes of browsers contain them.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any

from anyio import CapacityLimiter, to_thread
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from scoring.errors import ScoringError
from store import (
    PhotoGoneError,
    Place,
    QueueFullError,
    Store,
    StoreError,
    Table,
    TableNotFoundError,
    UnknownPlaceError,
    piles,
    season,
    session_of,
    tables,
    uploads,
)
from store.errors import STORE_FAILURES, UnfitValueError
from table import actions
from table.access import (
    Credentials,
    NotAllowedError,
    Role,
    TableClosedError,
    authorize,
    known_tables,
)
from table.hand.photos import GivesReader
from table.names import clean_name
from table.requests import MAX_ID, RequestError, parse_place
from table.requests import Request as PhoneRequest
from table.season.exchange import MAX_FILE_BYTES, match_from_json
from vision.errors import VisionError
from web import health
from web.auth import Auth, WrongPassphraseError, address_of
from web.events import BEAT_SECONDS, EventHub, Presence
from web.health import Services
from web.intake import SMALL_BYTES, Intake, IntakeFullError, UploadTooLargeError, discard
from web.limits import Purpose, TooManyTriesError
from web.middleware import RequestLogMiddleware
from web.turns import Turns
from web.worker import Worker, check_workers, purge_regularly, refusal_of, worker_count

MAX_PHOTO_BYTES = 60_000_000
"""Maximum size of a photo. Phones shrink larger ones before they send them."""

MAX_LOOKS = 2
"""Maximum number of referee's photos of one table that wait or are being read."""

SESSIONS_SECONDS = 3.0
"""Seconds until a server knows that the organiser has logged out at another one."""

RETRY_SECONDS = 2
"""If the store did not answer a request: seconds until the phone may send it again."""

CACHE_FOREVER = "private, max-age=31536000, immutable"
"""Browsers may keep a photo forever, because its number never refers to another one."""


@dataclass(eq=False)
class UnknownSampleError(ScoringError):
    """The requested sample photo does not exist."""

    message = "{name}: expected one of the photos in samples/, found none: choose one"
    name: str


STATUS: Mapping[type[ScoringError], HTTPStatus] = {
    RequestError: HTTPStatus.BAD_REQUEST,
    NotAllowedError: HTTPStatus.FORBIDDEN,
    TableClosedError: HTTPStatus.FORBIDDEN,
    WrongPassphraseError: HTTPStatus.FORBIDDEN,
    TableNotFoundError: HTTPStatus.NOT_FOUND,
    UnknownSampleError: HTTPStatus.NOT_FOUND,
    UploadTooLargeError: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    actions.EndedError: HTTPStatus.GONE,
    TooManyTriesError: HTTPStatus.TOO_MANY_REQUESTS,
    UnfitValueError: HTTPStatus.BAD_REQUEST,
    **dict.fromkeys(
        (IntakeFullError, QueueFullError, *STORE_FAILURES), HTTPStatus.SERVICE_UNAVAILABLE
    ),
}
"""The status for each error; all others are 409. Phones send again after 429 and 5xx."""


def _refuse(_request: Request, error: Exception) -> Response:
    """Return the response to a request that raised an error of ours."""
    body, status = {"is": "refused", **refusal_of(error)}, status_of(error)
    is_later = status is HTTPStatus.SERVICE_UNAVAILABLE
    headers = {"retry-after": str(RETRY_SECONDS)} if is_later else None
    return JSONResponse(body, status_code=status, headers=headers)


def status_of(error: Exception) -> HTTPStatus:
    """Return the status of the response to an error of ours."""
    found = (status for kind, status in STATUS.items() if isinstance(error, kind))
    return next(found, HTTPStatus.CONFLICT)


EXCEPTION_HANDLERS: dict[Any, Any] = {ScoringError: _refuse}
"""The exception handlers of the application."""


class Api:
    """The routes and the services behind them, for one process."""

    def __init__(
        self,
        store: Callable[[], Store],
        reader: GivesReader,
        *,
        auth: Auth,
        samples: Path,
        has_networks: Callable[[], bool],
    ) -> None:
        self._store, self._reader, self._samples = store, reader, samples
        self._auth, self._has_networks = auth, has_networks
        self._services: Services | None = None
        self._looking, self._turns = CapacityLimiter(1), Turns()
        self._looks_of, self._intake = Turns(most=MAX_LOOKS), Intake()

    @asynccontextmanager
    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        """Run the services: read photos, delete old ones, publish changes."""
        store = await to_thread.run_sync(self._store)
        check_workers(store)
        await to_thread.run_sync(self._auth.organiser.read_ended, store)
        hub = EventHub(store)
        worker = Worker(store, self._reader, on_stage=hub.publish_stage, workers=worker_count())
        worker.start()
        self._services = Services(store, worker, hub)
        tasks = [
            asyncio.create_task(purge_regularly(store)),
            asyncio.create_task(self._read_ended_regularly(store)),
        ]
        try:
            yield
        finally:
            self._services = None
            for task in tasks:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            worker.stop()
            await hub.close()

    async def _read_ended_regularly(self, store: Store) -> None:
        """Read, until cancelled, which sessions of the organiser another server has ended."""
        while store.is_shared:
            await asyncio.sleep(SESSIONS_SECONDS)
            with suppress(StoreError):
                await to_thread.run_sync(self._auth.organiser.read_ended, store)

    @property
    def services(self) -> Services:
        """The services behind the routes."""
        if self._services is None:
            raise RuntimeError("expected a request while the application runs")
        return self._services

    def routes(self) -> list[Route]:
        """Return the routes, to be mounted next to the pages."""
        logged = [
            *self._auth.routes(self._store),
            Route("/door/matches", self.import_match, methods=["PUT"]),
            Route("/door/{code}/look", self.read_table, methods=["PUT"]),
            Route("/door/{code}", self.post_action, methods=["POST"]),
            Route("/door/{code}/photos/{key}", self.put_photo, methods=["PUT"]),
            Route("/door/{code}/changes", self.stream_changes, methods=["GET"]),
            Route("/door/samples/{name}", self.get_sample, methods=["GET"]),
            Route("/door/{code}/pictures/{number}", self.get_picture, methods=["GET"]),
        ]
        return [
            *(
                Route(route.path, route.endpoint, methods=sorted(route.methods or ()),
                      middleware=[Middleware(RequestLogMiddleware)])
                for route in logged
            ),
            *health.routes(lambda: self._services, self._has_networks),
        ]  # fmt: skip

    async def post_action(self, request: Request) -> Response:
        """Execute one action."""
        async with self._intake.receive(request, most=SMALL_BYTES) as body:
            asked = actions.parse_request(_parse_json(body))
            return _answer(await self._execute(request, asked))

    async def put_photo(self, request: Request) -> Response:
        """Queue one photo. The query has its hand and its pile."""
        query = request.query_params
        name = clean_name(query.get("name", ""))[:200] or "photo"
        place: dict[str, Any] = {"key": request.path_params["key"]}
        place["mending"] = query.get("mending") == "true"
        place |= {field: _number(query.get(field, "")) for field in ("match", "hand", "side", "me")}
        asked = parse_place(place, do="photo")
        try:
            table, role = await self._find_table(request)
            authorize(table.code, role)  # before the body is read
            await to_thread.run_sync(self._check_queue, table.code, asked.key)
        except (NotAllowedError, TableClosedError, QueueFullError):
            await discard(request, most=MAX_PHOTO_BYTES)
            raise
        async with self._intake.receive(
            request, most=MAX_PHOTO_BYTES, name=name, table=table.code
        ) as data:
            payload = {"data": data, "name": name}
            return _answer(await self._execute(request, replace(asked, payload=payload)))

    def _check_queue(self, code: str, key: str) -> None:
        """Raise QueueFullError if a new photo of this table cannot be queued now."""
        with self.services.store.reading() as session:
            place = tables.find_place(session, code)
            if isinstance(place, Table):
                uploads.check_room(place, key=key)

    async def read_table(self, request: Request) -> Response:
        """Read a photo of the table cards for the referee, one at a time, without storing it."""
        table, _ = await self._find_table(request)
        name = clean_name(request.query_params.get("name", ""))[:200] or "photo"
        receiving = self._intake.receive(request, most=MAX_PHOTO_BYTES, name=name, table=table.code)
        try:
            async with (
                receiving as data,
                self._looks_of.at(self.services.store, table.code),
                self._looking,
            ):
                seen = await to_thread.run_sync(_look, self._reader, data, name)
        except VisionError as error:
            answer = JSONResponse({"is": "refused", **refusal_of(error)}, HTTPStatus.CONFLICT)
        else:
            answer = JSONResponse({"is": "done", **seen})
        self._auth.remember_table(answer, request, code=table.code)
        return answer

    async def import_match(self, request: Request) -> Response:
        """Import the match of a file at a new table without a link: a phone may take it over."""
        self._auth.limiter.count_opening(address_of(request))
        async with self._intake.receive(request, most=MAX_FILE_BYTES, name="file") as file:
            match = await to_thread.run_sync(match_from_json, file)
        table = await to_thread.run_sync(season.import_match, self.services.store, match)
        answer = JSONResponse({"is": "done", "code": table.code if table else None})
        if table is not None:
            self._auth.remember_table(answer, request, code=table.code)
        return answer

    async def _execute(self, request: Request, asked: PhoneRequest) -> actions.Done:
        """Execute an action in a thread, with the credentials in the request's cookies."""
        store, limiter = self.services.store, self._auth.limiter
        code, credentials = request.path_params["code"], self._auth.credentials(request.cookies)
        execute = partial(actions.execute, store, code, asked, credentials=credentials)
        try:
            async with self._turns.at(store, code):
                done = await to_thread.run_sync(execute)
        except TableNotFoundError:
            limiter.check(Purpose.CODE, address_of(request), is_right=False)
            raise
        except NotAllowedError as error:
            if error.code not in credentials.seen:  # else it would reveal that there is a table
                limiter.check(Purpose.CODE, address_of(request), is_right=True)
            raise
        self.services.hub.wake()
        self.services.worker.wake()
        return done

    async def _find_table(self, request: Request) -> tuple[Place, Role]:
        credentials: Credentials = self._auth.credentials(request.cookies)
        find = partial(
            self._auth.find_table,
            self.services.store,
            request.path_params["code"],
            credentials=credentials,
            address=address_of(request),
        )
        table = await to_thread.run_sync(find)
        return table, credentials.role_at(table)

    async def stream_changes(self, request: Request) -> Response:
        """Stream snapshots of a table as server-sent events.

        Other tables that the browser knows share the stream, because browsers open at most six
        connections to a server. With `beats`, heartbeats are events, so that scripts see them. A
        scorer's stream ends when its link is renewed or its table closed; the phone reconnects.
        """
        table, role = await self._find_table(request)
        presence = _presence_of(request) if role.may_write else None
        credentials = self._auth.credentials(request.cookies)
        also = set(request.query_params.getlist("also"))
        if also:
            also &= {*await to_thread.run_sync(known_tables, self.services.store, credentials)}

        def may_stay(place: Place) -> bool:
            return not role.may_write or credentials.role_at(place).may_write

        snapshots = self.services.hub.subscribe(table.code, presence, also=also, may_stay=may_stay)
        events = ({"data": json.dumps(snapshot)} async for snapshot in snapshots)
        beat = _beat if "beats" in request.query_params else None
        answer = EventSourceResponse(events, ping=BEAT_SECONDS, ping_message_factory=beat)
        self._auth.remember_table(answer, request, code=table.code)
        return answer

    async def get_picture(self, request: Request) -> Response:
        """Return a photo to the people of its table."""
        table, _ = await self._find_table(request)

        def find() -> bytes:
            number = _number(request.path_params["number"])
            number = MAX_ID if number is None else number  # no photo has this one
            with self.services.store.read(table.code) as found:
                return piles.photo(session_of(found), number, table=found)

        try:
            jpeg = await to_thread.run_sync(find)
        except (UnknownPlaceError, PhotoGoneError) as error:
            answer = {"is": "refused", **refusal_of(error)}
            return JSONResponse(answer, status_code=HTTPStatus.NOT_FOUND)
        return Response(jpeg, media_type="image/jpeg", headers={"cache-control": CACHE_FOREVER})

    async def get_sample(self, request: Request) -> Response:
        """Return a photo that is part of the app."""
        name = request.path_params["name"]
        path = next((one for one in self._samples.glob("*.jpg") if one.name == name), None)
        if path is None:
            raise UnknownSampleError(name)
        return FileResponse(path, media_type="image/jpeg")


def _look(gives: GivesReader, data: bytes, name: str) -> dict[str, Any]:
    """Read a photo for the referee; return its cards, and what the doubtful ones may be."""
    reader = gives()
    [reading] = reader.read_together([reader.open_photo(data, name)], [0])
    return {
        "photo": sha256(data).hexdigest(),
        "codes": sorted(reading.codes),
        "doubts": {
            found.card: [*found.alternatives]
            for found in reading.doubts
            if found.card in reading.codes
        },
        "unread": len(reading.cards) - len(reading.codes),
    }


def _beat() -> ServerSentEvent:
    return ServerSentEvent("", event="beat")


def _answer(done: actions.Done) -> Response:
    return JSONResponse({"is": "done" if done.is_new else "known", "revision": done.revision})


def _presence_of(request: Request) -> Presence | None:
    """Return the pile that a phone says it is at, or None."""
    query = request.query_params
    pile, me = (_number(query.get(name, "")) for name in ("pile", "me"))
    return None if pile is None else Presence(phone=query.get("phone", "")[:20], me=me, pile=pile)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def _parse_json(body: bytes) -> Any:
    """Parse JSON that a database can store: no halves of surrogate pairs, no NUL characters."""
    try:
        data = json.loads(body)
        text = json.dumps(data, ensure_ascii=False).encode()
        if b"\\u0000" in text:
            raise ValueError
    except (ValueError, RecursionError) as error:
        raise RequestError("body", expected="JSON", came=body[:60]) from error
    return data
