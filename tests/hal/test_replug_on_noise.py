"""The whole stack on an emulated Pico when much goes wrong at once: replugs, noise, a hung host.

The firmware, and the host's backend, in virtual time.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hal.backends.coprocessor.backend import UNWIRED_S
from hal.backends.device import Device
from hal.base.events import CellTouch
from hal.base.faults import Trouble
from hal.lights.colour import Colour
from hal.profile import Profile, built_in
from tests.helpers.boards.clocked_board import ClockedBoard, FakeClock
from tests.helpers.boards.fake_line import Noise
from tests.helpers.boards.noisy_serial import NoisyCoprocessor
from tests.helpers.pico import Cause
from tests.helpers.pico.backend import EmulatedCoprocessor
from tests.helpers.pico.quick import QuickHardware

NOISE = Noise(lost=0.05, flipped=0.01)
LONGEST_LOOK_S = 1.5
"""Keys, the page and the watchdog of the service wait while the board is looked at."""
BACK_S = 60.0
"""How soon all eight chips are set up anew over such a line."""
DEAF_S = 20.0
SHOWN_S = 0.04
"""How soon a frame is shown, with what the Pico waits in vain for room."""
WATCHDOG_S = 8.0
WIRED_S = 1.0


@pytest.fixture(scope="module")
def large() -> Profile:
    return built_in("rectangle-88-pico")


@pytest.fixture
def wired(open_desk: Callable[..., ClockedBoard]) -> ClockedBoard:
    desk = open_desk("coprocessor", profile=built_in("hexagon-61-pico"))
    desk.run(3.0)
    return desk


@pytest.fixture
def flash(tmp_path: Path) -> Path:
    return tmp_path / "flash"


@pytest.fixture
def noisy(large: Profile, clock: FakeClock, flash: Path) -> Iterator[NoisyCoprocessor]:
    board = NoisyCoprocessor(large, clock=clock, pass_time=clock.pass_time, flash=flash, seed=7)
    yield board
    board.line.noise = Noise()
    board.close()


def emulated(desk: ClockedBoard) -> EmulatedCoprocessor:
    assert isinstance(desk.device.backend, EmulatedCoprocessor)
    return desk.device.backend


def feels(desk: ClockedBoard, cell: str) -> bool:
    """Touch a cell for a moment; tell whether it was felt."""
    desk.hands.press("finger", cell)
    events = desk.run(0.3)
    desk.hands.lift("finger")
    return cell in {each.cell for each in [*events, *desk.run(0.5)] if isinstance(each, CellTouch)}


def test_replug_on_noise_blocks_nothing_and_brings_all_chips_back(
    noisy: NoisyCoprocessor, clock: FakeClock, large: Profile
):
    device = Device(large, noisy)
    looks: list[float] = []

    def run(seconds: float, until: Callable[[], bool] = lambda: False) -> None:
        end = clock.now + seconds
        while clock.now < end and not until():
            began = clock.now
            device.poll(began)
            looks.append(clock.now - began)
            clock.now = max(clock.now, min(device.due(clock.now), end))

    run(2.0)
    assert noisy.faults() == ()
    noisy.line.noise = NOISE
    noisy.pico.unplug(power=True)
    for chip in noisy.body.chips.values():
        chip.power_cycle()
    run(0.5)
    assert [each.trouble for each in noisy.faults()] == [Trouble.LINK]
    noisy.pico.plug()
    run(BACK_S, lambda: not noisy.faults())
    assert noisy.faults() == ()
    run(1.0)
    assert max(looks) <= LONGEST_LOOK_S
    assert noisy._client._link._receiver.refused > 0


def test_wiring_that_failed_once_heals_by_itself(
    wired: ClockedBoard, monkeypatch: pytest.MonkeyPatch
):
    def fail(*_: object) -> None:
        raise MemoryError("memory allocation failed")

    pico = emulated(wired).pico
    pico.unplug(power=True)
    for chip in emulated(wired).body.chips.values():
        chip.power_cycle()
    wired.run(0.5)
    with monkeypatch.context() as patched:
        patched.setattr(QuickHardware, "open_strip", fail)
        pico.plug()
        wired.run(WIRED_S)
        (fault,) = wired.device.faults
        assert "memory allocation failed" in fault.detail
    wired.run(UNWIRED_S + WIRED_S)
    assert wired.device.faults == ()
    assert feels(wired, "e5")


def test_firmware_that_hangs_is_started_anew_and_says_so(wired: ClockedBoard):
    backend = emulated(wired)
    picture = tuple([Colour(9, 8, 7)] * wired.device.profile.strip.pixels)
    backend.light(picture)
    wired.run(0.5)
    ident = backend._client.ident
    assert ident is not None
    assert not ident.watchdog
    backend.pico.hang()
    wired.run(5.0)
    assert [each.trouble for each in wired.device.faults] == [Trouble.LINK]
    wired.run(WATCHDOG_S - 5.0)
    assert backend.pico.boots == [Cause.POWER_ON, Cause.WATCHDOG]
    wired.run(WIRED_S)
    assert wired.device.faults == ()
    ident = backend._client.ident
    assert ident is not None
    assert ident.watchdog
    assert feels(wired, "e5")
    assert backend.latched() == picture


def test_host_that_does_not_read_holds_up_nothing(wired: ClockedBoard):
    backend = emulated(wired)
    strip = wired.device.profile.strip
    backend.pico.usb.deaf = True
    backend.pico.settle()
    backend.body.lay("e5")
    wired.run(0.01)
    # The host sends no more than two before it hears of the first.
    for number in range(1, 3):
        picture = tuple([Colour(number, 8, 7)] * strip.pixels)
        backend.light(picture)
        wired.run(SHOWN_S)
        assert backend.platform.latched() == picture
    backend.pico.settle()
    backend.body.lift("e5")
    wired.run(DEAF_S)
    assert backend.pico.boots == [Cause.POWER_ON]
    backend.pico.usb.deaf = False
    wired.run(WIRED_S)
    assert wired.device.faults == ()
    assert feels(wired, "a1")
