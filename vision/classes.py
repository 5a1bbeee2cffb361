"""The names the identify network answers with, in the order of its outputs."""

from scoring.cards import CODES

BACK = "back"
"""A card that lies face down."""
NOT_SCOPA = "x"
"""A card (or a thing taken for one) that a Scopa deck does not hold."""
CLASSES: tuple[str, ...] = (*CODES, BACK, NOT_SCOPA)
"""The forty card codes in deck order, then `back` and `x`."""
