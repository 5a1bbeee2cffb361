"""The same card seen twice is one: in one photo by where it lies, in several by what it is."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from vision.classes import CLASSES, NOT_SCOPA
from vision.geometry.quads import areas, corner_distances, shared_areas
from vision.networks.calibration import FLOOR, shares
from vision.networks.network import Tensor
from vision.verdicts.belief import Numbers
from vision.verdicts.sighting import Sighting

LIKELY = 0.5
"""A sighting counts from this chance of being a whole card on..."""
CLEAR = 0.5
"""... or from this product of its score and its likeliest class' probability on: a card may lie
nearer than the others..."""
HARDLY = 0.3
"""... but not below this chance: print and cloth look like a card of another size, too."""
NEAR = 0.6
"""Two boxes read alike whose corners are closer than this, in short sides, are one card."""
ALIKE = 0.5
"""Two sightings are read alike from this probability on."""
SHARED = 0.6
"""A box of which this share lies inside one read alike is of the same card."""
INSIDE = 0.8
"""A box of which this share lies inside another is a part of it..."""
PART = 0.8
"""... where it has less than this share of its area, whatever it is read as: all cards of a table
are equally large."""
THERE = 0.1
"""Two boxes whose cards' corners are closer than this, in short sides, are one card, whatever they
are read as: of a card squared up under another nothing would be seen."""
CARDLIKE = 0.8
"""What cannot be read is worth a word from this score on: a card lies there, whichever it is."""
FOREIGN = 0.5
"""What is no card of the deck is worth a word from this score on; fainter, it is the table."""
_CARDS = len(CLASSES) - 2


def choose(
    sightings: Sequence[Sighting], chances: Numbers, *, likely: float = LIKELY
) -> tuple[Sighting, ...]:
    """One sighting a card: of the boxes drawn around it, the one that is likeliest a whole card.

    Args:
        sightings: All the boxes of a photo.
        chances: How likely each of them is a whole card.
        likely: From which chance on a box counts.

    A neighbour in a tight fan overlaps as much as a second box does, but is read as another
    card; a copy of a card lies elsewhere. Both are kept, and what lies where no other card does
    and looks like one without being read.

    >>> choose([], np.zeros(0))
    ()
    """
    kept: list[Sighting] = []
    for at in np.argsort(-chances, kind="stable").tolist():
        sighting = sightings[at]
        noise = sighting.top == NOT_SCOPA and sighting.score < FOREIGN
        clear = sighting.score * sighting.top_share >= CLEAR or sighting.score >= CARDLIKE
        counts = chances[at] >= (min(likely, HARDLY) if clear else likely)
        if counts and not noise and not _is_explained(sighting, kept):
            kept.append(sighting)
    return tuple(kept)


def same_cards(photos: Sequence[Sequence[Sighting]]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Which sightings in several photos of one pile are the same card.

    Returns:
        One group a card: the (photo, sighting) places that show it, at most one a photo.

    >>> same_cards([[], []])
    ()
    """
    groups: list[list[tuple[int, int]]] = []
    evidence: list[Tensor] = []
    for photo, sightings in enumerate(photos):
        partners = _partners(sightings, evidence)
        for place, sighting in enumerate(sightings):
            group = partners.get(place)
            if group is None:
                groups.append([(photo, place)])
                evidence.append(sighting.probabilities)
            else:
                groups[group].append((photo, place))
                evidence[group] = pooled([evidence[group], sighting.probabilities])
    return tuple(tuple(group) for group in groups)


def pooled(probabilities: Sequence[Tensor]) -> Tensor:
    """What several looks at one card say together: a product, made to sum to 1.

    What misleads one look mostly misleads the next, so n of them count as the square root of n
    that know nothing of each other.

    >>> [f"{share:.2f}" for share in pooled([np.array([0.8, 0.2], np.float32)] * 2)]
    ['0.88', '0.12']
    """
    logs = np.sum([np.log(np.maximum(look, 1e-4)) for look in probabilities], axis=0)
    logs = logs / np.sqrt(len(probabilities))
    return np.maximum(shares(logs), np.float32(FLOOR))


def _is_explained(sighting: Sighting, kept: Sequence[Sighting]) -> bool:
    """Whether a sighting is another box around a card that is kept already."""
    if not kept:
        return False
    others = np.stack([better.box for better in kept])
    cards = np.stack([better.quad for better in kept])
    own = float(areas(sighting.box))
    inside = shared_areas(sighting.box, others) / np.minimum(own, areas(others))
    part = (shared_areas(sighting.box, cards) > INSIDE * own) & (own < PART * areas(cards))
    there = corner_distances(sighting.quad, cards) < THERE
    near = (corner_distances(sighting.box, others) < NEAR) | (inside > SHARED)
    return any(
        part[at] or there[at] or _same_name(sighting, better, near=bool(near[at]))
        for at, better in enumerate(kept)
    )


def _same_name(sighting: Sighting, better: Sighting, *, near: bool) -> bool:
    return near and sighting.top == better.top and better.top_share >= ALIKE


def _partners(sightings: Sequence[Sighting], evidence: Sequence[Tensor]) -> dict[int, int]:
    """The group each sighting of a new photo belongs to, where it belongs to one."""
    if not sightings or not evidence:
        return {}
    seen = np.stack([sighting.probabilities for sighting in sightings])
    agreement = seen[:, :_CARDS] @ np.stack(evidence)[:, :_CARDS].T
    rows, columns = linear_sum_assignment(agreement, maximize=True)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return {row: column for row, column in pairs if agreement[row, column] >= ALIKE}
