"""Detections of all photos of a hand -> its cards, each with a status, and the problems.

The deck holds each card once, so the other cards of a hand may settle a doubtful card
(`_reconciled`). Whether the user is asked about a detection also depends on P, the probability that
its box holds a whole card. A box without one is usually a second box of a known card, but may look
like a new card:

| the card is named by | not asked about if |
|---|---|
| the photo alone | P >= `WHOLE` |
| the deck | P >= `WHOLE_TO_SETTLE`, or `WHOLE_TO_CONFIRM` if it confirms the photo's best answer |
| either | another photo of the pile shows the card with that P, or all forty cards are seen once |
| the photo alone, in a hand of several piles | P >= `LIKELY_WHOLE`, and no other box is that card |

If few cards of a hand are missing, `second_pass` looks for them among the boxes of low P. A box
that looks like a missing card is added as doubtful.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.assign import EXTRA, joint_probabilities
from vision.geometry import FloatArray, bounds
from vision.nms import Detection, merge_photos, nms, pooled
from vision.reading import (
    BACK,
    CLASSES,
    DECK_SIZE,
    NOT_SCOPA,
    Area,
    CardReading,
    PhotoProblemKind,
    Problem,
    Status,
)

SURE = 0.95
"""Answers of at least this probability are accepted without asking."""
LEAST_READABLE = 0.4
"""If no answer reaches this probability, the card is a doubtful `x`: it looks like a card but
cannot be read."""
WORTH_OFFERING = 0.01
"""Alternatives of lower probability are not offered."""
MOST_OFFERED = 4
"""Maximum number of alternatives to offer."""
WHOLE_HAND_FACTOR = 0.002
"""Factor for the probability of a foreign card or a second box in a hand of forty detections: then
one card of the deck would have to be missing too."""
MUCH_LIKELIER = 2.0
"""The deck replaces the photo's own answer only if another answer is this many times as likely."""
WHOLE = 0.85
"""A box of at least this probability holds a whole card. Below it, the card is doubtful however
sure its class is, because there may be no card."""
WHOLE_TO_SETTLE = 0.95
"""The same for a card that only the rest of the deck settles: a box across several cards is easily
read as the one unseen card of a suit."""
WHOLE_TO_CONFIRM = 0.7
"""The same for a card that the deck only confirms: the photo alone likes it best too, with at least
`OWN_BEST`."""
OWN_BEST = 0.5
"""See `WHOLE_TO_CONFIRM`."""
LIKELY_WHOLE = 0.6
"""The same for a card whose class is sure and that no other box of the hand has."""
LOW_WHOLE = 0.2
"""Minimum probability of a box in which to look for missing cards."""
LEAST_SHOWN = 0.35
"""Minimum probability of a missing card for a box to be taken as that card."""
NO_CARD = 0.1
"""Probability that a box below `WHOLE` holds no card: its other answers share the rest."""
MOST_MISSING = 12
"""If more cards are missing, a whole pile was not photographed, and none of them is looked for."""
MOST_REPORTED = 6
"""If more cards are missing, a whole pile was not photographed, and they are not reported."""
LEAST_CLAIM = 0.15
"""A detection claims a card if its confidence is at least this. If three detections surely show the
same card, each has a confidence of about 0.3."""

_DECK = CLASSES[:DECK_SIZE]
_NOT_SCOPA_AT = CLASSES.index(NOT_SCOPA)


@dataclass(frozen=True, eq=False)
class _Seen:
    """A detection, its photo and its pile."""

    photo: int
    pile: int
    detection: Detection


def decide(
    photos: Sequence[Sequence[Detection]], *, piles: Sequence[int]
) -> list[list[CardReading]]:
    """Return the cards of each photo of a hand.

    Args:
        photos: All detections of each photo; several of them may be of one card.
        piles: The pile each photo shows.

    >>> decide([[]], piles=[0])
    [[]]
    """
    chosen = [nms(detections) for detections in photos]
    hand = _flat(chosen, piles=piles)
    cards = _checked(hand)
    missing = missing_cards(cards)
    if len(set(piles)) > 1 and len(missing) <= MOST_MISSING:
        low = [
            [one for one in nms(detections, likely=LOW_WHOLE) if one not in kept]
            for detections, kept in zip(photos, chosen, strict=True)
        ]
        more = second_pass(_flat(low, piles=piles), missing)
        if more:
            hand += more
            now = _checked(hand)
            # A doubtful card stays doubtful: a box of low P answers no question.
            cards = [
                *(
                    before if before.status is Status.DOUBTFUL else after
                    for before, after in zip(cards, now, strict=False)
                ),
                *map(_in_doubt, now[len(cards) :]),
            ]
        cards = _undisputed(hand, cards)
    return _by_photo(hand, cards, photos=len(photos))


def missing_cards(cards: Sequence[CardReading]) -> tuple[str, ...]:
    """Return the cards of the deck that are not among those read, in deck order.

    >>> len(missing_cards([]))
    40
    """
    seen = {one.card for one in cards}
    return tuple(code for code in _DECK if code not in seen)


def second_pass(low: Sequence[_Seen], missing: Sequence[str]) -> list[_Seen]:
    """Return the detections of low probability that show a missing card, at most one for each card.

    A linear assignment gives each missing card the detection that shows it best.

    >>> second_pass([], ["7d"])
    []
    """
    from scipy.optimize import linear_sum_assignment

    if not low or not missing:
        return []
    columns = [CLASSES.index(code) for code in missing]
    table = np.stack([seen.detection.probabilities[columns] for seen in low])
    pairs = zip(*linear_sum_assignment(table, maximize=True), strict=True)
    return [low[int(row)] for row, column in pairs if table[row, column] >= LEAST_SHOWN]


def _flat(photos: Sequence[Sequence[Detection]], *, piles: Sequence[int]) -> list[_Seen]:
    return [
        _Seen(photo, pile, one)
        for photo, (pile, detections) in enumerate(zip(piles, photos, strict=True))
        for one in detections
    ]


def _by_photo(
    hand: Sequence[_Seen], cards: Sequence[CardReading], *, photos: int
) -> list[list[CardReading]]:
    found: list[list[CardReading]] = [[] for _ in range(photos)]
    for seen, card in zip(hand, cards, strict=True):
        found[seen.photo].append(card)
    return found


def _reconciled(hand: Sequence[_Seen]) -> list[CardReading]:
    """The card of each detection. Detections of one card on several photos of a pile are pooled."""
    if not hand:
        return []
    groups = [
        group
        for pile in sorted({seen.pile for seen in hand})
        for group in merge_photos(
            [(at, one.photo, one.detection) for at, one in enumerate(hand) if one.pile == pile]
        )
    ]
    shown = [[hand[at].detection.probabilities for at in group] for group in groups]
    pools = [pooled(one) if len(one) > 1 else one[0] for one in shown]
    stacked = np.stack(pools).astype(np.float64)
    own = stacked / stacked.sum(axis=1, keepdims=True)
    joint = _joint(own, _seen_again(own, [[hand[at] for at in group] for group in groups]))
    rows = {at: row for row, group in enumerate(groups) for at in group}
    return [
        _card(one.detection, own=own[rows[at]], joint=joint[rows[at]])
        for at, one in enumerate(hand)
    ]


def _seen_again(own: FloatArray, groups: Sequence[Sequence[_Seen]]) -> FloatArray:
    """N x 42: the probability that another photo of the pile shows the card of a group again.

    Two detections that were not grouped may still show the same card, if one of them was misread.
    The probability of that is the product of both showing it.
    """
    again = np.zeros_like(own)
    photos = [{seen.photo for seen in group} for group in groups]
    for at, mine in enumerate(groups):
        for other, theirs in enumerate(groups):
            if mine[0].pile == theirs[0].pile and not photos[at] & photos[other]:
                again[at] = np.maximum(again[at], own[at] * own[other])
    again[:, DECK_SIZE:] = 0.0
    return again


def _joint(own: FloatArray, seen_again: FloatArray) -> FloatArray:
    """Return the joint probabilities, with `WHOLE_HAND_FACTOR` for a hand of forty detections."""
    if len(own) != DECK_SIZE:
        return joint_probabilities(own, seen_again)
    whole = own.copy()
    whole[:, _NOT_SCOPA_AT] *= WHOLE_HAND_FACTOR
    whole /= whole.sum(axis=1, keepdims=True)
    return joint_probabilities(whole, seen_again, extra=EXTRA * WHOLE_HAND_FACTOR)


def _card(detection: Detection, *, own: FloatArray, joint: FloatArray) -> CardReading:
    """Return the card, status and alternatives of one detection.

    The deck may remove a doubt. It never overrules an answer that is sure by the photo alone. If it
    leaves two answers open, the photo's own comes first.

    Args:
        detection: The detection.
        own: 42 probabilities of the detection alone.
        joint: 42 probabilities given the other detections of the hand.
    """
    top, best = int(own.argmax()), int(joint.argmax())
    keeps_own = own[top] >= SURE or joint[best] < MUCH_LIKELIER * joint[top]
    shown = top if keeps_own else best
    if max(own[shown], joint[shown]) < LEAST_READABLE:
        shown = _NOT_SCOPA_AT
    if joint[shown] < SURE or shown != best:
        status = Status.DOUBTFUL
    else:
        status = Status.SURE if own[shown] >= SURE else Status.SETTLED
    return CardReading(
        CLASSES[shown],
        status,
        confidence=float(min(joint[shown], 1.0)),
        corners=tuple((float(x), float(y)) for x, y in detection.quad),
        alternatives=_offered(joint, shown=shown),
    )


def _offered(joint: FloatArray, *, shown: int) -> dict[str, float]:
    """Return the alternatives to the answer shown, likeliest first.

    If the probabilities sum to less than 1, the rest is the probability that there is no card. It
    is offered as `x`, last.
    """
    others = [int(at) for at in np.argsort(-joint) if at != shown]
    likely = [at for at in others if joint[at] >= WORTH_OFFERING][:MOST_OFFERED]
    offered = {CLASSES[at]: float(joint[at]) for at in likely}
    none = float(1 - joint.sum())
    if none >= WORTH_OFFERING and shown != _NOT_SCOPA_AT:
        offered.pop(NOT_SCOPA, None)
        offered[NOT_SCOPA] = none + float(joint[_NOT_SCOPA_AT])
    return offered


def _checked(hand: Sequence[_Seen]) -> list[CardReading]:
    """The card of each detection; a card in a box that may hold no whole card becomes doubtful.

    If several photos of a pile show a card, one of its boxes must hold a whole card. If the whole
    deck is seen, no box can be wrong, so a card stays if its detection alone shows it.
    """
    cards = _reconciled(hand)
    complete = _is_complete(hand, cards)
    surely_there = {
        (seen.pile, card.card)
        for seen, card in zip(hand, cards, strict=True)
        if seen.detection.whole_card_probability >= _least_whole(seen, card)
    }

    def is_believed(seen: _Seen, card: CardReading) -> bool:
        if card.card not in _DECK or card.status is Status.DOUBTFUL:
            return True  # not a card to count, or the user is asked anyway
        whole = (seen.pile, card.card) in surely_there
        return whole or (complete and seen.detection.top == card.card)

    pairs = zip(hand, cards, strict=True)
    return [card if is_believed(seen, card) else _in_doubt(card) for seen, card in pairs]


def _least_whole(seen: _Seen, card: CardReading) -> float:
    """Return the whole-card probability from which a card is surely there."""
    if card.status is not Status.SETTLED:
        return WHOLE
    own = seen.detection
    is_confirmed = own.top == card.card and own.top_probability >= OWN_BEST
    return WHOLE_TO_CONFIRM if is_confirmed else WHOLE_TO_SETTLE


def _undisputed(hand: Sequence[_Seen], cards: Sequence[CardReading]) -> list[CardReading]:
    """Return the cards of a hand; a doubtful card is settled if only its box was in doubt.

    Conditions: the detection alone names the card with probability `SURE`, its box probably holds a
    whole card, and no other box of the hand is read as that card, except on another photo of the
    same pile.
    """
    where = _places(hand, cards)
    settled = list(cards)
    for at, (seen, card) in enumerate(zip(hand, cards, strict=True)):
        probability = float(seen.detection.probabilities[CLASSES.index(card.card)])
        if (
            card.status is Status.DOUBTFUL
            and card.card in _DECK
            and probability >= SURE
            and seen.detection.whole_card_probability >= LIKELY_WHOLE
            and _may_be_one_card(where[card.card])
        ):
            settled[at] = replace(
                card, status=Status.SETTLED, confidence=probability, alternatives={}
            )
    return settled


def _is_complete(hand: Sequence[_Seen], cards: Sequence[CardReading]) -> bool:
    """Whether each of the forty cards is seen in one place, and nothing else may be a card."""
    where = _places(hand, cards)
    unread = any(one.card not in _DECK and one.status is Status.DOUBTFUL for one in cards)
    return not unread and all(_may_be_one_card(where.get(card, ())) for card in _DECK)


def _places(
    hand: Sequence[_Seen], cards: Sequence[CardReading]
) -> Mapping[str, Sequence[tuple[int, int]]]:
    """For each card, the photo and the pile of every detection that is read as it."""
    where = defaultdict(list)
    for seen, card in zip(hand, cards, strict=True):
        where[card.card].append((seen.photo, seen.pile))
    return where


def _may_be_one_card(places: Sequence[tuple[int, int]]) -> bool:
    """Whether all these detections may be the same card: each on another photo of one pile."""
    photos, piles = {photo for photo, _ in places}, {pile for _, pile in places}
    return len(photos) == len(places) and len(piles) == 1


def _in_doubt(card: CardReading) -> CardReading:
    """Return a card made doubtful because its box may hold no card: `x` becomes an alternative."""
    left = 1 - NO_CARD
    others = {code: share * left for code, share in card.alternatives.items() if code != NOT_SCOPA}
    others[NOT_SCOPA] = NO_CARD + left * card.alternatives.get(NOT_SCOPA, 0.0)
    confidence = card.confidence * left
    return replace(card, status=Status.DOUBTFUL, confidence=confidence, alternatives=others)


def problems(
    photos: Sequence[Sequence[CardReading]], *, names: Sequence[str], piles: Sequence[int]
) -> list[tuple[Problem, ...]]:
    """Return the problems of each photo: cards read twice, face-down, foreign and unread cards.

    If a hand has several piles and few cards are missing, they are a problem of its last photo.

    Args:
        photos: The cards of each photo.
        names: The name of each photo.
        piles: The pile each photo shows.

    >>> problems([[]], names=["a.jpg"], piles=[0])
    [()]
    """
    claims: dict[str, list[tuple[int, CardReading]]] = {}
    found: list[list[Problem]] = []
    for number, cards in enumerate(photos):
        odd = [(kind, one) for one in cards if (kind := _odd_kind(one))]
        found.append([Problem(kind, bounds(np.array(one.corners))) for kind, one in odd])
        for one in cards:
            if one.card in _DECK and one.confidence >= LEAST_CLAIM:
                claims.setdefault(one.card, []).append((number, one))
    for code, claimants in sorted(claims.items(), key=lambda item: CLASSES.index(item[0])):
        if not _may_be_one_card([(number, piles[number]) for number, _ in claimants]):
            for number, one in claimants:
                others = dict.fromkeys(names[at] for at, _ in claimants if at != number)
                area = bounds(np.array(one.corners))
                found[number].append(
                    Problem(PhotoProblemKind.TWICE, area, cards=(code,), photos=tuple(others))
                )
    joined = [_joined(own) for own in found]
    missing = missing_cards([one for cards in photos for one in cards])
    if joined and 0 < len(missing) <= MOST_REPORTED and len(set(piles)) > 1:
        joined[-1] += (Problem(PhotoProblemKind.MISSING, cards=missing),)
    return joined


def _odd_kind(card: CardReading) -> PhotoProblemKind | None:
    """Return the problem of a card that is not in the deck; None for a card of the deck."""
    if card.card == BACK:
        return PhotoProblemKind.FACE_DOWN
    if card.card != NOT_SCOPA:
        return None
    doubtful = card.status is Status.DOUBTFUL
    return PhotoProblemKind.UNREAD if doubtful else PhotoProblemKind.FOREIGN


def _joined(found: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return the problems with those of the same kind and cards joined, over all their places."""
    places: dict[Problem, list[Area]] = {}
    for problem in found:
        if problem.area is not None:
            places.setdefault(replace(problem, area=None), []).append(problem.area)
    return tuple(
        replace(problem, area=bounds(np.array(areas).reshape(-1, 2)))
        for problem, areas in places.items()
    )
