"""Attacks on a running server through Streamlit's own routes."""

import asyncio
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from playing import command
from servers import Server, running
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin

from scoring.rules import Rules
from store import Store, Table, tables
from web.auth import SECRET_FILE, TABLES_COOKIE, Auth, Organiser

pytestmark = pytest.mark.slow

FORM = b'--x\r\nContent-Disposition: form-data; name="a"; filename="../b.html"\r\n\r\n'
XSRF = "_streamlit_xsrf"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server")) as started:
        yield started


@pytest.fixture(scope="module")
def table(server: Server) -> Table:
    with closing(Store(server.database)) as store:
        return command(store, tables.open_table, ("Zaira", "Quinto"), Rules())


def ask(server: Server, method: str, path: str, body: bytes = b"", **headers: str) -> Any:
    """Return the status, the location and the cookies of a response."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with closing(HTTPConnection(server.address.removeprefix("http://"), timeout=60)) as line:
        line.request(method, path, body, named)
        answer = line.getresponse()
        answer.read()
        cookies = [one.split(";")[0] for one in answer.headers.get_all("set-cookie") or []]
        return answer.status, answer.headers.get("location", ""), cookies


async def page(socket: ClientConnection, query: str = "") -> tuple[str, str]:
    """Run a page as a browser does; return its content and the identifier of the session."""
    message = BackMsg()
    message.rerun_script.query_string = query
    await socket.send(message.SerializeToString())
    shown, session = "", ""
    while True:
        data = await asyncio.wait_for(socket.recv(), 60)
        assert isinstance(data, bytes)
        received = ForwardMsg.FromString(data)
        kind = received.WhichOneof("type")
        if kind == "delta":
            shown += str(received.delta)
        elif kind == "new_session":
            session = received.new_session.initialize.session_id
        elif kind == "script_finished":
            return shown, session


def socket(server: Server, cookie: str = "") -> Any:
    address = server.address.replace("http:", "ws:") + "/_stcore/stream"
    headers = {"cookie": cookie} if cookie else {}
    protocols: Any = ["streamlit"]
    return connect(address, additional_headers=headers, subprotocols=protocols, max_size=None)


def test_unsigned_cookie_shows_no_tables(server: Server, table: Table) -> None:
    home = Path(server.database.removeprefix("sqlite:///")).parent
    ours = Auth(Organiser(), secret=(home / SECRET_FILE).read_bytes())

    async def names(cookie: str) -> bool:
        async with socket(server, f"{TABLES_COOKIE}={cookie}") as opened:
            return "Zaira" in (await page(opened))[0]

    guessed = "~".join([*(f"ZZ{number:02}" for number in range(39)), table.code])
    assert not asyncio.run(names(guessed))
    assert not asyncio.run(names(f"{guessed}.c2lnbmF0dXJl"))
    assert asyncio.run(names(ours.with_table("", table.code)))


@pytest.mark.parametrize(
    "host", ["localhost:{port}", "0.0.0.0:{port}", "127.0.0.1:1", "evil.example"]
)
def test_streamlit_opens_no_socket_for_another_origin(server: Server, host: str) -> None:
    port = server.address.rpartition(":")[2]

    async def attack(origin: str) -> None:
        address = server.address.replace("http:", "ws:") + "/_stcore/stream"
        async with connect(address, origin=Origin(origin)) as opened:
            await page(opened)

    asyncio.run(attack(server.address))
    with pytest.raises(InvalidStatus, match="HTTP 403"):
        asyncio.run(attack(f"http://{host.format(port=port)}"))


def test_streamlit_upload_route_is_closed(
    server: Server,
) -> None:
    _, _, [cookie] = ask(server, "GET", "/_stcore/health")
    token = {"cookie": cookie, "x_xsrftoken": cookie.partition("=")[2]}
    form = {"content_type": "multipart/form-data; boundary=x"}
    file = FORM + bytes(1000) + b"\r\n--x--\r\n"

    async def attack() -> int:
        async with socket(server) as opened:
            _, mine = await page(opened)
            path = f"/_stcore/upload_file/{mine}/a"
            answer = await asyncio.to_thread(ask, server, "PUT", path, file, **form, **token)
            return int(answer[0])

    assert asyncio.run(attack()) == 404


def test_a_message_that_no_browser_sends_ends_its_connection(server: Server) -> None:
    async def attack() -> int | None:
        message = BackMsg()
        message.rerun_script.query_string = "x" * 30_000_000
        async with socket(server) as opened:
            with suppress(ConnectionClosed):
                await opened.send(message.SerializeToString())
            await opened.wait_closed()
            code: int | None = opened.close_code
            return code

    assert asyncio.run(attack()) == 1009


ELSEWHERE = (
    *("//evil.example", "//evil.example/", "/%2f%2fevil.example/", "/\\evil.example/"),
    *("/play//evil.example/..", "/play/", "/_stcore/", "/%5cevil.example/", "/.//evil.example/"),
    *("/oauth2callback?next=//evil.example", "/auth/login?next=//evil.example", "/auth/logout"),
)


@pytest.mark.parametrize("path", ELSEWHERE)
def test_no_address_leads_to_another_site(server: Server, path: str) -> None:
    status, place, _ = ask(server, "GET", path)
    assert status < 500
    leads = urljoin(server.address + path, place.replace("\\", "/"))  # as browsers read it
    assert urlsplit(leads).netloc == urlsplit(server.address).netloc


@pytest.mark.parametrize(
    "path", ["/door/{code}/pictures/{digits}", "/board/{digits}", "/play?table={code}&me={digits}"]
)
def test_a_number_of_5000_digits_is_no_error(server: Server, table: Table, path: str) -> None:
    status, _, _ = ask(server, "GET", path.format(code=table.code, digits="9" * 5000))
    assert status == (200 if "?" in path else 404)
