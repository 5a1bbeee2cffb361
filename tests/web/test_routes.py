"""Every route with every role, the responses to phones, and the headers for browsers."""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from typing import Any

import pytest
from acting import SAMPLES, serving
from playing import command, find_table, hand_entry, open_again, query, read, revision_of, write
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from scoring.cards import DECK
from scoring.hand import Side
from scoring.record import HandRecord
from scoring.rules import Rules
from store import (
    Store,
    StoreUnavailableError,
    StoreUnwritableError,
    Table,
    log,
    piles,
    season,
    tables,
    uploads,
)
from table.access import hash_link, new_link
from table.season.exchange import MAX_FILE_BYTES, to_json
from vision.photo import Photo, open_photo
from vision.reading import CardReading, Reading, Status
from web.auth import LINKS_COOKIE, ORGANISER_COOKIE, TABLES_COOKIE, Auth, Organiser
from web.health import FORWARDED
from web.intake import SMALL_BYTES
from web.middleware import HEADERS, content_policy, middleware
from web.routes import Api

PASSPHRASE = "sette bello di denari"
LINK = new_link()
ROLES = ("stranger", "viewer", "scorer of another table", "scorer", "organiser")

TAP = {"match": 1, "hand": 1, "side": 0, "do": "scopa", "delta": 1}
PHOTO = "name=a.jpg&match=1&hand=1&side=0"


@pytest.fixture
def table(store: Store) -> Table:
    return command(store, tables.open_table, ("Anna", "Bruno"), Rules(), link_hash=hash_link(LINK))


@pytest.fixture
def auth() -> Auth:
    return Auth(Organiser(PASSPHRASE))


@pytest.fixture
def phone(store: Store, auth: Auth) -> Iterator[TestClient]:
    with serving(store, auth=auth, reader=Looks) as client:
        yield client


class Looks:
    """A reader that finds the same cards on every photo."""

    open_photo = staticmethod(open_photo)

    def read_together(self, photos: Sequence[Photo], piles: Sequence[int]) -> list[Reading]:
        assert len(photos) == len(piles) == 1
        cards = (
            CardReading("7d", Status.SURE, 0.9, ()),
            CardReading("6s", Status.DOUBTFUL, 0.6, (), {"5s": 0.3}),
            CardReading("x", Status.DOUBTFUL, 0.1, (), {"5s": 0.3}),
        )
        return [Reading(photos[0].name, photos[0].size_wh, cards, ())]


def become(phone: TestClient, role: str, *, table: Table, auth: Auth) -> None:
    """Set the cookies of a role on a phone."""
    cookies = {
        "stranger": {},
        "viewer": {TABLES_COOKIE: auth.with_table("", table.code)},
        "scorer of another table": {LINKS_COOKIE: f"ZZZZ.{LINK}"},
        "scorer": {LINKS_COOKIE: f"{table.code}.{LINK}"},
        "organiser": {ORGANISER_COOKIE: auth.organiser.log_in(PASSPHRASE)},
    }[role]
    phone.cookies.clear()
    for name, value in cookies.items():
        phone.cookies.set(name, value)


WALK = {
    # method and path: the status for each of ROLES
    "GET /door/samples/{name}": (200, 200, 200, 200, 200),
    "GET /door/{code}/pictures/{number}": (404, 404, 404, 404, 404),
    "GET /join/{code}/{link}": (303, 303, 303, 303, 303),
    "POST /door/organiser": (403, 403, 403, 403, 403),
    "DELETE /door/organiser": (200, 200, 200, 200, 200),
    "POST /door/{code}": (403, 403, 403, 200, 200),
    "PUT /door/{code}/photos/{key}": (403, 403, 403, 200, 200),
    "PUT /door/{code}/look": (409, 409, 409, 409, 409),
    "PUT /door/matches": (409, 409, 409, 409, 409),
    "GET /health": (200, 200, 200, 200, 200),
    "GET /metrics": (404, 404, 404, 404, 404),
}
"""Every route whose response ends. `test_server` reads the stream of /changes."""


def test_the_walk_knows_every_route(store: Store, auth: Auth) -> None:
    api = Api(lambda: store, lambda: None, auth=auth, samples=SAMPLES, has_networks=lambda: True)  # type: ignore[arg-type,return-value]
    routes: list[Route] = api.routes()
    ways = {f"{method} {one.path}" for one in routes for method in (one.methods or set())}
    assert {way for way in ways if not way.startswith("HEAD ")} == {
        *WALK,
        "GET /door/{code}/changes",
    }


@pytest.mark.parametrize("way", WALK)
def test_every_route_with_every_role(
    way: str, phone: TestClient, table: Table, auth: Auth, store: Store
) -> None:
    method, path = way.split(" ")
    for number, role in enumerate(ROLES):
        become(phone, role, table=table, auth=auth)
        body = json.dumps({"key": f"k{number}", **TAP}) if method == "POST" else "wrong"
        filled = path.format(
            code=table.code,
            link="wrong",
            key=f"k{number}",
            number=1,
            name="anna-1.jpg",
            rest="a/b",
        )
        before = revision_of(store, table)
        answer = phone.request(method, f"{filled}?{PHOTO}", content=body)
        assert answer.status_code == WALK[way][number], role
        writes = "{code}" in way and method != "GET"
        assert (revision_of(store, table) > before) is (writes and answer.status_code == 200), role


def test_a_link_makes_a_scorer_and_leads_to_the_screen(phone: TestClient, table: Table) -> None:
    answer = phone.get(f"/join/{table.code.lower()}/{LINK}?screen=play&me=1&lang=it&table=EVIL")
    assert answer.headers["location"] == f"/play?table={table.code}&me=1&lang=it"
    assert answer.headers["cache-control"] == "no-store"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "secure" not in cookie
    assert phone.post(f"/door/{table.code}", json={"key": "k", **TAP}).json()["is"] == "done"


def test_over_https_no_cookie_goes_out_in_the_clear(store: Store, table: Table) -> None:
    with serving(store, base_url="https://scopa.example") as phone:
        answer = phone.get(f"/join/{table.code}/{LINK}")
    assert "secure" in answer.headers["set-cookie"].lower()


@pytest.mark.parametrize(
    "link", ["", "short", LINK[:-1], "x" * 22], ids=["empty", "short", "most of it", "another"]
)
@pytest.mark.parametrize("stored", [LINK, "", "short", None], ids=["link", "empty", "short", "no"])
def test_no_cookie_with_a_wrong_link_writes(
    phone: TestClient, table: Table, store: Store, link: str, stored: str | None
) -> None:
    with store.write(table) as found:
        found.link_hash = None if stored is None else sha256(stored.encode()).hexdigest()
    phone.cookies.set(LINKS_COOKIE, f"{table.code}.{link}")
    before = revision_of(store, table)
    assert phone.post(f"/door/{table.code}", json={"key": "k", **TAP}).status_code == 403
    assert phone.put(f"/door/{table.code}/photos/k?{PHOTO}", content=b"x").status_code == 403
    assert phone.get(f"/join/{table.code}/{link}").status_code in {303, 404}
    assert phone.post(f"/door/{table.code}", json={"key": "k", **TAP}).status_code == 403
    assert revision_of(store, table) == before


def test_invitation_leads_only_to_a_screen(phone: TestClient, table: Table) -> None:
    for link in ("wrong", "x" * 500, "..%2f..", "%00"):
        answer = phone.get(f"/join/{table.code}/{link}?screen=play")
        assert "set-cookie" not in answer.headers
        assert answer.status_code in {303, 404}
        if answer.status_code == 303:
            assert answer.headers["location"].startswith(f"/?table={table.code}&refused=")
    for screen in ("//evil.example", "https://evil.example", "../x", "p" * 30):
        answer = phone.get(f"/join/{table.code}/{LINK}", params={"screen": screen})
        assert answer.headers["location"] == f"/?table={table.code}"


def test_guessing_is_limited_and_blocks_no_right_secret(
    phone: TestClient, table: Table, auth: Auth
) -> None:
    def refusals(answer: Any) -> tuple[str, ...]:
        where = answer.headers["location"].split("refused=")
        return tuple(where[1:])

    links = [refusals(phone.get(f"/join/{table.code}/{number}")) for number in range(11)]
    assert links == [("WrongLinkError",)] * 10 + [("TooManyTriesError",)]
    assert refusals(phone.get(f"/join/ZZZZ/{LINK}")) == ("TooManyTriesError",)
    words = [phone.post("/door/organiser", content=f"{number}") for number in range(11)]
    assert [answer.status_code for answer in words] == [403] * 10 + [429]
    assert words[-1].json()["minutes"] == 1
    assert phone.post("/door/organiser", content=PASSPHRASE).status_code == 429
    tap = {"key": "k", **TAP}
    taps = [phone.post("/door/ZZZZ", json=tap).status_code for _ in range(11)]
    assert taps == [404] * 10 + [429]
    assert phone.post(f"/door/{table.code}", json=tap).status_code == 429, "no code is betrayed"
    assert phone.get(f"/door/{table.code}/pictures/1").status_code == 429
    become(phone, "viewer", table=table, auth=auth)
    assert phone.get(f"/door/{table.code}/pictures/1").status_code == 404, "it was there"
    assert phone.post(f"/door/{table.code}", json=tap).status_code == 403
    assert refusals(phone.get(f"/join/{table.code}/{LINK}")) == ()
    assert phone.post(f"/door/{table.code}", json=tap).status_code == 200, "scorers never wait"


FOREIGN = {"sec-fetch-site": "cross-site", "origin": "http://evil.example"}


def test_cross_origin_requests_change_nothing(phone: TestClient, table: Table) -> None:
    for code in [table.code, *["ZZZZ"] * 12]:
        answer = phone.get(f"/door/{code}/pictures/1", headers=FOREIGN)
        assert (answer.status_code, answer.json()) == (403, {"is": "refused"})
    image = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
    for number in range(12):
        assert phone.get(f"/join/{table.code}/{number}", headers=image).status_code == 403
        assert phone.get(f"/board/ZZ{number}", headers=image).status_code == 403
    assert phone.get(f"/door/{table.code}/pictures/1").status_code == 404, "no such photo"
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    answer = phone.get(f"/join/{table.code}/{LINK}", headers={**link, "sec-fetch-dest": "document"})
    assert answer.headers["location"] == f"/?table={table.code}", "somebody taps it in a chat"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "table.local:8501"}, 200),
        ({"host": "10.0.0.9:8501"}, 200),
        ({"host": "[fe80::1]:8501"}, 200),
        ({"host": "app-1"}, 200),
        ({"host": "localhost"}, 200),
        ({"host": "scopa.example"}, 200),
        ({"host": "play.scopa.test:80"}, 200),
        ({"host": "pi.fritz.example:8501"}, 200),
        ({"host": "evil.example"}, 400),
        ({"host": "scopa.example.evil.example"}, 400),
        ({"host": "evilscopa.test"}, 400),
        ({"host": "10.0.0.9.evil.example"}, 400),
        ({"host": "["}, 400),
    ],
    ids=lambda value: str(value.get("host")) if isinstance(value, dict) else str(value),
)
def test_only_the_names_of_this_server_are_answered(
    headers: dict[str, str], status: int, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SETTEBELLO_HOSTS", "*.scopa.test, other.test")
    monkeypatch.setattr("web.middleware._machine_names", lambda: {"pi.fritz.example"})
    with serving(store) as phone:
        assert phone.get("/door/samples/anna-1.jpg", headers=headers).status_code == status


def test_a_foreign_name_gets_no_socket() -> None:
    async def socket(websocket: WebSocket) -> None:
        await websocket.accept()
        await websocket.send_text("open")

    app = Starlette(routes=[WebSocketRoute("/_stcore/stream", socket)], middleware=middleware())
    connect = partial(TestClient(app).websocket_connect, "/_stcore/stream")
    with connect(headers={"host": "10.0.0.9"}) as opened:
        assert opened.receive_text() == "open"
    with pytest.raises(WebSocketDisconnect), connect(headers={"host": "evil.example"}):
        pass


@pytest.mark.parametrize(
    ("origin", "is_open"),
    [
        (None, True),
        ("http://10.0.0.9:8501", True),
        ("https://scopa.example", True),
        ("http://10.0.0.9", False),
        ("http://10.0.0.9:9999", False),
        ("http://localhost:8501", False),
        ("http://0.0.0.0:8501", False),
        ("http://127.0.0.1:8501", False),
        ("https://evil.streamlit.app", False),
        ("http://evil.example", False),
        ("null", False),
        ("", False),
        ("http://[", False),
    ],
)
def test_a_socket_is_held_to_the_origin(origin: str | None, is_open: bool) -> None:
    async def socket(websocket: WebSocket) -> None:
        await websocket.accept()
        await websocket.send_text("open")

    routes = [WebSocketRoute("/_stcore/stream", socket)]
    app = Starlette(routes=routes, middleware=middleware(address="https://scopa.example"))
    headers = {"host": "10.0.0.9:8501"} | ({} if origin is None else {"origin": origin})
    connected = TestClient(app).websocket_connect("/_stcore/stream", headers=headers)
    with nullcontext() if is_open else pytest.raises(WebSocketDisconnect), connected as opened:
        assert opened.receive_text() == "open"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"cookie": "a=" + "b" * 8_000}, 200),
        ({"cookie": "a=" + "\\" * 60_000}, 431),
        ({"x-long": "b" * 20_000}, 431),
    ],
    ids=["none", "a full cookie", "a cookie of backslashes", "a long header"],
)
def test_large_headers_are_refused(headers: dict[str, str], status: int) -> None:
    async def page(request: Request) -> Response:
        return PlainTextResponse(f"{len(request.cookies)}")

    app = Starlette(routes=[Route("/", page)], middleware=middleware())
    started = time.monotonic()
    answer = TestClient(app, base_url="http://10.0.0.9").get("/", headers=headers)
    assert answer.status_code == status
    assert time.monotonic() - started < 2, "nothing has parsed the cookie"


def test_a_socket_with_large_headers_is_closed() -> None:
    async def socket(websocket: WebSocket) -> None:
        await websocket.accept()

    app = Starlette(routes=[WebSocketRoute("/_stcore/stream", socket)], middleware=middleware())
    phone, headers = TestClient(app, base_url="http://10.0.0.9"), {"cookie": "\\" * 60_000}
    with (
        pytest.raises(WebSocketDisconnect),
        phone.websocket_connect("/_stcore/stream", headers=headers),
    ):
        pass


@pytest.mark.parametrize(
    ("client", "trusted", "shown"),
    [
        ("127.0.0.1", None, "10.1.2.3"),
        ("::ffff:127.0.0.1", None, "10.1.2.3"),
        ("::1", None, "10.1.2.3"),
        ("::ffff:10.0.0.7", None, "10.0.0.7"),
        ("::ffff:10.0.0.7", "10.0.0.7", "10.1.2.3"),
        ("::ffff:10.0.0.7", "10.0.0.0/8", "10.1.2.3"),
        ("::ffff:10.0.0.7", "*", "10.1.2.3"),
    ],
)
def test_a_trusted_proxy_is_believed_also_on_a_dual_stack_socket(
    client: str, trusted: str | None, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
    if trusted is not None:
        monkeypatch.setenv("FORWARDED_ALLOW_IPS", trusted)

    async def who(request: Request) -> Response:
        return JSONResponse([request.client.host if request.client else "", request.url.scheme])

    app = Starlette(routes=[Route("/", who)], middleware=middleware())
    phone = TestClient(app, base_url="http://10.0.0.1", client=(client, 1))
    headers = {"x-forwarded-for": "10.1.2.3", "x-forwarded-proto": "https"}
    scheme = "https" if shown == "10.1.2.3" else "http"
    assert phone.get("/", headers=headers).json() == [shown, scheme]


def test_photo_sent_again_after_its_hand_was_saved_is_known(
    phone: TestClient, table: Table, auth: Auth, store: Store
) -> None:
    become(phone, "scorer", table=table, auth=auth)
    path = f"/door/{table.code}/photos/k?{PHOTO}"
    assert phone.put(path, content=b"a photo").json()["is"] == "done"
    hand = HandRecord((Side("Anna", DECK[:22], 0), Side("Bruno", DECK[22:], 0)))
    with store.write(table) as found:
        log.append(found, hand_entry(hand, key="confirmed"), expected=1)
    assert phone.put(path, content=b"a photo").json()["is"] == "known"
    other = phone.put(f"/door/{table.code}/photos/l?{PHOTO}", content=b"a photo")
    assert (other.status_code, other.json()["error"]) == (409, "HandClosedError")


def test_the_organiser_logs_in_by_the_passphrase_and_out(
    phone: TestClient, table: Table, store: Store
) -> None:
    assert phone.post("/door/organiser", content="wrong").json()["error"] == "WrongPassphraseError"
    assert phone.post("/door/organiser", content="x" * 2000).status_code == 403
    assert phone.post("/door/organiser", content=PASSPHRASE).json() == {"is": "done"}
    assert phone.post(f"/door/{table.code}", json={"key": "k", **TAP}).status_code == 200
    copied = phone.cookies[ORGANISER_COOKIE]
    phone.delete("/door/organiser")
    assert phone.post(f"/door/{table.code}", json={"key": "l", **TAP}).status_code == 403
    phone.cookies.set(ORGANISER_COOKIE, copied)
    assert phone.post(f"/door/{table.code}", json={"key": "l", **TAP}).status_code == 403
    with serving(store, auth=Auth(Organiser(PASSPHRASE))) as restarted:
        restarted.cookies.set(ORGANISER_COOKIE, copied)
        tap = restarted.post(f"/door/{table.code}", json={"key": "l", **TAP})
        assert tap.status_code == 403


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        (b"", 400, "DeliveryError"),
        (b"[" * 5000, 400, "DeliveryError"),
        (b"\xff\xfe", 400, "DeliveryError"),
        (b'{"key": "k", "do": "fly"}', 400, "DeliveryError"),
        (b" " * (SMALL_BYTES + 1), 413, "UploadTooLargeError"),
        (json.dumps({"key": "\ud800", **TAP}).encode(), 400, "DeliveryError"),
        (json.dumps({"key": "a\0", **TAP}).encode(), 400, "DeliveryError"),
        (b'{"key": "k", "do": "scopa", "hand": ' + b"9" * 5000 + b"}", 400, "DeliveryError"),
    ],
    ids=["empty", "nested", "no text", "unknown", "too long", "half a pair", "NUL", "5000 digits"],
)
def test_what_cannot_be_understood_is_refused_by_name(
    phone: TestClient, table: Table, auth: Auth, body: bytes, status: int, error: str
) -> None:
    become(phone, "scorer", table=table, auth=auth)
    answer = phone.post(f"/door/{table.code}", content=body)
    came = answer.json()
    assert (answer.status_code, came["is"], came["error"]) == (status, "refused", error)
    assert came.get("most_mb") == (0.1 if status == 413 else None)


@pytest.mark.parametrize(("method", "path"), [("POST", ""), ("GET", "/changes")])
def test_a_table_that_is_not_there_is_said(phone: TestClient, method: str, path: str) -> None:
    answer = phone.request(method, f"/door/ZZZZ{path}", content=json.dumps({"key": "k", **TAP}))
    assert (answer.status_code, answer.json()["error"]) == (404, "TableNotFoundError")


def test_a_revoked_phone_hears_so_after_its_whole_photo(
    phone: TestClient, table: Table, auth: Auth, store: Store
) -> None:
    become(phone, "scorer", table=table, auth=auth)
    write(store, tables.put_link, table, hash_link(new_link()), expected=hash_link(LINK))
    answer = phone.put(f"/door/{table.code}/photos/k?{PHOTO}", content=b"x" * 3_000_000)
    assert (answer.status_code, answer.json()["error"]) == (403, "NotAllowedError")
    assert read(store, uploads.of_hand, table, hand_no=1) == ()


def test_closed_table_accepts_nothing_until_reopened(
    phone: TestClient, store: Store, table: Table, auth: Auth
) -> None:
    become(phone, "scorer", table=table, auth=auth)
    write(store, tables.close, table)
    tap = {"key": "k", **TAP}
    for answer in (
        phone.post(f"/door/{table.code}", json=tap),
        phone.put(f"/door/{table.code}/photos/k9?{PHOTO}", content=b"x"),
    ):
        came = answer.json()
        assert (answer.status_code, came["error"], came["code"]) == (
            HTTPStatus.FORBIDDEN,
            "TableClosedError",
            table.code,
        )
    assert read(store, piles.scope_counts, table) == (0, 0)
    assert not read(store, uploads.of_hand, table, hand_no=1)
    open_again(store, table)
    assert phone.post(f"/door/{table.code}", json=tap).status_code == 200
    assert read(store, piles.scope_counts, table) == (1, 0)


def test_a_store_that_does_not_answer_has_phones_try_again(
    phone: TestClient, store: Store, table: Table, auth: Auth, monkeypatch: pytest.MonkeyPatch
) -> None:
    become(phone, "scorer", table=table, auth=auth)

    def write(_code: str) -> Any:
        raise StoreUnavailableError("here", why="it is busy")

    monkeypatch.setattr(store, "write", write)
    assert phone.post(f"/door/{table.code}", json={"key": "k", **TAP}).status_code == 503


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": "http://table.local:8501"}, 200),
        ({"origin": "https://scopa.example"}, 200),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://table.local:9999"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://["}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
    ],
    ids=lambda value: "/".join(value.values()) if isinstance(value, dict) else str(value),
)
def test_no_other_site_writes_for_a_phone(
    headers: dict[str, str], status: int, phone: TestClient, table: Table, auth: Auth,
    store: Store,
) -> None:  # fmt: skip
    become(phone, "scorer", table=table, auth=auth)
    answer = phone.post(f"/door/{table.code}", json={"key": "k", **TAP}, headers=headers)
    assert answer.status_code == status
    assert read(store, piles.scope_counts, table) == ((1, 0) if status == 200 else (0, 0))


def test_every_answer_tells_the_browser_what_pages_may_do(phone: TestClient) -> None:
    for path in ("/door/samples/anna-1.jpg", "/nothing", "/join/ZZZZ/x"):
        headers = phone.get(path).headers
        assert {name: headers[name] for name in HEADERS} == HEADERS
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert policy["default-src"] == "'self'"
        assert policy["frame-ancestors"] == "'none'"
        assert policy["object-src"] == "'none'"
        assert "'unsafe-inline'" not in policy["script-src"]
        assert "ws://table.local:8501" in policy["connect-src"]


@pytest.mark.parametrize("host", ["a; script-src *", "a b", "", "evil\nx"])
def test_a_forged_host_does_not_get_into_the_policy(host: str) -> None:
    assert "ws://" not in content_policy(host)


def test_photo_is_private_to_its_table_and_cached(
    phone: TestClient, store: Store, table: Table
) -> None:
    jpeg = (SAMPLES / "anna-1.jpg").read_bytes()
    number = write(store, piles.add_photo, table, jpeg, hand_no=1, side=0)
    other = command(store, tables.open_table, ("Carla", "Dario"), Rules())
    answer = phone.get(f"/door/{table.code.lower()}/pictures/{number}")
    assert (answer.status_code, answer.content) == (200, jpeg)
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
    pictures = f"{table.code}/pictures"
    paths = (
        f"{other.code}/pictures/{number}",
        *(f"{pictures}/{n}" for n in (number + 1, 2**63, "9" * 5000, "-1", "٣", "a")),
    )
    for path in paths:
        refused = phone.get(f"/door/{path}")
        assert (refused.status_code, refused.json()["error"]) == (404, "UnknownPlaceError")
    assert phone.get(f"/door/ZZZZ/pictures/{number}").status_code == 404


@pytest.mark.parametrize("name", ["nobody.jpg", "expected.json", "..%2Fapp.py"])
def test_samples_are_those_photos_and_nothing_else(name: str, phone: TestClient) -> None:
    assert phone.get(f"/door/samples/{name}").status_code == 404


def test_a_forged_name_of_a_request_is_not_taken_over(phone: TestClient, table: Table) -> None:
    for name, taken in (("proxy-7", True), ("a b", False), ("x" * 65, False), ('q"{}', False)):
        answer = phone.post(f"/door/{table.code}", content=b"{}", headers={"x-request-id": name})
        assert (answer.headers["x-request-id"] == name) is taken


def test_a_server_that_lacks_a_part_is_ill_and_counts_why(
    phone: TestClient, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    well = {"is": "well", "store": True, "readers": True, "networks": True}
    assert phone.get("/health").json() == well

    def counts(_session: object) -> Any:
        raise StoreUnwritableError("here", why="the disk is full")

    monkeypatch.setattr("store.uploads.counts", counts)
    monkeypatch.setenv("SETTEBELLO_METRICS", "all")
    store.error_counts["StoreUnwritableError"] += 1
    answer = phone.get("/health")
    assert (answer.status_code, answer.json()) == (503, {**well, "is": "ill", "store": False})
    metrics = phone.get("/metrics").text
    assert 'settebello_store_errors_total{error="StoreUnwritableError"} 1.0' in metrics
    assert "settebello_photos" not in metrics, "nothing is known of photos"


def test_a_server_that_has_not_begun_is_ill(store: Store, auth: Auth) -> None:
    api = Api(lambda: store, lambda: None, auth=auth, samples=SAMPLES, has_networks=lambda: False)  # type: ignore[arg-type,return-value]
    answer = TestClient(Starlette(routes=api.routes())).get("/health")
    parts = {"store": False, "readers": False, "networks": False}
    assert (answer.status_code, answer.json()) == (503, {"is": "ill", **parts})


@pytest.mark.parametrize(
    ("setting", "client", "headers", "shown"),
    [
        (None, "127.0.0.1", (), True),
        (None, "::1", (), True),
        (None, "::ffff:127.0.0.1", (), True),
        (None, "::ffff:192.168.1.9", (), False),
        (None, "192.168.1.9", (), False),
        (None, "testclient", (), False),
        *((None, "127.0.0.1", (header,), False) for header in FORWARDED),
        ("all", "192.168.1.9", (), True),
        ("nobody", "127.0.0.1", (), False),
        ("everyone", "127.0.0.1", (), False),
    ],
)
def test_metrics_are_local_by_default(
    monkeypatch: pytest.MonkeyPatch,
    store: Store,
    setting: str | None,
    client: str,
    headers: tuple[str, ...],
    shown: bool,
) -> None:
    monkeypatch.delenv("SETTEBELLO_METRICS", raising=False)
    if setting is not None:
        monkeypatch.setenv("SETTEBELLO_METRICS", setting)
    with serving(store) as phone:
        asking = TestClient(phone.app, client=(client, 1))
        headers_sent = {"host": "10.0.0.1"} | dict.fromkeys(headers, "192.168.1.9")
        answer = asking.get("/metrics", headers=headers_sent)
    assert answer.status_code == (200 if shown else 404)


def test_a_match_is_imported_once_and_the_phone_knows_its_table(
    phone: TestClient, store: Store, auth: Auth
) -> None:
    other = Store("sqlite://")
    command(other, tables.open_table, ("Elena", "Fabio"), Rules())
    [row] = query(other, season.played)
    file = to_json(row).encode()
    answer = phone.put("/door/matches", content=file)
    assert answer.json().keys() == {"is", "code"}
    code = answer.json()["code"]
    assert find_table(store, code).side_names == ("Elena", "Fabio")
    assert auth.read_tables(phone.cookies[TABLES_COOKIE]) == (code,)
    assert phone.put("/door/matches", content=file).json() == {"is": "done", "code": None}


def test_match_file_imports_are_limited(phone: TestClient) -> None:
    answer = phone.put("/door/matches", content=b" " * (MAX_FILE_BYTES + 1))
    assert answer.status_code == 413
    assert answer.json() == {
        "is": "refused", "error": "UploadTooLargeError", "name": "file", "most_mb": 2.0
    }  # fmt: skip
    for _ in range(30):
        answer = phone.put("/door/matches", content=b"{}")
    assert answer.status_code == 429


def test_referee_photo_is_read_and_not_stored(
    phone: TestClient, table: Table, store: Store
) -> None:
    photo = (SAMPLES / "anna-1.jpg").read_bytes()
    seen = phone.put(f"/door/{table.code}/look?name=anna-1.jpg", content=photo).json()
    assert seen.pop("photo") == sha256(photo).hexdigest()
    assert seen == {"is": "done", "codes": ["6s", "7d"], "doubts": {"6s": ["5s"]}, "unread": 1}
    assert not read(store, piles.drafts, table.code)
    answer = phone.put(f"/door/{table.code}/look?name=note.jpg", content=b"no photo at all")
    assert (answer.status_code, answer.json()["error"]) == (409, "NotAPhotoError")


def test_the_upload_route_of_streamlit_is_closed() -> None:
    async def upload(_request: Request) -> Response:
        return PlainTextResponse("kept")

    routes = [Route("/_stcore/upload_file/{rest:path}", upload, methods=["PUT"])]
    app = Starlette(routes=routes, middleware=middleware())
    answer = TestClient(app, base_url="http://10.0.0.9").put(
        "/_stcore/upload_file/a/b", content=b"x"
    )
    assert answer.status_code == 404
