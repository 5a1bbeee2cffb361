"""What each screen and each tap asks of a store, and what that costs however much there is in it.

    python -m load.growth --matches 10000

makes two stores, one of so many tables with a match each and one of a single table that played them
all, and times in each what a screen asks for. The time is processor time of this process; what
PostgreSQL spends stands beside it as statements.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from uuid import uuid4

from sqlalchemy import Engine, event

from load.grown import grow
from store import Store
from table.roles import HOUSE, NOBODY
from table.sitting import sit
from table.standing import standing_at
from web.deliveries import deliver, read_delivery

TIMES = 5
"""How often each question is asked; the fastest counts."""


def _board(store: Store, code: str) -> None:
    sitting = sit(store, code, held=NOBODY)
    _ = sitting.agenda, sitting.match.totals, store.proposals(code)


def _history(store: Store, code: str) -> None:
    sitting = sit(store, code, held=NOBODY)
    _ = sitting.match.scores, sitting.match.standings
    store.log_of(code), store.photos(code), store.results_of(code, most=50)
    store.played([code], match_no=1)


def _tap(store: Store, code: str) -> None:
    table = store.find_table(code)  # the door does so too, to see who may tap
    told = {"key": uuid4().hex, "match": table.match_no, "hand": table.hands + 1, "side": 0}
    tapped = read_delivery(told | {"do": "scopa", "delta": 1})
    deliver(store, tapped, code=table.code, held=HOUSE)


def _heard(store: Store, code: str) -> None:
    standing_at(store, code)


Question = Callable[[Store, str], object]
"""What a screen or a tap asks of a store; the code names one of its tables."""

QUESTIONS: MappingProxyType[str, Question] = MappingProxyType(
    {
        "home: the newest 4 tables": lambda store, _: store.list_tables(most=4),
        "home: one phone's tables": lambda store, code: store.list_tables(codes=[code]),
        "organiser: 50 tables": lambda store, _: store.list_tables(most=50),
        "organiser: the 50 after one": lambda store, code: store.list_tables(before=code, most=50),
        "board": _board,
        "history, 50 matches listed": _history,
        "a tap": _tap,
        "what its screens are told": _heard,
        "changes: 200 tables listened to": lambda store, code: store.revisions([code] * 200),
    }
)
"""What screens and taps ask."""


@dataclass(frozen=True)
class Cost:
    """What a question cost."""

    ms: float
    """Processor time, in milliseconds."""
    statements: int
    """Statements that the database was sent."""


@contextmanager
def counted() -> Iterator[list[str]]:
    """The statements that any database is sent meanwhile."""
    said: list[str] = []

    def note(_c: object, _cursor: object, statement: str, *_rest: object) -> None:
        said.append(statement)

    event.listen(Engine, "after_cursor_execute", note)
    try:
        yield said
    finally:
        event.remove(Engine, "after_cursor_execute", note)


def cost_of(question: Question, *, store: Store, code: str) -> Cost:
    """What a question costs, once what it needs is loaded."""
    question(store, code)
    with counted() as said:
        question(store, code)
    spent = []
    for _ in range(TIMES):
        began = time.process_time()
        question(store, code)
        spent.append(time.process_time() - began)
    return Cost(1000 * min(spent), len([one for one in said if not one.startswith("BEGIN")]))


def measured(store: Store) -> Iterator[tuple[str, Cost]]:
    """What every question costs in a store, asked about the table in its middle."""
    tables = store.list_tables()
    code = tables[len(tables) // 2].code
    for name, question in QUESTIONS.items():
        yield name, cost_of(question, store=store, code=code)


def show(url: str, *, tables: int, matches: int) -> None:
    """Fills a store and prints what it costs to ask."""
    grow(url, tables=tables, matches=matches)
    print(f"\n{tables:,} tables with {matches:,} matches each")
    with closing(Store(url)) as store:
        for name, cost in measured(store):
            print(f"  {name:34}{cost.ms:8.1f} ms {cost.statements:4} statements")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(
        prog="python -m load.growth", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--matches", type=int, default=10_000, help="matches in each store")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        for name, shape in (("wide", (asked.matches, 1)), ("long", (1, asked.matches))):
            place = f"sqlite:///{Path(folder) / name}.db"
            show(place, tables=shape[0], matches=shape[1])


if __name__ == "__main__":
    main()
