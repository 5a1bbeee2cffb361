"""Training of the networks, in its own environment (`make train-env`): the app imports none of it.

Scenes: `printings` loads card faces and `made_up` invents some, `distractors` draws what is printed
and no card; `scenes` lays them on `surfaces` amid `clutter` and takes a picture (`rendering`), all
with `paint`. `data` writes shards of them, `photos` one of real photos.

Networks: `batches` cuts scenes for the networks that find cards and `crops` for those that name
them, in other `light`; `networks` are ours and their losses, `train` trains, `export` writes ONNX.

Figures: `heldout` writes piles of printings kept out of training, `calibrate` fits what turns
scores into probabilities, `ablate` says what each stage of reading is worth.
"""
