"""Taught decks: a table lays its deck out once, and every photo at that table is read better.

A deck is taught by photos of its cards laid side by side. Kept are small pictures of the cards, no
photos and nothing that a network made of them. Whoever reads a photo may say which deck it shows.
No network is trained, and nothing of a deck is kept in the reader.

1. `errors`    what can go wrong
2. `view`      one look at a card, as it is kept
3. `laying`    a photo of a deck laid out -> its cards, each with what it is taken for
4. `keypoints` details of a drawing, and how many of two drawings agree
5. `faces`     the faces of a deck, and what they say of a card in a photo
6. `check`     which cards are missing, named twice, or look alike
7. `file`      a deck as one file
8. `evaluate`  command: what a taught deck is good for, on labelled photos

Words:

- *view*: the picture of one card that is kept
- *face*: the features that the networks have of a view, or of a view turned upside down
- *laid out*: face up beside one another, in any order
"""
