"""From boxes with class probabilities to the cards of a hand.

1. `sighting`     a box of one photo with its class probabilities
2. `belief`       how likely each box holds a whole card, by logistic regression
3. `calibration`  the temperature of the class probabilities and the weights of `belief`, in a file
4. `doubles`      several boxes of one card become one, in a photo and between photos of a pile
5. `assign`       a deck holds each card once: joint probabilities by linear assignment
6. `reconcile`    a verdict for each sighting: its card, and whether that is sure or doubtful
7. `recall`       all verdicts of a hand; missing cards are looked for among the boxes left out
8. `contradict`   what the verdicts say against one another, as problems
"""
