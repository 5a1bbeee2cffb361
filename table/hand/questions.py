"""What a hand needs before it counts: this module alone decides what to ask, and when.

`open_questions(summary, rules)` finds what is open, and its `next_step` is the next thing to do.
Screens show that step and nothing else; `table.evaluate` answers it and nothing else. The order: a
pile that was not shown, the same pile twice, a pile that is short, a card that can change a point.

A question waits while a pending pile may settle it: a deck holds each card once, so when Bruno's
pile is read with the 6 of swords, Anna's doubt "5 or 6 of swords" is settled. A pile is pending
until a user shows it or says that it has the cards that the others leave, and while its photos are
being read.

A deck has forty cards, so a card that bad light hides is missing, and the app asks whose it is. But
if a side takes the rest, its pile gets that card without a question: so the user counts that pile.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence, Set
from dataclasses import dataclass

from scoring.cards import CODES, Card
from scoring.errors import DoubtError
from scoring.hand import Side
from scoring.rules import Rules
from scoring.uncertain import Analysis, Doubt, UncertainHand, analyse
from table.hand.pile import CardRef, Pile
from table.hand.piles import Piles, Summary, with_pile

GUESS_CHANCE = 0.6
"""Probability of the reader's guess. It does not affect which questions are asked."""

MAX_UNNAMED = 6
"""If more cards than this are missing or in boxes that may be no card, doubts about them are asked
before any analysis: such cards could be nearly any card, so it would settle nothing."""

LEAST_REPEATED, REPEATED_SHARE = 4, 0.7
"""Two photos show the same pile if at least this many cards, and this share, are on both."""

MOST_SINGLE = 3
"""If more cards than this are missing, part of a pile is: the app asks for it, not about cards."""


@dataclass(frozen=True)
class ShowPiles:
    """These piles must be shown first."""

    sides: tuple[int, ...]


@dataclass(frozen=True)
class AwaitPhotos:
    """Photos of these piles are being read, which may settle open questions."""

    sides: tuple[int, ...]


@dataclass(frozen=True)
class SettleRepeat:
    """Photos show the cards of another side's photos: one pile was photographed twice."""

    side: int
    """The side whose pile got the cards last."""
    photos: tuple[int, ...]
    """The photos in that pile that repeat others, the latest first."""
    other: int
    """The side whose pile had the cards before."""
    other_photos: tuple[int, ...]
    """The photos in the earlier pile."""
    count: int
    """Number of cards on the photos of both piles."""


@dataclass(frozen=True)
class ShowMore:
    """Many cards are missing: the rest of a pile must be photographed, or given to a side."""

    side: int
    """The side whose pile is probably short: the smallest one."""
    codes: tuple[str, ...]
    """The missing cards."""


@dataclass(frozen=True)
class AnswerDoubts:
    """A user must say what these doubtful cards are."""

    doubts: tuple[CardRef, ...]
    """The most relevant first."""


@dataclass(frozen=True)
class SettleOwner:
    """Two piles certainly hold the same card: a user must say whose it is."""

    code: str
    sides: tuple[int, ...]
    """The sides whose piles hold it."""


@dataclass(frozen=True)
class KeepTapping:
    """No pile has photos: a user taps in cards, and these are still missing."""

    codes: tuple[str, ...]


@dataclass(frozen=True)
class PlaceMissing:
    """Missing cards could change a point: a user must say whose they are."""

    codes: tuple[str, ...]


@dataclass(frozen=True)
class CountPile:
    """A user must count the cards of the side that takes the rest."""

    side: int


@dataclass(frozen=True)
class NothingLeft:
    """The hand can be confirmed."""


NextStep = (
    ShowPiles
    | AwaitPhotos
    | SettleRepeat
    | ShowMore
    | AnswerDoubts
    | SettleOwner
    | KeepTapping
    | PlaceMissing
    | CountPile
    | NothingLeft
)
"""The next thing that a hand needs."""


@dataclass(frozen=True, kw_only=True)
class OpenQuestions:
    """Everything open in a hand that could change a point."""

    repeat: SettleRepeat | None = None
    """The pile that was photographed twice. Until that is settled, nothing else is asked."""
    missing_piles: tuple[int, ...] = ()
    """Sides whose pile was not shown yet."""
    reading: tuple[int, ...] = ()
    """Sides with photos that are being read."""
    deferred: tuple[CardRef, ...] = ()
    """Doubtful cards not asked about yet, because a pending pile may settle them."""
    doubts: tuple[CardRef, ...] = ()
    """Doubtful cards to ask about now, the most relevant first."""
    conflicting: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """Cards that are certain in two piles, each with the sides."""
    missing: tuple[str, ...] = ()
    """Codes of cards in no pile that could change a point."""
    lacking: ShowMore | KeepTapping | None = None
    """What to do about many missing cards; None if few are missing."""
    uncounted: int | None = None
    """The side that takes the rest and whose cards were not counted."""

    @property
    def next_step(self) -> NextStep:
        """The next step of the hand.

        >>> OpenQuestions(missing_piles=(1,), deferred=(CardRef(0, 3),)).next_step
        ShowPiles(sides=(1,))
        >>> OpenQuestions(missing_piles=(1,), reading=(1,)).next_step
        AwaitPhotos(sides=(1,))
        >>> OpenQuestions().next_step
        NothingLeft()
        """
        if unseen := tuple(side for side in self.missing_piles if side not in self.reading):
            return ShowPiles(unseen)
        if self.reading and (self.missing_piles or self.repeat or self.deferred or self.missing):
            return AwaitPhotos(self.reading)
        if self.repeat is not None:
            return self.repeat
        if self.lacking is not None:
            return self.lacking
        if self.doubts:
            return AnswerDoubts(self.doubts)
        if self.conflicting:
            return SettleOwner(*self.conflicting[0])
        if self.missing:
            return PlaceMissing(self.missing)
        return NothingLeft() if self.uncounted is None else CountPile(self.uncounted)

    def doubts_of(self, side: int) -> tuple[CardRef, ...]:
        """Return a side's doubtful cards to ask about now, the most relevant first.

        >>> OpenQuestions(doubts=(CardRef(1, 4), CardRef(0, 2), CardRef(1, 3))).doubts_of(1)
        (CardRef(side=1, number=4), CardRef(side=1, number=3))
        """
        return tuple(doubt for doubt in self.doubts if doubt.side == side)

    @property
    def count(self) -> int:
        """Number of answers wanted now.

        >>> OpenQuestions(doubts=(CardRef(1, 4),), missing=("7d", "1c")).count
        3
        """
        others = (self.repeat is not None) + (self.uncounted is not None)
        return len(self.doubts) + len(self.conflicting) + len(self.missing) + others


def open_questions(
    summary: Summary,
    rules: Rules,
    *,
    scope: Sequence[int] = (),
    reading: Collection[int] = (),
) -> OpenQuestions:
    """Return what is open in a hand.

    Args:
        summary: The contents of its piles.
        rules: The rules it is scored by.
        scope: The scope of each side, which some rules double; empty counts as none made.
        reading: Sides with photos that are being read.

    >>> from table.hand.piles import summarise
    >>> anna = Pile(by_hand=CODES[:19])
    >>> open_questions(summarise([anna, Pile(by_hand=CODES[19:])]), Rules()).next_step
    NothingLeft()
    >>> open_questions(summarise([anna, Pile()]), Rules()).next_step
    ShowPiles(sides=(1,))
    """
    piles = summary.piles
    being_read = tuple(sorted(set(reading)))
    if (repeat := find_repeat(piles)) is not None:
        missing_piles = summary.missing_piles
        return OpenQuestions(repeat=repeat, missing_piles=missing_piles, reading=being_read)
    waits = bool(summary.missing_piles or being_read)
    made = tuple(scope) or (0,) * len(piles)
    doubts, asked = ((), summary.missing) if waits else _relevant(summary, rules, made)
    return OpenQuestions(
        missing_piles=summary.missing_piles,
        reading=being_read,
        deferred=tuple(summary.candidates) if waits else (),
        doubts=doubts,
        conflicting=tuple((code, summary.owners[code]) for code in summary.conflicting),
        missing=asked,
        lacking=_lacking(summary) if asked else None,
        uncounted=summary.uncounted,
    )


def _lacking(summary: Summary) -> ShowMore | KeepTapping | None:
    """Return what to do if more cards are missing than are asked about one by one."""
    if len(summary.missing) <= MOST_SINGLE:
        return None
    if not any(pile.photos for pile in summary.piles):
        return KeepTapping(summary.missing)
    sides = [side for side, pile in enumerate(summary.piles) if not pile.takes_rest]
    return ShowMore(min(sides, key=lambda side: len(summary.piles[side].codes)), summary.missing)


def rest_number(summary: Summary, rules: Rules, scope: Sequence[int]) -> int | None:
    """Return how many cards the pile that takes the rest has; None if a user must count them.

    They must be counted if a detected card may be no card, or could not be read, or if the light or
    the focus of a photo may hide a card that changes a point.

    >>> from table.hand.piles import summarise
    >>> rest_number(summarise([Pile(by_hand=CODES[:19]), Pile()]), Rules(), (0, 0))
    21
    """
    may_be = {code for codes in summary.candidates.values() for code in codes}
    if not may_be <= {*CODES} or any(pile.unread for pile in summary.piles):
        return None
    if any(pile.may_hide_cards for pile in summary.piles):
        lacking = tuple(map(Card.from_code, summary.absent))
        found = UncertainHand(sides=_certain_sides(summary, scope), absent=lacking)
        if not analyse(found, rules).settled:
            return None
    return len(summary.missing)


def find_repeat(piles: Sequence[Pile]) -> SettleRepeat | None:
    """Return the photos of a pile that mostly repeat photos of another side; None if none do.

    If several piles do, the one with the latest such photo is returned.

    >>> from dataclasses import replace
    >>> from table.hand.pile import PileCard
    >>> cards = [PileCard(photo=1, guess=code, doubtful=False, corners=()) for code in CODES[:5]]
    >>> again = [replace(card, photo=2) for card in cards]
    >>> find_repeat([Pile(photos=(1,), detected=tuple(cards)),
    ...              Pile(photos=(2,), detected=tuple(again))])
    SettleRepeat(side=1, photos=(2,), other=0, other_photos=(1,), count=5)
    """
    shown: dict[tuple[int, int], set[str]] = {}
    for side, pile in enumerate(piles):
        for card in pile.detected:
            if (card.answer or card.guess) in CODES or card.doubtful:
                shown.setdefault((card.photo, side), set()).add(card.guess)
    repeats = [
        (later, before)
        for later in sorted(shown, reverse=True)
        for before in shown
        if before[1] != later[1]
        and before[0] <= later[0]
        and _is_repeat(shown[later], shown[before])
    ]
    if not repeats:
        return None
    (_, side), (_, other) = repeats[0]
    pairs = [(one, before) for one, before in repeats if (one[1], before[1]) == (side, other)]
    same = [shown[one] & shown[before] & {*CODES} for one, before in pairs]
    return SettleRepeat(
        side,
        tuple(dict.fromkeys(photo for (photo, _), _ in pairs)),
        other,
        tuple(dict.fromkeys(photo for _, (photo, _) in pairs)),
        len(frozenset[str]().union(*same)),
    )


def _is_repeat(cards: Set[str], theirs: Set[str]) -> bool:
    """Return whether the cards of two photos are mostly the same."""
    least = max(LEAST_REPEATED, REPEATED_SHARE * max(len(cards), len(theirs)))
    return len(cards & theirs & {*CODES}) >= least


def with_answers(piles: Sequence[Pile], answers: Mapping[CardRef, str]) -> Piles:
    """Return the piles with doubtful cards settled as a user answered."""
    settled = tuple(piles)
    for (side, number), code in answers.items():
        settled = with_pile(settled, side, settled[side].answered(number, code))
    return settled


def _relevant(
    summary: Summary, rules: Rules, scope: tuple[int, ...]
) -> tuple[tuple[CardRef, ...], tuple[str, ...]]:
    """The doubts and missing cards that could change a point; all of them if a pile is empty.

    A doubtful box that may be no card at all is left out of the analysis; its candidates count
    as missing from every pile. Such boxes, and doubts that compete for the missing cards, are asked
    before the missing cards themselves: their answers say which cards those are.
    """
    doubts, cards = summary.candidates, summary.missing
    if not all(pile.codes for pile in summary.piles):
        return tuple(doubts), cards
    maybe_no_card = {ref for ref, codes in doubts.items() if not {*CODES}.issuperset(codes)}
    competing = _competing(summary, maybe_no_card)
    first = tuple(ref for ref in doubts if ref in competing) or tuple(doubts)
    if competing and len(cards) + len(maybe_no_card) > MAX_UNNAMED:
        return first, cards
    has_rest = summary.rest is not None
    named = cards if has_rest or not competing else ()  # with a rest: the cards taken out of it
    counted = [ref for ref in doubts if ref not in maybe_no_card]
    try:
        analysis = analyse(_uncertain_hand(summary, counted, named, scope), rules)
    except DoubtError as error:
        clash = tuple(ref for ref in doubts if ref in error.keys)
        return clash or first, cards
    if not all(outlook.exact for outlook in analysis.outlooks):
        return _best_first(first, analysis), cards
    keys = set(analysis.questions)
    relevant = {ref for ref in doubts if ref in keys} | _clashing(summary)
    if analysis.asks_missing:
        relevant |= competing
    elif has_rest:
        relevant |= competing if cards else maybe_no_card
    asked = cards if analysis.asks_missing else tuple(code for code in cards if code in keys)
    return _best_first([ref for ref in doubts if ref in relevant], analysis), asked


def _best_first(doubts: Sequence[CardRef], analysis: Analysis) -> tuple[CardRef, ...]:
    """Sort some doubts by how much their answers tell; the others stay in the order of reading."""
    rank: dict[Hashable, int] = {key: number for number, key in enumerate(analysis.questions)}
    return tuple(sorted(doubts, key=lambda ref: rank.get(ref, len(rank))))


def _clashing(summary: Summary) -> Set[CardRef]:
    """The doubts whose guess is also another card's, so that the piles as shown are wrong."""
    names = Counter(codes[0] for codes in summary.candidates.values())
    names.update(code for codes in summary.certain for code in codes)
    return {ref for ref, codes in summary.candidates.items() if names[codes[0]] > 1}


def _competing(summary: Summary, maybe_no_card: Set[CardRef]) -> Set[CardRef]:
    """Return the doubts that decide which cards are missing.

    These are the doubts that may be no card, those with a missing card among their candidates, and
    those that share a candidate with another of these. All other doubts have theirs to themselves.
    """
    sure = frozenset[str]().union(*summary.certain)
    open_codes = {ref: {*codes} - sure for ref, codes in summary.candidates.items()}
    found = maybe_no_card
    loose = {*summary.missing}.union(*(open_codes[ref] for ref in found))
    while more := {ref for ref, codes in open_codes.items() if codes & loose} - found:
        found |= more
        loose.update(*(open_codes[ref] for ref in more))
    return found


def _uncertain_hand(
    summary: Summary, doubts: Sequence[CardRef], cards: Sequence[str], scope: Sequence[int]
) -> UncertainHand:
    """Return the hand in the form of `scoring.uncertain`.

    The key of a doubt is its `CardRef`, that of a missing card its code. Missing cards that are not
    among `cards` have no name in it.
    """
    sides = _certain_sides(summary, scope)
    named = (Doubt(code, None, {Card.from_code(code): 1.0}) for code in cards)
    read = (Doubt(ref, ref.side, _chances(summary.candidates[ref])) for ref in doubts)
    lacking = tuple(map(Card.from_code, summary.absent))
    return UncertainHand(sides=sides, doubts=(*read, *named), rest=summary.rest, absent=lacking)


def _certain_sides(summary: Summary, scope: Sequence[int]) -> tuple[Side, ...]:
    return tuple(
        Side(str(side), tuple(map(Card.from_code, certain)), made)
        for side, (certain, made) in enumerate(zip(summary.certain, scope, strict=True))
    )


def _chances(candidates: tuple[str, ...]) -> dict[Card, float]:
    guess, *others = map(Card.from_code, candidates)
    return {guess: GUESS_CHANCE} | dict.fromkeys(others, (1 - GUESS_CHANCE) / max(1, len(others)))
