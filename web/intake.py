"""Bodies of requests: how much memory they may take while they are received and answered."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from anyio import fail_after, move_on_after
from starlette.requests import ClientDisconnect, Request

from scoring.errors import ScoringError
from table.requests import RequestError

MAX_BYTES = 256_000_000
"""Bytes of all bodies that a process holds at the same time."""

TAP_BYTES = 16_000_000
"""The part of `MAX_BYTES` that only small bodies may take, so that taps never wait for photos."""

SHARE = 2
"""The large bodies of one table may take at most 1/`SHARE` of `MAX_BYTES`."""

SMALL_BYTES = 100_000
"""Maximum size of a small body, such as a tap."""

BODY_SECONDS = 240.0
"""Seconds in which a body must have arrived: phones give up after 200."""


@dataclass(eq=False)
class UploadTooLargeError(ScoringError):
    """A request with more bytes than are accepted."""

    message = "{name}: expected at most {most_mb} MB, got more: send a smaller one"
    name: str
    most_mb: float


@dataclass(eq=False)
class IntakeFullError(ScoringError):
    """The bodies of other requests take up all memory, or this one took too long to arrive."""

    message = "{name}: expected room for it, but other files are being received: send it again"
    name: str


class Intake:
    """The memory of one process for bodies of requests."""

    def __init__(self) -> None:
        """Start with all of the memory free."""
        self._held = 0
        self._of_tables = Counter[str]()

    @asynccontextmanager
    async def receive(
        self, request: Request, *, most: int, name: str = "delivery", table: str = ""
    ) -> AsyncIterator[bytes]:
        """Receive a body of at most `most` bytes, and hold its memory until the block ends.

        Raises:
            UploadTooLargeError: It has more bytes.
            IntakeFullError: There is no room for it now, or it took too long to arrive.
            RequestError: The connection broke before its end.
        """
        parts: list[bytes] = []
        try:
            await self._collect(parts, request, most=most, name=name, table=table)
            yield b"".join(parts)
        finally:
            self._give_back(parts, table=table)

    async def _collect(
        self, parts: list[bytes], request: Request, *, most: int, name: str, table: str
    ) -> None:
        size = 0
        try:
            with fail_after(BODY_SECONDS):
                async for part in request.stream():
                    size += len(part)
                    if size > most:
                        raise UploadTooLargeError(name, round(most / 1_000_000, 1))
                    self._take(part, parts, name=name, table=table, is_small=most <= SMALL_BYTES)
        except ClientDisconnect as error:
            raise RequestError("body", expected="all of it", came="a part") from error
        except TimeoutError:
            raise IntakeFullError(name) from None
        except IntakeFullError:
            self._give_back(parts, table=table)
            await discard(request, most=most)
            raise

    def _take(
        self, part: bytes, parts: list[bytes], *, name: str, table: str, is_small: bool
    ) -> None:
        most = MAX_BYTES if is_small else MAX_BYTES - TAP_BYTES
        of_table = self._of_tables[table] + len(part)
        if self._held + len(part) > most or (not is_small and of_table > most // SHARE):
            raise IntakeFullError(name)
        self._held += len(part)
        self._of_tables[table] = of_table
        parts.append(part)

    def _give_back(self, parts: list[bytes], *, table: str) -> None:
        size = sum(map(len, parts))
        parts.clear()
        self._held -= size
        self._of_tables[table] -= size
        if not self._of_tables[table]:
            del self._of_tables[table]


async def discard(request: Request, *, most: int) -> None:
    """Receive the rest of a body without keeping it: only then a phone reads the response."""
    size = 0
    with suppress(ClientDisconnect, RuntimeError), move_on_after(BODY_SECONDS):
        async for part in request.stream():
            size += len(part)
            if size > most:
                return
