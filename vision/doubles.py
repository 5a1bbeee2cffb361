"""The same card seen twice is one: in one photo by where it lies, in several by what it is."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from vision.classes import CLASSES
from vision.geometry import corner_distances
from vision.identify import FLOOR
from vision.network import Tensor
from vision.sighting import Sighting

NEAR = 0.35
"""Two findings read alike whose corners are closer than this, in short sides, are one card."""
ALIKE = 0.5
"""Two sightings are read alike from this probability on."""
_CARDS = len(CLASSES) - 2


def merge_doubles(sightings: Sequence[Sighting]) -> tuple[Sighting, ...]:
    """The sightings of one photo, with boxes drawn twice around one card made one.

    A double lies close to its better twin and is read as the same card. A neighbour in a tight
    fan lies as close but is another card; a copy of a card lies elsewhere. Both are kept.

    >>> merge_doubles([])
    ()
    """
    kept: list[Sighting] = []
    for sighting in sorted(sightings, key=lambda one: -one.score):
        if not any(_is_double(sighting, better) for better in kept):
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
    """What several looks at one card say together: their product, made to sum to 1.

    >>> [f"{share:.2f}" for share in pooled([np.array([0.8, 0.2], np.float32)] * 2)]
    ['0.94', '0.06']
    """
    logs = np.sum([np.log(np.maximum(look, 1e-4)) for look in probabilities], axis=0)
    powers = np.exp(logs - logs.max())
    return np.asarray(np.maximum(powers / powers.sum(), FLOOR), np.float32)


def _is_double(sighting: Sighting, better: Sighting) -> bool:
    distance = float(corner_distances(better.quad, sighting.quad[None])[0])
    alike = sighting.top == better.top and min(sighting.top_share, better.top_share) >= ALIKE
    return distance < NEAR and alike


def _partners(sightings: Sequence[Sighting], evidence: Sequence[Tensor]) -> dict[int, int]:
    """The group each sighting of a new photo belongs to, where it belongs to one."""
    if not sightings or not evidence:
        return {}
    seen = np.stack([sighting.probabilities for sighting in sightings])
    agreement = seen[:, :_CARDS] @ np.stack(evidence)[:, :_CARDS].T
    rows, columns = linear_sum_assignment(agreement, maximize=True)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return {row: column for row, column in pairs if agreement[row, column] >= ALIKE}
