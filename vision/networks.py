"""The files of the networks that read photos, and where they are."""

from pathlib import Path

MODELS = Path(__file__).resolve().parent.parent / "models"
"""The folder of the networks that came with this version."""

LOCATE_FILE, REFINE_FILE = "locate.onnx", "refine.onnx"
IDENTIFY_FILE, INDEX_FILE = "identify.onnx", "index.onnx"
NETWORK_FILES = (LOCATE_FILE, REFINE_FILE, IDENTIFY_FILE, INDEX_FILE)


def missing_networks(folder: Path) -> tuple[str, ...]:
    """Return names of the network files that a folder lacks.

    >>> missing_networks(Path("/nowhere"))
    ('locate.onnx', 'refine.onnx', 'identify.onnx', 'index.onnx')
    """
    return tuple(name for name in NETWORK_FILES if not (folder / name).is_file())
