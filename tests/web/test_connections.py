"""Slow connections use up no server: they are closed, and those with requests are answered."""

import asyncio
import resource
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection

import pytest
import uvicorn
from playing import until
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from uvicorn.config import HTTP_PROTOCOLS

from web import connections
from web.connections import Guard, GuardedProtocol, allowed_descriptors, guard_connections

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="addresses of the loopback network")

MOST = 8
SLOW = b"GET / HTTP/1.1\r\nhost: x\r\nx-a: "


async def echo(request: Request) -> Response:
    return PlainTextResponse(f"{len(await request.body())}")


async def stream(_request: Request) -> Response:
    async def lines() -> AsyncIterator[str]:
        while True:
            yield "here\n"
            await asyncio.sleep(0.05)

    return StreamingResponse(lines())


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server with few connections; 127.0.0.1 is a proxy that it trusts."""
    guard = Guard(MOST, is_trusted={"127.0.0.1"}.__contains__)
    monkeypatch.setattr(connections, "_guard", lambda: guard)
    routes = [Route("/", echo, methods=["GET", "POST"]), Route("/stream", stream)]
    server = uvicorn.Server(
        uvicorn.Config(Starlette(routes=routes), http=GuardedProtocol, log_config=None)
    )
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        until(lambda: server.started)
        yield int(listening.getsockname()[1])
        server.should_exit = server.force_exit = True
        thread.join(30)


def connected(port: int, *, address: str = "127.0.0.1", sends: bytes = SLOW) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", port), 10, source_address=(address, 0))
    line.sendall(sends)
    return line


def is_closed(line: socket.socket) -> bool:
    line.settimeout(0.2)
    try:
        return line.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


@contextmanager
def slow_ones(
    port: int, count: int, *, address: str = "127.0.0.1"
) -> Iterator[list[socket.socket]]:
    with ExitStack() as stack:
        yield [stack.enter_context(closing(connected(port, address=address))) for _ in range(count)]


def answer(port: int, *, address: str = "127.0.0.1", body: bytes = b"x") -> str:
    line = HTTPConnection("127.0.0.1", port, timeout=10, source_address=(address, 0))
    with closing(line):
        line.request("POST", "/", body=body)
        return line.getresponse().read().decode()


def test_a_hundred_slow_connections_keep_nobody_out(port: int) -> None:
    with closing(connected(port, sends=b"GET /stream HTTP/1.1\r\nhost: x\r\n\r\n")) as streaming:
        assert streaming.recv(100)
        with slow_ones(port, 100) as slow:
            started = time.monotonic()
            assert answer(port) == "1"
            assert time.monotonic() - started < 5
            assert not is_closed(slow[-1]), "there is room for as many"
            assert is_closed(slow[0])
            assert streaming.recv(100), "what is answered goes on"


def test_one_network_leaves_room_for_others(port: int) -> None:
    with slow_ones(port, 20, address="127.0.0.2") as slow:
        with slow_ones(port, 2, address="127.0.0.3") as others:
            assert answer(port, address="127.0.0.4") == "1"
            assert not any(map(is_closed, others))
        assert sum(not is_closed(line) for line in slow) <= MOST // 2


def test_a_request_has_to_come_in_time(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEADER_SECONDS", 0.5)
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.5)
    half = b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf"
    for sent in (b"", SLOW, half):
        with closing(connected(port, sends=sent)) as line:
            until(lambda line=line: is_closed(line))  # type: ignore[misc]
    with closing(connected(port)) as line:
        for letter in b"slowly":
            time.sleep(0.2)
            if is_closed(line):
                break
            line.sendall(bytes([letter]))
        else:
            pytest.fail("a header may be sent letter by letter")
    assert answer(port, body=bytes(3_000_000)) == "3000000"


def test_a_server_opens_as_many_files_as_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    monkeypatch.setitem(HTTP_PROTOCOLS, "auto", "")
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
        guard_connections()
        after = resource.getrlimit(resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert after == (min(allowed_descriptors(), connections.WANTED_DESCRIPTORS), before[1])
    config = uvicorn.Config(Starlette())
    config.load()
    assert config.http_protocol_class is GuardedProtocol
