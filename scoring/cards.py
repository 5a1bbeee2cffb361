"""The forty cards: suits, ranks, their text codes, and how people write them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum, unique
from types import MappingProxyType

from scoring.errors import CardError


@unique
class Suit(StrEnum):
    """The four suits; the value is the letter used in a card's code."""

    DENARI = "d"  # coins, diamonds
    COPPE = "c"  # cups, hearts
    SPADE = "s"  # swords, spades
    BASTONI = "b"  # batons, clubs


@unique
class Rank(IntEnum):
    """The ten ranks; the value is what the card captures."""

    ASSO = 1  # ace
    DUE = 2  # two
    TRE = 3  # three
    QUATTRO = 4  # four
    CINQUE = 5  # five
    SEI = 6  # six
    SETTE = 7  # seven
    FANTE = 8  # jack
    CAVALLO = 9  # knight; the queen of a French-suited deck
    RE = 10  # king


_SUIT_NUMBER = {suit: number for number, suit in enumerate(Suit)}
"""Number of each suit in the order d, c, s, b, from 0."""


@dataclass(frozen=True, order=True)
class Card:
    """One card of the deck, `Card(Rank.SETTE, Suit.DENARI)`.

    >>> str(Card(Rank.SETTE, Suit.DENARI))
    '7d'
    """

    rank: Rank  # its rank, 1 to 10
    suit: Suit  # its suit
    index: int = field(init=False, repr=False, compare=False)  # its index in `DECK`, 0 to 39
    # Its text code: capture value and suit letter, "7d"
    code: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rank, suit = Rank(self.rank), Suit(self.suit)
        object.__setattr__(self, "rank", rank)
        object.__setattr__(self, "suit", suit)
        object.__setattr__(self, "index", _SUIT_NUMBER[suit] * 10 + rank - 1)
        object.__setattr__(self, "code", f"{rank.value}{suit.value}")

    def __hash__(self) -> int:
        return self.index

    def __str__(self) -> str:
        return self.code

    @staticmethod
    def from_code(code: str) -> Card:
        """Return the card of an exact code.

        Raises:
            CardError: the text is not one of the forty codes.

        >>> Card.from_code("10s").rank.name
        'RE'
        >>> Card.from_code("11s")
        Traceback (most recent call last):
        scoring.errors.CardError: expected a card code such as 7d or 10s, got '11s'
        """
        try:
            return _BY_CODE[code]
        except (KeyError, TypeError):
            message = f"expected a card code such as 7d or 10s, got {code!r}"
            raise CardError(message) from None


DECK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""The forty cards, suit by suit (d, c, s, b), ace to king."""

CODES: tuple[str, ...] = tuple(card.code for card in DECK)
"""The codes of the forty cards, in the order of `DECK`."""

_BY_CODE = MappingProxyType({card.code: card for card in DECK})
"""Every card by its code."""

_RANK_WORDS = {
    Rank.ASSO: "1 a asso ace as uno one",
    Rank.DUE: "2 due two dos",
    Rank.TRE: "3 tre three tres",
    Rank.QUATTRO: "4 quattro four cuatro",
    Rank.CINQUE: "5 cinque five cinco",
    Rank.SEI: "6 sei six seis",
    Rank.SETTE: "7 sette seven siete",
    Rank.FANTE: "8 f j fante jack sota knave otto eight",
    Rank.CAVALLO: "9 c q cavallo cavaliere knight queen donna regina dama caballo horse nove nine",
    Rank.RE: "10 r k re king rey dieci ten",
}
"""How people write a rank, in Italian, English, Spanish and French-suited decks."""

_SUIT_WORDS = {
    Suit.DENARI: (
        "d ♦ ♢ den denari denaro danari danaro ori oro oros coins coin diamonds diamond quadri"
    ),
    Suit.COPPE: "c h ♥ ♡ cop coppe coppa cups cup hearts heart cuori copas",
    Suit.SPADE: "s ♠ ♤ spa spade spada swords sword spades picche espadas",
    Suit.BASTONI: (
        "b ♣ ♧ bas bastoni bastone mazze mazza batons baton clubs club wands fiori bastos"
    ),
}
"""How people write a suit."""

_FRENCH = frozenset(
    (
        *("♦", "♢", "diamonds", "diamond", "quadri", "♥", "♡", "h", "hearts", "heart", "cuori"),
        *("♠", "♤", "spades", "picche", "♣", "♧", "clubs", "club", "fiori"),
    )
)
"""Suit words of a French deck, from which 8, 9 and 10 are taken out."""

_TAKEN_OUT = frozenset(("8", "otto", "eight", "9", "nove", "nine", "10", "dieci", "ten"))
"""Rank words for 8, 9 and 10: the faces in an Italian deck, and not in a French Scopa deck."""

_RANKS = {word: rank for rank, words in _RANK_WORDS.items() for word in words.split()}
"""Every word for a rank, and the rank."""

_SUITS = {word: suit for suit, words in _SUIT_WORDS.items() for word in words.split()}
"""Every word for a suit, and the suit."""

_NAMED = {"settebello": "7d", "7bello": "7d", "rebello": "10d"}
"""Cards with a special name, written without spaces, and their codes."""

_TIGHT = re.compile(r"(10|[1-9]|[afjcqrk])\s*([dchsb♦♢♥♡♠♤♣♧])")
"""A rank sign directly before a suit sign: "7d", "K♠"."""

_VARIATION = re.compile("[\ufe0e\ufe0f]")
"""Variation selectors: they make a suit sign appear as text or as an emoji."""

_ELIDED = re.compile(r"\bd['’‘`´ʼ]\s*")
"""An Italian "di" before a vowel: "d'ori"."""

_GAP = re.compile(r"[\s'’‘`´ʼ\-_]+")
"""Characters between two words: "l'asso", "sette-bello"."""

_JOINTS = frozenset({"di", "of", "de", "the", "il", "lo", "l", "la"})
"""Words next to rank and suit that carry no meaning: "7 of coins", "il sette"."""


def parse_card(text: str) -> Card:
    """Return the card that a person wrote, in Italian, English or French-suited form.

    Raises:
        CardError: no card is named.

    >>> [parse_card(text).code for text in ("sette di denari", "Queen of Hearts", "7♦", "K♠")]
    ['7d', '9c', '7d', '10s']
    >>> [parse_card(text).code for text in ("il settebello", "l'asso d'ori", "regina di cuori")]
    ['7d', '1d', '9c']
    >>> parse_card("joker")
    Traceback (most recent call last):
    scoring.errors.CardError: expected a card such as 7d, 'sette di denari' or 7♦, got 'joker'
    """
    if isinstance(text, str):
        if (card := _BY_CODE.get(text)) is not None:
            return card
        plain = unicodedata.normalize("NFKC", text.replace("´", "'"))
        plain = _VARIATION.sub("", plain).casefold().strip()
        named = _BY_CODE.get(plain) or _from_words(plain, text)
        if named is not None:
            return named
    message = f"expected a card such as 7d, 'sette di denari' or 7♦, got {text!r}"
    raise CardError(message)


def _from_words(plain: str, text: str) -> Card | None:
    """Return the card of a lower-case text, or None.

    Raises:
        CardError: it names a card that the deck lacks, or one that may be two.
    """
    tight = _TIGHT.fullmatch(plain)
    words = list(tight.groups()) if tight else _GAP.split(_ELIDED.sub("di ", plain))
    words = [word for word in words if word not in _JOINTS]
    if name := _NAMED.get("".join(words)):
        return _BY_CODE[name]
    if len(words) != 2:
        return None
    rank, suit = _RANKS.get(words[0]), _SUITS.get(words[1])
    if rank is None or suit is None:
        return None
    is_french = words[1] in _FRENCH
    if is_french and words[0] in _TAKEN_OUT:
        raise CardError(f"8, 9 and 10 are taken out of a French deck: J, Q or K? Got {text!r}")
    if words[0] in {"donna", "dama"} and not is_french:
        eight, nine = (Card(one, suit) for one in (Rank.FANTE, Rank.CAVALLO))
        raise CardError(f"{text!r} is {eight} at some tables, {nine} at others: write the code")
    return Card(rank, suit)


def mask_of(cards: Iterable[Card]) -> int:
    """Return a set of cards as a whole number: bit `card.index` is 1 where the card is in it."""
    mask = 0
    for card in cards:
        mask |= 1 << card.index
    return mask


def cards_of(mask: int) -> tuple[Card, ...]:
    """Return the cards of a mask, in the order of `DECK`."""
    found = []
    while mask:
        low = mask & -mask
        found.append(DECK[low.bit_length() - 1])
        mask ^= low
    return tuple(found)


def suit_mask(suit: Suit) -> int:
    """Return the ten cards of a suit as a mask."""
    return 0b1111111111 << (10 * _SUIT_NUMBER[suit])


def rank_mask(rank: Rank) -> int:
    """Return the four cards of a rank as a mask."""
    return sum(1 << (10 * number + rank - 1) for number in range(4))
