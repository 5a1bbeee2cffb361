"""Photo -> reading: which cards lie in a picture of a pile, where, and how sure that is.

>>> from vision.photo import open_photo
>>> from vision.reader import Reader
>>> reading = Reader().read(open_photo("pile.jpg"))  # doctest: +SKIP
>>> [(found.card, found.status) for found in reading.cards]  # doctest: +SKIP

The stages: `photo` (with `jpeg`) opens a file; `detect` finds boxes, `corners` refines their
corners, `plane` places hidden corners; `classify` names the straightened crops (`geometry`) and
`probability` calibrates the result; `nms`, `assign` and `decide` choose the cards of a whole hand,
in which the deck holds each card once; `advice` (with `light`) finds what is wrong with the photo.
`reader` runs the stages and returns a `reading`; `isolated` runs them in child processes. `onnx`
runs the `networks`, `render` draws a reading, `evaluate` compares readings with labels.

A card has a code (`7d`), or is `back` (face down) or `x` (no Scopa card). A doubtful `x` looks like
a card but cannot be read; its alternatives are what it may be. Corners are (x, y) in photo pixels,
clockwise in the picture; sides 0-1 and 2-3 are the short ones, in either order. A *pile* is what
one side captured, a *hand* all piles of one deal.
"""
