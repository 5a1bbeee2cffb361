"""Non-maximum suppression: several boxes of one card become one.

In one photo where they lie tells them, in several photos of a pile what they show.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.geometry import Quad, areas, corner_distances, shared_areas
from vision.onnx import LEAST_PROBABILITY, Tensor
from vision.reading import CLASSES, DECK_SIZE

LIKELY = 0.5
"""A box is kept if it holds a whole card with at least this probability."""
HARDLY = 0.3
"""A box is also kept from this probability on if it is strong by itself (`STRONG`, `CARDLIKE`),
since a card that lies nearer to the camera than the others has another size. Below it, print and
cloth look like cards too."""
STRONG = 0.5
"""A box is strong from this product of its score and the probability of its likeliest class on."""
CARDLIKE = 0.8
"""A box is strong from this score on, even if its class is uncertain: some card lies there."""
READ_ALIKE = 0.5
"""Two boxes are read alike if they have the same likeliest class and the better one gives it at
least this probability. Between photos: if the probability that both show one card is as high."""
SAME_CARD_DISTANCE = 0.6
"""Short sides. Boxes read alike whose corners are closer are one card."""
SAME_CARD_OVERLAP = 0.6
"""Boxes read alike are one card if more than this share of the smaller lies inside the other."""
SAME_CORNERS = 0.1
"""Short sides. Boxes whose corners on the plane are closer are one card whatever they are read as:
of a card squared up under another nothing would be seen."""
LEAST_POOLED = 1e-4
"""Probabilities are raised to this before they are pooled over photos."""


@dataclass(frozen=True, eq=False)
class Detection:
    """A box of one photo in which a card may lie, and what that card may be."""

    quad: Quad
    """4 x 2 corners in photo pixels, on the plane of the table."""
    score: float
    """How sure detector and corner network are that a card lies there, 0 to 1."""
    probabilities: Tensor = field(default_factory=lambda: np.full(42, 1 / 42, np.float32))
    """42 calibrated class probabilities, in the order of `CLASSES`; all equal until classified."""
    seen_quad: Quad | None = None
    """The corners before they were moved onto the plane, where they were: these tell a part of a
    card from a whole one, since on the plane every box has the size of a card."""
    card_probability: float = 0.5
    """Mean probability of a card over shifted crops of the box (`CornerNetwork.tta_spread`)."""
    spreads: tuple[float, float] = (1.0, 1.0)
    """How far the corners of either short side move with the crop, in short sides, the firmer side
    first."""
    whole_card_probability: float = 1.0
    """Probability that the box holds a whole card and no part of one."""
    is_mirrored: bool = False
    """Whether it was named as a mirror shows it: the whole photo is mirrored."""

    is_striped: bool = False
    """Whether stripes of light cross the photo, and so perhaps the signs of the card."""

    @property
    def box(self) -> Quad:
        """The corners as they were seen."""
        return self.quad if self.seen_quad is None else self.seen_quad

    @property
    def top(self) -> str:
        """The likeliest class."""
        return CLASSES[int(self.probabilities.argmax())]

    @property
    def top_probability(self) -> float:
        """The probability of the likeliest class."""
        return float(self.probabilities.max())


def nms(detections: Sequence[Detection], *, likely: float = LIKELY) -> tuple[Detection, ...]:
    """One detection for each card of a photo: the one that most likely holds a whole card.

    A neighbour in a tight fan overlaps as much as a second box of one card does, but it is read as
    another card, so it stays. A second copy of a card lies elsewhere, so it stays too, and so does
    something card-like that cannot be read.

    Args:
        detections: All those of a photo.
        likely: The least probability of a whole card in a box that is kept.

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
    """Which detections in several photos of one pile are the same card.

    Args:
        pile: A key, the number of the photo, and the detection.

    Returns:
        The keys of each card's detections, at most one of each photo.

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


def _is_second_box(one: Detection, kept: Sequence[Detection]) -> bool:
    """Whether a detection is a further box of a card that has one already."""
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
    """For those probabilities of a new photo that show a card known already: index -> its group."""
    from scipy.optimize import linear_sum_assignment

    if not rows or not shown:
        return {}
    agreement = np.stack(rows)[:, :DECK_SIZE] @ np.stack(shown)[:, :DECK_SIZE].T
    pairs = zip(*linear_sum_assignment(agreement, maximize=True), strict=True)
    return {int(row): int(group) for row, group in pairs if agreement[row, group] >= READ_ALIKE}
