"""Score Scopa under any house rules: cards in, points out, each with its reason.

The modules, in dependency order (each imports only earlier ones):

1. `errors`        every error is a `ScoringError` with the data of its message
2. `command_line`  what every command of the project shares: exit status, one-line errors
3. `locale`        the sentences, by language: `say("tie", "it", ...)`
4. `cards`         the forty cards and how people write them: `parse_card("sette di denari")`
5. `rules`         one frozen `Rules`: every house rule, checked
6. `presets`       the `PRESETS` that ship; `read_rules` reads a name or a mapping
7. `check`         `check_piles` lists everything wrong with the piles of a hand, all at once
8. `points`        every point: what it measures in a pile, who wins it, how much it is worth
9. `hand`          `score_hand(sides, rules)` gives `HandScore.lines`, each with its facts
10. `explain`      `explain(line, names)` says why a point is won; `describe` lists the rules
11. `uncertain`    `analyse`: which points are settled whatever an uncertain card is, what to ask
12. `record`       a hand as it is recorded: `HandRecord`, to and from JSON values
13. `match`        `Match`: replays recorded hands for standings, the end, what each side needs
14. `captures`     legal captures of a played card, and whether they are a scopa
15. `play`         the deal, and a hand move by move
16. `examples`     the cards that show what a house rule does
17. `cli`          `python -m scoring`: score, match, captures, deal, presets, explain

Text codes: capture value and suit letter, `7d` is the seven of denari, `10s` the king of spade.

Glossary:

- *denari, coppe, spade, bastoni*: the suits, coins, cups, swords, batons (d, c, s, b)
- *fante, cavallo, re*: jack 8, knight 9, king 10
- *carte*: the point for most cards; *denari*: for most coins; *settebello*: the seven of coins
- *primiera*: the point for the highest *prime*, the sum of a pile's best card of each suit
- *scopa*, plural *scope*: taking everything on the table
- *napola*: a run of coins from the ace, three at least, in one pile; *re bello*: the king of coins
- *cappotto*: winning while the other sides have no points; *a perdere*: reaching the target loses
- *side*: a player, or a team that pools its cards; *seat*: a player's place at the table
- *pile*: the cards a side captured; a card is *missing* when it is in no pile
- *hand*: one pass through the deck, or the cards a seat holds; *match*: hands until a side wins
- *mask*: a set of cards as one whole number, a bit for each card
- *figure*: the number that decides a point, such as how many coins a side has
"""
