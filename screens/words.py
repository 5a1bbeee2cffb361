"""The sentences of the screens, by their keys, in the language of the screen."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from assets.deck import CardStyle
from scoring.explain import point_name
from scoring.locale import Catalogue
from scoring.points import CARD
from scoring.rules import Captures, Rules
from screens import state
from vision.reading import PhotoProblemKind, Region

SENTENCES = Catalogue(Path(__file__).with_name("locale"), "screens")
"""The sentences of every screen."""

SIGNS = "●▲■◆★✚"
"""The sign of each side, shown with its name; its colour is that of `.side-1` etc."""

ISOLATES = ("\u2068", "\u2069")
"""What begins and ends text whose direction is its own. No name contains them."""

CODE = re.compile(r"\b(10|[1-9])[dcsb]\b")
"""A card's code in a sentence."""

FRENCH_RANKS = ("A", "2", "3", "4", "5", "6", "7", "J", "Q", "K")
FRENCH_SUITS = MappingProxyType({"d": "♦", "c": "♥", "s": "♠", "b": "♣"})
"""Signs in the corners of French cards, by the letters of the suits."""


def t(key: str, /, **values: object) -> str:
    """Return the sentence of a key with its values filled in; `n` chooses singular or plural.

    >>> t("captured", n=1), t("captured", n=4)
    ('1 card ✓', '4 cards ✓')
    """
    texts = {name: in_text(one) for name, one in values.items() if isinstance(one, str)}
    return SENTENCES.say(key, state.language(), **{**values, **texts})


def scope_words(rules: Rules) -> dict[str, str]:
    """Return what a scopa is called: how many were "made", one "more", one "less".

    >>> scope_words(Rules())
    {'made': 'scope', 'more': '+ scopa', 'less': 'undo scopa'}
    """
    kind = "escoba" if rules.captures is Captures.FIFTEEN else "scopa"
    return {"made": t(f"{kind}_made"), "more": t(kind), "less": t(f"{kind}_undo")}


def isolated(name: str) -> str:
    """Return a name between Unicode's isolates, for a sentence that a template shows.

    The template writes them as `<bdi>`, so that a right-to-left name reverses no number next to it.
    """
    return f"{ISOLATES[0]}{name}{ISOLATES[1]}"


def in_text(name: str) -> str:
    """Return a name for a sentence or a label, isolated if it has letters from right to left.

    `filled` of `static/dom.js` does the same for the sentences that the phone fills in.

    >>> in_text("Anna"), in_text("דן") == isolated("דן")
    ('Anna', True)
    """
    if name.isascii() or ISOLATES[0] in name:
        return name
    turns = any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in name)
    return isolated(name) if turns else name


def error_text(error: Exception) -> str:
    """Return the sentence for one of our errors, filled in from the error's attributes."""
    try:
        name = getattr(error, "wire_name", "") or type(error).__name__
        return t(f"error_{name}", **vars(error))
    except KeyError:
        return t("error")


def standings(names: Iterable[str], totals: Iterable[int]) -> str:
    """Return names with their totals: "Anna 7 · Bruno 9"."""
    return " · ".join(f"{in_text(one)} {total}" for one, total in zip(names, totals, strict=True))


def to_number(number: int) -> str:
    """Return "to 11"; in Italian with the article that the number needs: "agli 11", "ai 16".

    Only the Italian catalogue has `to_number_agli`, for numbers that begin with a vowel.

    >>> to_number(11)
    'to 11'
    """
    starts_with_vowel = number == 11 or str(number).startswith("8")  # undici, otto, ottanta
    elided = starts_with_vowel and SENTENCES.knows("to_number_agli", state.language())
    return t("to_number_agli" if elided else "to_number", number=number)


def capital(text: str) -> str:
    """Return a text with its first letter in upper case; German nouns keep their own capitals.

    >>> capital("asso di Denari")
    'Asso di Denari'
    """
    return text[:1].upper() + text[1:]


def point_label(point: str) -> str:
    """Return the name of a point with a capital; a point for one card has the card's name.

    >>> point_label("carte"), point_label("re-bello"), point_label("card-8s")
    ('Cards', 'Re bello', 'Jack of swords')
    """
    code = point.removeprefix(CARD)
    return capital(_point(point) if code == point else card(code))


def _point(point: str) -> str:
    """Return the name of a point as players say it; the scorer's, unless the screens have one."""
    key, language = f"point_{point}", state.language()
    return t(key) if SENTENCES.knows(key, language) else point_name(point, lang=language)


def card(code: str) -> str:
    """Return the name of a card in the language of the screen.

    >>> card("7d")
    'seven of coins'
    """
    return _named(code)[1]


def _named(code: str) -> tuple[str, str]:
    """Return the article of a card, as it is written before the name, and the name."""
    article, rank = _rank(int(code[:-1]))
    return article, t("card_name", rank=rank, suit=t(f"suit_{state.card_style()}_{code[-1]}"))


def _rank(number: int) -> tuple[str, str]:
    """Return the article and the name of a rank; a catalogue has them as "l'|asso"."""
    is_french = state.card_style() is CardStyle.FRENCH and number > FRENCH_RANKS.index("7") + 1
    article, _, name = t(f"rank_french_{number}" if is_french else f"rank_{number}").partition("|")
    return article, name


def short_card(code: str) -> str:
    """Return a card as explanations name it: an Italian code, or a French rank and suit sign.

    >>> short_card("10s")
    '10s'
    """
    return code if state.card_style() is CardStyle.ITALIAN else french_sign(code)


def in_signs(sentence: str) -> str:
    """Return a sentence of the rules with cards and points written as this screen writes them.

    >>> in_signs("7b takes 7d"), in_signs("a tie for carte or denari")
    ('7b takes 7d', 'a tie for cards or coins')
    """
    for point in ("carte", "denari"):
        sentence = sentence.replace(point_name(point, lang=state.language()), _point(point))
    return CODE.sub(lambda found: short_card(found[0]), sentence)


def rank(number: int) -> str:
    """Return the name of a rank from 1 to 10, as players say it.

    >>> rank(9)
    'knight'
    """
    return _rank(number)[1]


def french_sign(code: str) -> str:
    """Return a card as it is printed in the corner of a French card.

    >>> french_sign("9c"), french_sign("7d"), french_sign("1b")
    ('Q♥', '7♦', 'A♣')
    """
    return f"{FRENCH_RANKS[int(code[:-1]) - 1]}{FRENCH_SUITS[code[-1]]}"


def the_card(code: str) -> str:
    """Return the name of a card with its article.

    >>> the_card("7d")
    'the seven of coins'
    """
    return "".join(_named(code))


def cards(codes: Iterable[str]) -> str:
    """Return the names of several cards.

    >>> cards(["7d", "10s"])
    'seven of coins, king of swords'
    """
    return ", ".join(card(code) for code in codes)


def fault_sentence(kind: PhotoProblemKind, region: Region | None) -> str:
    """Return what is wrong with a photo, where, and what to do.

    >>> fault_sentence(PhotoProblemKind.BLURRED, Region.LEFT)
    'It is blurred at the left: hold the phone still, let it focus, and take it again.'
    """
    if region is None and kind in {PhotoProblemKind.DARK, PhotoProblemKind.BLURRED}:
        return t(f"fault_{kind}-everywhere")
    return t(f"fault_{kind}", place="" if region is None else t(f"region_{region}"))


REQUEST_ERRORS = (
    "AnsweredError",
    "DeliveryError",
    "DroppedRulesError",
    "HandClosedError",
    "MatchClosedError",
    "NotAllowedError",
    "ScopeBelowZeroError",
    "ScreenChangedError",
    "StaleDraftError",
    "SubstitutesEndedError",
    "TableClosedError",
    "TableNotFoundError",
    "TooManyTriesError",
    "UploadTooLargeError",
    "WrongPassphraseError",
)
"""Errors of the routes whose sentences the phone itself shows."""


def request_errors() -> dict[str, str]:
    """Return the sentence of each of these errors, with its values still in braces."""
    named = {name: SENTENCES.template(f"error_{name}", state.language()) for name in REQUEST_ERRORS}
    return named | {"other": t("error")}


def refusal(error: Mapping[str, Any]) -> str:
    """Return the sentence for a refused photo or file, from the data of the error.

    >>> refusal({"error": "EmptyPhotoError", "name": "a.jpg"})
    'a.jpg is empty.'
    >>> refusal({"error": "SomethingElse"})
    'That did not work, and nothing was changed. Look at the table again and repeat it.'
    """
    try:
        return t(f"error_{error['error']}", **error)
    except (KeyError, AttributeError):
        return t("error")
