"""One script a screen, in the order in which a table meets them. Streamlit runs them from the top.

- `home`  the front door: go on, join or open a table
- `club`  all tables of the club, for its organiser
- `play`  during play: scope by one tap, who has shown a pile
- `invite`  how others come to score, or to watch
- `capture`  photos of a pile
- `deck`  the table teaches its deck, or says which one its photos show
- `review`  one pile: what is asked, the photos with each card named, the forty cards to tap
- `points`  the points of the hand with why, and its confirmation
- `board`  names and scores for the whole room
- `history`  the hands of a match, who did what and when, corrections, undo, charts, files
- `season`  many matches together: the players, two against each other, charts, files
- `referee`  what a card may take and why, the deal, the rules of the table
- `house`  rules of a house's own, made and kept
- `compare`  two phones sent the same hand: which of the two counts
"""
