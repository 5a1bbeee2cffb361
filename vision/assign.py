"""Joint class probabilities of several candidates, given that a deck holds each card once.

The likeliest joint answer is a linear assignment of candidates to cards on log-probabilities. The
probability of one answer for one candidate follows from the best joint answers with each of the
candidate's answers held fixed (max-marginals). It is computed only among candidates that compete
for a card.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.geometry import FloatArray
from vision.reading import DECK_SIZE

PLAUSIBLE = 0.002
"""Two candidates compete if there is a card that both show with at least this probability."""
EXTRA = 0.003
"""Probability that a candidate is not a card: a second box of a card, or a card of another deck."""
MOST_OPTIONS = 12
"""Maximum number of answers to try for a candidate, likeliest first."""
IMPOSSIBLE = -1e3
"""Log-probability of the impossible: finite, because the linear assignment needs it."""
LEAST_ASSIGNED = 1e-12
"""Probabilities are raised to this before their logarithm is taken."""


def joint_probabilities(
    probabilities: FloatArray, seen_again: FloatArray, *, extra: float = EXTRA
) -> FloatArray:
    """Return each candidate's class probabilities, given that no two are the same card.

    A candidate that competes with no other keeps its probabilities. For one that competes, part of
    the probability may go to "not a card", so its row may sum to less than 1: if a card is surely
    read in two places, both stay in doubt.

    Args:
        probabilities: N x 42, rows sum to 1.
        seen_again: N x 42, the probability that a candidate shows a card that another candidate
            rightly shows too, on another photo of its pile; zeros if each photo is a pile.
        extra: The probability that a candidate is not a card.

    >>> joint_probabilities(np.zeros((0, 42)), np.zeros((0, 42))).shape
    (0, 42)
    """
    joint = np.array(probabilities, np.float64)
    for rivals in _rivals(joint):
        joint[rivals] = _resolved(joint[rivals], seen_again[rivals], extra=extra)
    return joint


def _rivals(probabilities: FloatArray) -> list[npt.NDArray[np.intp]]:
    """The groups of two or more candidates that compete for a card, directly or through others."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    plausible = csr_array((probabilities[:, :DECK_SIZE] >= PLAUSIBLE).astype(np.int8))
    _, labels = connected_components(plausible @ plausible.T, directed=False)
    groups = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    return [group for group in groups if len(group) > 1]


def _resolved(probabilities: FloatArray, seen_again: FloatArray, *, extra: float) -> FloatArray:
    """Return the joint probabilities of candidates that compete: a softmax of their max-marginals.

    Only the likeliest answers of a candidate are tried. The others are left out of its row, and so
    is their probability.
    """
    from scipy.special import softmax

    count = len(probabilities)
    logs = _log_probabilities(probabilities, seen_again, extra=extra)
    result = np.zeros_like(probabilities)
    for row, own in enumerate(probabilities):
        free = own * _availability(probabilities, row, least=extra)
        options = np.argsort(-free)[:MOST_OPTIONS]
        columns = [_column(int(option), row=row, rows=count) for option in options]
        again = logs.shape[1] - 2 * count + row
        best = _best_joint(logs, [*columns, again, again + count], row=row)
        marginals = softmax(best) * free[options].sum() / free.sum()
        result[row, options] = marginals[:-2]
        result[row, int(seen_again[row].argmax())] += marginals[-2]
    return result


def _availability(probabilities: FloatArray, row: int, *, least: float) -> FloatArray:
    """For each class, the probability that no other candidate takes it; 1 for `back` and `x`."""
    rest = np.delete(probabilities, row, axis=0).max(axis=0)
    rest[DECK_SIZE:] = 0.0
    return np.asarray(np.maximum(1.0 - rest, least))


def _log_probabilities(
    probabilities: FloatArray, seen_again: FloatArray, *, extra: float
) -> FloatArray:
    """Return the N x (40 + 4N) matrix of the linear assignment.

    Columns: the cards of the deck, each for at most one candidate; then four blocks of N columns,
    one column for each candidate: it is a back, it is `x`, another photo of the pile shows the same
    card, it is not a card.
    """
    count = len(probabilities)
    logs = np.log(np.maximum(probabilities, LEAST_ASSIGNED))
    own = np.full((4, count, count), IMPOSSIBLE)
    at = np.arange(count)
    own[0, at, at] = logs[:, DECK_SIZE]
    own[1, at, at] = logs[:, DECK_SIZE + 1]
    own[2, at, at] = np.log(np.maximum(seen_again.max(axis=1), LEAST_ASSIGNED))
    own[3, at, at] = np.log(extra) + logs.max(axis=1)
    return np.hstack([logs[:, :DECK_SIZE], *own])


def _column(option: int, *, row: int, rows: int) -> int:
    """Return the column of that matrix for one class of one candidate."""
    return option if option < DECK_SIZE else DECK_SIZE + (option - DECK_SIZE) * rows + row


def _best_joint(logs: FloatArray, columns: Sequence[int], *, row: int) -> FloatArray:
    """Return the best joint log-probability with one candidate held at each of some columns."""
    from scipy.optimize import linear_sum_assignment

    others = np.delete(logs, row, axis=0)
    totals = []
    for column in columns:
        free = others.copy()
        free[:, column] = IMPOSSIBLE
        rows, chosen = linear_sum_assignment(free, maximize=True)
        totals.append(logs[row, column] + free[rows, chosen].sum())
    return np.array(totals)
