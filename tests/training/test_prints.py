"""Printed matter among the cards."""

import cv2
import numpy as np
import pytest

from training.clutter import put_under

pytest.importorskip("matplotlib", reason="fonts come with `make smoke`'s environment")
from training.distractors import LONG_PX, page


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


def test_a_page_is_laid_as_wide_and_high_as_it_is() -> None:
    table, sheet = np.full((600, 600, 3), 7, np.uint8), np.full((80, 40, 3), 200, np.uint8)
    sheet[:16] = (0, 0, 250)  # a bar along the upper side, which is the shorter one
    shapes = []
    for seed in range(60):
        laid = put_under(np.random.default_rng(seed), table, 50.0, prints=(sheet,))
        bar = (laid[..., 2] > 235) & (laid[..., 0] < 20)
        if bar.sum() > 200:
            sides = cv2.minAreaRect(np.argwhere(bar).astype(np.float32))[1]
            shapes.append(max(sides) / min(sides))
    assert len(shapes) > 5
    assert 2 < np.median(shapes) < 3.2  # 40 by 16
