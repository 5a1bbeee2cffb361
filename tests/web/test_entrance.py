"""Every route with every role; the pass that a phone is given; what browsers are told."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route
from starlette.testclient import TestClient

from scoring.rules import Rules
from store import Store, Table
from table.roles import hash_of, new_link
from vision.errors import ModelError
from web.guard import Guard
from web.health import Health
from web.passes import LINKS, ORGANISER, SEEN, Organiser
from web.routes import Door
from web.shield import HEADERS, Shield, content_policy

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
PASSPHRASE = "sette bello di denari"
LINK = new_link()
ROLES = ("stranger", "viewer", "scorer of another table", "scorer", "organiser")

TAP = {"match": 1, "hand": 1, "side": 0, "do": "scopa", "delta": 1}
PHOTO = "name=a.jpg&match=1&hand=1&side=0"


def no_reader() -> Any:
    raise ModelError(Path("locate.onnx"), expected="a network", got="none in this test")


@pytest.fixture
def store() -> Iterator[Store]:
    opened = Store()
    yield opened
    opened.close()


@pytest.fixture
def table(store: Store) -> Table:
    return store.open_table(("Anna", "Bruno"), Rules(), link_hash=hash_of(LINK))


@pytest.fixture
def guard() -> Guard:
    return Guard(Organiser(PASSPHRASE))


@pytest.fixture
def phone(store: Store, guard: Guard) -> Iterator[TestClient]:
    health = Health(lambda: True)
    door = Door(lambda: store, no_reader, guard=guard, health=health, samples=SAMPLES)
    shield = Middleware(Shield, scripts=["run()"], addresses=["https://scopa.example"])
    app = Starlette(routes=door.routes(), middleware=[shield], lifespan=door.open)
    with TestClient(app, base_url="http://table.local:8501", follow_redirects=False) as client:
        yield client


def become(phone: TestClient, role: str, *, table: Table, guard: Guard) -> None:
    """Gives a phone the cookies of a role."""
    shown = {
        "stranger": {},
        "viewer": {SEEN: table.code},
        "scorer of another table": {LINKS: f"ZZZZ.{LINK}"},
        "scorer": {LINKS: f"{table.code}.{LINK}"},
        "organiser": {ORGANISER: guard.organiser.admit(PASSPHRASE)},
    }[role]
    phone.cookies.clear()
    for name, text in shown.items():
        phone.cookies.set(name, text)


WALK = {
    # method and path: what each of ROLES is answered
    "GET /door/samples/{name}": (200, 200, 200, 200, 200),
    "GET /door/{code}/pictures/{number:int}": (404, 404, 404, 404, 404),
    "GET /join/{code}/{link}": (303, 303, 303, 303, 303),
    "POST /door/organiser": (403, 403, 403, 403, 403),
    "DELETE /door/organiser": (200, 200, 200, 200, 200),
    "POST /door/{code}": (403, 403, 403, 200, 200),
    "PUT /door/{code}/photos/{key}": (403, 403, 403, 200, 200),
}
"""Every route that answers at once; /changes goes on, so `test_routes` listens to it."""


def ways(routes: list[Route]) -> set[str]:
    return {
        f"{method} {route.path}"
        for route in routes
        for method in (route.methods or set()) - {"HEAD"}
    }


def test_the_walk_knows_every_route(store: Store, guard: Guard) -> None:
    health = Health(lambda: True)
    door = Door(lambda: store, no_reader, guard=guard, health=health, samples=SAMPLES)
    routes = door.routes()
    assert ways(routes) == {*WALK, "GET /door/{code}/changes"}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("way", WALK)
def test_every_route_with_every_role(
    way: str, role: str, phone: TestClient, table: Table, guard: Guard, store: Store
) -> None:
    method, path = way.split(" ")
    become(phone, role, table=table, guard=guard)
    content = json.dumps({"key": "k", **TAP}).encode() if method == "POST" else b"wrong"
    path = path.replace(":int", "").format(
        code=table.code, link="wrong", key="k", number=1, name="anna-1.jpg"
    )
    path += f"?{PHOTO}"
    before = store.revision(table)
    answer = phone.request(method, path, content=content)
    assert answer.status_code == WALK[way][ROLES.index(role)]
    writes = "{code}" in way and method != "GET"
    assert (store.revision(table) > before) is (writes and answer.status_code == 200)


def test_a_link_makes_a_scorer_and_leads_to_the_screen(phone: TestClient, table: Table) -> None:
    answer = phone.get(f"/join/{table.code.lower()}/{LINK}?screen=play&me=1&lang=it&table=EVIL")
    assert answer.headers["location"] == f"/play?table={table.code}&me=1&lang=it"
    assert answer.headers["cache-control"] == "no-store"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "secure" not in cookie
    assert phone.post(f"/door/{table.code}", json={"key": "k", **TAP}).json()["is"] == "done"


def test_over_https_the_pass_never_goes_out_in_the_clear(
    store: Store, guard: Guard, table: Table
) -> None:
    health = Health(lambda: True)
    door = Door(lambda: store, no_reader, guard=guard, health=health, samples=SAMPLES)
    app = Starlette(routes=door.routes(), lifespan=door.open)
    with TestClient(app, base_url="https://scopa.example", follow_redirects=False) as phone:
        answer = phone.get(f"/join/{table.code}/{LINK}")
    assert "secure" in answer.headers["set-cookie"].lower()


@pytest.mark.parametrize("link", ["wrong", "x" * 500, "..%2f..", "%00"])
def test_a_wrong_link_leads_to_the_start_and_gives_nothing(
    phone: TestClient, table: Table, link: str
) -> None:
    answer = phone.get(f"/join/{table.code}/{link}?screen=play")
    assert "set-cookie" not in answer.headers
    assert answer.status_code in {303, 404}
    if answer.status_code == 303:
        assert answer.headers["location"].startswith(f"/?table={table.code}&refused=")


@pytest.mark.parametrize("screen", ["//evil.example", "https://evil.example", "../x", "p" * 30])
def test_a_link_leads_nowhere_but_to_a_screen(phone: TestClient, table: Table, screen: str) -> None:
    answer = phone.get(f"/join/{table.code}/{LINK}", params={"screen": screen})
    assert answer.headers["location"] == f"/?table={table.code}"


def test_links_cannot_be_found_by_trying(phone: TestClient, table: Table) -> None:
    answers = [phone.get(f"/join/{table.code}/{number}") for number in range(11)]
    assert answers[-1].headers["location"].endswith("refused=TooManyTriesError")
    right = phone.get(f"/join/{table.code}/{LINK}")
    assert right.headers["location"].endswith("refused=TooManyTriesError")


def test_the_organiser_comes_in_by_the_passphrase_and_goes(phone: TestClient, table: Table) -> None:
    assert phone.post("/door/organiser", content="wrong").json()["error"] == "WrongPassphraseError"
    assert phone.post("/door/organiser", content="x" * 2000).status_code == 403
    assert phone.post("/door/organiser", content=PASSPHRASE).json() == {"is": "done"}
    assert phone.post(f"/door/{table.code}", json={"key": "k", **TAP}).status_code == 200
    phone.delete("/door/organiser")
    assert phone.post(f"/door/{table.code}", json={"key": "l", **TAP}).status_code == 403


def test_passphrases_cannot_be_found_by_trying(phone: TestClient) -> None:
    answers = [phone.post("/door/organiser", content=f"guess {number}") for number in range(11)]
    assert [answer.status_code for answer in answers] == [403] * 10 + [429]
    assert phone.post("/door/organiser", content=PASSPHRASE).json()["minutes"] == 1


def test_a_revoked_phone_hears_so_after_its_whole_photo(
    phone: TestClient, table: Table, guard: Guard, store: Store
) -> None:
    become(phone, "scorer", table=table, guard=guard)
    store.put_link(table, hash_of("another"), expected=hash_of(LINK))
    answer = phone.put(f"/door/{table.code}/photos/k?{PHOTO}", content=b"x" * 3_000_000)
    assert (answer.status_code, answer.json()["error"]) == (403, "NotAllowedError")
    assert store.uploads(table, hand_no=1) == ()


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
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
    ],
    ids=lambda value: "/".join(value.values()) if isinstance(value, dict) else str(value),
)
def test_no_other_site_writes_for_a_phone(
    headers: dict[str, str], status: int, phone: TestClient, table: Table, guard: Guard,
    store: Store,
) -> None:  # fmt: skip
    become(phone, "scorer", table=table, guard=guard)
    answer = phone.post(f"/door/{table.code}", json={"key": "k", **TAP}, headers=headers)
    assert answer.status_code == status
    assert store.scope_counts(table) == ((1, 0) if status == 200 else (0, 0))


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


def test_a_photo_is_given_to_the_people_of_its_table_alone_and_kept_by_their_browsers(
    phone: TestClient, store: Store, table: Table
) -> None:
    jpeg = (SAMPLES / "anna-1.jpg").read_bytes()
    number = store.put_photo(table, jpeg, hand_no=1, side=0)
    other = store.open_table(("Carla", "Dario"), Rules())
    answer = phone.get(f"/door/{table.code.lower()}/pictures/{number}")
    assert (answer.status_code, answer.content) == (200, jpeg)
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
    for path in (f"{other.code}/pictures/{number}", f"{table.code}/pictures/{number + 1}"):
        refused = phone.get(f"/door/{path}")
        assert (refused.status_code, refused.json()["error"]) == (404, "UnknownPlaceError")
    assert phone.get(f"/door/ZZZZ/pictures/{number}").status_code == 404


@pytest.mark.parametrize("name", ["nobody.jpg", "expected.json", "..%2Fapp.py"])
def test_samples_are_those_photos_and_nothing_else(name: str, phone: TestClient) -> None:
    assert phone.get(f"/door/samples/{name}").status_code == 404
