"""Marks a reading against what its photo truly shows: cards right, wrong and lost.

An error is silent if nobody would be asked about it: a wrong card that is not doubtful, or a lost
card to which nothing on the screen points.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from vision.advice import FAULTS
from vision.classes import BACK, NOT_SCOPA
from vision.reading import Area, FoundCard, PhotoProblemKind, Reading, Status

RETAKE = frozenset({PhotoProblemKind.NOTHING_FOUND, PhotoProblemKind.DARK})
"""Problems after which a photo is taken again, if they concern the whole photo: then no card in it
is lost silently."""


MOST_CONFUSIONS = 12
"""No more confusions than this are listed."""


@dataclass(frozen=True)
class Marks:
    """How one photo was read. Only Scopa cards count, neither `back` nor `x`."""

    truth: int
    """Number of Scopa cards that the photo shows."""
    right: int
    """Number of cards read with the right code, doubtful or not."""
    right_unasked: int
    """Number of those that are not doubtful."""
    wrong: tuple[tuple[str, str], ...]
    """Cards read that are not there: (label of what is there, or `nothing`; what was read)."""
    wrong_silent: int
    """Number of those that are not doubtful."""
    lost: tuple[str, ...]
    """Labels of the cards that are there and were not read."""
    lost_silent: int
    """Number of those to which nothing on the screen points: they lie in no area of a fault, and no
    wrong, foreign or face-down card was read in their stead."""
    asked: int
    """Number of doubtful cards."""
    confidences: tuple[tuple[float, bool], ...]
    """(confidence, right) of every Scopa card read."""

    @property
    def exact(self) -> bool:
        """Whether the codes read are the codes there."""
        return not self.wrong and not self.lost

    @property
    def silent(self) -> int:
        """Number of silent errors."""
        return self.wrong_silent + self.lost_silent


def mark_reading(
    reading: Reading, truth: Sequence[str], *, boxes: Sequence[tuple[Area, str]] = ()
) -> Marks:
    """The marks of a reading.

    Sure answers are compared with the truth first. So if a card is read twice and there is one,
    the doubtful reading of the two is the wrong one.

    Args:
        reading: What was read.
        truth: The labels of the photo's cards (`8?`: the rank is known, the suit is not).
        boxes: For cards whose place is known, where each lies and its label.

    >>> mark_reading(Reading("p.jpg", (2, 3), (), ()), ["7d", "x"]).lost
    ('7d',)
    """
    left = Counter(code for code in truth if code not in (BACK, NOT_SCOPA))
    odd = Counter(code for code in truth if code in (BACK, NOT_SCOPA))
    order = sorted(_scopa_cards(reading), key=lambda found: (_doubtful(found), -found.confidence))
    hits = [_take(left, found.card) for found in order]
    misses = [found for found, hit in zip(order, hits, strict=True) if not hit]
    lost = tuple(sorted(left.elements()))
    return Marks(
        truth=len(truth) - odd.total(),
        right=sum(hits),
        right_unasked=sum(
            hit and not _doubtful(found) for found, hit in zip(order, hits, strict=True)
        ),
        wrong=_confusions(misses, lost=lost, odd=odd),
        wrong_silent=sum(not _doubtful(found) for found in misses),
        lost=lost,
        lost_silent=_silently_lost(
            reading, misses, lost=len(_outside_faults(reading, lost, boxes=boxes)), odd=odd
        ),
        asked=len(reading.doubts),
        confidences=tuple((found.confidence, hit) for found, hit in zip(order, hits, strict=True)),
    )


def calibration_error(confidences: Sequence[tuple[float, bool]], bins: int = 15) -> float:
    """Expected calibration error: mean gap between confidence and share right, over equal bins.

    >>> calibration_error([]), calibration_error([(0.75, True), (0.75, False)])
    (0.0, 0.25)
    """
    total = 0.0
    for low in range(bins):
        inside = [pair for pair in confidences if low == min(int(pair[0] * bins), bins - 1)]
        gap = sum(confidence - right for confidence, right in inside)
        total += abs(gap)
    return total / max(len(confidences), 1)


def summary(marks: Sequence[Marks]) -> dict[str, Any]:
    """The figures of some photos.

    Shares are of the cards that the photos show; `silent_per_1000` is silent errors for a thousand
    of them. `wrong` counts every card read that is not there, `wrong_unasked` (in the table:
    slipped) those of them that are not doubtful. `ece` is the expected calibration error.

    >>> summary([])["photos"]
    0
    """
    cards = sum(one.truth for one in marks)
    confidences = [pair for one in marks for pair in one.confidences]
    confusions = Counter(pair for one in marks for pair in one.wrong)
    return {
        "photos": len(marks),
        "cards": cards,
        "right": _share(sum(one.right for one in marks), cards),
        "right_unasked": _share(sum(one.right_unasked for one in marks), cards),
        "wrong": _share(sum(len(one.wrong) for one in marks), cards),
        "wrong_unasked": _share(sum(one.wrong_silent for one in marks), cards),
        "exact": _share(sum(one.exact for one in marks), len(marks)),
        "silent_lost": sum(one.lost_silent for one in marks),
        "silent_per_1000": 1000 * _share(sum(one.silent for one in marks), cards),
        "asked_per_40": 40 * _share(sum(one.asked for one in marks), cards),
        "ece": calibration_error(confidences),
        "lost": dict(Counter(code for one in marks for code in one.lost).most_common()),
        "confusions": [
            {"there": there, "read": read, "times": times}
            for (there, read), times in confusions.most_common(MOST_CONFUSIONS)
        ],
    }


def _scopa_cards(reading: Reading) -> list[FoundCard]:
    return [found for found in reading.cards if found.card not in (BACK, NOT_SCOPA)]


def _doubtful(found: FoundCard) -> bool:
    return found.status is Status.DOUBTFUL


def _take(left: "Counter[str]", code: str) -> bool:
    """Whether a code is among those left, by itself or as a rank (`8?`); it is taken out if so."""
    for name in (code, f"{code[:-1]}?"):
        if left[name] > 0:
            left[name] -= 1
            return True
    return False


def _confusions(
    misses: Sequence[FoundCard], *, lost: Sequence[str], odd: "Counter[str]"
) -> tuple[tuple[str, str], ...]:
    """Each wrong card with the label it was probably read from: (label, card)."""
    if len(misses) == len(lost) == 1:
        return ((lost[0], misses[0].card),)
    there = "/".join(sorted({*lost, *odd})) if len(lost) + odd.total() < 4 else "several"
    return tuple((there or "nothing", found.card) for found in misses)


def _outside_faults(
    reading: Reading, lost: Sequence[str], *, boxes: Sequence[tuple[Area, str]]
) -> list[str]:
    """The lost cards whose middle lies in no area of a fault."""
    faults = [problem.area for problem in reading.problems if problem.kind in FAULTS]
    areas = [area for area in faults if area is not None]
    left = list(lost)
    for (x0, y0, x1, y1), code in boxes:
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        marked = any(a <= x <= c and b <= y <= d for a, b, c, d in areas)
        if marked and code in left:
            left.remove(code)
    return left


def _silently_lost(
    reading: Reading, misses: Sequence[FoundCard], *, lost: int, odd: "Counter[str]"
) -> int:
    """How many of some lost cards nothing on the screen stands for.

    A wrong card stands for a lost one: the error is counted as a wrong card already. A card read as
    foreign or face down where there is none stands for one too, since the screen points at it.

    Args:
        reading: What was read.
        misses: The wrong cards of the reading.
        lost: Number of the lost cards.
        odd: The truth's `back` and `x`.
    """
    if any(problem.kind in RETAKE and problem.area is None for problem in reading.problems):
        return 0
    pointed_at = sum(found.card in (BACK, NOT_SCOPA) for found in reading.cards)
    return max(0, lost - len(misses) - max(0, pointed_at - odd.total()))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
