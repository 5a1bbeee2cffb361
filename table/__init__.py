"""Everything that happens at a table: no SQL, no HTTP, no Streamlit.

`hand` handles a hand until it is saved; `actions` saves it and continues the match (`registry`
defines actions). `view` is a table as a screen shows it, `access` has the roles, `opening` opens
tables, `names` and `requests` check what users send, and `series` is a best of three or five.
`evaluate` measures how well whole hands are read from labelled photos.

`season` counts many matches, and `evening` runs many tables under one code.

Glossary:

- *pile*: a side's cards before the hand is confirmed: detected on photos, tapped in by hand, and
  perhaps the *rest*: the cards that the other piles leave, given to one side without a photo
- *certain*: in a pile whatever the answers to the open questions are
- *missing*: in no pile; *absent*: missing because the deck lacks it, as a user said
- *conflicting*: certain in two piles; *duplicated*: in two piles, perhaps by a guess
- *pending*: a pile that was not shown yet, or whose photos are being read
- *editing*: changing a confirmed hand
- *entrant*: a player or a fixed pair that is drawn and has a row in the standings of an evening
- *seat*: a meeting of two sides at a table in one round of an evening
"""
