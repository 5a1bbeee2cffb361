"""Which points stand whatever a doubtful card is, and what to ask: `judge(hand, rules)`."""

from scoring.doubt.judge import Doubt, DoubtfulHand, Judgement, Possible, Question, Verdict, judge

__all__ = ["Doubt", "DoubtfulHand", "Judgement", "Possible", "Question", "Verdict", "judge"]
