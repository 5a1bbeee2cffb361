"""Scopa scored: cards in, points out with the reason why, for any house rules.

The pipeline, in order:

1. `cards`     the forty cards and how people write them: `parse_card("sette di denari")`
2. `rules`     one frozen `Rules`, and `PRESETS` that ship
3. `piles`     `check_piles` lists everything wrong with the piles of a hand, all at once
4. `hand`      `score_hand(sides, rules)` gives `HandScore.lines`, each with its why
5. `match`     `Match`: hands recorded as `HandFacts`, replayed; undo and edit recompute
6. `ending`    when a match is over, and for whom
7. `needs`     what each side still needs; `recompute` what other rules would change
8. `doubt`     `judge`: which points stand whatever a doubtful card is, and what to ask
9. `captures`, `deal`, `play`  legal captures, scopa, void deals, a hand move by move
10. `describe` a rule set in sentences; `words` holds every sentence, English and Italian
11. `python -m scoring`  score, match, captures, deal, presets, explain: JSON in and out

Text codes: capture value and suit letter, `7d` is the seven of denari, `10s` the king of spade.

Glossary:

- *denari, coppe, spade, bastoni*: the suits, coins, cups, swords, batons (d, c, s, b)
- *fante, cavallo, re*: jack 8, knight 9, king 10
- *carte*: the point for most cards; *denari*: for most coins; *settebello*: the seven of coins
- *primiera*: the point for the best prime, the best card of each suit added up
- *scopa*, plural *scope*: taking everything on the table
- *napola*: ace, two, three of coins and on in one pile; *re bello*: the king of coins
- *cappotto*: winning to nil; *a perdere*: reaching the target loses
- *side*: a player, or a team that pools its cards; *pile*: the cards a side captured
- *hand*: the deck played out once; *match*: hands until a side has won
"""
