"""Several boxes of one card become one candidate.

In one photo they are told by where they lie, in several photos of a pile by what they show.
"""

from collections.abc import Sequence

import numpy as np

from vision.classify import Candidate
from vision.geometry import FloatArray, areas, corner_distances, shared_areas
from vision.onnx import LEAST_PROBABILITY, Tensor
from vision.reading import DECK_SIZE, NOT_SCOPA

LIKELY = 0.5
"""A box is kept if the belief that it holds a whole card is at least this."""
HARDLY = 0.3
"""A box is also kept from this belief on if it is strong by itself (`STRONG`, `CARDLIKE`), since a
card that lies nearer to the camera than the others has another size. Below it, print and cloth look
like cards too."""
STRONG = 0.5
"""A box is strong from this product of its score and the probability of its likeliest class on."""
CARDLIKE = 0.8
"""A box is strong from this score on, even if its class is uncertain: some card lies there."""
FOREIGN_SCORE = 0.5
"""A box read as no Scopa card is the table or its clutter if its score is below this."""
READ_ALIKE = 0.5
"""Two boxes are read alike if they have the same likeliest class and the better one gives it at
least this probability. Between photos: if the probability that both show one card is as high."""
SAME_CARD_DISTANCE = 0.6
"""Short sides. Boxes read alike whose corners are closer are one card."""
SAME_CARD_OVERLAP = 0.6
"""Boxes read alike are one card if more than this share of the smaller lies inside the other."""
PART_INSIDE = 0.8
"""A box is a part of another card if more than this share of it lies inside that card's box and it
is smaller than `PART_SIZE`."""
PART_SIZE = 0.8
"""Share of the other box's area below which a box is too small for a card of its own: all cards of
a table are equally large."""
SAME_CORNERS = 0.1
"""Short sides. Boxes whose corners on the plane are closer are one card whatever they are read as:
of a card squared up under another nothing would be seen."""
LEAST_POOLED = 1e-4
"""Probabilities are raised to this before they are pooled over photos."""


def choose_boxes(
    candidates: Sequence[Candidate], beliefs: FloatArray, *, likely: float = LIKELY
) -> tuple[Candidate, ...]:
    """One box for each card: the one that most likely holds a whole card.

    This is non-maximum suppression by belief. A neighbour in a tight fan overlaps as much as a
    second box of one card does, but it is read as another card, so it stays. A second copy of a
    card lies elsewhere, so it stays too, and so does something card-like that cannot be read.

    Args:
        candidates: All the boxes of a photo.
        beliefs: For each, the probability that it holds a whole card.
        likely: The least belief of a box that is kept.

    >>> choose_boxes([], np.zeros(0))
    ()
    """
    kept: list[Candidate] = []
    for at in np.argsort(-beliefs, kind="stable").tolist():
        candidate = candidates[at]
        clutter = candidate.top == NOT_SCOPA and candidate.score < FOREIGN_SCORE
        strong = (
            candidate.score * candidate.top_probability >= STRONG or candidate.score >= CARDLIKE
        )
        believed = beliefs[at] >= (min(likely, HARDLY) if strong else likely)
        if believed and not clutter and not _is_another_box(candidate, kept):
            kept.append(candidate)
    return tuple(kept)


def same_cards(photos: Sequence[Sequence[Candidate]]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Which candidates in several photos of one pile are the same card.

    Returns:
        One group for each card: (photo, candidate) indices, at most one for each photo.

    >>> same_cards([[], []])
    ()
    """
    groups: list[list[tuple[int, int]]] = []
    evidence: list[Tensor] = []
    for photo, candidates in enumerate(photos):
        partners = _partners(candidates, evidence)
        for place, candidate in enumerate(candidates):
            group = partners.get(place)
            if group is None:
                groups.append([(photo, place)])
                evidence.append(candidate.probabilities)
            else:
                groups[group].append((photo, place))
                evidence[group] = pooled([evidence[group], candidate.probabilities])
    return tuple(tuple(group) for group in groups)


def pooled(probabilities: Sequence[Tensor]) -> Tensor:
    """Class probabilities of one card from several photos of it: a logarithmic pool.

    Errors of several photos are correlated. So n photos count as the square root of n independent
    ones: the sum of the log-probabilities is divided by the square root of n.

    >>> [f"{share:.2f}" for share in pooled([np.array([0.8, 0.2], np.float32)] * 2)]
    ['0.88', '0.12']
    """
    from scipy.special import softmax

    logs = np.sum([np.log(np.maximum(one, LEAST_POOLED)) for one in probabilities], axis=0)
    found = np.asarray(softmax(logs / np.sqrt(len(probabilities)), axis=-1), np.float32)
    return np.maximum(found, np.float32(LEAST_PROBABILITY))


def _is_another_box(candidate: Candidate, kept: Sequence[Candidate]) -> bool:
    """Whether a candidate is a further box of a card that has one already."""
    if not kept:
        return False
    others = np.stack([better.box for better in kept])
    cards = np.stack([better.quad for better in kept])
    own = float(areas(candidate.box))
    inside = shared_areas(candidate.box, others) / np.minimum(own, areas(others))
    part = (shared_areas(candidate.box, cards) > PART_INSIDE * own) & (
        own < PART_SIZE * areas(cards)
    )
    same_corners = corner_distances(candidate.quad, cards) < SAME_CORNERS
    near = (corner_distances(candidate.box, others) < SAME_CARD_DISTANCE) | (
        inside > SAME_CARD_OVERLAP
    )
    return any(
        part[at] or same_corners[at] or (near[at] and _read_alike(candidate, better))
        for at, better in enumerate(kept)
    )


def _read_alike(candidate: Candidate, better: Candidate) -> bool:
    return candidate.top == better.top and better.top_probability >= READ_ALIKE


def _partners(candidates: Sequence[Candidate], evidence: Sequence[Tensor]) -> dict[int, int]:
    """For those candidates of a new photo that show a card known already: index -> its group."""
    from scipy.optimize import linear_sum_assignment

    if not candidates or not evidence:
        return {}
    seen = np.stack([candidate.probabilities for candidate in candidates])
    agreement = seen[:, :DECK_SIZE] @ np.stack(evidence)[:, :DECK_SIZE].T
    rows, columns = linear_sum_assignment(agreement, maximize=True)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return {row: column for row, column in pairs if agreement[row, column] >= READ_ALIKE}
