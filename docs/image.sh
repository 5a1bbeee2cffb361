#!/bin/sh
# Builds the one layer of the Dockerfile that is ours, in a folder: sh docs/image.sh FOLDER
# It can be run without Docker, to measure the layer or to try it.
set -eu
cd "$(dirname "$0")/.."
python3 -m venv "$1"
"$1/bin/pip" install --quiet --no-cache-dir --no-compile ".[postgres]"
"$1/bin/pip" uninstall --quiet --yes --requirement docs/unused.txt
# Tests of libraries, and the installers, are of no use in an image.
find "$1" -type d \( -name tests -o -name __pycache__ \) -prune -exec rm -rf {} +
"$1/bin/python" -m pip uninstall --quiet --yes pip setuptools 2>/dev/null || true
find "$1" -type d -name __pycache__ -prune -exec rm -rf {} +
du -sm "$1"
