"""The boxes of all photos of a hand -> its cards, each with a decision, and the problems they pose.

A class is believed only where the box surely holds a whole card (`WHOLE`; `WHOLE_TO_SETTLE` where
the deck and not the photo makes it sure), with two exceptions: all forty cards are seen, each once;
or, in a hand of several piles, the photo shows the class with high probability, no other box of the
hand has it, and the box more likely holds a whole card than not (`LIKELY_WHOLE`). A box that holds
no whole card is mostly a second box of a card that is there, and then that card has a box already;
but it may look like a card that nobody has seen.

Cards missing from the hand are looked for among the boxes that were left out because of a low
belief. Such a box is mostly a bad one, read as a card that lies elsewhere or as nothing. If nearly
all cards of the hand are seen and it is read as one of the missing cards, it probably is that card:
it is added, in doubt.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.assign import EXTRA, joint_probabilities
from vision.classify import Candidate
from vision.geometry import FloatArray, bounds
from vision.nms import choose_boxes, pooled, same_cards
from vision.reading import (
    BACK,
    CLASSES,
    DECK_SIZE,
    NOT_SCOPA,
    Area,
    PhotoProblemKind,
    Problem,
    Status,
)

SURE = 0.95
"""From this probability on an answer is given without asking."""
LEAST_READABLE = 0.4
"""If no answer reaches this probability, the decision is a doubtful `x`: something card-like lies
there and cannot be read."""
WORTH_OFFERING = 0.01
"""Alternatives of lower probability are not offered."""
MOST_OFFERED = 4
"""No more alternatives than this are offered."""
WHOLE_HAND_FACTOR = 0.002
"""If a hand has forty candidates, the probability of a foreign card or a second box is multiplied
by this: one of the deck would have to be missing as well."""
MUCH_LIKELIER = 2.0
"""The deck may replace the photo's own answer only if it makes another so many times as likely."""

_NOT_SCOPA_AT = CLASSES.index(NOT_SCOPA)

CandidateIndex = tuple[int, int]
"""The number of a photo, and of a candidate in it."""


@dataclass(frozen=True)
class Decision:
    """What one candidate is taken for."""

    card: str
    """A card code, `back` or `x`."""
    status: Status
    """How far to trust it."""
    confidence: float
    """Probability that `card` is right."""
    alternatives: tuple[tuple[str, float], ...] = ()
    """Other answers with their probabilities, likeliest first."""


def reconcile(
    photos: Sequence[Sequence[Candidate]], *, piles: Sequence[int]
) -> tuple[tuple[Decision, ...], ...]:
    """A decision for each candidate of each photo.

    Args:
        photos: The candidates of each photo, one for each card (`choose_boxes`).
        piles: The pile each photo shows. Photos of one pile may show the same card.

    >>> reconcile([[]], piles=[0])
    ((),)
    """
    groups = _groups(photos, piles=piles)
    if not groups:
        return tuple(() for _ in photos)
    shown = [[photos[photo][at].probabilities for photo, at in group] for group in groups]
    pools = [pooled(one) if len(one) > 1 else one[0] for one in shown]
    stacked = np.stack(pools).astype(np.float64)
    own = stacked / stacked.sum(axis=1, keepdims=True)
    joint = _joint(own, _seen_again(own, groups, piles=piles))
    decisions = {
        index: _decision(own[at], joint[at]) for at, group in enumerate(groups) for index in group
    }
    return tuple(
        tuple(decisions[photo, at] for at in range(len(candidates)))
        for photo, candidates in enumerate(photos)
    )


def missing_cards(decisions: Sequence[Sequence[Decision]]) -> tuple[str, ...]:
    """The cards of the deck that no decision names, in deck order.

    >>> len(missing_cards([]))
    40
    """
    seen = {decision.card for photo in decisions for decision in photo}
    return tuple(code for code in CLASSES[:DECK_SIZE] if code not in seen)


def _groups(
    photos: Sequence[Sequence[Candidate]], *, piles: Sequence[int]
) -> tuple[tuple[CandidateIndex, ...], ...]:
    """The candidates grouped by card, pile by pile, at most one candidate of a photo in a group."""
    groups: list[tuple[CandidateIndex, ...]] = []
    for pile in sorted(set(piles)):
        numbers = [number for number, own in enumerate(piles) if own == pile]
        same = same_cards([photos[number] for number in numbers])
        groups += [tuple((numbers[photo], at) for photo, at in group) for group in same]
    return tuple(groups)


def _seen_again(
    own: FloatArray, groups: Sequence[Sequence[CandidateIndex]], *, piles: Sequence[int]
) -> FloatArray:
    """N x 42: the probability that a group shows a card that another photo of its pile shows too.

    A candidate that was not grouped with one of another photo may still show the same card, if one
    of the two was misread. The probability of that is taken as the product of both showing it.
    """
    again = np.zeros_like(own)
    photos_of = [{photo for photo, _ in group} for group in groups]
    for at, mine in enumerate(photos_of):
        for other, theirs in enumerate(photos_of):
            if piles[min(theirs)] == piles[min(mine)] and not mine & theirs:
                again[at] = np.maximum(again[at], own[at] * own[other])
    again[:, DECK_SIZE:] = 0.0
    return again


def _joint(own: FloatArray, seen_again: FloatArray) -> FloatArray:
    """The joint probabilities; in a hand of forty candidates `WHOLE_HAND_FACTOR` applies."""
    if len(own) != DECK_SIZE:
        return joint_probabilities(own, seen_again)
    whole = own.copy()
    whole[:, _NOT_SCOPA_AT] *= WHOLE_HAND_FACTOR
    whole /= whole.sum(axis=1, keepdims=True)
    return joint_probabilities(whole, seen_again, extra=EXTRA * WHOLE_HAND_FACTOR)


def _decision(own: FloatArray, joint: FloatArray) -> Decision:
    """The decision on one candidate.

    The deck may remove a doubt. It never overrules an answer that the photo alone makes sure, and
    where it leaves two answers open, the photo's own comes first.

    Args:
        own: 42 probabilities of the candidate alone.
        joint: 42 probabilities given the other candidates of the hand.
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
    return Decision(
        card=CLASSES[shown],
        status=status,
        confidence=float(min(joint[shown], 1.0)),
        alternatives=_offered(joint, shown=shown),
    )


def _offered(joint: FloatArray, *, shown: int) -> tuple[tuple[str, float], ...]:
    """The alternatives to the answer shown, likeliest first.

    Where the probabilities sum to less than 1, the rest is the probability that the candidate is no
    card of its own: it is offered as `x`, last.
    """
    others = [int(at) for at in np.argsort(-joint) if at != shown]
    offered = [at for at in others if joint[at] >= WORTH_OFFERING][:MOST_OFFERED]
    none = float(1 - joint.sum())
    if none < WORTH_OFFERING or shown == _NOT_SCOPA_AT:
        return tuple((CLASSES[at], float(joint[at])) for at in offered)
    named = tuple((CLASSES[at], float(joint[at])) for at in offered if at != _NOT_SCOPA_AT)
    return (*named, (NOT_SCOPA, none + float(joint[_NOT_SCOPA_AT])))


WHOLE = 0.85
"""From this belief on a box surely holds a whole card. Below it the candidate is doubtful however
sure its class is, since there may be no card at all."""
WHOLE_TO_SETTLE = 0.95
"""The same where the photo alone leaves a doubt and the cards seen elsewhere take it away: a box
across others is easily read as the one card of a suit that was not seen yet."""
LIKELY_WHOLE = 0.6
"""From this belief on a box needs no question whose class is sure and in no other box of a hand."""
FAINT = 0.2
"""Missing cards are looked for among boxes of at least this belief."""
LEAST_RECALLED = 0.35
"""A box is taken for a missing card if it shows it with at least this probability."""
NO_CARD = 0.1
"""Probability that a box below `WHOLE` is no card of its own: its other answers share the rest."""
MOST_MISSING = 12
"""If more cards are missing, a pile was not photographed: it has them, and none is looked for."""

WeighedBoxes = tuple[Sequence[Candidate], FloatArray]
"""All the boxes of a photo, and for each the belief that it holds a whole card."""

Photos = Sequence[Sequence[Candidate]]
"""The candidates of each photo."""


def read_hand(
    photos: Sequence[WeighedBoxes], *, piles: Sequence[int]
) -> tuple[Photos, Sequence[Sequence[Decision]]]:
    """The candidates of each photo, one for each card, and their decisions.

    Candidates found among the faint boxes come last in their photo.

    Args:
        photos: The boxes of each photo.
        piles: The pile each photo shows.

    >>> read_hand([([], np.zeros(0))], piles=[0])
    ([()], ((),))
    """
    chosen = [choose_boxes(*boxes) for boxes in photos]
    beliefs = {
        id(candidate): float(belief)
        for candidates, own in photos
        for candidate, belief in zip(candidates, own, strict=True)
    }
    decisions = _decisions(chosen, piles=piles, beliefs=beliefs)
    if len(set(piles)) < 2 or len(missing_cards(decisions)) > MOST_MISSING:
        return chosen, decisions
    faint = [
        [candidate for candidate in choose_boxes(*boxes, likely=FAINT) if candidate not in own]
        for boxes, own in zip(photos, chosen, strict=True)
    ]
    again = recalled(faint, missing_cards(decisions))
    if not any(again):
        return chosen, _undisputed(chosen, decisions, piles=piles, beliefs=beliefs)
    cards = [(*own, *more) for own, more in zip(chosen, again, strict=True)]
    found = [
        (*map(_still_doubtful, before, now), *map(_in_doubt, now[len(before) :]))
        for before, now in zip(
            decisions, _decisions(cards, piles=piles, beliefs=beliefs), strict=True
        )
    ]
    return cards, _undisputed(cards, found, piles=piles, beliefs=beliefs)


def recalled(faint: Photos, missing: Sequence[str]) -> tuple[tuple[Candidate, ...], ...]:
    """The faint candidates of each photo that show a missing card, at most one for each card.

    A linear assignment gives each missing card the candidate that shows it best.

    >>> recalled([[], []], ["7d"])
    ((), ())
    """
    from scipy.optimize import linear_sum_assignment

    candidates = [(photo, candidate) for photo, found in enumerate(faint) for candidate in found]
    if not candidates or not missing:
        return tuple(() for _ in faint)
    columns = [CLASSES.index(code) for code in missing]
    table = np.stack([candidate.probabilities[columns] for _, candidate in candidates])
    pairs = zip(*linear_sum_assignment(table, maximize=True), strict=True)
    shown = [candidates[row] for row, column in pairs if table[row, column] >= LEAST_RECALLED]
    return tuple(
        tuple(candidate for photo, candidate in shown if photo == number)
        for number in range(len(faint))
    )


def _decisions(
    photos: Photos, *, piles: Sequence[int], beliefs: Mapping[int, float]
) -> tuple[tuple[Decision, ...], ...]:
    """The decisions on some candidates; those on boxes that may be no whole cards become doubtful.

    If several photos of a pile show a card, one of its boxes must surely be whole. Where the whole
    deck is seen, none of the boxes can be a bad one, so a decision stays if it names the card that
    the candidate alone would name.

    Args:
        photos: The candidates of each photo.
        piles: The pile each photo shows.
        beliefs: For the id of each candidate the belief that it is a whole card.
    """
    decisions = reconcile(photos, piles=piles)
    complete = _is_complete(decisions, piles=piles)
    surely_there = {
        (pile, decision.card)
        for pile, candidates, own in zip(piles, photos, decisions, strict=True)
        for candidate, decision in zip(candidates, own, strict=True)
        if beliefs[id(candidate)] >= _needed(decision)
    }

    def checked(candidate: Candidate, decision: Decision, *, pile: int) -> Decision:
        believed = (pile, decision.card) in surely_there or (
            complete and candidate.top == decision.card
        )
        return decision if believed or not _is_certain_card(decision) else _in_doubt(decision)

    return tuple(
        tuple(checked(*pair, pile=pile) for pair in zip(candidates, own, strict=True))
        for pile, candidates, own in zip(piles, photos, decisions, strict=True)
    )


def _undisputed(
    photos: Photos,
    decisions: Sequence[Sequence[Decision]],
    *,
    piles: Sequence[int],
    beliefs: Mapping[int, float],
) -> Sequence[Sequence[Decision]]:
    """The decisions of a hand; a doubtful one is settled if nothing but its box was in doubt.

    That is so if the candidate alone names the card with probability `SURE`, its box likely holds a
    whole card, and no other box of the hand is said to be that card, save on another photo of the
    same pile.
    """
    where = _photos_by_card(decisions)

    def checked(candidate: Candidate, decision: Decision) -> Decision:
        undisputed = (
            decision.status is Status.DOUBTFUL
            and beliefs[id(candidate)] >= LIKELY_WHOLE
            and _surely_shows(candidate, decision.card)
            and _may_be_one_card(where[decision.card], piles=piles)
        )
        if not undisputed:
            return decision
        probability = float(candidate.probabilities[CLASSES.index(decision.card)])
        return replace(decision, status=Status.SETTLED, confidence=probability, alternatives=())

    return tuple(
        tuple(checked(*pair) for pair in zip(candidates, own, strict=True))
        for candidates, own in zip(photos, decisions, strict=True)
    )


def _needed(decision: Decision) -> float:
    """The belief from which on a box that is named so surely holds a whole card."""
    return WHOLE_TO_SETTLE if decision.status is Status.SETTLED else WHOLE


def _is_complete(decisions: Sequence[Sequence[Decision]], *, piles: Sequence[int]) -> bool:
    """Whether each of the forty cards is seen in one place, and nothing else may be a card."""
    where = _photos_by_card(decisions)
    unread = any(
        decision.card not in CLASSES[:DECK_SIZE] and decision.status is Status.DOUBTFUL
        for own in decisions
        for decision in own
    )
    deck = CLASSES[:DECK_SIZE]
    return not unread and all(_may_be_one_card(where[card], piles=piles) for card in deck)


def _photos_by_card(decisions: Sequence[Sequence[Decision]]) -> Mapping[str, Sequence[int]]:
    """For each card, the photo of every candidate that is said to be it."""
    where = defaultdict(list)
    for photo, own in enumerate(decisions):
        for decision in own:
            where[decision.card].append(photo)
    return where


def _surely_shows(candidate: Candidate, card: str) -> bool:
    """Whether a candidate by itself shows this card of the deck with probability `SURE`."""
    at = CLASSES.index(card)
    return at < DECK_SIZE and bool(candidate.probabilities[at] >= SURE)


def _may_be_one_card(photos: Sequence[int], *, piles: Sequence[int]) -> bool:
    """Whether candidates on these photos (one number each) may all show one card.

    They may if each lies on another photo and all these photos show the same pile.
    """
    return len(set(photos)) == len(photos) and len({piles[photo] for photo in photos}) == 1


def _is_certain_card(decision: Decision) -> bool:
    """Whether it names a card of the deck, and nobody would be asked about it."""
    return decision.card in CLASSES[:DECK_SIZE] and decision.status is not Status.DOUBTFUL


def _still_doubtful(before: Decision, now: Decision) -> Decision:
    """The decision on a candidate after faint boxes were added: one that was doubtful stays."""
    return before if before.status is Status.DOUBTFUL else now


def _in_doubt(decision: Decision) -> Decision:
    """A decision made doubtful because its box may hold no card: `x` becomes an alternative."""
    left = 1 - NO_CARD
    others = [(code, share * left) for code, share in decision.alternatives if code != NOT_SCOPA]
    none = NO_CARD + left * dict(decision.alternatives).get(NOT_SCOPA, 0.0)
    return replace(
        decision,
        status=Status.DOUBTFUL,
        confidence=decision.confidence * left,
        alternatives=(*others, (NOT_SCOPA, none)),
    )


MOST_REPORTED = 6
"""If more cards are missing, they are not reported: a pile was not photographed."""
LEAST_CLAIM = 0.15
"""A candidate claims a card if its confidence is at least this. Where three candidates surely show
one card, each ends with a confidence of about 0.3."""


def contradictions(
    photos: Sequence[Sequence[tuple[Candidate, Decision]]],
    *,
    names: Sequence[str],
    piles: Sequence[int],
) -> tuple[tuple[Problem, ...], ...]:
    """The problems of each photo: cards read twice, face-down cards, foreign and unread ones.

    Args:
        photos: The candidates of each photo with their decisions.
        names: The name of each photo.
        piles: The pile each photo shows.

    >>> contradictions([[]], names=["a.jpg"], piles=[0])
    ((),)
    """
    claims: dict[str, list[tuple[int, Candidate]]] = {}
    for number, photo in enumerate(photos):
        for candidate, decision in photo:
            if decision.card not in (BACK, NOT_SCOPA) and decision.confidence >= LEAST_CLAIM:
                claims.setdefault(decision.card, []).append((number, candidate))
    found: list[list[Problem]] = [_odd_cards(photo) for photo in photos]
    for code, claimants in sorted(claims.items(), key=lambda item: CLASSES.index(item[0])):
        if not _is_one_card(claimants, piles=piles):
            for number, candidate in claimants:
                others = [other for other, _ in claimants if other != number]
                found[number].append(_twice(code, candidate, photos=[names[at] for at in others]))
    return tuple(tuple(_once(problems)) for problems in found)


def missing_problem(missing: Sequence[str], *, piles: int) -> tuple[Problem, ...]:
    """The problem of cards that no photo shows, if they are few and there are several piles.

    >>> [problem.cards for problem in missing_problem(["7d"], piles=2)]
    [('7d',)]
    """
    if not 0 < len(missing) <= MOST_REPORTED or piles < 2:
        return ()
    return (Problem(PhotoProblemKind.MISSING, cards=tuple(missing)),)


def _is_one_card(claimants: Sequence[tuple[int, Candidate]], *, piles: Sequence[int]) -> bool:
    """Whether claims may all be of one card: one claim, or from different photos of one pile."""
    photos = [number for number, _ in claimants]
    return len(set(photos)) == len(photos) and len({piles[number] for number in photos}) == 1


def _twice(code: str, candidate: Candidate, *, photos: Sequence[str]) -> Problem:
    area, others = bounds(candidate.quad), tuple(dict.fromkeys(photos))
    return Problem(PhotoProblemKind.TWICE, area, cards=(code,), photos=others)


def _odd_cards(photo: Sequence[tuple[Candidate, Decision]]) -> list[Problem]:
    """The problems of what is not read as a card of the deck."""
    return [
        Problem(kind, bounds(candidate.quad))
        for candidate, decision in photo
        if (kind := _kind(decision))
    ]


def _kind(decision: Decision) -> PhotoProblemKind | None:
    """What is wrong with something that is not read as a card of the deck; None for one that is."""
    if decision.card == BACK:
        return PhotoProblemKind.FACE_DOWN
    if decision.card != NOT_SCOPA:
        return None
    doubtful = decision.status is Status.DOUBTFUL
    return PhotoProblemKind.UNREAD if doubtful else PhotoProblemKind.FOREIGN


def _once(problems: Sequence[Problem]) -> list[Problem]:
    """The problems, each kind once for the same cards, over all its places."""
    places: dict[Problem, list[Area]] = {}
    for problem in problems:
        if problem.area is not None:
            places.setdefault(replace(problem, area=None), []).append(problem.area)
    return [
        replace(problem, area=bounds(np.array(areas).reshape(-1, 2)))
        for problem, areas in places.items()
    ]
