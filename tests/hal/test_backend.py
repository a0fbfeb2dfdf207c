"""Finding a backend by its name."""

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

import hal.backend
from hal import BackendError, MockBackend, built_in, open_backend
from hal.errors import UnknownBackend
from hal.sim import SimBackend


@pytest.mark.parametrize(("name", "kind"), [("mock", MockBackend), ("sim", SimBackend)])
def test_open_backend_opens_what_was_named(profile, name, kind):
    backend = open_backend(name, profile)
    assert isinstance(backend, kind)
    backend.close()


@pytest.mark.parametrize("name", ["pi", "coprocessor"])
def test_open_backend_refuses_a_board_of_the_other_computer_and_names_its_backend(name):
    board, other = {
        "pi": ("hexagon-61-pico", "coprocessor"),
        "coprocessor": ("hexagon-61", "pi"),
    }[name]
    with pytest.raises(BackendError, match=rf"board {board} .*--backend {other}"):
        open_backend(name, built_in(board))


def test_open_backend_never_falls_back(profile):
    allowed = "coprocessor, mock, pi, sim"
    with pytest.raises(UnknownBackend, match=f'"simm" is unknown: allowed are {allowed}'):
        open_backend("simm", profile)


def offer(monkeypatch, value):
    entry = EntryPoint("other", value, hal.backend.ENTRY_POINTS)
    monkeypatch.setattr(hal.backend, "entry_points", lambda group: [entry])


def test_open_backend_finds_those_of_other_packages(profile, monkeypatch):
    offer(monkeypatch, "hal.mock:MockBackend")
    assert isinstance(open_backend("other", profile), MockBackend)


@pytest.mark.parametrize("value", ["no_such_module:Backend", "hal.mock:NoSuchThing"])
def test_open_backend_of_a_broken_package_is_a_clear_error(profile, monkeypatch, value):
    offer(monkeypatch, value)
    with pytest.raises(BackendError, match='"other" cannot be loaded'):
        open_backend("other", profile)


def test_importing_hal_loads_no_driver():
    code = (
        "import sys, hal; "
        "print([m for m in ('gpiozero', 'adafruit_mpr121', 'hal.sim') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
