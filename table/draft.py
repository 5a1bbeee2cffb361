"""What is known of a pile before its hand is confirmed: seen, tapped, still asked.

A draft is a value: every change gives a new one. It goes to the store as JSON, so every phone
of the table sees it and a dead server loses nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scoring.cards import Card
from table.seen import NOT_HERE, Seen
from vision.reading import PhotoProblemKind, Reading, Region

FAULTS = frozenset(
    {
        PhotoProblemKind.NOTHING_FOUND,
        PhotoProblemKind.CUT_OFF,
        PhotoProblemKind.DARK,
        PhotoProblemKind.WASHED_OUT,
        PhotoProblemKind.SMALL,
        PhotoProblemKind.BLURRED,
        PhotoProblemKind.COVERED,
    }
)
"""Problems that a better photo ends. All others are asked about, card by card."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """Something about a photo that a better one ends."""

    photo: int
    """Number of the photo in the store."""
    kind: PhotoProblemKind
    """What is wrong: one of `FAULTS`."""
    region: Region | None = None
    """In which part of the photo; None for all of it."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Fault":
        """Gives the fault that `vars` of one wrote as JSON."""
        region = None if data["region"] is None else Region(data["region"])
        return cls(photo=data["photo"], kind=PhotoProblemKind(data["kind"]), region=region)


@dataclass(frozen=True, kw_only=True)
class Draft:
    """One side's pile, not yet confirmed."""

    photos: tuple[int, ...] = ()
    """Numbers of its photos in the store."""
    seen: tuple[Seen, ...] = ()
    """What the camera found on them."""
    by_hand: tuple[str, ...] = ()
    """Codes that somebody tapped in, in the order of the tapping."""
    rest: tuple[str, ...] | None = None
    """Codes it holds as what the other piles leave; None where it does not take the rest."""
    refused: tuple[str, ...] = ()
    """Codes that somebody took out of that rest: it has them no more, whatever the others leave."""
    absent: tuple[str, ...] = ()
    """Codes of cards of which somebody said that the pack lacks them."""
    faults: tuple[Fault, ...] = ()
    """What is wrong with its photos."""
    counted: int | None = None
    """How many cards somebody counted in it; None where nobody did."""
    scope: int | None = None
    """The scope of a hand being mended; None while the taps at the table count."""

    @property
    def codes(self) -> frozenset[str]:
        """Codes of all cards that count for this pile, open questions by their guess."""
        seen = {one.code for one in self.seen if one.code}
        return frozenset(self.by_hand) | seen | frozenset(self.rest or ())

    @property
    def pile(self) -> frozenset[Card]:
        """The same as cards."""
        return frozenset(Card.from_code(code) for code in self.codes)

    @property
    def questions(self) -> tuple[int, ...]:
        """Places in `seen` of what still has to be answered."""
        return tuple(i for i, seen in enumerate(self.seen) if seen.is_open)

    @property
    def certain(self) -> frozenset[str]:
        """Codes that are in the pile whatever the open questions and the other piles bring."""
        return frozenset({*self.by_hand, *(s.code for s in self.seen if s.code and not s.is_open)})

    @property
    def asked_codes(self) -> frozenset[str]:
        """Codes that are in the pile only by an open guess."""
        return self.codes - self.certain - frozenset(self.rest or ())

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all is known of this pile."""
        return not (self.codes or self.photos)

    def count(self, guess: str) -> int:
        """Counts what the camera read as `guess` (`back` or `x`) and nobody has answered."""
        read = (seen for seen in self.seen if not seen.is_unread)
        return sum(seen.guess == guess and seen.answer is None for seen in read)

    @property
    def unread(self) -> int:
        """How many things look like cards and could not be read."""
        return sum(seen.is_unread for seen in self.seen)

    def put(self, code: str) -> "Draft":
        """Gives the draft with this card in it for certain.

        Where the camera saw what it may be, that is what it saw.
        """
        if code in self.certain:
            return self
        for i, seen in enumerate(self.seen):
            if seen.guess == code and seen.answer in (None, NOT_HERE):
                return self.answered(i, code)
        for i in self.questions:
            if code in self.seen[i].alternatives:
                return self.answered(i, code)
        return replace(self, by_hand=(*self.by_hand, code))

    def take(self, code: str) -> "Draft":
        """Gives the draft without this card, wherever it came from."""
        seen = tuple(replace(s, answer=NOT_HERE) if s.code == code else s for s in self.seen)
        rest = None if self.rest is None else tuple(c for c in self.rest if c != code)
        by_hand = tuple(c for c in self.by_hand if c != code)
        absent = tuple(c for c in self.absent if c != code)
        return replace(self, seen=seen, by_hand=by_hand, rest=rest, absent=absent)

    @property
    def takes_rest(self) -> bool:
        """Whether it has the cards that the other piles leave."""
        return self.rest is not None

    def place_of(self, shown: Seen) -> int | None:
        """Gives the place in `seen` of a card as a screen showed it; None where it is gone."""
        same = [i for i, seen in enumerate(self.seen) if seen.is_at(shown)]
        exact = (i for i in same if self.seen[i].corners == shown.corners)
        return next(exact, same[0] if same else None)

    def answered(self, index: int, code: str) -> "Draft":
        """Gives the draft with the card at `index` of `seen` settled as `code` (or `NOT_HERE`)."""
        seen = replace(self.seen[index], answer=code)
        return replace(self, seen=(*self.seen[:index], seen, *self.seen[index + 1 :]))

    def with_reading(self, reading: Reading, photo: int) -> "Draft":
        """Gives the draft with one more photo read into it; answers given before stay.

        The same photo sent again is read anew. What it held as the rest of the others nobody saw:
        where a photo does not show it, it is asked whose it is.
        """
        if photo in self.photos:
            return self.reread(reading, photo)
        return replace(
            self,
            photos=(*self.photos, photo),
            seen=(*self.seen, *_seen_in(reading, photo)),
            faults=(*self.faults, *_faults_of(reading, photo)),
            rest=None,
            refused=(),
        )

    def reread(self, reading: Reading, photo: int) -> "Draft":
        """Gives the draft with one of its photos read anew, as other piles tell more of this one.

        Answers stay, and so does the place in `seen` of each card that is seen again.
        """
        fresh = list(_seen_in(reading, photo))
        known = list(self.seen)
        for i, old in enumerate(known):
            again = next((one for one in fresh if one.is_at(old)), None)
            if again is not None:
                fresh.remove(again)
                known[i] = again if old.answer is None else old
        others = (fault for fault in self.faults if fault.photo != photo)
        faults = (*others, *_faults_of(reading, photo))
        return replace(self, seen=(*known, *fresh), faults=faults)

    def without_photo(self, photo: int) -> "Draft":
        """Gives the draft without one photo and what was seen on it; tapped cards stay."""
        return replace(
            self,
            photos=tuple(p for p in self.photos if p != photo),
            seen=tuple(s for s in self.seen if s.photo != photo),
            faults=tuple(fault for fault in self.faults if fault.photo != photo),
        )

    def holding(self, codes: Iterable[str]) -> "Draft":
        """Gives the draft with exactly these cards in it; photos and open questions stay.

        >>> sorted(Draft(by_hand=("7d", "1s")).holding(["1s", "2c"]).codes)
        ['1s', '2c']
        """
        wanted = frozenset(codes)
        draft = replace(self, rest=None, refused=(), absent=())
        for code in sorted(draft.codes - wanted):
            draft = draft.take(code)
        for code in sorted(wanted - draft.codes):
            draft = draft.put(code)
        return draft

    def to_dict(self) -> dict[str, Any]:
        """Gives the draft as JSON-able data; `from_dict` is its inverse."""
        return {
            "photos": list(self.photos),
            "seen": [{**vars(s), "corners": [list(c) for c in s.corners]} for s in self.seen],
            "by_hand": list(self.by_hand),
            "rest": None if self.rest is None else list(self.rest),
            "refused": list(self.refused),
            "absent": list(self.absent),
            "faults": [vars(fault) for fault in self.faults],
            "counted": self.counted,
            "scope": self.scope,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Draft":
        """Gives the draft that `to_dict` wrote."""
        return cls(
            photos=tuple(data.get("photos", ())),
            seen=tuple(map(Seen.from_dict, data.get("seen", ()))),
            by_hand=tuple(data.get("by_hand", ())),
            rest=None if data.get("rest") is None else tuple(data["rest"]),
            refused=tuple(data.get("refused", ())),
            absent=tuple(data.get("absent", ())),
            faults=tuple(map(Fault.from_dict, data.get("faults", ()))),
            counted=data.get("counted"),
            scope=data.get("scope"),
        )


def _seen_in(reading: Reading, photo: int) -> tuple[Seen, ...]:
    """What a reading found, in the form that is kept."""
    return tuple(Seen.from_found(found, photo, size_wh=reading.size_wh) for found in reading.cards)


def _faults_of(reading: Reading, photo: int) -> tuple[Fault, ...]:
    """The faults that a reading names, in the form that is kept, each once."""
    named = ((problem.kind, problem.region) for problem in reading.problems)
    return tuple(
        Fault(photo=photo, kind=kind, region=region)
        for kind, region in dict.fromkeys(named)
        if kind in FAULTS
    )
