# Everything runs in this checkout's virtual environment; nothing else on the computer changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PYTHONUTF8 := 1
SHELL := /bin/bash
# Install the packages of a lock, and count them; then lifeboard itself, which has no hash. A lock names all that is
# needed. Without --no-deps older versions of pip look for the newest version of what is required with an extra.
# With --no-compile only what is imported is ever compiled.
# --use-pep517 avoids pip's legacy build and its deprecation notice. Where packages come from is for pip's settings.
PIP := --disable-pip-version-check --no-build-isolation --use-pep517
LOCKED = set -o pipefail; locked() { $$1/python -m pip install $(PIP) $(1) --progress-bar off --no-deps --require-hashes \
    --requirement requirements/$$2.txt | awk '/^Collecting / {printf "\r%d packages", ++n; fflush()} END {print ""}'; }; locked
# setuptools warns that folders here come before those installed, as they shall, and pip shows it.
OURS := PYTHONWARNINGS="ignore:Editable installation" $(BIN)/python -m pip install --quiet $(PIP) --no-deps --editable .
LOCKS := $(wildcard requirements/*.txt)
# PyPI has no lgpio for Python 3.13; the system's python3-lgpio is linked into each environment, installed or not.
LGPIO := /usr/lib/python3/dist-packages
# Debian's packages that compile the engine, and whether they are there.
COMPILER := gcc python3-dev
COMPILES = command -v gcc >/dev/null && \
    $(PYTHON) -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null
# A Raspberry Pi with them also gets what drives strips on GPIO12, 18 and 21.
PLAY = $(if $(wildcard /proc/device-tree/model),$(shell $(COMPILES) && echo ws281x || echo play),play)

TIERS := fuzz or browser or process or pico or machine
# Whole folders of other tiers need not be collected.
FAST_ONLY := $(addprefix --ignore=tests/,machine pages)
# One more than the number of processors, since some tests wait.
WORKERS := $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

# Sources of the compiled engine; it is rebuilt when any of them changes.
FAST := $(wildcard setup.py game/engine/*/*.py game/engine/*/*.pxd)

.PHONY: play test test-all needs guide firmware messages soak soak-rooms match bench kills plugs radios puzzles lock audit service lint format screenshots catalogues deb card key sign repository clean board case pictures

play: $(VENV)/play.stamp
	@$(BIN)/lifeboard play $(ARGS)

# The tests that need only Python and pip; tests/tiers.py lists the others.
test: $(VENV)/test.stamp
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not ($(TIERS))" $(FAST_ONLY) $(ARGS)

# Everything, on Linux as root, or one tier: make test-all ARGS="-m browser". Lists what is missing first.
test-all: needs $(VENV)/dev.stamp
	@$(BIN)/python -m tests.helpers.rp2040
	LIFEBOARD_TESTS=all $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

needs:
	@$(PYTHON) tests/needs.py

BOARD ?= hexagon-61
# All files of a board anew, checked, in build/boards: KiCad 9 in a folder of its own, for which it needs root, apt and
# 1 GB the first time. As in: make board BOARD=coupon-4
board: $(VENV)/test.stamp
	$(BIN)/python -m tests.helpers.kicad build/boards $(BOARD)

# The case of a board: STL, DXF and STEP in build/case, as in: make case BOARD=rectangle-88
case: $(VENV)/case.stamp
	@$(CASE)/python -m hardware.case.case $(BOARD) build/case/$(BOARD)

# Its pictures, in ten minutes; Mitsuba needs LLVM 16 or later, whose library DRJIT_LIBLLVM_PATH names.
pictures: $(VENV)/pictures.stamp
	@mkdir -p build/pictures
	@$(CASE)/python -m hardware.case.picture $(BOARD) build/pictures

# HTML and PDF of the guides for makers, in build/guide. PDF needs the system's Pango (hardware/README.md).
guide: $(VENV)/guide.stamp
	@$(BIN)/python -m hardware.guide.build $(ARGS)

# Compile the firmware of a Pico anew, after a change to it: it starts faster than from its sources.
firmware: $(VENV)/test.stamp
	@$(BIN)/python -m tests.tools.compile_firmware

# The types of messages in the page's scripts and in docs/websocket.md anew, after a change to them.
messages: $(VENV)/test.stamp
	@$(BIN)/python -m tests.tools.messages

# Whole games with clumsy players (docs/soak.md), as in: make soak ARGS="--game azteka --games 100"
soak: $(VENV)/play.stamp
	@$(BIN)/python -m tests.tools.soak $(ARGS)

# Whole games on two boards over a bad line (docs/two-boards.md), as in: make soak-rooms ARGS="--games 100 --jobs 2"
soak-rooms: $(VENV)/test.stamp
	@$(BIN)/python -m tests.tools.soak_rooms $(ARGS)

# Games between engines (docs/strength.md), as in: make match ARGS="6@60000n uct:10000 --pairs 20"
match: $(VENV)/test.stamp
	@$(BIN)/python -m tests.tools.match $(ARGS)

# New puzzles of a game, from games of the engine, as in: make puzzles ARGS="circle-of-life --games 100 --wanted 120"
# After a change of the levels, --games 0 rates those that there are.
puzzles: $(VENV)/test.stamp
	@$(BIN)/python -m tests.tools.puzzles $(ARGS)

# Speed, latency, idle load and memory on this computer, as in: make bench ARGS=--quick
bench: $(VENV)/play.stamp
	@$(BIN)/python -m tests.tools.bench $(ARGS)

# Kills and power cuts, as in: make kills ARGS="--kills 1000 --cuts 10000 --seed 1"
kills: $(VENV)/test.stamp
	@$(BIN)/python -m tests.tools.kills $(ARGS)

# Plugs pulled in the middle of updates, on machines that boot, as root, as in: make plugs ARGS="--cuts 100 --seed 1"
plugs: $(VENV)/test.stamp
	@$(BIN)/python -m tests.tools.plugs $(ARGS)

# Wi-Fis chosen on the hotspot, with emulated radios in qemu, as root, as in: make radios ARGS=/var/tmp/radios
radios: $(VENV)/test.stamp
	@$(BIN)/python -m tests.tools.radios $(ARGS)

# Lock the newest versions that pyproject.toml allows, with the hashes of all their files, for every system.
UV := uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
    --no-annotate --custom-compile-command "make lock"
lock: $(VENV)/supply.stamp
	@rm -rf build/lock && mkdir -p build/lock requirements
	@index=$$($(BIN)/python -m pip config get global.index-url 2>/dev/null) && export UV_DEFAULT_INDEX="$$index"; \
	    PATH="$(CURDIR)/$(SUPPLY):$$PATH"; set -e; \
	    $(UV) pyproject.toml --all-extras $(addprefix --group ,build case pictures supply) --output-file build/lock/all.txt; \
	    one() { name=$$1; shift; $(UV) "$$@" --constraints build/lock/all.txt --output-file build/lock/$$name.txt; }; \
	    for group in build case pictures supply; do one $$group --group $$group; done; one play pyproject.toml; \
	    for extra in ws281x guide test dev; do one $$extra pyproject.toml --extra $$extra; done; \
	    rm build/lock/all.txt; mv build/lock/*.txt requirements/

# Known weaknesses of what is locked; it says of which libraries there is no data.
audit: $(VENV)/supply.stamp
	@$(SUPPLY)/python -m pip_audit --require-hashes --disable-pip --progress-spinner=off $(addprefix --requirement ,$(LOCKS))

# Nothing is built as root in this checkout.
service: $(VENV)/build.stamp
	@command -v apt-get >/dev/null || { echo "make service needs apt, as on Debian and Raspberry Pi OS" >&2; exit 1; }
	@root=; if [ "$$(id -u)" -ne 0 ]; then root=sudo; command -v sudo >/dev/null || { \
	    echo "make service needs root, and there is no sudo. After make deb, as root: apt install ./dist/lifeboard_*.deb" >&2; \
	    exit 1; }; fi; \
	    $(COMPILES) || { echo "Installing $(COMPILER), which compile the engine ..."; \
	    $$root apt-get install --yes --no-install-recommends $(COMPILER) || exit 1; }; \
	    echo "Building the Debian package of lifeboard ..."; \
	    deb=$$($(BIN)/python systemd/deb/build.py $(ARGS)) || exit 1; \
	    $$root apt-get install --yes --reinstall --allow-downgrades "$$deb"

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/dev.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Pictures of the page at three sizes, in light and dark: make screenshots ARGS="azteka"
screenshots: $(VENV)/test.stamp
	$(BIN)/python -m tests.tools.screenshots $(ARGS)

# After a change to a .po file: the compiled catalogues are kept beside it.
catalogues: $(VENV)/dev.stamp
	$(BIN)/pybabel compile --domain lifeboard --directory game/common/locale

# For this machine's processor and Python; nothing is fetched when it is installed.
deb: $(VENV)/build.stamp
	@command -v dpkg-deb >/dev/null || { echo "make deb needs dpkg-deb: sudo apt install dpkg" >&2; exit 1; }
	@$(COMPILES) || { echo "make deb compiles the engine: sudo apt install $(COMPILER)" >&2; exit 1; }
	@$(BIN)/python systemd/deb/build.py $(ARGS)

# What the first start of a Raspberry Pi's card installs, in build/card, as in: make card ARGS="--board hexagon-61"
card: $(VENV)/play.stamp
	@package=$$(systemd/deb/arm64 $(BIN)/python dist) && \
	    $(BIN)/lifeboard card build/card --files --package "$$package" $(ARGS)

KEY ?= $(HOME)/.config/lifeboard/release-key
# The key that signs packages, outside of this repository; boards with packages built from now on accept what it signs.
key:
	@case "$(realpath $(dir $(KEY)))/" in "$(CURDIR)"/*) echo "KEY=$(KEY) is in this repository" >&2; exit 1; esac
	@mkdir -p "$(dir $(KEY))" && ssh-keygen -t ed25519 -C lifeboard -f "$(KEY)"
	@echo "lifeboard namespaces=\"lifeboard\" $$(cat "$(KEY).pub")" >>systemd/signers
	@echo "Keep $(KEY) and a copy of it elsewhere. Commit systemd/signers."

# Sign the packages in dist, so that the page of a board installs them, as in: make sign KEY=/media/stick/release-key
sign:
	@systemd/deb/sign "$(KEY)" dist/lifeboard_*.deb

# A repository for apt with the packages in dist, in build/repository, as in: make repository GPG=ann@example.org
repository:
	@systemd/deb/repository "$(GPG)" build/repository dist/lifeboard_*.deb

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -f game/engine/*/*.so

$(VENV)/play.stamp: pyproject.toml $(LOCKS) $(FAST) $(VENV)/build.stamp
	@echo "Setting up lifeboard in $(VENV): about a minute, this time only ..."
	@rm -f game/engine/*/*.so
	@$(LOCKED) $(BIN) $(PLAY)
	@$(OURS)
	@touch $@

$(VENV)/guide.stamp: $(VENV)/play.stamp
	@echo "Setting up the tools for guides in $(VENV) ..."
	@$(LOCKED) $(BIN) guide
	@touch $@

$(VENV)/test.stamp: pyproject.toml $(LOCKS) $(FAST) $(VENV)/build.stamp
	@echo "Setting up lifeboard and what its tests need in $(VENV): about a minute ..."
	@rm -f game/engine/*/*.so
	@$(call LOCKED,--no-compile) $(BIN) test
	@$(OURS)
	@touch $@ $(VENV)/play.stamp

$(VENV)/dev.stamp: pyproject.toml $(LOCKS) $(FAST) $(VENV)/build.stamp
	@echo "Setting up lifeboard and all tools for its tests in $(VENV): about two minutes ..."
	@rm -f game/engine/*/*.so
	@$(call LOCKED,--no-compile) $(BIN) dev
	@$(OURS)
	@touch $@ $(VENV)/play.stamp $(VENV)/guide.stamp $(VENV)/test.stamp

# What builds lifeboard, its package, and libraries without a wheel.
$(VENV)/build.stamp: $(LOCKS) | $(VENV)/made.stamp
	@$(LOCKED) $(BIN) build
	@touch $@

# Tools with many libraries of their own, away from what lifeboard runs on.
SUPPLY := $(VENV)/supply/bin
$(VENV)/supply.stamp: $(LOCKS) | $(VENV)/made.stamp
	@echo "Setting up the tools for the locks in $(VENV)/supply ..."
	@$(PYTHON) -m venv $(VENV)/supply
	@$(LOCKED) $(SUPPLY) supply
	@touch $@

# Half a gigabyte, away from what lifeboard runs on. Little of it is ever imported, so that it is not compiled.
CASE := $(VENV)/case/bin
$(VENV)/case.stamp $(VENV)/pictures.stamp: $(VENV)/%.stamp: $(LOCKS) | $(VENV)/made.stamp
	@echo "Setting up the tools for the $* in $(VENV)/case ..."
	@$(PYTHON) -m venv $(VENV)/case
	@$(call LOCKED,--no-compile) $(CASE) case
	@$(if $(filter pictures,$*),$(call LOCKED,--no-compile) $(CASE) pictures)
	@touch $@

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
	@$(PYTHON) -m venv $(VENV)
	@ln -sf $(LGPIO)/lgpio.py $(LGPIO)/_lgpio$$($(BIN)/python -c \
	    'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))') $(VENV)/lib/python3*/site-packages
	@touch $@
