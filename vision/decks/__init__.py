"""Taught decks: a table lays its deck out once, and every photo at that table is read better.

Kept are small pictures of the cards (`references`), no photos. `enrol` takes them from photos of
the deck laid out; `embeddings` compares the cards of a photo with them; `evaluate` measures what a
taught deck is worth. No network is trained, and nothing of a deck is kept in the reader.
"""
