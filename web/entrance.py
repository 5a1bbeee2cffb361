"""The entrance: routes that give a phone its pass.

    GET    /join/CODE/LINK    shows the scorers' link: the phone keeps it and goes to the table
    POST   /door/organiser    shows the organiser's passphrase, the body of the request
    DELETE /door/organiser    the phone is no longer the organiser's

A link stands in an address only here, and is gone from it at once.
"""

import re
from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import urlencode

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from scoring.errors import ScoringError
from store import Store
from table.roles import Pass, Role, WrongLinkError
from web.guard import Guard, TooManyTriesError
from web.passes import (
    LINKS,
    ORGANISER,
    ORGANISER_LASTS_S,
    SEEN,
    TABLES_LAST_S,
    WrongPassphraseError,
    with_link,
    with_seen,
)

MOST_PASSPHRASE = 1000
"""Bytes of a request that shows a passphrase."""

_SCREEN = re.compile(r"[a-z]{0,20}")
_TOLD = {"me": re.compile(r"\d{1,2}"), "lang": re.compile(r"[a-z]{2}")}


class Entrance:
    """The routes that give passes."""

    def __init__(self, store: Callable[[], Store], guard: Guard) -> None:
        self._store, self._guard = store, guard

    def routes(self) -> list[Route]:
        """Gives the routes."""
        return [
            Route("/join/{code}/{link}", self.join, methods=["GET"]),
            Route("/door/organiser", self.admit, methods=["POST"]),
            Route("/door/organiser", self.leave, methods=["DELETE"]),
        ]

    async def join(self, request: Request) -> Response:
        """Keeps a scorers' link on the phone, if it holds, and goes on to the table."""
        code, link = request.path_params["code"].upper(), request.path_params["link"]
        told = {"table": code} | {
            name: value
            for name, value in request.query_params.items()
            if name in _TOLD and _TOLD[name].fullmatch(value)
        }
        screen = request.query_params.get("screen", "")
        trouble: str | None = None
        try:
            with self._guard.trying(address_of(request)):
                await to_thread.run_sync(self._check_link, code, link)
        except ScoringError as error:
            trouble, screen = type(error).__name__, ""
            told["refused"] = trouble
        path = screen if _SCREEN.fullmatch(screen) else ""
        answer = RedirectResponse(f"/{path}?{urlencode(told)}", HTTPStatus.SEE_OTHER)
        answer.headers["cache-control"] = "no-store"
        if trouble is None:
            links = with_link(request.cookies.get(LINKS, ""), code, link=link)
            _keep(answer, request, name=LINKS, text=links, lasts_s=TABLES_LAST_S)
        return answer

    def _check_link(self, code: str, link: str) -> None:
        """Raises WrongLinkError unless a link holds."""
        table = self._store().find_table(code)
        if Pass({table.code: link}).role_at(table) is Role.VIEWER:
            raise WrongLinkError(table.code)

    async def admit(self, request: Request) -> Response:
        """Lets the organiser in."""
        try:
            with self._guard.trying(address_of(request)):
                typed = await _passphrase(request)
                cookie = await to_thread.run_sync(self._guard.organiser.admit, typed)
        except TooManyTriesError as error:
            told = {"is": "refused", "error": "TooManyTriesError", "minutes": error.minutes}
            return JSONResponse(told, HTTPStatus.TOO_MANY_REQUESTS)
        except WrongPassphraseError:
            told = {"is": "refused", "error": "WrongPassphraseError"}
            return JSONResponse(told, HTTPStatus.FORBIDDEN)
        answer = JSONResponse({"is": "done"})
        _keep(answer, request, name=ORGANISER, text=cookie, lasts_s=ORGANISER_LASTS_S)
        return answer

    async def leave(self, _request: Request) -> Response:
        """Lets the organiser go."""
        answer = JSONResponse({"is": "done"})
        answer.delete_cookie(ORGANISER, httponly=True, samesite="lax")
        return answer


async def _passphrase(request: Request) -> str:
    """The passphrase that a request shows; one that cannot be read is a wrong one."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_PASSPHRASE:
            raise WrongPassphraseError
    return body.decode("utf-8", "replace")


def address_of(request: Request) -> str:
    """Gives the network address of whoever asks."""
    return request.client.host if request.client else ""


def note_seen(answer: Response, request: Request, *, code: str) -> None:
    """Notes on the phone that it was at a table."""
    before = request.cookies.get(SEEN, "")
    after = with_seen(before, code)
    if after != before:
        _keep(answer, request, name=SEEN, text=after, lasts_s=TABLES_LAST_S)


def _keep(answer: Response, request: Request, *, name: str, text: str, lasts_s: int) -> None:
    """Sets a cookie that no script reads and no other site sends."""
    answer.set_cookie(
        name,
        text,
        max_age=lasts_s,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
