"""`python -m scoring`: the scorer on the command line."""

import sys

from scoring.cli import main

if __name__ == "__main__":  # pragma: no branch  # only ever run as a command
    sys.exit(main())
