"""The forty cards and how people write them."""

import re

import pytest
from hand_scoring import codes
from hypothesis import given
from hypothesis import strategies as st

from scoring.cards import (
    DECK,
    Card,
    Rank,
    Suit,
    cards_of,
    mask_of,
    parse_card,
    rank_mask,
    suit_mask,
)
from scoring.errors import CardError

WRITTEN = {
    "1d": ("Ad", "ace of diamonds", "asso di danari", "l'asso di denari"),
    "7d": (
        *("7d", "sette di denari", "7 of coins", "7♦", "7♦\ufe0f", "7♦\ufe0e", "settebello"),
        *("il settebello", "Il Sette Bello", "7 bello", "sette di danari", "7 d'ori"),
        *("sette d'oro", "sette d´oro", "SETTE D’ORI", "7 d' ori", "7 ori", "7 danari", "7 den"),
    ),
    "8d": ("fante d'ori", "otto di denari", "eight of coins"),
    "9d": ("la donna di quadri", "nove di denari"),
    "10d": ("re bello", "il re bello", "re d`oro", "dieci di denari", "ten of coins", "10 ori"),
    "1c": (" 1c ", "Asso di Coppe", "A cop"),
    "2c": ("il due di coppe",),
    "9c": ("knight of cups", "Qh", "Cc", "regina di cuori", "la regina di coppe", "donna di cuori"),
    "8s": ("F spa", "J♠"),
    "9s": ("dama di picche", "cavaliere di spade"),
    "10s": ("10S", "King of Swords", "K♠", "Rs", "K♠\ufe0e"),
    "3b": ("tre di bastone", "tre di mazze", "3 mazze"),
    "8b": ("fante di bastoni", "J clubs", "Fb"),
    "10b": ("rey de bastos", "R bas"),
}
NO_CARDS = ["", "7", "d", "0d", "11d", "8♦8", "joker", "7 di", "sette denari coppe", "7x", "d7"]
NO_CARDS += ["bello", "fante bello", "il", "d'ori", "settebello di coppe", "sette bello bello"]
NO_CARDS += ["un asso di danari"]
TAKEN_OUT = ["8♦", "10♥", "9♠\ufe0e", "8h", "10 of diamonds", "nine of hearts", "dieci di cuori"]
TAKEN_OUT += ["otto di quadri", "nove di picche", "10 di fiori", "eight of clubs", "8 of spades"]
EIGHT_OR_NINE = ["donna di denari", "la donna di coppe", "Donna di Spade", "dama de copas"]


def test_the_deck_holds_forty_cards_in_order() -> None:
    assert len(set(DECK)) == len(DECK) == 40
    assert [card.code for card in DECK[:11]] == [*(f"{n}d" for n in range(1, 11)), "1c"]
    assert [card.index for card in DECK] == list(range(40))


@pytest.mark.parametrize(("code", "texts"), WRITTEN.items(), ids=WRITTEN)
def test_a_card_is_read_as_people_write_it(code: str, texts: tuple[str, ...]) -> None:
    assert {text: parse_card(text).code for text in texts} == dict.fromkeys(texts, code)


@pytest.mark.parametrize("text", NO_CARDS, ids=repr)
def test_a_text_that_names_no_card_is_refused_with_what_came(text: str) -> None:
    with pytest.raises(CardError, match=f"expected a card .* got {re.escape(repr(text))}$"):
        parse_card(text)


@pytest.mark.parametrize("text", TAKEN_OUT)
def test_a_card_that_is_taken_out_of_a_french_deck_is_refused(text: str) -> None:
    with pytest.raises(CardError, match="8, 9 and 10 are taken out of a French deck: J, Q or K"):
        parse_card(text)


@pytest.mark.parametrize("text", EIGHT_OR_NINE)
def test_a_donna_that_may_be_eight_or_nine_is_asked_about(text: str) -> None:
    with pytest.raises(CardError, match=r"is 8[dcs] at some tables, 9[dcs] at others: write"):
        parse_card(text)


@pytest.mark.parametrize("given", [None, 7, ["7d"]], ids=repr)
def test_what_is_no_text_names_no_card(given: object) -> None:
    with pytest.raises(CardError):
        parse_card(given)  # type: ignore[arg-type]  # what a JSON file may hold
    with pytest.raises(CardError):
        Card.from_code(given)  # type: ignore[arg-type]


@pytest.mark.parametrize("code", ["", "7D", " 7d", "07d", "7"], ids=repr)
def test_only_exact_codes_pass_the_strict_reading(code: str) -> None:
    with pytest.raises(CardError, match=f"expected a card code .* got {code!r}$"):
        Card.from_code(code)


def test_a_code_reads_back_as_its_card() -> None:
    for card in DECK:
        assert Card.from_code(card.code) is card
        assert parse_card(str(card)) == card
        assert parse_card(f"{card.rank.name} di {card.suit.name}") == card


def test_a_card_is_made_of_rank_and_suit_only() -> None:
    plain = Card(7, "d")  # type: ignore[arg-type]  # what a JSON file may hold
    assert Card(Rank.SETTE, Suit.DENARI) == plain
    assert (type(plain.rank), type(plain.suit)) == (Rank, Suit)
    assert hash(Card(Rank.SETTE, Suit.DENARI)) == hash(Card.from_code("7d"))
    assert Card(Rank.ASSO, Suit.SPADE) < Card(Rank.DUE, Suit.COPPE)
    with pytest.raises(ValueError, match="11"):
        Card(11, "d")  # type: ignore[arg-type]


@given(st.frozensets(st.sampled_from(DECK)))
def test_masks_hold_exactly_their_cards(cards: frozenset[Card]) -> None:
    assert frozenset(cards_of(mask_of(cards))) == cards


def test_suits_and_ranks_as_masks_divide_the_deck() -> None:
    assert [card.suit for card in cards_of(suit_mask(Suit.SPADE))] == [Suit.SPADE] * 10
    assert codes(cards_of(rank_mask(Rank.SETTE))) == "7d 7c 7s 7b"
