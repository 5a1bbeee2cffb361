"""Photo -> reading: which cards lie in a picture of a pile, where, and how sure that is.

The way of a photo: `photo` opens it; `networks.locate` finds the cards; `networks.refine` corrects
their corners; `geometry.coplanar` places hidden corners; `geometry.straighten` cuts each card out
upright; `networks.identify` and `networks.index` name it; `verdicts` decides for a whole hand, in
which the deck holds each card once; `reading` holds the result. `reader.Reader` runs all of it:

>>> from vision.photo import open_photo
>>> from vision.reader import Reader
>>> reading = Reader().read(open_photo("pile.jpg"))  # doctest: +SKIP
>>> [(found.card, found.status) for found in reading.cards]  # doctest: +SKIP

The rooms, each after those that it uses:

1. `errors`     what can go wrong between a file and a reading
2. `decoding`   what a file is, whether it is whole, its pixels, the way up
3. `photo`      a file as a phone sends it -> an upright picture
4. `classes`    the forty cards, `back` and `x`: the classes of the networks
5. `reading`    the result as data: cards, how sure each is, problems; how far a reading is
6. `geometry`   quadrilaterals, the plane of the table, upright crops
7. `networks`   locate, refine, identify and index, and what runs their ONNX files
8. `verdicts`   from boxes with class probabilities to the cards of a hand
9. `advice`     faults of the photo that leave cards in doubt
10. `reader`     runs all stages
11. `evidence`  the small JPEG of a photo that is kept
12. `outline`   draws a reading: the photo with its cards outlined, a card cut out
13. `locale`    the sentences that the commands print, in English and Italian
14. `measuring`  labelled photos, readings marked against them, what each stage is worth
15. `decks`     decks that were taught: their faces, and what those say of a card in a photo
16. `evaluate`  command: how well labelled photos are read
17. `calibrate`  command: fits the calibration of the networks
18. `bench`     command: how long reading takes
19. `training`  makes the networks; nothing else needs torch or ultralytics

Words:

- *box*: a quadrilateral in a photo in which a card may lie; a card may have several at first.
- *index corner*: the corner of a card, at either end, where an index stands if it bears one.
- *sighting*: a box with its class probabilities, before anything is decided.
- *belief*: the probability that a box holds a whole card.
- *verdict*: what a sighting is taken for. *Sure*: the photo alone says it. *Settled*: the photo
  leaves a doubt which the other cards of the hand remove. *Doubtful*: a person should look.
- *pile*: what one side has captured; *hand*: all piles of one deal.
- *missing*: a card of the deck that no photo of the hand shows.
- *taught deck*: a deck that a table laid out once; its *views* are the pictures kept of its cards.

Cards are named by their code (`7d`), `back` (face down) or `x` (no Scopa card). A doubtful `x` is
something card-like that cannot be read; its alternatives are what it may be. Corners are (x, y) in
photo pixels, clockwise in the picture; sides 0-1 and 2-3 are the short ones; which of these comes
first is arbitrary.
"""
