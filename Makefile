# `make help` says what there is. Everything runs from a virtual environment in .venv; nothing else is needed.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help demo reproduce test browser picture lint types golden ui bench lock environment clean

PYTHON ?= python3.11
VENV ?= .venv
BIN := $(VENV)/bin
UV_VERSION ?= 0.13.9
UV := $(BIN)/uv

# torch stays out of requirements.lock: which wheel is right depends on the machine (TORCH=torch==2.13.0 takes the CUDA build).
TORCH ?= torch==2.13.0$(if $(filter Linux,$(shell uname -s)),+cpu)
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu

# Two stages run side by side, each on one thread: small batches lose by sharing.
export OMP_NUM_THREADS ?= 1
export PATH := $(abspath $(BIN)):$(PATH)
export PYTHONUTF8 := 1
unexport PYTHONDONTWRITEBYTECODE

INSTALLED := $(VENV)/.installed

help:  ## Say what there is
	@grep -hE '^[a-z]+:.*##' Makefile | awk -F':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

environment: $(INSTALLED)  ## Make .venv with the pinned packages (about two minutes once, then nothing)

$(INSTALLED): requirements.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 is needed and '$(PYTHON)' is not there. Install it or say where: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11"; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || { echo "$(PYTHON) is $$($(PYTHON) -V 2>&1), Python 3.11 is needed: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11"; exit 2; }
	@echo "Making $(VENV): 168 pinned packages and torch, 1.7 GB on disk, one to three minutes, once."
	@start=$$SECONDS; \
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV); \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'uv==$(UV_VERSION)'; \
	echo "  torch ($$((SECONDS - start)) s)"; \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps '$(TORCH)' 2>/dev/null \
	  || $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --index-url $(TORCH_INDEX) '$(TORCH)'; \
	echo "  the rest, by hash ($$((SECONDS - start)) s)"; \
	$(UV) pip install --quiet --python $(BIN)/python --compile-bytecode --require-hashes --no-deps -r requirements.lock; \
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .; \
	touch $@; echo "Ready in $$((SECONDS - start)) s."

demo: $(INSTALLED)  ## Train, measure, register and explain a harness-aware model (DEMO='--recipe smoke' for a short one)
	@hat demo $(DEMO)

reproduce: $(INSTALLED)  ## The paper's tables into docs/results.md (QUICK=1: one seed, in minutes, into its run's folder)
	@hat reproduce $(if $(QUICK),--recipe quick,--recipe full --out docs)

test: $(INSTALLED)  ## Run the tests (ARGS='-k harness' for some of them)
	@python -m pytest -n 2 -m "not cluster and not gpu and not vllm and not browser" $(ARGS)

browser: $(INSTALLED)  ## Look at the report and the review page in Chromium, narrow and wide
	@python -m pytest -q -m browser $(ARGS)

picture:  ## Take the README's picture anew, from the newest report of the demo (needs Chromium)
	@report=$$(ls -t build/runs/demo-*/report.html | head -1); profile=$$(mktemp -d); \
	chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --hide-scrollbars \
	  --user-data-dir="$$profile" --window-size=1160,1500 --screenshot=docs/report.png "file://$$PWD/$$report" 2>/dev/null; \
	rm -rf "$$profile"; ls -l docs/report.png

lint: $(INSTALLED)  ## Style and import layers
	@ruff check .
	@ruff format --check .
	@lint-imports

types: $(INSTALLED)  ## Strict type check
	@mypy -p hat

golden: $(INSTALLED)  ## Rewrite the golden files (the compiled pipeline and others); look at the diff before you commit
	@python -m pytest -q -m "golden" --rewrite-golden

ui: $(INSTALLED)  ## Open the runs in MLflow (prints the address)
	@hat ui

bench: $(INSTALLED)  ## Measure speed against plain TRL; prints one table, writes build/bench/*.json
	@hat bench

lock: $(INSTALLED)  ## Resolve pyproject.toml anew into requirements.lock
	@$(UV) pip compile pyproject.toml --all-extras --python-version 3.11 --generate-hashes --no-emit-package torch \
	  --no-emit-find-links --no-emit-index-url --quiet -o requirements.lock

clean:  ## Remove what was built (not the environment)
	@rm -rf build .pytest_cache .mypy_cache .ruff_cache
