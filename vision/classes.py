"""The names the identify network answers with, in the order of its outputs."""

from scoring.cards import DECK

BACK = "back"
"""A card that lies face down."""
NOT_SCOPA = "x"
"""A card (or a thing taken for one) that a Scopa deck does not hold."""
CLASSES: tuple[str, ...] = (*(card.code for card in DECK), BACK, NOT_SCOPA)
"""The forty card codes in deck order, then `back` and `x`."""
