# Everything runs in a virtual environment of this checkout; nothing else on the machine changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PYTHONUTF8 := 1
SHELL := /bin/bash
# Install packages and count them. --use-pep517 avoids pip's deprecated way and its notice about that.
PIP := set -o pipefail; pip() { $(BIN)/python -m pip install --use-pep517 --disable-pip-version-check \
    --progress-bar off "$$@" | awk '/^Collecting / {printf "\r%d packages", ++n; fflush()} END {print ""}'; }; pip
# A Raspberry Pi needs its pins too; other machines have none.
PI := $(wildcard /proc/device-tree/model)
EXTRA := $(if $(PI),[hardware])
# Where the system's own Python has them (package python3-lgpio), they need not be compiled.
SYSTEM = $(if $(PI),$(shell $(PYTHON) -c 'import lgpio' 2>/dev/null && echo --system-site-packages))

TIERS := fuzz or browser or process or kit or pico or machine
# Whole folders of other tiers need not be collected.
FAST_ONLY := $(addprefix --ignore=tests/,machine pages)
# One more than there are processors.
WORKERS := $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

# What the compiled form of the engine is made of; it is made anew when any of it changes.
FAST := $(wildcard setup.py game/engine/circle/*.py game/engine/circle/*.pxd)

.PHONY: play test test-all test-slow needs kit kits soak service lint format catalogues deb clean

play: $(VENV)/play.stamp
	@$(BIN)/lifeboard play $(ARGS)

# The tests that need only Python and pip; tests/tiers.py lists the others.
test: $(VENV)/test.stamp
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not ($(TIERS))" $(FAST_ONLY) $(ARGS)

# Everything, on Linux as root. It says first what is missing.
test-all: needs test test-slow

# Browsers, booted machines and cables leave a core idle half of the time.
test-slow: needs $(VENV)/dev.stamp
	@$(BIN)/python -m tests.helpers.boards.real_micropython
	LIFEBOARD_TESTS=all $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -m "$(TIERS) or effort" $(ARGS)

needs:
	@$(PYTHON) tests/needs.py

# The kit of parts for a board, as in: make kit ARGS="hexagon-61 --out kit"
kit: $(VENV)/kit.stamp
	@$(BIN)/lifeboard board kit $(ARGS)

# What is kept of the kits of our own boards, after a change to a profile or to the kit itself.
kits: $(VENV)/kit.stamp
	@$(BIN)/python -m tests.helpers.kits.shipped_kits $(ARGS)

# Whole games by clumsy hands: more of them than a test run has time for.
soak: $(VENV)/play.stamp
	@$(BIN)/lifeboard soak $(ARGS)

# Nothing is built as root in this checkout, and root leaves no compiled files in it.
service: $(VENV)/play.stamp
	@echo "Installing lifeboard under /opt/lifeboard, as a service that starts with this computer."
	@if [ -e /opt/lifeboard/current ]; then \
	    echo "The one that is there is exchanged; its games and settings stay."; fi
	@root=; if [ "$$(id -u)" -ne 0 ]; then root=sudo; command -v sudo >/dev/null || { \
	    echo "That needs root, and there is no sudo. As root: $(CURDIR)/$(BIN)/lifeboard service install" >&2; exit 1; }; fi; \
	    $$root env PYTHONDONTWRITEBYTECODE=1 PYTHONUTF8=1 $(BIN)/lifeboard service install $(ARGS)

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/dev.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# After a change to a .po file: the compiled catalogues are kept beside it.
catalogues: $(VENV)/dev.stamp
	$(BIN)/pybabel compile --domain lifeboard --directory game/app/locale

# For this machine's processor and Python; nothing is fetched when it is installed.
deb: $(VENV)/dev.stamp
	@command -v dpkg-deb >/dev/null || { echo "make deb needs dpkg-deb: sudo apt install dpkg" >&2; exit 1; }
	@$(BIN)/python systemd/deb/build.py $(ARGS)

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -f game/engine/circle/*.so

$(VENV)/play.stamp: pyproject.toml $(FAST) | $(VENV)/made.stamp
	@echo "Setting up lifeboard in $(VENV): about a minute, this time only ..."
	@rm -f game/engine/circle/*.so
	@$(PIP) --editable '.$(EXTRA)'
	@touch $@

$(VENV)/kit.stamp: pyproject.toml $(VENV)/play.stamp
	@echo "Setting up the tools for kits of parts in $(VENV) ..."
	@$(PIP) --editable '.[kit]'
	@touch $@

$(VENV)/test.stamp: pyproject.toml $(FAST) | $(VENV)/made.stamp
	@echo "Setting up lifeboard and what its tests need in $(VENV): about a minute ..."
	@rm -f game/engine/circle/*.so
	@$(PIP) --editable '.[test]'
	@touch $@ $(VENV)/play.stamp

$(VENV)/dev.stamp: pyproject.toml $(FAST) | $(VENV)/made.stamp
	@echo "Setting up lifeboard and all tools for its tests in $(VENV): about two minutes ..."
	@rm -f game/engine/circle/*.so
	@$(PIP) --editable '.[dev]'
	@touch $@ $(VENV)/play.stamp $(VENV)/kit.stamp $(VENV)/test.stamp

$(VENV)/made.stamp:
	@command -v $(PYTHON) >/dev/null || { \
	    echo "lifeboard needs Python 3.11 or later, and '$(PYTHON)' is not there." \
	         "Install it (Debian: sudo apt install python3 python3-venv) or name it: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "lifeboard needs Python 3.11 or later, and $$($(PYTHON) --version) is too old." \
	         "Name a newer one: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	    echo "lifeboard needs Python's venv module, and it is not installed." \
	         "On Debian and Raspberry Pi OS: sudo apt install python3-venv" >&2; exit 1; }
	@$(PYTHON) -m venv $(SYSTEM) $(VENV)
	@touch $@
