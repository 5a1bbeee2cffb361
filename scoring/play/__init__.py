"""The play of a hand.

1. `captures`  what a played card may take, whether it must, and whether that is a scopa
2. `ruling`    one played card: every legal capture, whether it is a scopa, and why
3. `deal`      whose deal it is, how the cards go out, and when the deal is void
4. `turns`     `Play`, a hand turn by turn, and hands played at random by the rules
"""

from scoring.play.turns import Move, Play, random_hand, random_play, start_play

__all__ = ["Move", "Play", "random_hand", "random_play", "start_play"]
