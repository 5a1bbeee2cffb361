"""A deck holds each card once: what is left of each sighting's probabilities, knowing that.

The likeliest joint answer is a linear assignment on log-probabilities. How sure one answer is
follows from the best joint answers that contain it and that do not (max-marginals), worked out
only among sightings that compete for a card.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from vision.classes import CLASSES

PLAUSIBLE = 0.002
"""Answers less likely than this are not followed up."""
EXTRA = 0.003
"""Chance that a sighting is no card of its own: a box drawn twice, or another deck's card."""

_CARDS = len(CLASSES) - 2
_OPTIONS = 12

Shares = npt.NDArray[np.float64]
"""Probabilities: N sightings x 42 classes."""


def joint_shares(probabilities: Shares, again: Shares, *, extra: float = EXTRA) -> Shares:
    """Each sighting's probabilities, given that no two are the same card.

    Args:
        probabilities: N x 42, rows sum to 1.
        again: N x 42, the chance that a sighting shows a card that another one rightly shows
            too (another photo of its pile); zeros where each photo is a pile.
        extra: The chance that a sighting is no card of its own.

    A sighting that competes with no other keeps its probabilities. One that does may lose some
    to being no card of its own, so a card surely seen twice stays in doubt: its rows
    then sum to less than 1.

    >>> joint_shares(np.zeros((0, 42)), np.zeros((0, 42))).shape
    (0, 42)
    """
    shares = np.array(probabilities, np.float64)
    for rivals in _rivals(shares):
        shares[rivals] = _resolve(shares[rivals], again[rivals], extra=extra)
    return shares


def _rivals(shares: Shares) -> list[npt.NDArray[np.intp]]:
    """The groups of two and more sightings that could be the same card, directly or in turn."""
    plausible = csr_array((shares[:, :_CARDS] >= PLAUSIBLE).astype(np.int8))
    _, labels = connected_components(plausible @ plausible.T, directed=False)
    groups = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    return [group for group in groups if len(group) > 1]


def _resolve(shares: Shares, again: Shares, *, extra: float) -> Shares:
    """The joint shares of sightings that compete."""
    gains = _gains(shares, again, extra=extra)
    result = np.zeros_like(shares)
    for row, own in enumerate(shares):
        free = own * _availability(shares, row, least=extra)
        options = np.argsort(-free)[:_OPTIONS]
        columns = [_column(int(option), row=row, rows=len(shares)) for option in options]
        spare = gains.shape[1] - 2 * len(shares) + row
        totals = _totals(gains, [*columns, spare, spare + len(shares)], row=row)
        weights = np.exp(totals - totals.max())
        weights *= free[options].sum() / (free.sum() * weights.sum())
        result[row, options] = weights[:-2]
        result[row, int(again[row].argmax())] += weights[-2]
    return result


def _availability(shares: Shares, row: int, *, least: float) -> Shares:
    """How likely no other sighting takes each class; back and x are never taken."""
    rest = np.delete(shares, row, axis=0).max(axis=0)
    rest[_CARDS:] = 0.0
    return np.asarray(np.maximum(1.0 - rest, least))


def _gains(shares: Shares, again: Shares, *, extra: float) -> Shares:
    """Log-probabilities by columns: the cards, then each sighting's back, x, again and extra."""
    count = len(shares)
    logs = np.log(np.maximum(shares, 1e-12))
    own = np.full((4, count, count), -1e3)
    at = np.arange(count)
    own[0, at, at] = logs[:, _CARDS]
    own[1, at, at] = logs[:, _CARDS + 1]
    own[2, at, at] = np.log(np.maximum(again.max(axis=1), 1e-12))
    own[3, at, at] = np.log(extra) + logs.max(axis=1)
    return np.hstack([logs[:, :_CARDS], *own])


def _column(option: int, *, row: int, rows: int) -> int:
    return option if option < _CARDS else _CARDS + (option - _CARDS) * rows + row


def _totals(gains: Shares, columns: Sequence[int], *, row: int) -> Shares:
    """The best joint log-probability with one sighting held at each of some columns."""
    others = np.delete(gains, row, axis=0)
    totals = []
    for column in columns:
        free = others.copy()
        free[:, column] = -1e3
        rows, chosen = linear_sum_assignment(free, maximize=True)
        totals.append(gains[row, column] + free[rows, chosen].sum())
    return np.array(totals)
