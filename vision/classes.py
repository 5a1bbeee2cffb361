"""The classes of the identify network, in the order of its outputs."""

from scoring.cards import CODES

BACK = "back"
"""A card that lies face down."""
NOT_SCOPA = "x"
"""A card that no Scopa deck holds, or something else that was taken for a card."""
CLASSES: tuple[str, ...] = (*CODES, BACK, NOT_SCOPA)
"""The forty card codes in deck order, then `BACK` and `NOT_SCOPA`."""
DECK_SIZE = len(CODES)
"""The first so many classes are the cards of the deck."""
