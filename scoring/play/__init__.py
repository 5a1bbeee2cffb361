"""The play of a hand: what a card may capture, the deal, a hand turn by turn."""

from scoring.play.turns import Move, Play, random_hand, random_play, start_play

__all__ = ["Move", "Play", "random_hand", "random_play", "start_play"]
