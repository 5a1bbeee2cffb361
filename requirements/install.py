"""Installs into this Python's environment what arguments as of `pip install` name.

python requirements/install.py --require-hashes --only-binary=:all: -r requirements/app.txt
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

UV = Path(sys.executable).with_name("uv")
"""Does what pip does in a tenth of the time; it is put into the environment first."""

LOCKED_UV = Path(__file__).with_name("uv.txt")
"""Its version, with hashes."""


def main(arguments: Sequence[str]) -> int:
    """Return the exit status of what installed last.

    uv does not read pip's settings: where only those lead to packages, pip installs them.
    """
    pip = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check"]
    if not UV.exists():
        get_uv = ["--quiet", "--require-hashes", "--only-binary=:all:", "-r", str(LOCKED_UV)]
        subprocess.run([*pip, *get_uv], check=False)
    if UV.exists():
        by_uv = [str(UV), "pip", "install", "--python", sys.executable, *arguments]
        if subprocess.run(by_uv, check=False).returncode == 0:
            return 0
        print("uv could not install this; pip tries.", flush=True)
    return subprocess.run([*pip, *arguments], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
