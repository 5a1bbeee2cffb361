"""What happens at a table between the cards and the match: no SQL, no HTTP, no Streamlit.

A photo comes in (`photos`), its cards are added to a pile (`pile`, `piles`), doubts are asked about
(`questions`), the hand is confirmed and the match goes on (`actions`). `view` is a table as a
screen shows it, `access` says who may do what. Beside it: `season` and `exchange` over
many matches, photos shared for training (`consent`), `evaluate` on labelled photos, `sample`, a
table to try the app with.

Glossary:

- *pile*: a side's cards before the hand is confirmed: detected on photos, tapped in by hand, and
  perhaps the *rest*: what the other piles leave, given to one side without a photo
- *certain*: in a pile whatever is answered to the open doubts
- *missing*: in no pile; *absent*: missing because the pack lacks it, as somebody said
- *conflicting*: in two piles for certain; *duplicated*: in two piles, perhaps by a guess
- *pending*: a pile that nobody has shown yet, or whose photos are being read
- *editing*: changing a hand that is confirmed
"""
