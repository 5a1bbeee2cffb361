"""Everything that makes a network: card faces -> pictures of piles -> shards -> weights -> ONNX.

It needs the `train` extra (torch, ultralytics); nothing outside this package does.

1. `paint`     what everything that draws by chance has in common
2. `packs`     card faces: scans, the project's own drawn decks, and made-up printings
3. `scenes`    one picture of a pile on a table, with where every card lies
4. `data`      shards of scenes and crops, held-out piles and sample photos on disk
5. `stages`    the training of the four networks
6. `average`   the mean of several checkpoints
7. `export`    a checkpoint as ONNX, the form in which the app reads it
8. `learn`     the networks go on learning from photos that tables lend
9. `compare`   the same photos read by ultralytics' `predict` and by ORB features

A network is trained in stages: `python -m training.data.generate data/scenes` writes shards,
`python -m training.stages.locate data/scenes` trains on them, and so do `refine`, `identify`
and `index`. models/training.csv lists the stages of the shipped networks.
"""
