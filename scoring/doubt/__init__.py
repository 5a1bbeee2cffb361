"""Which points stand whatever a doubtful card is, and which cards to ask about.

`judge(hand, rules)` answers for a hand in which some cards are not known for sure. For each point
it says that the point is settled, or on which cards it depends, and it names the fewest cards
whose answers settle all points.

The algorithm, in textbook words. Every unknown card is a **variable**; its **candidates** are the
cards it may be. All variables must be different cards, since a deck holds each card once. For each
point on its own:

1. Candidates that cannot be told apart form a **class**: the same variables want them, and they do
   the same for the point.
2. The variables are settled one after the other, in a greedy **elimination order** that keeps few
   classes open at a time.
3. A **state** holds what the variables settled so far come to: counts, bit-packed into a whole
   number. Partial assignments with the same counts are one state, so the assignments form a
   **layered graph** with a layer for each variable.
4. A **forward-backward pass** gives the probability of every outcome, alone and jointly with every
   option of every variable. From these follows how much an answer is expected to tell.
5. A variable is **essential** where two paths that differ in its layer alone end in different
   outcomes; a search of the product graph finds out.
6. The questions are the essential variables of all points and, where variables compete for the
   same cards, a **minimum hitting set** of the variables in which undecided paths still differ.

All of it is paid from a budget of operations, so that an answer takes 50 ms at most. A point for
which the budget does not suffice is held open (`PointOutlook.exact` is False): all its variables
are asked about, those with the most doubtful effect first.

An example with three doubtful cards. Anna's first card is the seven or the six of coins, her second
the seven of cups or of swords, her third the two or the three of cups; Bruno has all others. With
three cards she wins neither carte nor denari, and she lacks a suit for the primiera, whichever
cards they are. The settebello depends on the first card alone, so only that one is asked about.

>>> from scoring.cards import Card
>>> from scoring.hand import Side
>>> from scoring.rules import Rules
>>> def one_of(*codes):
...     return {Card.from_code(code): 1 / len(codes) for code in codes}
>>> doubts = (Doubt("first", 0, one_of("7d", "6d")), Doubt("second", 0, one_of("7c", "7s")),
...           Doubt("third", 0, one_of("2c", "3c")))
>>> hand = DoubtfulHand(sides=(Side("Anna", ()), Side("Bruno", ())), doubts=doubts, rest=1)
>>> judgement = judge(hand, Rules())
>>> [question.key for question in judgement.questions], judgement.idle
(['first'], ('second', 'third'))
>>> [outlook.point for outlook in judgement.outlooks if not outlook.settled]
['settebello']

The rooms, in the order of the data:

1. `doubtful_hand`      what the caller knows and doubts
2. `model`              its variables and their candidates
3. `point_functions`    each point as a function of the piles
4. `card_classes`       candidates that cannot be told apart
5. `states`             how counts are packed into a state
6. `figures`            what the piles of a state make, and what it may still come to
7. `elimination_order`  which variable is settled next
8. `layers`             what settling one variable does to a state
9. `elimination`        one point as a layered graph, not expanded yet
10. `budget`            how many operations may be made
11. `forward_backward`  the graph expanded, and the passes over it
12. `divergence`        whether some variables can still change the outcome
13. `hitting_set`       the minimum hitting set
14. `questions`         what a point depends on, and the fewest questions
15. `judgement`         all points together, in the caller's names
"""

from scoring.doubt.doubtful_hand import Doubt, DoubtfulHand, MissingCard, UnreadCard
from scoring.doubt.judgement import Judgement, PointOutlook, Possible, Question, judge

__all__ = [
    "Doubt",
    "DoubtfulHand",
    "Judgement",
    "MissingCard",
    "PointOutlook",
    "Possible",
    "Question",
    "UnreadCard",
    "judge",
]
