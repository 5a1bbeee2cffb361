"""What a taught deck says of a card in a photo.

A card is compared with every face that was taught, by the features that identify and index have of
it: cosine similarity of the whole card and of its two corners, as far as no other card covers them.
What the networks say and what the faces say are multiplied. The faces share out what the networks
give to the forty cards; how likely it is that there is no Scopa card stays as it is.

Where that leaves a doubt, the drawings are compared too: how many details of the card lie where a
taught card has them. That is done for few cards, as it takes longer, and tells most of those of
which others cover a part. Details are SIFT keypoints (Lowe 2004), described by the square root of
its descriptors, which compares better (Arandjelovic and Zisserman 2012). Both cards were
straightened, so the homography between them is known but for two things: which end is up, and how
far the corners of the one in the photo are off. Matches count that agree on one shift, with either
end up.

An answer becomes surer only where both agree. Where they do not, no card gets a probability above
`CAUTIOUS` that the networks alone did not give it, so that somebody is asked.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.classify import EMBEDDING_SIZE, WORTH, Embeddings
from vision.decks.references import Reference, read_deck_file
from vision.geometry import FloatArray
from vision.onnx import LEAST_PROBABILITY, Tensor
from vision.photo import Pixels
from vision.reading import CLASSES, DECK_SIZE

ENLARGED_PX = 192
"""A straightened card is enlarged to this before keypoints are looked for: more are found."""
MOST_KEYPOINTS = 200
"""Of a card."""
LEAST_CONTRAST = 0.02
"""SIFT's own threshold; half of its usual value, since worn cards in the shade are pale."""
RATIO = 0.85
"""A match is unambiguous if it is this much nearer than the next best on the same card."""
FARTHEST = 0.6
"""Distance of two descriptors of length 1 that may still be of one detail."""
FEWEST_MATCHES = 3
"""Fewer matches than this agree by chance."""
MOST_SHIFT = 0.16
"""Share of the card's sides by which its corners may be off."""
SAME_SHIFT = 0.06
"""Matches agree whose shifts are as near to the usual one."""
NETWORKS = 0.9
"""Exponent of the networks' probabilities in the product."""
WHOLE = 4.5
"""Weight of the similarity of the whole card, in the exponent."""
CORNER = 2.0
"""Weight of the similarity of a corner that nothing covers."""
PER_DETAIL = 0.3
"""Weight of each detail of the drawing that agrees, in the exponent..."""
MOST_DETAILS = 20
"""... up to so many."""
COMPARED_BELOW = 0.99
"""From this probability on the drawings are not compared."""
LEAST_SCOPA = 0.3
"""Nor are they where it is less likely than this that there is a Scopa card."""
CAUTIOUS = 0.9
"""Where what is compared does not agree, an answer does not become surer than this: below
`vision.decide.SURE`."""


@dataclass(frozen=True, eq=False)
class Keypoints:
    """Details of a card."""

    places: Tensor
    """N x 2: x and y as shares of the card's width and height."""
    descriptors: Tensor
    """N x 128, of length 1."""


def keypoints_of(card: Pixels) -> Keypoints:
    """The keypoints of a straightened card (BGR).

    >>> len(keypoints_of(np.zeros((128, 128, 3), np.uint8)).places)
    0
    """
    enlarged = cv2.resize(card, (ENLARGED_PX, ENLARGED_PX), interpolation=cv2.INTER_CUBIC)
    sift = cv2.SIFT.create(nfeatures=MOST_KEYPOINTS, contrastThreshold=LEAST_CONTRAST)
    found, raw = sift.detectAndCompute(cv2.cvtColor(enlarged, cv2.COLOR_BGR2GRAY), None)
    if raw is None:
        return Keypoints(np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32))
    shares = raw / np.maximum(raw.sum(axis=1, keepdims=True), 1e-6)
    places = np.array([one.pt for one in found]) / ENLARGED_PX
    return Keypoints(np.asarray(places, np.float32), np.asarray(np.sqrt(shares), np.float32))


def agreeing(seen: Keypoints, taught: Keypoints) -> int:
    """How many details of a card in a photo lie where a taught card has them.

    Args:
        seen: Of the card in the photo.
        taught: Of the card that was taught.
    """
    if len(seen.places) < FEWEST_MATCHES or len(taught.places) < FEWEST_MATCHES:
        return 0
    alike = seen.descriptors @ taught.descriptors.T
    best = alike.argmax(axis=1)
    rows = np.arange(len(best))
    first = _distances(alike[rows, best])
    alike[rows, best] = -1.0
    clear = (first < RATIO * _distances(alike.max(axis=1))) & (first < FARTHEST)
    here, there = seen.places[clear], taught.places[best[clear]]
    return max(_of_one_shift(here - there), _of_one_shift(here - (1 - there)))


def _of_one_shift(shifts: Tensor) -> int:
    """How many of some shifts (N x 2) are about the usual one among those that are possible."""
    possible = shifts[np.abs(shifts).max(axis=1, initial=0.0) < MOST_SHIFT]
    if len(possible) < FEWEST_MATCHES:
        return 0
    away = np.linalg.norm(possible - np.median(possible, axis=0), axis=1)
    return int((away < SAME_SHIFT).sum())


def _distances(cosines: Tensor) -> npt.NDArray[np.float32]:
    return np.asarray(np.sqrt(np.maximum(2 - 2 * cosines, 0)), np.float32)


class Embedder(Protocol):
    """What gives the features of cards: `vision.reader.Reader`, or a stand-in."""

    def embed(self, crops: Sequence[Pixels], corners: Sequence[Pixels]) -> Embeddings:
        """The features of some cards, each with its two corners."""
        ...


@dataclass(frozen=True, eq=False)
class TaughtDeck:
    """A deck whose faces are known. Nothing of it ever changes: taught more, it is another one."""

    key: str
    """Another for every other content."""
    codes: tuple[str, ...]
    """The card of each face. A card has two faces for each view: it may lie upside down."""
    whole: Tensor
    """M x 1280: the features of the whole cards, of length 1."""
    corners: Tensor
    """M x 2 x 1280: those of their corners."""
    drawings: tuple[Keypoints, ...]
    """The details of each view, of which there is one for two faces."""

    @classmethod
    def from_references(cls, references: Iterable[Reference], embedder: Embedder) -> "TaughtDeck":
        """The deck of which these are reference images, in any order and number for each card.

        Raises:
            ModelError: A network is missing or is not what this version reads.
        """
        ordered = sorted(references, key=lambda one: (CLASSES.index(one[0]), one[1].digest))
        faces = [(code, face) for code, image in ordered for face in (image, image.turned)]
        embeddings = embedder.embed(
            [face.card for _, face in faces], [end for _, face in faces for end in face.corners]
        )
        content = " ".join(f"{code} {image.digest}" for code, image in ordered)
        return cls(
            key=sha256(content.encode()).hexdigest(),
            codes=tuple(code for code, _ in faces),
            whole=_of_length_one(embeddings.whole),
            corners=_of_length_one(embeddings.corners).reshape(len(faces), 2, EMBEDDING_SIZE),
            drawings=tuple(keypoints_of(image.card) for _, image in ordered),
        )

    @property
    def missing(self) -> tuple[str, ...]:
        """The cards of which it has no face, in deck order."""
        known = frozenset(self.codes)
        return tuple(code for code in CLASSES[:DECK_SIZE] if code not in known)

    @property
    def views(self) -> Counter[str]:
        """How many views of each card were taught."""
        return Counter(self.codes[::2])

    def likeness(self, embeddings: Embeddings) -> FloatArray:
        """N x 40: how much each card of the deck is like some cards, in nats; NaN where unknown."""
        return _by_card(self._by_face(embeddings), self.codes)

    def drawn_alike(self, crops: Sequence[Pixels]) -> FloatArray:
        """N x 40: how much the drawing of each card is like some cards; as `likeness`."""
        seen = [keypoints_of(crop) for crop in crops]
        counts = np.array([[agreeing(one, view) for view in self.drawings] for one in seen])
        return _by_card(PER_DETAIL * np.minimum(counts, MOST_DETAILS), self.codes[::2])

    def weighed(self, probabilities: Tensor, embeddings: Embeddings) -> Tensor:
        """The class probabilities (N x 42) of some cards, given how they look in this deck.

        A card that was not taught counts as if it looked like the best of the others.
        """
        if not self.codes or not len(probabilities):
            return probabilities
        named = probabilities.astype(np.float64)
        result = _shared_out(named, self.likeness(embeddings), power=NETWORKS)
        cards = result[:, :DECK_SIZE]
        doubtful = (cards.max(axis=1) < COMPARED_BELOW) & (cards.sum(axis=1) >= LEAST_SCOPA)
        at = np.flatnonzero(doubtful & (embeddings.scores >= WORTH))
        if len(at):
            drawn = self.drawn_alike([embeddings.crops[one] for one in at.tolist()])
            result[at] = _shared_out(result[at], drawn, power=1.0)
        return np.asarray(result, np.float32)

    def _by_face(self, embeddings: Embeddings) -> FloatArray:
        """N x M: how much each face is like some cards."""
        whole = _of_length_one(embeddings.whole) @ self.whole.T
        ends = _of_length_one(embeddings.corners).reshape(len(whole), 2, -1)
        uncovered = embeddings.uncovered.reshape(len(whole), 2)
        corners = sum(
            uncovered[:, end, None] * (ends[:, end] @ self.corners[:, end].T) for end in (0, 1)
        )
        return np.asarray(WHOLE * whole + CORNER * corners, np.float64)


def deck_of(path: Path | None, embedder: Embedder) -> TaughtDeck | None:
    """The faces of the deck in a file; None without a file. Raises as `unpacked`."""
    if path is None:
        return None
    return TaughtDeck.from_references(read_deck_file(path).views, embedder)


def _by_card(alike: FloatArray, codes: Sequence[str]) -> FloatArray:
    """N x 40 from N x M, the best of each card; NaN where there is none."""
    at = np.array([CLASSES.index(code) for code in codes], np.intp)
    found = np.full((len(alike), DECK_SIZE), np.nan)
    for card in np.unique(at).tolist():
        found[:, card] = alike[:, at == card].max(axis=1)
    return found


def _shared_out(probabilities: FloatArray, likeness: FloatArray, *, power: float) -> FloatArray:
    """N x 42 probabilities whose forty card columns are renormalised; their total stays.

    What is known so far counts to this power. An unknown card counts as the best of the others.
    """
    best = np.nanmax(likeness, axis=1, keepdims=True)
    likeness = np.where(np.isnan(likeness), best, likeness)
    shares = probabilities[:, :DECK_SIZE].sum(axis=1, keepdims=True)
    own = probabilities[:, :DECK_SIZE] / np.maximum(shares, LEAST_PROBABILITY)
    cards = shares * _agreed(own, likeness, power=power)
    return np.concatenate([cards, probabilities[:, DECK_SIZE:]], axis=1)


def _agreed(own: FloatArray, likeness: FloatArray, *, power: float) -> npt.NDArray[np.float64]:
    """N x 40 probabilities from those known so far and a likeness to the cards of the deck.

    >>> own, like = np.array([[0.6, 0.4]]), np.array([[2.0, 0.0]])
    >>> [_agreed(own, to, power=0.9).round(2).tolist() for to in (like, like[:, ::-1] * 5)]
    [[[0.91, 0.09]], [[0.1, 0.9]]]
    """
    logs = power * np.log(np.maximum(own, LEAST_PROBABILITY)) + likeness
    both = np.exp(logs - logs.max(axis=1, keepdims=True))
    both /= both.sum(axis=1, keepdims=True)
    rows, first = np.arange(len(both)), both.argmax(axis=1)
    agree = (first == own.argmax(axis=1)) & (likeness[rows, first] >= likeness.max(axis=1))
    most = np.where(agree, 1.0, np.maximum(CAUTIOUS, own[rows, first]))
    kept = np.minimum(both[rows, first], most)
    rest = np.maximum(1 - both[rows, first], LEAST_PROBABILITY)
    both *= ((1 - kept) / rest)[:, None]
    both[rows, first] = kept
    return np.asarray(both / both.sum(axis=1, keepdims=True), np.float64)


def _of_length_one(features: Tensor) -> Tensor:
    lengths = np.linalg.norm(features, axis=-1, keepdims=True)
    return np.asarray(features / np.maximum(lengths, LEAST_PROBABILITY), np.float32)
