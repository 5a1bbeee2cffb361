"""Decks that tables have taught, kept for the whole house.

The table that taught a deck may change it; every table may choose it. A photo of the deck waits
here until it is read, and is deleted then: small pictures of the cards are kept.

1. `schema`   the tables of the database
2. `rows`     what is given back: frozen copies
3. `keeping`  one function for each thing that is kept or asked for
4. `decks`    front door: `Decks`, each method one transaction
"""

from store.decks.decks import Decks
from store.decks.rows import DeckPhotoRow, DeckRow, Seat, TaughtCard, ViewRow

__all__ = ["DeckPhotoRow", "DeckRow", "Decks", "Seat", "TaughtCard", "ViewRow"]
