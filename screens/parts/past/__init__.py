"""What was played: who did what and when, charts, and what can be taken away.

- `moments`  when something happened and who did it, in the words of the screen
- `charts`  the running score, where the points came from, the points of a season
- `standings`  the players of a season, and two of them against each other
- `sheet`  what is printed
- `match_picture`  a picture of a match to send around
- `take_away`  files to save and to bring in
- `hand_log`  a confirmed hand: its points, cards and photos, its versions, who changed it
"""
