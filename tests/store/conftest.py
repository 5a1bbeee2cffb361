"""A store with a table, on each engine; files of tests that need another one say so themselves."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from playing import Store

from scoring.presets import PRESETS
from store import Table


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """A store in which nothing is."""
    with closing(Store(database)) as opened:
        yield opened


@pytest.fixture
def table(store: Store) -> Table:
    """A table of Anna and Bruno."""
    return store.open_table(("Anna", "Bruno"), PRESETS["silver-lake"], device="Anna's phone")
