# Settebello. Only make and Python >= 3.11 are assumed; every command makes its environment itself.
#   make run                     start the app, print the address and a QR code for phones
#   make test                    all tests but the browser's
#   make check                   what CI runs
#   make audit                   known holes in what the app runs on, and its licences
#   make locale                  new sentences into the catalogues, and the catalogues compiled
#   make bench                   times the stages of reading on four photos, reads the labelled photos
#                                and piles, and after make train-env the four photos in other ways
#   make learn                   lets the networks learn from the photos that tables lend (ARGS=--undo takes it back)
#   make load                    40 tables in play on a server of its own: latencies, memory, errors
#   make load-fleet              the same on two servers behind nginx and a reader, with PostgreSQL
#   make soak                    the same for half an hour; 200 boards that wait
#   make smoke                   train the networks for a few steps and read a photo with them
#   make test PYTHON=python3.12  with another Python (the environment is made anew)

VENV ?= .venv
BIN := $(VENV)/bin
TRAIN := .venv-train
PILES := data/heldout
TIMED := data/bench
LENT := data/lent
WANTED := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))

# An environment that stands keeps its Python; else the first on the path that is new enough.
ifndef PYTHON
  PYTHON := $(shell for p in $(BIN)/python python3 python3.14 python3.13 python3.12 python3.11; do \
    if $$p -c '$(WANTED)' >/dev/null 2>&1; then echo $$p; break; fi; done)
endif
VERSION := $(shell $(PYTHON) -c '$(WANTED)' 2>/dev/null && \
  $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
MADE := $(VENV)/made-$(VERSION)

# One whose Python is gone (an update, a moved checkout) is made anew.
ifneq ($(wildcard $(VENV)),)
  ifneq ($(shell $(BIN)/python -c 'print("runs")' 2>/dev/null),runs)
    $(MADE): force
  endif
endif

.DEFAULT_GOAL := help
.PHONY: help run test locale browser lint types audit coverage check bench wheel clean smoke \
  train-env learn load load-fleet soak force

help:
	@sed -n 's/^#   //p' $(firstword $(MAKEFILE_LIST))

$(MADE):
	@test -n "$(VERSION)" || { echo "Settebello needs Python 3.11 or newer with venv (on Debian: \
	apt-get install python3-venv). Found none; name one with PYTHON=/path/to/python."; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/app: $(MADE) pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/dev: $(MADE) pyproject.toml
	$(BIN)/python -m pip install --quiet --editable ".[test]"
	@touch $@ $(VENV)/app

run: $(VENV)/app
	$(BIN)/python -m screens.launch $(ARGS)

test: $(VENV)/dev
	$(BIN)/python -m pytest -m "not browser" $(ARGS)

browser: $(VENV)/dev
	$(BIN)/python -m pytest -m browser tests/screens $(ARGS)

# ultralytics brings an OpenCV with windows, which needs libGL; the headless one goes over it.
$(TRAIN)/train: pyproject.toml
	$(PYTHON) -m venv $(TRAIN)
	$(TRAIN)/bin/python -m pip install --quiet --editable ".[test,train]"
	$(TRAIN)/bin/python -m pip install --quiet --force-reinstall --no-deps opencv-python-headless
	@touch $@

train-env: $(TRAIN)/train

smoke: $(TRAIN)/train
	$(TRAIN)/bin/python -m pytest tests/training $(ARGS)

locale: $(VENV)/dev
	$(BIN)/python -m screens.locale.renew

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev
	$(BIN)/mypy

# Without a network nothing can be looked up, which is no failure: then there is no report.
audit: $(VENV)/dev
	$(BIN)/pip-licenses >/dev/null
	@$(BIN)/pip-audit --local --skip-editable --progress-spinner off >$(VENV)/audit; status=$$?; \
	cat $(VENV)/audit; test -s $(VENV)/audit || test $$status = 0 || echo "audit skipped: no answer"

coverage: $(VENV)/dev
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q -m "not browser and not models" scoring tests
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

check:
	.ci/run

# Piles of printings kept out of training; without ../shared there are none to keep out.
$(PILES)/labels.json: $(VENV)/dev
	$(BIN)/python -m training.data.heldout $(PILES) --count 84 --hands 24

bench: $(VENV)/dev $(if $(wildcard ../shared/data/decks),$(PILES)/labels.json)
	@rm -rf $(TIMED)
	$(BIN)/python -m vision.bench --out $(TIMED) $(ARGS)

learn: $(VENV)/dev $(TRAIN)/train
	@case "$(ARGS)" in *--undo*) ;; *) $(BIN)/python -m screens.command corrections $(LENT) ;; esac
	$(TRAIN)/bin/python -m training.learn $(if $(findstring --undo,$(ARGS)),,$(LENT)) $(ARGS)

load: $(VENV)/dev
	$(BIN)/python -m load.growth
	$(BIN)/python -m load.play $(ARGS)

load-fleet: $(VENV)/dev
	.ci/with-postgres sh -c '$(BIN)/python -m load.play --fleet --database "$$SETTEBELLO_TEST_POSTGRES" $(ARGS)'

soak: $(VENV)/dev
	$(BIN)/python -m load.idle
	$(BIN)/python -m load.play --seconds 1800 --leave 180 $(ARGS)

wheel: $(VENV)/app
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

clean:
	rm -rf $(VENV) $(TRAIN) dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.*
