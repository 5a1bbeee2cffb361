"""What a hand needs next before it counts: the one place that decides what is asked, and when.

`agenda(piles, rules)` works out what is still open, and `Agenda.next` says which of it comes next.
The screens show that and nothing else; `table.evaluate` answers that and nothing else.

A question waits while a pile is out that may settle it: a deck holds each card once, so when
Bruno's pile comes in with the 6 of swords, Anna's doubt "5 or 6 of swords" is settled. A pile is
out until somebody shows it or says that it has what the others leave, and while photos of it are
being read.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass

from scoring.cards import CODES, Card
from scoring.errors import DoubtError
from scoring.hand import Side
from scoring.rules import Rules
from scoring.uncertain import Analysis, Doubt, UncertainHand, analyse
from table.draft import Draft
from table.piles import absent, disputed, given, missing, waiting
from table.seen import SeenAt

GUESS_CHANCE = 0.6
"""Probability given to the camera's guess; which questions are asked does not depend on it."""

MOST_UNNAMED = 6
"""With more cards that nobody can name, doubts that may be one of them are asked before anything is
counted: they could be nearly any card, so counting would settle nothing."""

SHOWN = 4
"""Questions of a pile shown at a time: the next one moves up when one is answered."""


@dataclass(frozen=True)
class ShowPiles:
    """Somebody must show these piles first."""

    sides: tuple[int, ...]


@dataclass(frozen=True)
class AwaitPhotos:
    """Photos of these piles are being read: they may settle what is open."""

    sides: tuple[int, ...]


@dataclass(frozen=True)
class AnswerDoubts:
    """Somebody must say what these doubtful cards are."""

    doubts: tuple[SeenAt, ...]
    """The most telling first."""


@dataclass(frozen=True)
class SettleOwner:
    """Two piles hold a card for certain: somebody must say whose it is."""

    code: str
    sides: tuple[int, ...]
    """The sides whose piles hold it."""


@dataclass(frozen=True)
class KeepTapping:
    """Piles are being tapped in by hand, and these cards are still to come."""

    codes: tuple[str, ...]


@dataclass(frozen=True)
class PlaceMissing:
    """Cards lie in no pile and could change a point: somebody must say whose they are."""

    codes: tuple[str, ...]


@dataclass(frozen=True)
class CountPile:
    """Somebody must count the cards of the side that has what the other piles leave."""

    side: int


@dataclass(frozen=True)
class NothingLeft:
    """The hand can be confirmed."""


Next = (
    ShowPiles
    | AwaitPhotos
    | AnswerDoubts
    | SettleOwner
    | KeepTapping
    | PlaceMissing
    | CountPile
    | NothingLeft
)
"""What a hand needs next."""


@dataclass(frozen=True, kw_only=True)
class Agenda:
    """Everything that is open in a hand and could change a point."""

    awaited: tuple[int, ...] = ()
    """Sides whose pile nobody has shown yet."""
    reading: tuple[int, ...] = ()
    """Sides with photos that are still being read."""
    held: tuple[SeenAt, ...] = ()
    """Doubtful cards that nobody is asked about yet: a pile that is out may settle them."""
    doubts: tuple[SeenAt, ...] = ()
    """Doubtful cards to be asked about now, the most telling first."""
    disputed: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """Cards that lie in two piles for certain, each with the sides."""
    missing: tuple[str, ...] = ()
    """Codes of cards in no pile that could change a point."""
    is_tapping: bool = False
    """No pile was photographed and many cards are missing: somebody is still tapping them in."""
    uncounted: int | None = None
    """The side that has what the others leave and whose cards nobody has counted."""

    @property
    def next(self) -> Next:
        """What comes next.

        >>> Agenda(awaited=(1,), held=(SeenAt(0, 3),)).next
        ShowPiles(sides=(1,))
        >>> Agenda(reading=(1,), held=(SeenAt(0, 3),)).next
        AwaitPhotos(sides=(1,))
        >>> Agenda().next
        NothingLeft()
        """
        if self.awaited:
            return ShowPiles(self.awaited)
        if self.reading and (self.held or self.missing):
            return AwaitPhotos(self.reading)
        if self.doubts:
            return AnswerDoubts(self.doubts)
        if self.disputed:
            return SettleOwner(*self.disputed[0])
        if self.missing:
            return (KeepTapping if self.is_tapping else PlaceMissing)(self.missing)
        return NothingLeft() if self.uncounted is None else CountPile(self.uncounted)

    @property
    def out(self) -> tuple[int, ...]:
        """Sides whose pile may still tell something: nobody has shown it, or it is being read.

        >>> Agenda(awaited=(2,), reading=(0, 2)).out
        (0, 2)
        """
        return tuple(sorted({*self.awaited, *self.reading}))

    def held_of(self, side: int) -> tuple[SeenAt, ...]:
        """A side's doubtful cards that wait for a pile that is out."""
        return tuple(doubt for doubt in self.held if doubt.side == side)

    def doubts_of(self, side: int) -> tuple[SeenAt, ...]:
        """A side's doubtful cards to be asked about now, the most telling first.

        >>> Agenda(doubts=(SeenAt(1, 4), SeenAt(0, 2), SeenAt(1, 3))).doubts_of(1)
        (SeenAt(side=1, number=4), SeenAt(side=1, number=3))
        """
        return tuple(doubt for doubt in self.doubts if doubt.side == side)

    def shown(self, side: int) -> tuple[SeenAt, ...]:
        """The doubtful cards of a side to be shown now, in the order in which they were seen.

        So none of them moves under a finger that is about to tap.
        """
        return tuple(sorted(self.doubts_of(side)[:SHOWN]))


def agenda(
    piles: Sequence[Draft],
    rules: Rules,
    *,
    scope: Sequence[int] = (),
    reading: Collection[int] = (),
    at_once: bool = False,
) -> Agenda:
    """What is open in a hand.

    Args:
        piles: Its drafts, one a side.
        rules: The rules it is scored by.
        scope: The scope of each side, which some rules double; nothing counts as none made.
        reading: Sides with photos that are still being read.
        at_once: Somebody wants to answer now, although a pile is out that may settle the doubts.

    >>> anna = Draft(by_hand=CODES[:19])
    >>> agenda([anna, Draft(by_hand=CODES[19:])], Rules()).next
    NothingLeft()
    >>> agenda([anna, Draft()], Rules()).next
    ShowPiles(sides=(1,))
    """
    made = tuple(scope) or (0,) * len(piles)
    awaited = waiting(piles)
    being_read = () if at_once else tuple(sorted(set(reading)))
    waits = bool(awaited or being_read) and not at_once
    held = open_doubts(piles) if waits else ()
    doubts, cards = ((), missing(piles)) if waits else _telling(piles, rules, scope=made)
    tapped = not any(draft.photos for draft in piles)
    return Agenda(
        awaited=awaited,
        reading=being_read,
        held=held,
        doubts=doubts,
        disputed=_disputed(piles),
        missing=cards,
        is_tapping=tapped and len(missing(piles)) > SHOWN,
        uncounted=_uncounted(piles),
    )


def open_doubts(piles: Sequence[Draft]) -> tuple[SeenAt, ...]:
    """Every doubtful card that nobody has answered, telling or not.

    >>> open_doubts([Draft(by_hand=("7d",))])
    ()
    """
    return tuple(SeenAt(side, i) for side, draft in enumerate(piles) for i in draft.questions)


def can_all_be(piles: Sequence[Draft], doubts: Sequence[SeenAt]) -> bool:
    """Whether the camera's guesses at some doubtful cards can all be right at once.

    Not where two of them are the same card, or one is a card that lies in a pile for certain.
    """
    guesses = {piles[side].seen[number].guess for side, number in doubts}
    certain = {code for draft in piles for code in draft.certain}
    return len(guesses) == len(doubts) and not guesses & certain


def as_said(piles: Sequence[Draft], said: Mapping[SeenAt, str]) -> tuple[Draft, ...]:
    """The piles with doubtful cards settled as somebody said who was shown them."""
    settled = tuple(piles)
    for (side, number), code in said.items():
        settled = given(settled, side, draft=settled[side].answered(number, code))
    return settled


def _telling(
    piles: Sequence[Draft], rules: Rules, *, scope: tuple[int, ...]
) -> tuple[tuple[SeenAt, ...], tuple[str, ...]]:
    """The doubts and the missing cards that could change a point; all where a pile is empty.

    A doubtful box that may be no card at all is left out of the count: its candidates are treated
    as missing from every pile. Such boxes, and doubts that compete for the missing cards, are asked
    before the missing cards themselves: their answers say which cards those are.
    """
    doubts, cards = open_doubts(piles), missing(piles)
    if not all(draft.codes for draft in piles):
        return doubts, cards
    maybe_no_card = frozenset(at for at in doubts if _may_be_no_card(piles[at.side], at.number))
    competing = _competing(piles, cards, maybe_no_card=maybe_no_card)
    first = tuple(at for at in doubts if at in competing) or doubts
    if competing and len(cards) + len(maybe_no_card) > MOST_UNNAMED:
        return first, cards
    rest = any(draft.takes_rest for draft in piles)
    named = cards if rest or not competing else ()  # beside a rest: those taken out of it
    counted = [at for at in doubts if at not in maybe_no_card]
    try:
        analysis = analyse(_hand(piles, doubts=counted, cards=named, scope=scope), rules)
    except DoubtError as error:
        clash = tuple(at for at in doubts if at in error.keys)
        return clash or first, cards
    if not all(outlook.exact for outlook in analysis.outlooks):
        return _best_first(first, analysis), cards
    keys = set(analysis.questions)
    telling = {at for at in doubts if at in keys} | _clashing(piles)
    if analysis.asks_missing:
        telling |= competing
    elif rest:
        telling |= maybe_no_card | (competing if cards else frozenset())
    asked = cards if analysis.asks_missing else tuple(code for code in cards if code in keys)
    return _best_first([at for at in doubts if at in telling], analysis), asked


def _disputed(piles: Sequence[Draft]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Cards that lie in two piles for certain, each with the sides."""
    return tuple(
        (code, tuple(side for side, draft in enumerate(piles) if code in draft.codes))
        for code in disputed(piles)
    )


def _best_first(doubts: Sequence[SeenAt], analysis: Analysis) -> tuple[SeenAt, ...]:
    """Some doubts, those whose answers tell most first, then the others as they were seen."""
    rank: dict[Hashable, int] = {key: number for number, key in enumerate(analysis.questions)}
    return tuple(sorted(doubts, key=lambda at: rank.get(at, len(rank))))


def _uncounted(piles: Sequence[Draft]) -> int | None:
    """The side that has what the others leave, until its cards were counted.

    A card that no photo shows, or that nobody tapped in, would else be counted for it unasked.
    """
    for side, draft in enumerate(piles):
        if draft.takes_rest and draft.counted != len(draft.codes):
            return side
    return None


def _competing(
    piles: Sequence[Draft], cards: Sequence[str], *, maybe_no_card: frozenset[SeenAt]
) -> frozenset[SeenAt]:
    """The doubts that decide which cards are missing: they may be one, or compete with one.

    Whatever the other doubts turn out to be, they share out their own cards among themselves.
    """
    certain = {code for draft in piles for code in draft.certain}
    candidates = {
        at: {piles[at.side].seen[at.number].guess, *piles[at.side].seen[at.number].alternatives}
        - certain
        for at in open_doubts(piles)
    }
    loose = set(cards).union(*(candidates[at] for at in maybe_no_card))
    competing = maybe_no_card
    while more := {at for at, codes in candidates.items() if codes & loose} - competing:
        competing |= more
        loose.update(*(candidates[at] for at in more))
    return competing


def _clashing(piles: Sequence[Draft]) -> frozenset[SeenAt]:
    """The doubts whose guess is also said of another card: the piles as shown cannot be right."""
    guesses = {at: piles[at.side].seen[at.number].guess for at in open_doubts(piles)}
    said = Counter(guesses.values()) + Counter(code for draft in piles for code in draft.certain)
    return frozenset(at for at, guess in guesses.items() if said[guess] > 1)


def _may_be_no_card(draft: Draft, index: int) -> bool:
    return any(code not in CODES for code in draft.seen[index].alternatives)


def _hand(
    piles: Sequence[Draft],
    *,
    doubts: Sequence[SeenAt],
    cards: Sequence[str],
    scope: tuple[int, ...],
) -> UncertainHand:
    """The hand as `scoring.uncertain` takes it.

    A doubt's key is its `SeenAt`, a missing card's its code.
    Missing cards that are not among `cards` have no name in it.
    """
    rest = next((side for side, draft in enumerate(piles) if draft.takes_rest), None)
    sides = tuple(
        Side(str(side), tuple(map(Card.from_code, draft.certain)), made)
        for side, (draft, made) in enumerate(zip(piles, scope, strict=True))
    )
    named = (Doubt(code, None, {Card.from_code(code): 1.0}) for code in cards)
    seen = (_doubt(piles[at.side], at) for at in doubts)
    lacking = tuple(map(Card.from_code, absent(piles)))
    return UncertainHand(sides=sides, doubts=(*seen, *named), rest=rest, absent=lacking)


def _doubt(draft: Draft, at: SeenAt) -> Doubt:
    """A doubtful card as `scoring.uncertain` takes it."""
    seen = draft.seen[at.number]
    chances = {Card.from_code(seen.guess): GUESS_CHANCE}
    for code in seen.alternatives:
        chances[Card.from_code(code)] = (1 - GUESS_CHANCE) / len(seen.alternatives)
    return Doubt(at, at.side, chances)
