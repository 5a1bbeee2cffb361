"""The training of the four networks, one stage a run; a later stage starts from earlier weights.

1. `card_pose`    YOLO26n-pose with a loss that accepts either end of a card as its upper one, and
                 index corners as a class of their own
2. `corner_head`  the network that sets corners right: a YOLO backbone with a head of its own
3. `mixstyle`     features as another pack would have given them
4. `checkpoints`  weights read, those saved under earlier module names too
5. `trainer`      what the stages share
6. `hard`         what is easy is shown seldom
7. `resident`     scenes held on a GPU and cut up there
8. `locate`       trains the network that finds cards
9. `refine`       trains the network that sets corners right
10. `identify`    trains the network that names cards
11. `index`       trains the network that reads the corner indices
"""
