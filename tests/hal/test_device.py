"""The device: when it senses, when it sends frames; its backends, and the pins of a Pi."""

import os
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import hal.backends.registry
from hal.backends.backend import Capabilities, UnlearnedBoard
from hal.backends.i2c import PIN_RETRY_S
from hal.backends.pi import PiBackend, RaspberryPi
from hal.backends.registry import (
    backend_names,
    capabilities,
    open_backend,
    open_platform,
    open_unlearned,
)
from hal.base.errors import BackendError
from hal.base.events import CellTouch, Fault, FaultReport, Moment, Trouble
from hal.drivers.i2c import bus_numbers
from hal.lights import Colour, Glow, Rhythm
from hal.profile import built_in
from hal.sim.platform import EmulatedPlatform
from tests.helpers import fake_lgpio

BLUE = Colour(0, 0, 255)


@pytest.fixture
def rig(open_rig):
    return open_rig("mock")


def test_device_sends_a_frame_only_when_it_differs_also_of_a_glow_on_all_lights(rig, profile):
    device, layers, red = rig.device, [{"e5": Glow(BLUE, Rhythm.BLINK)}], Colour(255, 0, 0)
    device.poll(0.0)
    assert [device.paint(layers, t / 10) for t in range(10)] == [n in (0, 5) for n in range(10)]
    assert len(device.backend.frames) == 2
    device.cover(Glow(red, Rhythm.BLINK))
    assert device.due(1.0) == 1.0
    assert device.paint(layers, 1.0)
    assert device.due(1.0) == pytest.approx(1.5)
    shown = device.backend.lit()
    assert {shown[pixel].blue for pixel in profile.pixels.values()} == {0}
    assert all(shown[pixel].red for pixel in profile.pixels.values())
    device.cover(None)
    assert device.paint(layers, 1.1)
    assert device.backend.lit() == device.backend.frames[0]


def test_device_tells_which_keys_are_pressed_as_far_as_they_can_be_felt(rig):
    device, now = rig.device, rig.clock.now
    rig.hands.press("thumb", "resign")
    device.poll(now)
    assert device.pressed == frozenset()
    device.poll(now + 0.020)
    assert device.pressed == {"resign"}
    nothing = frozenset()
    fault = Fault(Trouble.CHIP, "A", nothing, frozenset({"resign"}), "chip A does not answer")
    device.backend.faults = (fault,)
    device.poll(now + 0.040)
    assert device.pressed == frozenset()
    device.backend.faults = ()
    for later in range(1, 100):
        device.poll(now + 0.040 + later / 50)
    assert device.pressed == frozenset()


def offer(monkeypatch, value):
    entry = EntryPoint("other", value, hal.backends.registry.ENTRY_POINTS)
    monkeypatch.setattr(hal.backends.registry, "entry_points", lambda group: [entry])


@pytest.mark.parametrize(
    ("name", "board", "said"),
    [
        ("pi", "hexagon-61-pico", "board hexagon-61-pico .*--backend coprocessor"),
        ("coprocessor", "hexagon-61", "board hexagon-61 .*--backend pi"),
        ("simm", "hexagon-61", '"simm" is unknown: allowed are coprocessor, mock, pi, sim'),
        ("no_such_module:Backend", "hexagon-61", '"other" cannot be loaded'),
        ("hal.backends.mock:NoSuchThing", "hexagon-61", '"other" cannot be loaded'),
    ],
)
def test_open_backend_never_falls_back_and_says_why(monkeypatch, name, board, said):
    if ":" in name:
        offer(monkeypatch, name)
        name = "other"
    with pytest.raises(BackendError, match=said):
        open_backend(name, built_in(board))


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


@pytest.fixture
def lgpio(tmp_path, monkeypatch):
    """Import it as a Pi 4 does for the first time, from another folder."""
    for name in ("lgpio", "gpiozero.pins.lgpio"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(fake_lgpio.__path__[0])
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xC03114)
    monkeypatch.chdir(tmp_path)
    RaspberryPi().pins().close()
    return sys.modules["lgpio"]


def test_pins_leave_nothing_in_the_working_folder_which_need_not_be_writable(lgpio, monkeypatch):
    assert os.listdir() == []
    monkeypatch.delitem(sys.modules, "lgpio")
    monkeypatch.chdir("/proc")
    RaspberryPi().pins().close()
    assert Path.cwd() == Path("/proc")


class WithPins(EmulatedPlatform):
    """The keys and the interrupt line hang on the pins of lgpio."""

    def __init__(self, profile, body):
        super().__init__(profile, body)
        self.pins = RaspberryPi().pins


def test_pins_in_use_are_faults_that_play_can_do_without_and_heal(lgpio, open_rig):
    lgpio.HOLDERS.update({4: "onewire@4", 22: "other"})
    rig = open_rig("pi", make=WithPins)
    (report,) = rig.run(1.0)
    assert {(each.trouble, each.part, each.keys) for each in report.faults} == {
        (Trouble.PIN, "GPIO4 (dtoverlay=w1-gpio)", frozenset()),
        (Trouble.PIN, "GPIO22 (other)", frozenset({"resign"})),
    }
    rig.hands.press("finger", "e5")
    assert rig.run(0.2) == [CellTouch("e5", Moment.DOWN)]
    rig.hands.lift("finger")
    rig.run(0.2)
    lgpio.HOLDERS.clear()
    assert rig.run(PIN_RETRY_S) == [FaultReport(())]
    assert not rig.device.backend._line_low()
