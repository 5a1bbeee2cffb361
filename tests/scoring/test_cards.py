"""The forty cards and how people write them."""

import re

import pytest
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

WRITTEN = [
    ("7d", "7d"),
    ("10S", "10s"),
    (" 1c ", "1c"),
    ("sette di denari", "7d"),
    ("Asso di Coppe", "1c"),
    ("fante di bastoni", "8b"),
    ("7 of coins", "7d"),
    ("King of Swords", "10s"),
    ("knight of cups", "9c"),
    ("7♦", "7d"),
    ("7♦\ufe0f", "7d"),
    ("K♠", "10s"),
    ("Qh", "9c"),
    ("J clubs", "8b"),
    ("Ad", "1d"),
    ("Rs", "10s"),
    ("Fb", "8b"),
    ("Cc", "9c"),
    ("ace of diamonds", "1d"),
    ("dieci di denari", None),
    ("rey de bastos", "10b"),
    ("settebello", "7d"),
    ("il settebello", "7d"),
    ("Il Sette Bello", "7d"),
    ("7 bello", "7d"),
    ("re bello", "10d"),
    ("il re bello", "10d"),
    ("sette di danari", "7d"),
    ("asso di danari", "1d"),
    ("l'asso di denari", "1d"),
    ("un asso di danari", None),
    ("7 d'ori", "7d"),
    ("sette d'oro", "7d"),
    ("SETTE D’ORI", "7d"),
    ("7 d' ori", "7d"),
    ("re d`oro", "10d"),
    ("7 ori", "7d"),
    ("7 danari", "7d"),
    ("fante d'ori", "8d"),
    ("regina di cuori", "9c"),
    ("la regina di coppe", "9c"),
    ("dama di picche", "9s"),
    ("la donna di quadri", "9d"),
    ("cavaliere di spade", "9s"),
    ("il due di coppe", "2c"),
    ("tre di bastone", "3b"),
    ("7 den", "7d"),
    ("A cop", "1c"),
    ("F spa", "8s"),
    ("R bas", "10b"),
]
NO_CARDS = ["", "7", "d", "0d", "11d", "8♦8", "joker", "7 di", "sette denari coppe", "7x", "d7"]
NO_CARDS += ["bello", "fante bello", "il", "d'ori", "settebello di coppe", "sette bello bello"]


def test_the_deck_holds_forty_cards_in_order() -> None:
    assert len(set(DECK)) == len(DECK) == 40
    assert [card.code for card in DECK[:11]] == [*(f"{n}d" for n in range(1, 11)), "1c"]
    assert [card.index for card in DECK] == list(range(40))


@pytest.mark.parametrize(("text", "code"), WRITTEN, ids=[text for text, _ in WRITTEN])
def test_a_card_is_read_as_people_write_it(text: str, code: str | None) -> None:
    if code is None:
        with pytest.raises(CardError):
            parse_card(text)
    else:
        assert parse_card(text).code == code


@pytest.mark.parametrize("text", NO_CARDS, ids=repr)
def test_a_text_that_names_no_card_is_refused_with_what_came(text: str) -> None:
    with pytest.raises(CardError, match=f"expected a card .* got {re.escape(repr(text))}$"):
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


@pytest.mark.parametrize("card", DECK, ids=str)
def test_a_code_reads_back_as_its_card(card: Card) -> None:
    assert Card.from_code(card.code) is card
    assert parse_card(str(card)) == card
    assert parse_card(f"{card.rank.name} di {card.suit.name}") == card


def test_a_card_is_made_of_rank_and_suit_only() -> None:
    plain = Card(7, "d")  # type: ignore[arg-type]  # what a JSON file may hold
    assert Card(Rank.SETTE, Suit.DENARI) == plain
    assert (plain.rank, plain.suit) == (Rank.SETTE, Suit.DENARI)
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
    assert [card.code for card in cards_of(rank_mask(Rank.SETTE))] == ["7d", "7c", "7s", "7b"]
