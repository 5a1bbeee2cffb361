"""What happens at a table between the cards and the match. No Streamlit, no pictures decoded here.

A photo comes in, the reader names its cards, doubts are asked about, the hand is confirmed and the
match goes on. Every phone of a table sees the same drafts.

1. `seen`           one card as the camera saw it, and what somebody answered about it
2. `draft`          one side's pile before its hand is confirmed
3. `piles`          the drafts of a hand together: a deck holds each card once
4. `next_question`  what the hand needs next before it counts
5. `store`          what is kept: tables, matches, hands, drafts, photos
6. `names`          names of sides, and what is wrong with them
7. `roles`          who may do what at a table
8. `sitting`        a table as one screen sees it
9. `standing`       how a hand stands, as phones are told
10. `commands`      everything that a tap can do
11. `sample`        a table to try the app with
12. `decks`         a table teaches its deck, and says which one its photos show
13. `photos`        photos in, drafts out
14. `season`        many matches counted together, by player
15. `exchange`      matches as files: JSON out and in, CSV out
16. `corrections`   photos of tables that lend them, with what was answered, to train on
17. `evaluate`      whole hands of labelled photos, read and answered as the app would

Glossary:

- *draft*: what is known of a pile that is not confirmed; it holds what was *seen* on photos, what
  was tapped in by hand, and perhaps the *rest*
- *the rest*: what the other piles leave, given to one side without a photo
- *certain*: in a pile whatever the open doubts turn out to be
- *missing*: in no pile; *absent*: missing because the pack lacks it, as somebody said
- *disputed*: in two piles for certain; *doubled*: in two piles, perhaps by a guess
- *awaited*: a pile that nobody has shown yet
- *to mend*: to change a hand that is confirmed
- *taught deck*: a deck that a table laid out once; its photos are read by comparing with it
"""
