"""Looks whether a known hole is in what Settebello runs on: `python -m docs.audit`.

It asks pip-audit, which asks the advisories of PyPI. Where they cannot be reached nothing is known,
which is said and is no failure. Exit 1: a hole is known.
"""

import json
import subprocess
import sys
from collections.abc import Collection
from typing import Any

from docs.size import needed


def verdict(report: Any, names: Collection[str]) -> tuple[int, str]:
    """The exit status and the text for a report of pip-audit about these distributions.

    >>> verdict({"dependencies": [{"name": "a", "skip_reason": "not found"}]}, {"a"})
    (0, 'audit skipped: the advisories could not be reached')
    """
    asked = [one for one in report["dependencies"] if one["name"] in names]
    answered = [one for one in asked if "skip_reason" not in one]
    if not answered:
        return 0, "audit skipped: the advisories could not be reached"
    holes = [
        f"{one['name']} {one['version']}: {hole['id']}, mended in {', '.join(hole['fix_versions'])}"
        for one in answered
        for hole in one["vulns"]
    ]
    told = f"{len(answered)} of {len(asked)} distributions looked up, {len(holes)} known holes"
    return int(bool(holes)), "\n".join([*holes, told])


def main() -> int:
    """Asks, prints, and gives the exit status."""
    command = ["pip_audit", "--local", "--progress-spinner", "off", "--format", "json"]
    ran = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, check=False
    )
    try:
        status, text = verdict(json.loads(ran.stdout), needed())
    except ValueError:  # no report was made
        why = (ran.stderr.strip() or "no answer").splitlines()[-1]
        status, text = 0, f"audit skipped: {why[:200]}"
    print(text)
    return status


if __name__ == "__main__":
    sys.exit(main())
