"""Straightened cards of scenes, as the identify network is shown them, and bits of bare table."""

import cv2
import numpy as np

from training.data.boxes import FAR
from training.data.shards import Crop, encode
from training.paint import Rng
from training.scenes.scene import Scene, SceneCard
from vision.classify import CORNERS, UNSEEN
from vision.geometry import corner_distances, corner_views, half_turn, straighten
from vision.reading import CLASSES, NOT_SCOPA

MIN_VISIBLE = 0.15
"""A card is worth a crop when at least this share of it can be seen..."""
READABLE = 0.3
"""... and can mostly be told when at least this much or an index can."""
UNREADABLE_SHARE = 0.25
"""Share of the others that is cut out: they teach little but to leave a name open."""
OFF, OFF_COVERED = (0.005, 0.01, 0.025), (0.01, 0.02, 0.045)
"""How far the corners of a crop may be off, in card heights: a clear card's, a covered one's."""
CLEAR = 0.8
"""A card of which more than this share can be seen is clear."""
FOUND = 0.8
"""Share of the cards cut out where a box was found, where boxes are given."""
NEAR = 0.3
"""A box whose corners are this near a card's, in short sides, was drawn around that card."""
MISTAKES = 2
"""At most so many boxes drawn around no card are cut out of a scene."""
INDEX_SEEN, INDEX_HIDDEN = 0.6, 0.2
"""Of a corner, from and up to which share its card can be told there, or no card: what lies
between teaches nothing."""
CROPS_PER_SCENE = 24
"""At most so many crops a scene, so that big piles do not drown the rest."""


def jittered(
    rng: Rng, corners: np.ndarray, visible: float = 1.0, *, turn: bool = True
) -> np.ndarray:
    """Corners as the networks would give them: off a little, either end first if they may turn."""
    size = np.linalg.norm(corners[1] - corners[2])
    rough = float(rng.choice(OFF if visible > CLEAR else OFF_COVERED))
    middle = corners.mean(0)
    grown = middle + (corners - middle) * np.exp(rng.normal(0, rough))
    moved = grown + rng.normal(0, rough, 2) * size + rng.normal(0, rough * 0.6, (4, 2)) * size
    return half_turn(moved) if turn and rng.random() < 0.5 else moved


def crops_of(rng: Rng, scene: Scene, found: np.ndarray | None = None) -> list[Crop]:
    """Straightened cards of a scene, and pieces of it that are no card.

    Args:
        rng: Where chance comes from.
        scene: The scene.
        found: (n, 4, 2) boxes that other networks drew in it: most cards are then cut out there.
    """
    seen = [c for c in scene.cards if c.visible >= MIN_VISIBLE]
    seen = [c for c in seen if _is_readable(c) or rng.random() < UNREADABLE_SHARE]
    chosen = [seen[i] for i in rng.permutation(len(seen))[:CROPS_PER_SCENE]]
    boxes = [] if found is None else _boxes_of(seen, found)
    crops = [
        Crop(
            encode(straighten(scene.image, _box(rng, c, boxes)), quality=92),
            CLASSES.index(c.card),
        )
        for c in chosen
    ]
    strange = [] if found is None else _mistakes(rng, scene, found)
    bare = _bare_table(rng, scene)
    if bare is not None and rng.random() < 0.5:
        strange.append(bare)
    label = CLASSES.index(NOT_SCOPA)
    return crops + [Crop(encode(straighten(scene.image, q), quality=92), label) for q in strange]


def _mistakes(rng: Rng, scene: Scene, found: np.ndarray) -> list[np.ndarray]:
    """Some of the boxes that were drawn where no card lies, not even sideways."""
    corners = np.stack([card.corners for card in scene.cards])
    wrong = [
        box
        for box in found
        if all(corner_distances(np.roll(box, k, axis=0), corners).min() > FAR for k in (0, 1))
    ]
    return [wrong[i] for i in rng.permutation(len(wrong))[:MISTAKES]]


def indices_of(rng: Rng, scene: Scene) -> list[Crop]:
    """The corners of each card that can be seen at all; one that another card covers is unseen."""
    crops = []
    for card in (card for card in scene.cards if card.visible > 0):
        views = corner_views(scene.image, jittered(rng, card.corners, card.visible, turn=False))
        for view, seen in zip(views, card.indices_seen, strict=True):
            if seen >= INDEX_SEEN or seen <= INDEX_HIDDEN:
                label = card.card if seen >= INDEX_SEEN else UNSEEN
                crops.append(Crop(encode(view, quality=92), CORNERS.index(label)))
    return crops


def _is_readable(card: SceneCard) -> bool:
    return card.visible >= READABLE or max(card.indices_seen) >= INDEX_SEEN


def _boxes_of(cards: list[SceneCard], found: np.ndarray) -> list[tuple[SceneCard, np.ndarray]]:
    """The boxes drawn around a card, each with the card that it is nearest to."""
    if not cards:
        return []
    corners = np.stack([card.corners for card in cards])
    apart = [corner_distances(box, corners) for box in found]
    return [
        (cards[int(far.argmin())], box)
        for box, far in zip(found, apart, strict=True)
        if far.min() < NEAR
    ]


def _box(rng: Rng, card: SceneCard, boxes: list[tuple[SceneCard, np.ndarray]]) -> np.ndarray:
    """Where a card is cut out: at one of the boxes drawn around it, or nearly where it lies."""
    own = [box for around, box in boxes if around is card]
    if not own or rng.random() >= FOUND:
        return jittered(rng, card.corners, card.visible)
    box = own[int(rng.integers(len(own)))]
    return half_turn(box) if rng.random() < 0.5 else box


def _bare_table(rng: Rng, scene: Scene) -> np.ndarray | None:
    """Corners of a card-sized piece of the picture where no card is, or None if none was found."""
    height, width = scene.image.shape[:2]
    covered = np.zeros((height, width), np.uint8)
    for card in scene.cards:
        cv2.fillConvexPoly(covered, card.corners.astype(np.int32), 1)
    size = float(np.median([np.linalg.norm(c.corners[1] - c.corners[2]) for c in scene.cards]))
    for _ in range(5):
        centre = rng.uniform(0.1, 0.9, 2) * [width, height]
        if rng.random() < 0.5:  # where the networks are most often mistaken: beside a card
            near = scene.cards[int(rng.integers(len(scene.cards)))].corners.mean(0)
            centre = (near + rng.normal(0, 0.7, 2) * size).clip(0, [width, height])
        box = cv2.boxPoints(
            ((centre[0], centre[1]), (size * 0.6, size), float(rng.uniform(0, 180)))
        )
        mask = np.zeros_like(covered)
        cv2.fillConvexPoly(mask, box.astype(np.int32), 1)
        if (covered & mask).sum() < 0.02 * max(1, mask.sum()):
            return np.asarray(box, np.float32)
    return None
