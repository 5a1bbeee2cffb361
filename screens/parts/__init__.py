"""What pages are built of. Most give HTML or draw widgets for one `table.sitting.Sitting`.

- `frame`  what every screen of a table shares: the band on top, news, troubles
- `lines`  the points of a hand, line by line, with why
- `joining`  how others come to a table: its address, and that as a QR code
- `board`  the board
- `device`  what a device keeps for itself: its theme, a board that stays awake
- `phone`  what works on the phone and is kept there until the server has it: scope, cards, photos
- `seats`  who sits at a new table, and who deals first
- `sides`  the sides of a table: panels, whose pile is next, links, proposals, rematch
- `guide`  how to spread a pile, what to change about a photo
- `questions`  what somebody has to answer about a pile
- `photo_view`  a photo with every card outlined, each to be tapped
- `choosing`  the forty cards to choose from, for a question to the referee
- `teaching`  the cards of a deck that is being taught
- `rules`  the rules of a table, and what they say of a card
- `rules`  every setting of the rules, to be changed; the rule sets to choose from
- `past`  what was played: who did what and when, charts, and what can be taken away
"""
