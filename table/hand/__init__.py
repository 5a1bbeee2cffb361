"""A hand until it is saved: its photos, its piles, and what the players are asked.

`photos` reads photos, `pile` and `piles` collect their cards, `questions` decides what to ask, and
`quick` counts a hand from answers without cards.
"""
