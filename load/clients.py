"""Phones and boards, as the server sees them: deliveries, photos, changes heard, screens drawn."""

import asyncio
import json
import random
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx2
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from load.fleet import AT
from load.grown import NAMES
from scoring.cards import CODES, Card
from scoring.hand import Side
from scoring.record import HandRecord
from web.passes import LINKS

MOST_TAPPED = 8
"""Cards that are tapped in a hand."""

PATIENCE_S = 60.0
"""Seconds after which a client gives up."""


@dataclass
class Figures:
    """What was measured, in seconds, and what went wrong."""

    taps: list[float] = field(default_factory=list)
    """From a tap to its answer."""
    boards: list[float] = field(default_factory=list)
    """From a tap to a board that shows it: scope and totals at once, all else drawn anew."""
    drawn: list[float] = field(default_factory=list)
    """For which a board waited that was drawn anew."""
    late: list[float] = field(default_factory=list)
    """How late this process itself came to what it had to do: it shares the processors."""
    photos: list[float] = field(default_factory=list)
    """From a photo's first byte to its answer: kept, not read yet."""
    errors: list[str] = field(default_factory=list)
    """What was refused or broke."""


@dataclass
class Table:
    """A table in play."""

    code: str
    figures: Figures
    link: str = ""
    """The scorers' link: whoever holds it may tap."""
    boards: list["Board"] = field(default_factory=list)
    hand_no: int = 1
    revision: int = 0
    stands: dict[str, Any] = field(default_factory=dict)
    """How the hand stands, as the door told it last: `table.standing.standing`."""

    def hears(self, stands: dict[str, Any]) -> None:
        """Notes how the door says that the table stands."""
        self.stands, self.revision = stands, max(self.revision, stands["revision"])

    def confirmation(self) -> dict[str, Any]:
        """What a phone confirms that shows how the hand stands."""
        seen = zip(NAMES, self.stands["piles"]["held"], self.stands["scopes"], strict=True)
        sides = [Side(name, tuple(map(Card.from_code, held)), scope) for name, held, scope in seen]
        facts = HandRecord(tuple(sides), dealer=(self.hand_no - 1) % len(sides))
        log = self.hand_no  # a line for the opening of the match and one for each hand before
        return {"revision": self.stands["revision"], "log": log, "facts": facts.to_dict()}

    def doubled(self) -> list[str]:
        """The cards that lie in both piles: a photo showed what somebody had tapped."""
        first, second = self.stands["piles"]["held"]
        return sorted({*first} & {*second})

    def tapped(self, revision: int, *, at: float) -> None:
        """Notes when that was tapped which led to a revision; a board may show it already."""
        self.revision = max(self.revision, revision)
        for board in self.boards:
            board.owed.append((revision, at))
            board.settle()


class Board:
    """A board: hears of changes, and has its screen drawn anew by the server."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._known = known()
        self._heard = asyncio.Event()
        self.drawn, self._drawn_at = -1, 0.0
        self._screen: Any = None  # what its screen was drawn for
        self.owed: list[tuple[int, float]] = []
        """Revisions that it does not show yet, and when they were tapped."""
        table.boards.append(self)

    def settle(self) -> None:
        """Counts what it shows by now."""
        late = [owed for owed in self.owed if owed[0] > self.drawn]
        shown = [owed for owed in self.owed if owed[0] <= self.drawn]
        self._table.figures.boards += [max(0.0, self._drawn_at - at) for _, at in shown]
        self.owed = late

    async def watch(self, http: httpx2.AsyncClient, *, with_screen: bool) -> None:
        """Follows the table until it is cancelled; gets no screen drawn where none is asked for."""
        if not with_screen:
            async for stands in heard(http, self._table.code, headers=self._known):
                self._table.hears(stands)
                self.shows(stands["revision"])
            return
        latest: dict[str, Any] = {}
        async with (
            drawing(http, self._table.code, headers=self._known) as line,
            asyncio.TaskGroup() as both,
        ):

            async def listen() -> None:
                nonlocal latest
                async for stands in heard(http, self._table.code, headers=self._known):
                    self._table.hears(stands)
                    latest = stands
                    if stands["board"] == self._screen:
                        self.shows(stands["revision"])
                    self._heard.set()

            both.create_task(listen())
            while True:
                await self._heard.wait()
                self._heard.clear()
                await self._draw_anew(line, latest)

    async def _draw_anew(self, line: ClientConnection, stands: dict[str, Any]) -> None:
        """Has the screen drawn where it shows something else, as messenger.js has."""
        self._screen = self._screen or stands["board"]  # it was drawn once before it listened
        if stands["board"] == self._screen:
            self.shows(stands["revision"])
            return
        began = time.monotonic()
        await draw(line, self._table.code)
        self._table.figures.drawn.append(time.monotonic() - began)
        self._screen = stands["board"]
        self.shows(stands["revision"])

    def shows(self, revision: int) -> None:
        """Notes that it shows a revision from now on."""
        if revision > self.drawn:
            self.drawn, self._drawn_at = revision, time.monotonic()
            self.settle()


def known() -> dict[str, str]:
    """Headers of a new phone, by which nginx keeps it at one server."""
    return {"cookie": f"{AT}={uuid4().hex}"}


async def heard(
    http: httpx2.AsyncClient, code: str, *, headers: Mapping[str, str]
) -> AsyncGenerator[dict[str, Any], None]:
    """How a table stands, as the door tells it with every change."""
    path = f"/door/{code}/changes"
    async with http.stream("GET", path, timeout=None, headers=headers) as stream:
        async for line in stream.aiter_lines():
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))


@asynccontextmanager
async def drawing(
    http: httpx2.AsyncClient, code: str, *, headers: Mapping[str, str]
) -> AsyncIterator[ClientConnection]:
    """A line on which the server draws a board, as a browser has it; drawn once."""
    address = str(http.base_url).rstrip("/").replace("http", "ws", 1)
    async with connect(
        f"{address}/_stcore/stream",
        additional_headers=headers,
        max_size=None,
        open_timeout=PATIENCE_S,
    ) as line:
        await draw(line, code)
        yield line


async def draw(line: ClientConnection, code: str) -> None:
    """Has the board drawn, to its end."""
    asked = BackMsg()
    asked.rerun_script.query_string = f"table={code}"
    asked.rerun_script.page_name = "board"
    await line.send(asked.SerializeToString())
    async with asyncio.timeout(PATIENCE_S):
        while True:
            told = ForwardMsg()
            told.ParseFromString(bytes(await line.recv(decode=False)))
            if told.WhichOneof("type") == "script_finished":
                return


class Phone:
    """A phone at a table."""

    def __init__(self, table: Table, *, side: int) -> None:
        self._table, self._side = table, side
        self._pass = {"cookie": f"{LINKS}={table.code}.{table.link}; {known()['cookie']}"}

    async def tap(self, http: httpx2.AsyncClient, do: str, **told: Any) -> bool:
        """Sends one delivery, counts how long its answer took, and gives whether it was done."""
        delivery = {"key": uuid4().hex, "match": 1, "hand": self._table.hand_no,
                    "side": self._side, "me": self._side, "do": do} | told  # fmt: skip
        began = time.monotonic()
        try:
            path = f"/door/{self._table.code}"
            answer = await http.post(path, json=delivery, headers=self._pass)
        except httpx2.HTTPError as error:
            self._table.figures.errors.append(type(error).__name__)
            return False
        self._table.figures.taps.append(time.monotonic() - began)
        if answer.status_code >= httpx2.codes.INTERNAL_SERVER_ERROR:
            self._table.figures.errors.append(f"status {answer.status_code}")
            return False
        said = answer.json()
        if said["is"] == "done":
            self._table.tapped(said["revision"], at=began)
            return True
        if said["error"] not in MEANT:
            self._table.figures.errors.append(said["error"])
        return False

    async def send(self, http: httpx2.AsyncClient, photo: bytes) -> None:
        """Sends a photo of its pile."""
        hand, side = self._table.hand_no, self._side
        where: dict[str, str | int] = {"name": "photo.jpg", "match": 1, "hand": hand, "side": side}
        began = time.monotonic()
        try:
            path = f"/door/{self._table.code}/photos/{uuid4().hex}"
            answer = await http.put(path, params=where, content=photo, headers=self._pass)
        except httpx2.HTTPError as error:
            self._table.figures.errors.append(type(error).__name__)
            return
        self._table.figures.photos.append(time.monotonic() - began)
        if answer.status_code >= httpx2.codes.INTERNAL_SERVER_ERROR:
            self._table.figures.errors.append(f"status {answer.status_code}")
        elif answer.status_code != httpx2.codes.OK and answer.json()["error"] not in MEANT:
            self._table.figures.errors.append(answer.json()["error"])


MEANT = frozenset({"ScopeBelowZeroError", "HandClosedError", "HandError", "ScreenChangedError"})
"""What two phones that tap at once are refused for, as people are."""


async def play_hand(
    http: httpx2.AsyncClient, phones: Sequence[Phone], *, table: Table, cards: int = MOST_TAPPED
) -> None:
    """Plays one hand: scope, some cards, the rest to the other, confirmed; people take their time.

    Which cards and how fast they are tapped is drawn at random.
    """
    first, second = phones
    for code in random.sample(CODES, cards):
        await asyncio.sleep(random.uniform(2, 10))
        await random.choice(phones).tap(http, "scopa", delta=1)
        await first.tap(http, "card", code=code, **{"in": True})
    await second.tap(http, "rest", owner=1)
    done = False
    while not done:  # a photo that was read meanwhile has changed what is to be confirmed
        await asyncio.sleep(random.uniform(0.5, 1.5))
        for code in table.doubled():
            await second.tap(http, "card", code=code, **{"in": False})
        done = await second.tap(http, "confirm", **table.confirmation())
    table.hand_no += 1


async def end(tasks: Sequence["asyncio.Task[Any]"]) -> None:
    """Ends what goes on."""
    for task in tasks:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError):
            await task
