# Settebello. Only make and Python >= 3.11 are assumed; every command makes its environment itself.
#   make run                     start the app, print the address and a QR code for phones
#   make test                    the tests that are run after every change, under two minutes
#   make check                   what CI runs: also slow tests, PostgreSQL, browser, lint, types
#   make slow                    the slow tests (.ci/with-postgres make slow: on PostgreSQL too)
#   make browser                 the tests in a real Chromium
#   make lint types              ruff, prettier and the arrows between packages; mypy
#   make format                  ruff and prettier write what lint asks for
#   make audit                   known holes in what the app runs on, and its licences
#   make upgrade                 newer versions into the lock (requirements/)
#   make pictures                the pictures of the README, from the app itself
#   make locale                  the catalogues of sentences compiled
#   make bench                   times the stages of reading on four photos, reads the labelled photos
#                                and piles
#   make load                    40 tables in play on a server of its own: latencies, memory, errors
#   make smoke                   train the networks for a few steps and read a photo with them
#   make coverage wheel clean    branches that tests reach; the package; all that was made here removed
#   make test PYTHON=python3.12  with another Python (the environment is made again)

VENV ?= .venv
BIN := $(VENV)/bin
TRAIN := .venv-train
PILES := data/heldout
TIMED := data/bench
unexport PYTHONDONTWRITEBYTECODE  # else every process that tests start compiles the app again
WANTED := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))
PARALLEL := -n logical --maxprocesses 4 --dist loadgroup
PRETTIER := npx --yes prettier@3.10.1
STATIC := "screens/static/**/*.{js,css}"
STORIES := tests/screens/test_browser*.py

# An existing environment keeps its Python; otherwise the first one on the path that is new enough.
ifndef PYTHON
  PYTHON := $(shell for p in $(BIN)/python python3 python3.14 python3.13 python3.12 python3.11; do \
    if $$p -c '$(WANTED)' >/dev/null 2>&1; then echo $$p; break; fi; done)
endif
VERSION := $(shell $(PYTHON) -c '$(WANTED)' 2>/dev/null && \
  $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
MADE := $(VENV)/made-$(VERSION)

# One whose Python is gone (an update) or that was made elsewhere (a moved checkout) is made again.
ifneq ($(wildcard $(VENV)),)
  ifneq ($(shell $(BIN)/python -c 'print("runs")' 2>/dev/null) $(shell cat $(MADE) 2>/dev/null),runs $(CURDIR))
    $(MADE): force
  endif
endif

.DEFAULT_GOAL := help
.PHONY: help run test slow browser check lint format types audit coverage upgrade pictures locale bench load smoke \
  train-env wheel clean force

help:
	@sed -n 's/^#   //p' $(firstword $(MAKEFILE_LIST))

$(MADE):
	@test -n "$(VERSION)" || { echo "Settebello needs Python 3.11 or newer with venv (on Debian: \
	apt-get install python3-venv). Found none; name one with PYTHON=/path/to/python."; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@echo "$(CURDIR)" >$@

# Exact versions with hashes from the lock; then the package itself, which downloads nothing.
INSTALL := requirements/install.py
LOCKED := --require-hashes --only-binary=:all: --requirement
ITSELF := --quiet --no-deps --no-build-isolation --editable .

$(VENV)/app: $(MADE) requirements/app.txt pyproject.toml
	@echo "Installing what the app runs on: about 250 MB to download. Only this once."
	@$(BIN)/python $(INSTALL) $(LOCKED) requirements/app.txt
	@$(BIN)/python $(INSTALL) $(ITSELF)
	@touch $@

$(VENV)/dev: $(MADE) requirements/test.txt pyproject.toml
	@echo "Installing what the app and its tests run on: about 360 MB to download. Only this once."
	@$(BIN)/python $(INSTALL) $(LOCKED) requirements/test.txt
	@$(BIN)/python $(INSTALL) $(ITSELF)
	@touch $@ $(VENV)/app

run: $(VENV)/app
	$(BIN)/python -m screens.cli $(ARGS)

test: $(VENV)/dev
	$(BIN)/python -m pytest -m "not slow and not browser" --ignore tests/training $(PARALLEL) $(ARGS)

slow: $(VENV)/dev
	$(BIN)/python -m pytest -m "(slow or postgres or properties) and not browser" \
	  --hypothesis-profile thorough --ignore tests/training $(PARALLEL) $(ARGS)

browser: $(VENV)/dev
	@failed=0; \
	$(BIN)/python -m pytest -m "browser and not timing" $(STORIES) $(PARALLEL) $(ARGS) || failed=$$?; \
	echo "What is timed runs alone:"; \
	$(BIN)/python -m pytest -m "browser and timing" $(STORIES) $(ARGS) || failed=$$?; \
	exit $$failed

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo
	@if command -v npx >/dev/null; then $(PRETTIER) --check $(STATIC); \
	  else echo "prettier skipped: npx is not installed (Debian: apt-get install npm)"; fi

format: $(VENV)/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(PRETTIER) --write $(STATIC)

types: $(VENV)/dev
	$(BIN)/mypy

# Without a network nothing can be looked up, which is no failure: then there is no report.
audit: $(VENV)/dev
	$(BIN)/pip-licenses >/dev/null
	@$(BIN)/pip-audit --requirement requirements/app.txt --disable-pip --require-hashes \
	  --progress-spinner off >$(VENV)/audit; status=$$?; tail -n 20 $(VENV)/audit; \
	test $$status = 0 || { test ! -s $(VENV)/audit && echo "audit skipped: the advisories cannot be reached"; }

coverage: $(VENV)/dev
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q -m "not browser and not models" scoring tests
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

check:
	.ci/run

# uv makes one lock for all systems and Pythons; its own version is locked too.
LOCK := compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade --no-emit-index-url \
  --no-header
upgrade: $(MADE)
	$(BIN)/python -m pip install --quiet --upgrade uv
	$(BIN)/uv pip $(LOCK) --group install --output-file requirements/uv.txt
	$(BIN)/uv pip $(LOCK) pyproject.toml --extra test --extra build --output-file requirements/test.txt
	$(BIN)/uv pip $(LOCK) pyproject.toml --extra postgres --extra build \
	  --constraint requirements/test.txt --output-file requirements/postgres.txt
	$(BIN)/uv pip $(LOCK) pyproject.toml --extra build \
	  --constraint requirements/test.txt --output-file requirements/app.txt

pictures: $(VENV)/dev
	PYTHONPATH=tests:tests/screens $(BIN)/python tests/screens/pictures.py

locale: $(VENV)/dev
	for package in screens scoring vision; do \
	  $(BIN)/pybabel compile --domain $$package --directory $$package/locale || exit 1; done

# Piles of printings kept out of training; without ../shared there are none to keep out.
$(PILES)/labels.json: $(VENV)/dev
	$(BIN)/python -m training.heldout $(PILES) --count 84 --hands 24

bench: $(VENV)/dev $(if $(wildcard ../shared/data/decks),$(PILES)/labels.json)
	@rm -rf $(TIMED)
	$(BIN)/python -m benchmarks.reading --out $(TIMED) $(ARGS)
	@test ! -x $(TRAIN)/bin/python || $(TRAIN)/bin/python -m training.compare $(TIMED)/*.jpg

load: $(VENV)/dev
	$(BIN)/locust --config benchmarks/locust.conf $(ARGS)

# ultralytics brings an OpenCV with windows, which needs libGL; the headless one goes over it.
$(TRAIN)/train: $(MADE) requirements/test.txt pyproject.toml
	$(PYTHON) -m venv $(TRAIN)
	$(TRAIN)/bin/python $(INSTALL) --quiet $(LOCKED) requirements/test.txt
	$(TRAIN)/bin/python $(INSTALL) --quiet --editable ".[train]"
	$(TRAIN)/bin/python $(INSTALL) --quiet --force-reinstall --no-deps opencv-python-headless
	@touch $@

train-env: $(TRAIN)/train

smoke: $(TRAIN)/train
	$(TRAIN)/bin/python -m pytest tests/training $(ARGS)

wheel: $(VENV)/app
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

clean:
	rm -rf $(VENV) $(TRAIN) dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.*
