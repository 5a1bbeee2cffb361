"""Installs what a file of the lock names into this Python's environment, and says how far it is.

python requirements/install.py requirements/app.txt
"""

import re
import subprocess
import sys

WHEEL = re.compile(
    r"\s*(?:Downloading|Using cached|Processing) (?:\S*/)?(?P<name>[^/\s-]+)-\S+\.whl"
    r"(?:(?P<size> \([\d.]+ [kM]B\))| .*)?"
)
"""A line in which pip says that it takes a package, and its size in brackets."""


def main(file: str) -> int:
    """Runs pip and gives its exit status."""
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check"]
    command += ["--progress-bar=off", "--require-hashes", "--only-binary=:all:", "-r", file]
    taken = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as pip:
        for line in pip.stdout or ():
            if found := WHEEL.fullmatch(line.rstrip()):
                taken += 1
                print(f"  {taken:3}  {found['name']}{found['size'] or ''}", flush=True)
            elif line.startswith("Installing collected packages"):
                print("  unpacking", flush=True)
    return pip.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
