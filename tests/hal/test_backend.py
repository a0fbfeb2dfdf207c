"""Finding a backend by its name."""

import sys
from importlib.metadata import EntryPoint

import pytest

import hal.backends.registry
from hal.backends.backend import Capabilities, UnlearnedBoard
from hal.backends.pi import PiBackend, RaspberryPi
from hal.backends.registry import (
    backend_names,
    capabilities,
    open_backend,
    open_platform,
    open_unlearned,
)
from hal.base.errors import BackendError, UnknownBackend
from hal.drivers.i2c import bus_numbers
from hal.profile import built_in


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
    entry = EntryPoint("other", value, hal.backends.registry.ENTRY_POINTS)
    monkeypatch.setattr(hal.backends.registry, "entry_points", lambda group: [entry])


@pytest.mark.parametrize("value", ["no_such_module:Backend", "hal.backends.mock:NoSuchThing"])
def test_open_backend_of_a_broken_package_is_a_clear_error(profile, monkeypatch, value):
    offer(monkeypatch, value)
    with pytest.raises(BackendError, match='"other" cannot be loaded'):
        open_backend("other", profile)


class OtherBackend(PiBackend):
    """A real board as another package may bring one: it takes any profile."""

    capabilities = Capabilities(real=True)


def test_capabilities_are_those_that_a_backend_declares(monkeypatch):
    offer(monkeypatch, f"{__name__}:OtherBackend")
    assert capabilities("other") == Capabilities(real=True)
    assert "other" in backend_names()
    assert capabilities("other").suits(built_in("hexagon-61-pico"))
    assert not capabilities("pi").suits(built_in("hexagon-61-pico"))
    platform = open_platform("other")
    assert isinstance(platform, RaspberryPi)
    assert platform.buses() == bus_numbers()
    assert open_unlearned("mock", built_in()) is None
    assert capabilities("mock") == Capabilities()
    assert open_platform("mock") is None
    assert isinstance(open_unlearned("other", built_in()), UnlearnedBoard)


def test_unlearned_board_is_searched_on_the_header_and_the_buses_of_its_template(monkeypatch):
    opened = []

    def open_bus(number: int) -> None:
        opened.append(number)
        raise BackendError(f"bus {number}")

    # Displays and cameras have the others.
    monkeypatch.setattr("hal.backends.pi.bus_numbers", lambda: (0, 1, 3, 20, 21))
    monkeypatch.setattr("hal.backends.pi.open_bus", open_bus)
    unlearned = open_unlearned("pi", built_in())
    assert unlearned is not None
    unlearned.search()
    assert opened == [1, 3]


def test_pins_without_lgpio_say_which_package_of_the_system_brings_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(BackendError, match=r"lgpio .*`sudo apt install python3-lgpio` installs it"):
        RaspberryPi().pins()
