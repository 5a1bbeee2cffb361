"""Printed matter among the cards."""

import numpy as np
import pytest

from vision.training.clutter import put_under

pytest.importorskip("matplotlib", reason="fonts come with `make smoke`'s environment")
from vision.training.prints import LONG_PX, page


def test_pages_differ_and_bear_print() -> None:
    pages = [page(np.random.default_rng(seed)) for seed in range(8)]
    assert all(max(sheet.shape) == LONG_PX for sheet in pages)
    assert all(len(np.unique(sheet.reshape(-1, 3), axis=0)) > 8 for sheet in pages)
    assert len({sheet.tobytes() for sheet in pages}) == len(pages)


def test_a_page_lies_on_the_table_larger_than_a_card() -> None:
    table, sheet = np.full((300, 400, 3), 7, np.uint8), np.full((80, 60, 3), 200, np.uint8)
    laid = [put_under(np.random.default_rng(k), table, 40.0, prints=(sheet,)) for k in range(40)]
    most = max(int((picture == 200).all(2).sum()) for picture in laid)
    assert most > 40 * 28
    assert (table == 7).all()
