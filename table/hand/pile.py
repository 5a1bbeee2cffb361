"""One side's pile before its hand is confirmed: cards read on photos, tapped in, or still in doubt.

A pile is a value: every change returns a new one. It is stored as JSON, so that every phone of the
table shows it and a server that dies loses nothing.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import fmean
from typing import Any, NamedTuple

from scoring.cards import CODES, Card
from vision.reading import CardReading, PhotoProblemKind, Reading, Region, Status

NOT_A_CARD = "none"
"""The answer that a detected card is no card of this pile."""

SAME_PLACE = 0.01
"""Two boxes on a photo are the same card if their centres are nearer, as a share of its sides."""

FAULTS = frozenset(
    {
        PhotoProblemKind.NOTHING_FOUND,
        PhotoProblemKind.CUT_OFF,
        PhotoProblemKind.DARK,
        PhotoProblemKind.WASHED_OUT,
        PhotoProblemKind.SMALL,
        PhotoProblemKind.BLURRED,
        PhotoProblemKind.COVERED,
        PhotoProblemKind.STRIPED,
        PhotoProblemKind.TINTED,
        PhotoProblemKind.MIRRORED,
    }
)
"""Problems that a better photo solves. All others become questions about cards."""

HIDING = frozenset(
    {
        PhotoProblemKind.WASHED_OUT,
        PhotoProblemKind.BLURRED,
        PhotoProblemKind.STRIPED,
        PhotoProblemKind.TINTED,
    }
)
"""Problems of the light or the focus. They may hide a card even if all other cards look good."""


class CardRef(NamedTuple):
    """A reference to a detected card of a hand."""

    side: int
    """The side of the pile."""
    number: int
    """Its index in that pile's `detected`."""


@dataclass(frozen=True, kw_only=True)
class PileCard:
    """One card as it was read on a photo, with the user's answer about it."""

    photo: int
    """Number of the photo in the store."""
    guess: str
    """The reading: a code, `back` (face down), or `x` (no Scopa card; if doubtful: not read)."""
    doubtful: bool
    """Whether it needs an answer."""
    corners: tuple[tuple[float, float], ...]
    """Four corners, x and y as shares (0 to 1) of the photo's width and height."""
    alternatives: tuple[str, ...] = ()
    """Other possible readings (codes, `back`, `x`), most probable first."""
    answer: str | None = None
    """The user's answer: a code or `NOT_A_CARD`; None without an answer."""

    @property
    def code(self) -> str | None:
        """Code of the Scopa card that it counts as; None if it counts as none."""
        code = self.answer or self.guess
        return code if code in CODES else None

    @property
    def is_open(self) -> bool:
        """Whether it is a question without an answer."""
        return self.doubtful and self.answer is None and self.guess in CODES

    @property
    def is_unread(self) -> bool:
        """Whether it looks like a card, could not be read, and has no answer."""
        return self.doubtful and self.answer is None and self.guess == "x"

    def is_at(self, other: "PileCard") -> bool:
        """Return whether both are the same card on the same photo, by their positions."""
        if self.photo != other.photo:
            return False
        centres = (map(fmean, zip(*card.corners, strict=True)) for card in (self, other))
        return all(abs(one - two) < SAME_PLACE for one, two in zip(*centres, strict=True))

    @classmethod
    def from_reading(cls, card: CardReading, photo: int, *, size_wh: tuple[int, int]) -> "PileCard":
        """Return a card of a reading, with its corners as shares of the photo."""
        width, height = size_wh
        likeliest = sorted(card.alternatives, key=lambda code: -card.alternatives[code])
        return cls(
            photo=photo,
            guess=card.card,
            doubtful=card.status is Status.DOUBTFUL,
            corners=tuple((x / width, y / height) for x, y in card.corners),
            alternatives=tuple(code for code in likeliest if code != card.card),
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "PileCard":
        """Return the card in the JSON that `vars` of one wrote."""
        corners = tuple((float(x), float(y)) for x, y in data["corners"])
        return cls(**{**data, "corners": corners, "alternatives": tuple(data["alternatives"])})


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A problem of a photo that a better photo solves."""

    photo: int
    """Number of the photo in the store."""
    kind: PhotoProblemKind
    """One of `FAULTS`."""
    region: Region | None = None
    """The part of the photo; None for all of it."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Fault":
        """Return the fault in the JSON that `vars` of one wrote."""
        region = None if data["region"] is None else Region(data["region"])
        return cls(photo=data["photo"], kind=PhotoProblemKind(data["kind"]), region=region)


@dataclass(frozen=True, kw_only=True)
class ByHand:
    """Points of a side that were entered by hand, in addition to those of its pile and scope."""

    declared: int = 0
    """Points declared in play."""
    correction: int = 0
    """Points added by hand, or a penalty if negative."""
    reason: str = ""
    """The reason for the correction."""


@dataclass(frozen=True, kw_only=True)
class Pile:
    """One side's pile before its hand is confirmed."""

    photos: tuple[int, ...] = ()
    """Numbers of its photos in the store."""
    detected: tuple[PileCard, ...] = ()
    """The cards read on its photos."""
    by_hand: tuple[str, ...] = ()
    """Codes that a user tapped in, in order."""
    rest: tuple[str, ...] | None = None
    """Codes of the rest, which the other piles leave; None if it does not take the rest."""
    claimed: tuple[str, ...] | None = None
    """Codes that its rest is limited to: those that were in no pile when a pile on photos got them.
    None: the rest is all that the other piles leave."""
    refused: tuple[str, ...] = ()
    """Codes that a user took out of the rest: it does not get them back from it."""
    absent: tuple[str, ...] = ()
    """Codes of cards that the deck lacks, as a user said."""
    faults: tuple[Fault, ...] = ()
    """Problems of its photos."""
    counted: int | None = None
    """How many cards a user counted in it; None if it was not counted."""
    scope: int | None = None
    """The scope of a hand being edited; None if the taps at the table count."""
    points: ByHand | None = None
    """Points that were entered by hand; None if there are none."""
    said: tuple[tuple[str, int], ...] = ()
    """The answers about its side's points in a quick count, as `scoring.hand.Side.counted`."""
    removed: "Pile | None" = None
    """The photos that were removed last, with their cards, so that *Undo* puts them back."""

    @cached_property
    def codes(self) -> frozenset[str]:
        """Codes of all cards of this pile, with the guesses of open questions."""
        read = {card.code for card in self.detected if card.code}
        return frozenset(self.by_hand) | read | frozenset(self.rest or ())

    @property
    def cards(self) -> frozenset[Card]:
        """The cards of this pile, with the guesses of open questions."""
        return frozenset(Card.from_code(code) for code in self.codes)

    @property
    def questions(self) -> tuple[int, ...]:
        """Indices in `detected` of the cards that need an answer."""
        cards = enumerate(self.detected)
        return tuple(index for index, card in cards if card.is_open or index in self.clashing)

    @cached_property
    def clashing(self) -> frozenset[int]:
        """Indices in `detected` of boxes whose card, as a user said, is in another of the photo.

        One of the two is wrong.
        """
        said = {(card.photo, card.answer) for card in self.detected}
        return frozenset(
            index
            for index, card in enumerate(self.detected)
            if card.answer is None and card.code and (card.photo, card.guess) in said
        )

    @cached_property
    def certain(self) -> frozenset[str]:
        """Codes that are in the pile whatever the answers are and whatever the other piles hold."""
        read = (card.code for card in self.detected if card.code and not card.is_open)
        return frozenset({*self.by_hand, *read})

    @property
    def asked_codes(self) -> frozenset[str]:
        """Codes that are in the pile only by an open guess."""
        return self.codes - self.certain - frozenset(self.rest or ())

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known of this pile or of its side's points."""
        return not (self.codes or self.photos or self.said)

    @property
    def takes_rest(self) -> bool:
        """Whether it has all cards that the other piles leave."""
        return self.rest is not None and self.claimed is None

    @property
    def may_hide_cards(self) -> bool:
        """Whether the light or the focus of a photo may hide some of its cards."""
        return any(fault.kind in HIDING for fault in self.faults)

    @property
    def unread(self) -> int:
        """How many boxes look like cards and could not be read."""
        return sum(card.is_unread for card in self.detected)

    def count(self, guess: str) -> int:
        """Return how many cards were read as `guess` (`back` or `x`) and have no answer."""
        read = (card for card in self.detected if not card.is_unread)
        return sum(card.guess == guess and card.answer is None for card in read)

    def index_of(self, shown: PileCard) -> int | None:
        """Return the index in `detected` of a card that a screen showed; None if it was removed."""
        same = [index for index, card in enumerate(self.detected) if card.is_at(shown)]
        exact = (index for index in same if self.detected[index].corners == shown.corners)
        return next(exact, same[0] if same else None)

    def answered(self, index: int, code: str) -> "Pile":
        """Return the pile with the card at `index` of `detected` settled as `code`.

        If another card of the photo was settled as this one, that answer becomes its guess.
        """
        detected = list(self.detected)
        for at, card in enumerate(detected):
            if card.photo == detected[index].photo and code == card.answer != NOT_A_CARD:
                others = [other for other in (card.guess, *card.alternatives) if other != code]
                detected[at] = replace(card, answer=None, guess=code, alternatives=tuple(others))
        detected[index] = replace(self.detected[index], answer=code)
        return replace(self, detected=tuple(detected))

    def put(self, code: str) -> "Pile":
        """Return the pile with this card certainly in it.

        If a detected card may be this one, it is settled as this card.
        """
        if code in self.certain:
            return self
        for index, card in enumerate(self.detected):
            if card.guess == code and card.answer in (None, NOT_A_CARD):
                return self.answered(index, code)
        for index in self.questions:
            if code in self.detected[index].alternatives:
                return self.answered(index, code)
        return replace(self, by_hand=(*self.by_hand, code))

    def take(self, code: str) -> "Pile":
        """Return the pile without this card, however it got in."""
        return replace(
            self,
            detected=tuple(
                replace(card, answer=NOT_A_CARD) if card.code == code else card
                for card in self.detected
            ),
            rest=None if self.rest is None else tuple(one for one in self.rest if one != code),
            by_hand=tuple(one for one in self.by_hand if one != code),
            absent=tuple(one for one in self.absent if one != code),
        )

    def holding(self, codes: Iterable[str]) -> "Pile":
        """Return the pile with exactly these cards; photos and open questions stay.

        Cards that it had as the rest are in it as that still, so that a photo of another pile that
        shows one gets it.

        >>> sorted(Pile(by_hand=("7d", "1s")).holding(["1s", "2c"]).codes)
        ['1s', '2c']
        """
        wanted = frozenset(codes)
        rest = None if self.rest is None else tuple(code for code in self.rest if code in wanted)
        pile = replace(self, rest=rest, claimed=rest, refused=(), absent=())
        for code in sorted(pile.codes - wanted):
            pile = pile.take(code)
        for code in sorted(wanted - pile.codes):
            pile = pile.put(code)
        return pile

    def add(self, reading: Reading, photo: int) -> "Pile":
        """Return the pile with one more photo read into it; earlier answers stay.

        A photo that is sent again is read again.
        """
        if photo in self.photos:
            return self.reread(reading, photo)
        cards, faults = _cards_of(reading, photo), _faults_of(reading, photo)
        return self.with_photos(Pile(photos=(photo,), detected=cards, faults=faults))

    def reread(self, reading: Reading, photo: int) -> "Pile":
        """Return the pile with one of its photos read again, after the other piles changed.

        Answers stay, and each card that is found again keeps its index in `detected`.
        """
        new = list(_cards_of(reading, photo))
        detected = list(self.detected)
        for index, old in enumerate(detected):
            again = next((card for card in new if card.is_at(old)), None)
            if again is not None:
                new.remove(again)
                detected[index] = again if old.answer is None else old
        others = (fault for fault in self.faults if fault.photo != photo)
        faults = (*others, *_faults_of(reading, photo))
        return replace(self, detected=(*detected, *new), faults=faults)

    def part(self, photos: Collection[int]) -> "Pile":
        """Return some photos of the pile with the cards read on them, and nothing else."""
        return Pile(
            photos=tuple(number for number in self.photos if number in photos),
            detected=tuple(card for card in self.detected if card.photo in photos),
            faults=tuple(fault for fault in self.faults if fault.photo in photos),
        )

    def without_photos(self, photos: Collection[int]) -> "Pile":
        """Return the pile without some photos and the cards read on them; tapped cards stay."""
        gone, stays = self.part(photos), self.part({*self.photos}.difference(photos))
        if not gone.photos:
            return self
        return replace(
            self, photos=stays.photos, detected=stays.detected, faults=stays.faults, removed=gone
        )

    def with_photos(self, others: "Pile") -> "Pile":
        """Return the pile with the photos of another pile, their cards and the answers about them.

        With its first photo a pile no longer takes the rest: if the photo does not show one of
        those cards, the app asks whose it is.
        """
        pile = self.without_rest() if self.takes_rest else self
        return replace(
            pile,
            photos=(*self.photos, *others.photos),
            detected=(*self.detected, *others.detected),
            faults=(*self.faults, *others.faults),
        )

    def without_rest(self) -> "Pile":
        """Return the pile without the cards that it got as the rest."""
        return replace(self, rest=None, claimed=None, refused=())

    def to_dict(self) -> dict[str, Any]:
        """Return the pile as plain JSON values; `from_dict` is the inverse."""
        corners = [[list(corner) for corner in card.corners] for card in self.detected]
        return {
            "photos": list(self.photos),
            "seen": [
                {**vars(card), "corners": xy}
                for card, xy in zip(self.detected, corners, strict=True)
            ],
            "by_hand": list(self.by_hand),
            "rest": None if self.rest is None else list(self.rest),
            "claimed": None if self.claimed is None else list(self.claimed),
            "refused": list(self.refused),
            "absent": list(self.absent),
            "faults": [vars(fault) for fault in self.faults],
            "counted": self.counted,
            "scope": self.scope,
            "said": dict(self.said),
            **({} if self.points is None else {"points": vars(self.points)}),
            **({} if self.removed is None else {"removed": self.removed.to_dict()}),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Pile":
        """Return the pile that `to_dict` wrote."""
        return cls(
            photos=tuple(data.get("photos", ())),
            detected=tuple(map(PileCard.from_dict, data.get("seen", ()))),
            by_hand=tuple(data.get("by_hand", ())),
            rest=None if data.get("rest") is None else tuple(data["rest"]),
            claimed=None if data.get("claimed") is None else tuple(data["claimed"]),
            refused=tuple(data.get("refused", ())),
            absent=tuple(data.get("absent", ())),
            faults=tuple(map(Fault.from_dict, data.get("faults", ()))),
            counted=data.get("counted"),
            scope=data.get("scope"),
            points=ByHand(**data["points"]) if "points" in data else None,
            said=tuple(data.get("said", {}).items()),
            removed=cls.from_dict(data["removed"]) if "removed" in data else None,
        )


def _cards_of(reading: Reading, photo: int) -> tuple[PileCard, ...]:
    return tuple(
        PileCard.from_reading(card, photo, size_wh=reading.size_wh) for card in reading.cards
    )


def _faults_of(reading: Reading, photo: int) -> tuple[Fault, ...]:
    """Return the faults in a reading, each once."""
    named = dict.fromkeys((problem.kind, problem.region) for problem in reading.problems)
    return tuple(
        Fault(photo=photo, kind=kind, region=region) for kind, region in named if kind in FAULTS
    )
