# Trilho from a fresh checkout: `make run` starts it, `make test` tests it. Nothing is installed outside .venv,
# but for Chromium when the tests need it, it is missing and you are root.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

VENV := .venv
PY := $(VENV)/bin/python
INSTALL := $(PY) -m pip install --quiet --quiet --disable-pip-version-check --no-input
LOCKED := --no-deps --require-hashes --only-binary :all:
UV_COMPILE := pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	--override requirements/overrides.txt
JOBS ?= 2
HOST ?= 127.0.0.1
PORT ?= 8000

.PHONY: help setup run test check chromium bench proof lock clean

help:
	@echo "make run      set up what is needed and start Trilho on http://$(HOST):$(PORT) (HOST=, PORT=)"
	@echo "make test     set up what is needed and run every test (JOBS=2, ARGS='-k name')"
	@echo "make check    format, lint, types, layers"
	@echo "make setup    everything needed to run and to test, into .venv"
	@echo "make bench    figures with the machine's limits beside them (NAME=)"
	@echo "make proof    the long tests: more seeds, more crashes"
	@echo "make lock     requirements/*.txt again from requirements/*.in (UPGRADE=--upgrade)"
	@echo "make clean    .venv and every cache away; data/ stays"

setup: $(VENV)/.test chromium

run: $(VENV)/.run
	@exec $(VENV)/bin/trilho run --host $(HOST) --port $(PORT)

test: $(VENV)/.test chromium
	$(PY) -m pytest -n $(JOBS) --dist worksteal $(ARGS)

check: $(VENV)/.test
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports

chromium: $(VENV)/.test
	@$(PY) -m tests.browser.chromium --install

bench: $(VENV)/.test
	$(PY) -m tests.bench $(NAME)

proof: $(VENV)/.test
	$(PY) -m pytest -m slow --timeout 3600 $(ARGS)

# The first interpreter that is new enough and can make an environment; one sentence when there is none.
$(PY):
	@for python in $(PYTHON) python3 python3.13 python3.12 python3.11 python3.14; do \
		found=$$(command -v $$python) || continue; \
		"$$found" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null || continue; \
		chosen=$$found; \
		"$$found" -c 'import venv, ensurepip' 2>/dev/null || continue; \
		echo "Making $(VENV) with $$("$$found" --version)"; \
		"$$found" -m venv $(VENV); exit; \
	done; \
	if [ -n "$$chosen" ]; then \
		echo "$$chosen has no venv module: install it (Debian and Ubuntu: apt-get install python3-venv)." >&2; \
	else \
		echo "Trilho needs Python 3.11, 3.12, 3.13 or 3.14 (found: $$(python3 --version 2>/dev/null || echo none)); install one, or name it: make PYTHON=/path/to/python3" >&2; \
	fi; exit 1

# Stamps: a second run does nothing. The tests' lock holds the same versions as the lock to run with, and more.
$(VENV)/.run: requirements/run.txt pyproject.toml | $(PY)
	@echo "Installing what Trilho needs (about half a minute)"
	@$(INSTALL) $(LOCKED) -r requirements/run.txt
	@$(INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.test: requirements/test.txt $(VENV)/.run
	@echo "Installing what the tests need (about half a minute)"
	@$(INSTALL) $(LOCKED) -r requirements/test.txt
	@touch $@

lock: | $(PY)
	@command -v uv >/dev/null || $(INSTALL) uv
	@PATH="$$PATH:$(VENV)/bin" && \
	uv $(UV_COMPILE) $(UPGRADE) requirements/run.in requirements/build.in -o requirements/run.txt && \
	uv $(UV_COMPILE) $(UPGRADE) -c requirements/run.txt requirements/test.in requirements/build.in -o requirements/test.txt

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
