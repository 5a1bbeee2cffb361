"""Everything that makes a model: scenes -> networks -> ONNX. Needs the `train` extra.

The pipeline, in order:

1. `decks` loads card faces (../shared/data/decks and our own drawing) and splits them.
2. `layouts`, `tables`, `light` and `scenes` put cards on a table and photograph them.
3. `generate` writes many scenes to disk: pictures with corners, and card crops.
4. `locate` and `identify` train one YOLO network each; `export` writes the ONNX files.
"""

import os

os.environ.setdefault("YOLO_OFFLINE", "true")  # read when ultralytics is imported: no downloads
os.environ.setdefault("YOLO_AUTOINSTALL", "false")  # and no installs
