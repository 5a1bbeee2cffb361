"""Non-maximum suppression: several boxes of one card become one.

Boxes of one photo are compared by position and class, those of several photos by class only.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.geometry import Quad, areas, corner_distances, shared_areas
from vision.onnx import LEAST_PROBABILITY, Tensor
from vision.reading import CLASSES, DECK_SIZE

LIKELY = 0.5
"""A box with at least this probability of a whole card is kept."""
HARDLY = 0.3
"""A strong box (`STRONG`, `CARDLIKE`) is kept from this probability, because a card near the camera
has another size than the others. Below it, print and cloth look like cards too."""
STRONG = 0.5
"""Minimum product of score and class probability of a strong box."""
CARDLIKE = 0.8
"""Minimum score of a strong box of uncertain class: there is some card."""
READ_ALIKE = 0.5
"""Two boxes are read alike if they have the same likeliest class, with at least this probability in
the better box. Two photos' boxes are read alike if both show one card with this probability."""
SAME_CARD_DISTANCE = 0.6
"""Short sides. Boxes read alike whose corners are closer are one card."""
SAME_CARD_OVERLAP = 0.6
"""Boxes read alike are one card if a larger share of the smaller box is inside the other."""
SAME_CORNERS = 0.1
"""Short sides. Boxes with closer corners on the plane are one card whatever their classes: a card
exactly under another is invisible."""
NAMED, FOUND = 0.9, 0.25
"""Minimum class probability and score of a card that can have parts (`with_parts_doubted`)."""
PART_INSIDE, PART_AREA = 0.85, 0.35
"""A box is a part of such a card if a larger share of it is inside the card, and its area is a
smaller share of the card's."""
PART_FACTOR, LEAST_WITH_PARTS = 0.1, 0.6
"""Factor for the whole-card probability of a part; the minimum for a card that has parts."""
LEAST_POOLED = 1e-4
"""Probabilities are raised to this before they are pooled over photos."""


@dataclass(frozen=True, eq=False)
class Detection:
    """A box of a photo that may hold a card, with its class probabilities."""

    quad: Quad
    """4 x 2 corners in photo pixels, on the plane of the table."""
    score: float
    """Score of detector and corner network, 0 to 1."""
    probabilities: Tensor = field(default_factory=lambda: np.full(42, 1 / 42, np.float32))
    """42 calibrated class probabilities, in the order of `CLASSES`; all equal until classified."""
    seen_quad: Quad | None = None
    """The corners before they were moved onto the plane. They tell a part of a card from a whole
    one, because all boxes on the plane have the size of a card."""
    card_probability: float = 0.5
    """Mean probability of a card in shifted crops of the box (`CornerNetwork.tta_spread`)."""
    spreads: tuple[float, float] = (1.0, 1.0)
    """Spread of the corners of each short side in shifted crops, in short sides, smaller one
    first."""
    whole_card_probability: float = 1.0
    """Probability that the box holds a whole card, not a part of one."""
    is_mirrored: bool = False
    """Whether the box was classified in a mirror, because the photo is mirrored."""

    is_striped: bool = False
    """Whether stripes of light cross the photo."""

    @property
    def box(self) -> Quad:
        """The corners before they were moved onto the plane."""
        return self.quad if self.seen_quad is None else self.seen_quad

    @property
    def top(self) -> str:
        """The likeliest class."""
        return CLASSES[int(self.probabilities.argmax())]

    @property
    def top_probability(self) -> float:
        """The probability of the likeliest class."""
        return float(self.probabilities.max())


def with_parts_doubted(detections: Sequence[Detection]) -> list[Detection]:
    """Return the detections with low whole-card probabilities for parts of surely named cards.

    On a table with a fine grain, many single pips of near cards are found as boxes. Then their
    size seems to be the usual one, and the cards themselves seem too large.

    >>> with_parts_doubted([])
    []
    """
    whole = [one.whole_card_probability for one in detections]
    if len(detections) < 2:
        return list(detections)
    boxes = np.stack([one.box for one in detections])
    sizes = areas(boxes)
    for at, card in enumerate(detections):
        if card.top_probability < NAMED or card.score < FOUND:
            continue
        [smaller] = np.nonzero(sizes < PART_AREA * sizes[at])
        inside = shared_areas(card.box, boxes[smaller]) > PART_INSIDE * sizes[smaller]
        for part in smaller[inside]:
            whole[part] = min(whole[part], PART_FACTOR * detections[part].whole_card_probability)
        if inside.any():
            whole[at] = max(whole[at], LEAST_WITH_PARTS)
    pairs = zip(detections, whole, strict=True)
    return [replace(one, whole_card_probability=share) for one, share in pairs]


def nms(detections: Sequence[Detection], *, likely: float = LIKELY) -> tuple[Detection, ...]:
    """Keep one detection for each card of a photo: the likeliest whole card.

    A neighbour in a tight fan overlaps as much as a second box of the same card. It stays because
    its class differs. A second copy of a card stays because its position differs. A box that looks
    like a card and cannot be read stays too.

    Args:
        detections: All detections of a photo.
        likely: Minimum probability of a whole card.

    >>> nms([])
    ()
    """
    kept: list[Detection] = []
    for one in sorted(detections, key=lambda one: -one.whole_card_probability):
        strong = one.score * one.top_probability >= STRONG or one.score >= CARDLIKE
        least = min(likely, HARDLY) if strong else likely
        if one.whole_card_probability >= least and not _is_second_box(one, kept):
            kept.append(one)
    return tuple(kept)


def merge_photos(pile: Sequence[tuple[int, int, Detection]]) -> list[list[int]]:
    """Group the detections in several photos of one pile by card.

    Args:
        pile: For each detection: a key, the number of its photo, and itself.

    Returns:
        The keys of each card's detections, at most one for each photo.

    >>> merge_photos([])
    []
    """
    groups: list[list[int]] = []
    shown: list[Tensor] = []
    for photo in sorted({photo for _, photo, _ in pile}):
        own = [(key, one.probabilities) for key, number, one in pile if number == photo]
        partners = _partners([row for _, row in own], shown)
        for place, (key, row) in enumerate(own):
            group = partners.get(place)
            if group is None:
                groups.append([key])
                shown.append(row)
            else:
                groups[group].append(key)
                shown[group] = pooled([shown[group], row])
    return groups


def pooled(probabilities: Sequence[Tensor]) -> Tensor:
    """Class probabilities of a card from several photos of it: a logarithmic pool.

    Errors of several photos are correlated, so n photos count as the square root of n independent
    ones: the sum of the log-probabilities is divided by the square root of n.

    >>> [f"{share:.2f}" for share in pooled([np.array([0.8, 0.2], np.float32)] * 2)]
    ['0.88', '0.12']
    """
    from scipy.special import softmax

    logs = np.sum([np.log(np.maximum(one, LEAST_POOLED)) for one in probabilities], axis=0)
    found = np.asarray(softmax(logs / np.sqrt(len(probabilities)), axis=-1), np.float32)
    return np.maximum(found, np.float32(LEAST_PROBABILITY))


def _is_second_box(one: Detection, kept: Sequence[Detection]) -> bool:
    """Return whether a detection is another box of a card that is kept already."""
    if not kept:
        return False
    boxes = np.stack([better.box for better in kept])
    cards = np.stack([better.quad for better in kept])
    inside = shared_areas(one.box, boxes) / np.minimum(areas(one.box), areas(boxes))
    same_corners = corner_distances(one.quad, cards) < SAME_CORNERS
    distances = corner_distances(one.box, boxes)
    near = (distances < SAME_CARD_DISTANCE) | (inside > SAME_CARD_OVERLAP)
    alike = [one.top == other.top and other.top_probability >= READ_ALIKE for other in kept]
    return bool((same_corners | (near & alike)).any())


def _partners(rows: Sequence[Tensor], shown: Sequence[Tensor]) -> dict[int, int]:
    """Return the detections of a new photo that show a known card: index -> group."""
    from scipy.optimize import linear_sum_assignment

    if not rows or not shown:
        return {}
    agreement = np.stack(rows)[:, :DECK_SIZE] @ np.stack(shown)[:, :DECK_SIZE].T
    pairs = zip(*linear_sum_assignment(agreement, maximize=True), strict=True)
    return {int(row): int(group) for row, group in pairs if agreement[row, group] >= READ_ALIKE}
