"""A proxy for tests, between a client and a server, which does what networks do to people.

It passes on, answers requests in the server's place, or falls silent without hanging up.
"""

import re
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

PIECE = 65536
"""Bytes that are passed on at once."""

LOGIN_PAGE = (200, "text/html", "<h1>Welcome to our Wi-Fi</h1> Please log in.")
"""What a network answers to everything until somebody has logged in."""

Answer = tuple[int, str, str] | tuple[int, str, str, str]
"""Status, type of content and text of an answer, and perhaps one more header."""

Rule = Callable[[str, str], Answer | None]
"""Gives the answer to a method and a path; None where the request is passed on."""


def html(status: int) -> Answer:
    """Return a page of a proxy that says no."""
    return status, "text/html", f"<html><h1>{status}</h1><hr>nginx</html>"


@dataclass(eq=False)
class Line:
    """A connection of a client through the proxy."""

    client: socket.socket
    path: str = ""
    """What was asked for on it."""
    is_dead: bool = False
    """It stays open and carries nothing any more."""
    sockets: list[socket.socket] = field(default_factory=list)

    def close(self) -> None:
        """Hangs up at both ends."""
        for one in (self.client, *self.sockets):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


class Proxy:
    """Passes on what comes to `port`, by the rule of the moment.

    Without HTTP it passes on bytes. With it, every request gets a connection of its own.
    """

    def __init__(self, connect: Callable[[], socket.socket], *, http: bool = True) -> None:
        """Begin to listen; `connect` gives a connection to the server."""
        self._connect, self._http = connect, http
        self.rule: Rule = lambda _method, _path: None
        self.most_bytes: int | None = None
        """The longest body that is passed on: nginx's `client_max_body_size`."""
        self.prefix = ""
        """The path below which the server is shown; all else is not found."""
        self.lines: list[Line] = []
        self.answered: list[str] = []
        """The paths that were answered in the server's place."""
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = int(self._socket.getsockname()[1])
        self.address = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._listen, name="proxy", daemon=True).start()

    @classmethod
    def to(cls, address: str) -> "Proxy":
        """Return a proxy in front of a server with a web address."""
        host, port = address.removeprefix("http://").split(":")
        return cls(partial(socket.create_connection, (host, int(port))))

    def open_at(self, end: str) -> int:
        """How many requests are being answered whose path, without its query, ends in this."""
        return sum(line.path.split("?")[0].endswith(end) for line in self.lines)

    def fall_silent(self, end: str = "") -> None:
        """Leave the lines of paths with this end open, and carries nothing on them any more."""
        for line in self.lines:
            line.is_dead = line.path.split("?")[0].endswith(end)

    def hang_up(self) -> None:
        """End every connection."""
        for line in [*self.lines]:
            line.close()

    def close(self) -> None:
        """End listening and every connection."""
        self._socket.close()
        self.hang_up()

    def _listen(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client, _ = self._socket.accept()
                threading.Thread(target=self._serve, args=[Line(client)], daemon=True).start()

    def _serve(self, line: Line) -> None:
        self.lines.append(line)
        try:
            head = self._read_head(line) if self._http else b""
            if head is None:
                return
            server = self._connect()
            line.sockets.append(server)
            server.sendall(head)
            up = threading.Thread(target=_pump, args=[line, line.client, server], daemon=True)
            up.start()
            _pump(line, server, line.client)
        except OSError:
            pass  # one of both hung up
        finally:
            line.close()
            self.lines.remove(line)

    def _read_head(self, line: Line) -> bytes | None:
        """Return the head of a request as the server gets it; None where it was answered here."""
        head = b""
        while b"\r\n\r\n" not in head:
            piece = line.client.recv(PIECE)
            if not piece:
                return None
            head += piece
        method, line.path = head.split(b"\r\n")[0].decode("latin-1").split()[:2]
        answer = self.rule(method, line.path)
        length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
        if length and self.most_bytes is not None and int(length[1]) > self.most_bytes:
            answer = html(413)
        if self.prefix and not line.path.startswith(f"{self.prefix}/"):
            answer = html(404)
        head = head.replace(f" {self.prefix}/".encode(), b" /", 1)
        if answer is None:
            if b"upgrade: websocket" in head.lower():
                return head
            return re.sub(rb"(?i)\r\nconnection: [^\r]*", b"\r\nConnection: close", head, count=1)
        self.answered.append(line.path)
        status, kind, text, *headers = answer
        lines = (f"HTTP/1.1 {status} No", f"Content-Type: {kind}", "Connection: close", *headers)
        body = text.encode()
        line.client.sendall("\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode())
        line.client.sendall(body)
        line.client.shutdown(socket.SHUT_WR)
        while line.client.recv(PIECE):  # what it still sends is read: else it gets no answer
            pass
        return None


def _pump(line: Line, source: socket.socket, target: socket.socket) -> None:
    """Passes bytes on until one end hangs up."""
    with suppress(OSError):
        while piece := source.recv(PIECE):
            if not line.is_dead:
                target.sendall(piece)
    if source is line.client or not line.is_dead:
        line.close()
