"""How many requests of a table, and of an evening, run at the same time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playing import command

from scoring.rules import Rules
from store import Store, StoreBusyError, tables
from web import turns
from web.turns import Turns


@asynccontextmanager
async def holding(waiting: Turns, store: Store, *codes: str) -> AsyncIterator[int]:
    """Hold as many turns as there are for requests at these tables; yield their number."""
    ending, outcomes = asyncio.Event(), asyncio.Queue[bool]()

    async def ask(code: str) -> None:
        try:
            async with waiting.at(store, code):
                outcomes.put_nowait(True)
                await ending.wait()
        except StoreBusyError:
            outcomes.put_nowait(False)

    async with asyncio.TaskGroup() as requests:
        for number in range(48):
            requests.create_task(ask(codes[number % len(codes)]))
        yield sum([await outcomes.get() for _ in range(48)])
        ending.set()


@pytest.mark.parametrize(
    ("others", "of_evening", "most"),
    [(1, False, 10), (1, True, 5), (2, True, 10), (12, True, 10), (2, False, 20)],
)
def test_a_table_or_an_evening_has_a_quarter_of_the_threads(
    store: Store, others: int, of_evening: bool, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "PATIENCE_SECONDS", 0.1)
    codes = [
        command(store, tables.open_table, ("Anna", "Bruno"), Rules()).code for _ in range(others)
    ]
    other = command(store, tables.open_table, ("Carla", "Dario"), Rules()).code
    for code in codes if of_evening else ():
        with store.write(code) as table:
            table.evening_code = "EVEN"

    async def story() -> None:
        waiting = Turns()
        for _ in range(2):  # both times the turns are given back
            async with (
                holding(waiting, store, *codes) as count,
                holding(waiting, store, other.lower()) as count_of_other,
            ):
                assert (count, count_of_other) == (most, 10)
        async with holding(waiting, store, "ZZZZ") as count:
            assert count == 10
        async with holding(Turns(most=2), store, codes[0]) as count:
            assert count == 2

    asyncio.run(story())
