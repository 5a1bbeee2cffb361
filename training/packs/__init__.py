"""Card faces for training: what is printed on the cards, before they lie anywhere.

1. `decks`              scans from ../shared where they are, and the project's own drawn decks
2. `inking`             how one printing of a deck differs from another: inks, fading, sharpness
3. `indices`            the signs in the corners of a card
4. `makers_marks`       arms, ships and names that makers print on a card
5. `aces`               large decorated aces of French-suited packs
6. `french_printings`   made-up French-suited printings
7. `redrawn_printings`  made-up Italian and Spanish printings, drawn anew from a known pack
8. `oddments`           jokers, adverts and other cards that belong to no pack
"""
