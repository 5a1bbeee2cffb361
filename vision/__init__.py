"""Photo -> reading: which cards lie in a picture of a pile, where, and how sure that is.

>>> from vision.photo import open_photo
>>> from vision.reader import Reader
>>> reading = Reader().read(open_photo("pile.jpg"))  # doctest: +SKIP
>>> [(found.card, found.status) for found in reading.cards]  # doctest: +SKIP

The way of a photo: `photo` (with `jpeg`) opens it; `detect` finds boxes, `corners` refines their
corners, `plane` places hidden ones; `classify` names the straightened crops (`geometry`) and
`probability` calibrates that; `nms`, `assign` and `decide` make one card of each box for a whole
hand, in which the deck holds each card once; `advice` says what is wrong with the photo. `reader`
runs all of it and gives a `reading`, `isolated` in processes of its own. `onnx` runs the
`networks`, `render` draws a reading, `evaluate` marks readings against labels.

Cards are named by their code (`7d`), `back` (face down) or `x` (no Scopa card). A doubtful `x` is
something card-like that cannot be read; its alternatives are what it may be. Corners are (x, y) in
photo pixels, clockwise in the picture; sides 0-1 and 2-3 are the short ones; which of these comes
first is arbitrary. A *pile* is what one side has captured, a *hand* all piles of one deal.
"""
