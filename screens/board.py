"""The board: a plain page of a table or an evening, without a Streamlit session.

    GET /board/{code}             the page, for everyone who knows the code. With `me=nobody`
                                  the device remembers that it is the board; with `refused` the
                                  page says that a scorers' link is not valid
    GET /board/{code}/fragment    the content of its `main`, fetched again with every change
    GET /board?table={code}       its address until version 0.3; redirects
    GET /tonight?table={code}     the same for an evening's board

`static/board.js` receives the events of `web.routes` and fetches the fragment.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from anyio import to_thread
from markupsafe import Markup
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from scoring.errors import ScoringError
from scoring.locale import LANGUAGES
from screens import look, navigation, render, state
from screens.parts import board, evening
from screens.words import SENTENCES, error_text, t
from store import Place, Table, TableNotFoundError
from table.access import Credentials
from table.evening.view import load_evening
from table.view import load_view
from web.auth import address_of
from web.middleware import RequestLogMiddleware
from web.routes import status_of

HOLDER_MAX_AGE_S = 30 * 86_400
"""Seconds for which a device remembers that it is the board, as in `messenger.js`."""

HEADERS = {"cache-control": "private, no-cache", "vary": "cookie, accept-language"}

_CODE = re.compile(r"[\w \-]{1,20}", re.ASCII)
"""Text that can be a code, as a user types it."""


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A board and what this device may see of it."""

    code: str
    title: str
    html: Markup
    """The content of the page's `main`."""
    screens: Mapping[str, str]
    """The screens that the menu offers, with the keys of their labels."""
    is_watching: bool
    """Whether the menu says that this device cannot write."""


def routes() -> list[Route]:
    """Return the routes of boards; they come before those of the screens."""
    logged = [Middleware(RequestLogMiddleware)]
    return [
        Route("/board", _redirect, methods=["GET"]),
        Route("/tonight", _redirect, methods=["GET"]),
        Route("/board/{code}", _get(_page), methods=["GET"], middleware=logged),
        Route("/board/{code}/fragment", _get(_fragment), methods=["GET"]),
    ]


async def _redirect(request: Request) -> Response:
    """Redirect an address of an earlier release to the board, with its language."""
    code = request.query_params.get(state.TABLE, "").strip().upper()
    language = _chosen_language(request)
    if not code:
        query = f"?{urlencode({state.LANGUAGE: language})}" if language else ""
        return RedirectResponse(f"/{query}", HTTPStatus.FOUND)
    return RedirectResponse(navigation.board_path(code, language=language), HTTPStatus.FOUND)


def _get(answer: Callable[[Request, Shown], Response]) -> Callable[[Request], Any]:
    """Make an endpoint that answers with a board, or with a page that says why there is none."""

    def respond(request: Request) -> Response:
        chosen = _chosen_language(request)
        accepted = state.accepted_languages(request.headers.get("accept-language", ""))
        plain = partial(
            state.PlainPage,
            language=chosen or state.best_language(accepted),
            url=str(request.url),
        )
        try:
            with state.store().reading():  # one snapshot
                place, credentials = _find_place(request)
                with state.plain_page(plain(card_style=place.drawing)):
                    return answer(request, _shown(place, credentials))
        except ScoringError as error:
            with state.plain_page(plain()):
                values = _page_values(request, title=t("board"), message=error_text(error))
                html = render.template("board_page.html", **values)
            return HTMLResponse(html, status_of(error), headers=HEADERS)

    async def endpoint(request: Request) -> Response:
        return await to_thread.run_sync(respond, request)

    return endpoint


def _find_place(request: Request) -> tuple[Place, Credentials]:
    """Return the table or evening that the address names. The rate limiter counts wrong codes.

    Raises:
        TableNotFoundError: There is none.
        TooManyTriesError: The network address gave too many wrong codes.
        StoreError: The store does not answer.
    """
    code, auth = request.path_params["code"], state.auth()
    credentials = auth.credentials(request.cookies)
    find = partial(auth.find_table, state.store(), credentials=credentials)
    if not _CODE.fullmatch(code):
        code = ""
    try:
        return find(code, address=address_of(request)), credentials
    except TableNotFoundError:
        raise TableNotFoundError(code or "…") from None


def _shown(place: Place, credentials: Credentials) -> Shown:
    if isinstance(place, Table):
        return _table(place, credentials)
    tonight = load_evening(state.store(), place.code, credentials=credentials)
    return Shown(
        code=place.code,
        title=tonight.evening.plan.name,
        html=evening.board(tonight),
        screens={"evening": "page_evening", "season": "season", "rules": "page_rules"},
        is_watching=False,
    )


def _table(table: Table, credentials: Credentials) -> Shown:
    view = load_view(state.store(), table.code, credentials=credentials)
    may_write = view.role.may_write
    seen = {"history": "history", "season": "season", "referee": "referee", "rules": "page_rules"}
    playing = {"play": "page_play"} if may_write else {}
    writing = {"match": "page_match", "invite": "invite"} if may_write else {}
    return Shown(
        code=table.code,
        title=" · ".join(view.names),
        html=board.board(view),
        screens=playing | seen | writing,
        is_watching=not (may_write or table.is_closed),
    )


def _page(request: Request, shown: Shown) -> Response:
    code = shown.code
    values = _page_values(request, title=shown.title, message="")
    html = render.template(
        "board_page.html",
        **values,
        board=shown.html,
        code=code,
        ways=_ways(shown, chosen=_chosen_language(request)),
        languages=[
            (SENTENCES.say("language_name", one), navigation.board_path(code, language=one))
            for one in LANGUAGES
            if one != state.language()
        ],
        is_watching=shown.is_watching,
        note=t("link_refused") if state.REFUSED in request.query_params else "",
        silent=t("silent_since", time="{time}"),
        sleeps={kind: t(f"sleeps_{kind}") for kind in ("apple", "android", "other")},
    )
    answer = HTMLResponse(html, headers=HEADERS)
    state.auth().remember_table(answer, request, code=code)
    if request.query_params.get(state.ME) == state.NOBODY_HERE:
        answer.set_cookie(
            state.HOLDER + code, state.NOBODY_HERE, max_age=HOLDER_MAX_AGE_S, samesite="lax"
        )
    return answer


def _fragment(_request: Request, shown: Shown) -> Response:
    return HTMLResponse(shown.html, headers=HEADERS)


def _page_values(request: Request, *, title: str, message: str) -> Mapping[str, Any]:
    """Return the values of every page around a board, also one that says why there is none."""
    theme = request.cookies.get(state.THEME)
    return {
        "title": f"{title} · {t('title')}",
        "message": message,
        "language": state.language(),
        "theme": theme if theme in state.THEMES else None,
        "theme_cookie": state.THEME,
        "themes": [(name, t(f"theme_{name}")) for name in state.THEMES],
        "address": look.address,
        "papers": {name: look.theme_colours(name)["paper"] for name in state.THEMES},
        "home": navigation.path(navigation.HOME, _language_query(request)),
    }


def _ways(shown: Shown, *, chosen: str | None) -> list[tuple[str, str]]:
    """Return the links of the menu: address and label."""
    query = {state.TABLE: shown.code} | ({state.LANGUAGE: chosen} if chosen else {})
    return [(navigation.path(screen, query), t(key)) for screen, key in shown.screens.items()]


def _chosen_language(request: Request) -> str | None:
    chosen = request.query_params.get(state.LANGUAGE, "")
    return chosen if chosen in LANGUAGES else None


def _language_query(request: Request) -> dict[str, str]:
    chosen = _chosen_language(request)
    return {state.LANGUAGE: chosen} if chosen else {}
