"""Everything that makes a network: card faces -> pictures of piles -> shards -> weights -> ONNX.

It needs the `train` extra (torch, ultralytics); nothing outside this package does. In order:
`printings`, `french_printings`, `redrawn_printings` (card faces), `distractors`, `clutter`,
`surfaces`, `rendering` (what else is seen), `scenes` (one picture of a pile), `data` (shards of
them), `photos` (a shard of real ones), `networks` and `train`, `export` (ONNX), then `calibrate`
and `ablate`. `heldout` and `taught` write piles to measure with; `learn` lets the shipped networks
go on from photos that tables lend.

    python -m training.data data/scenes --shards 40
    python -m training.train locate data/scenes --hours 2
    python -m training.export locate runs/locate.pt

The same for `refine`, `identify` and `index`. models/training.csv lists the stages of the shipped
networks, with the commits whose commands made them.
"""
