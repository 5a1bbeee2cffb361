"""Photo -> reading: what cards lie in a picture of a pile, and how sure that is.

The stages, one module each, in order:

1. `photo`: a file as a phone sends it -> an upright `Photo`, or a `PhotoError` that says why not;
2. `locate`: where cards lie, four corners each, hidden parts too (first network);
3. `straighten`, `identify`: each card upright -> 42 calibrated probabilities (second network);
4. `doubles`, `assign`, `reconcile`: the same card seen twice is one, a deck holds each card once:
   joint verdicts over all piles of a hand, each sure, settled by logic, or doubtful;
5. `contradict`, `advice`: what piles say against each other, what to do better;
6. `reading`: the result, as data. `reader.Reader` runs all of it; `outline` draws it.

>>> from vision.photo import open_photo
>>> from vision.reader import Reader
>>> reading = Reader().read(open_photo("pile.jpg"))  # doctest: +SKIP
>>> [(found.card, found.status) for found in reading.cards]  # doctest: +SKIP

Words: a *sighting* is a card in one photo before anything is decided, a *verdict* what it is
taken for, a *pile* what one side has captured, a *hand* all piles of one deal. Cards are named by
their code (`7d`), `back` (face down) or `x` (no Scopa card; a doubtful `x` is something card-like
that cannot be read, its alternatives what it may be). Corners are (x, y) in photo pixels,
clockwise in the picture; sides 0-1 and 2-3 are the short ones; which end comes first is arbitrary.
"""
