"""The pins of a Pi through gpiozero and a stand-in for lgpio, some of them in use."""

import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hal.backends.i2c import PIN_RETRY_S
from hal.backends.pi import RaspberryPi
from hal.base.events import CellTouch, FaultReport, KeyTouch, Moment, Trouble
from hal.sim.platform import EmulatedPlatform
from tests.helpers import fake_lgpio

PI_4 = 0xC03114


@pytest.fixture
def lgpio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Import it as a Pi does for the first time, from another folder."""
    for name in ("lgpio", "gpiozero.pins.lgpio"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(fake_lgpio.__path__[0])
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: PI_4)
    monkeypatch.chdir(tmp_path)
    RaspberryPi().pins().close()
    return sys.modules["lgpio"]


class WithPins(EmulatedPlatform):
    """The keys and the interrupt line hang on the pins of lgpio."""

    def __init__(self, profile, body, lgpio: ModuleType) -> None:
        super().__init__(profile, body)
        self._pi = RaspberryPi()
        body.on_line = lambda low: lgpio.drive(profile.interrupt_pin, not low)
        body.on_key = lambda key, pressed: lgpio.drive(profile.keys[key].number, not pressed)

    def pins(self) -> Any:
        return self._pi.pins()


def test_pins_leave_nothing_in_the_working_folder_which_need_not_be_writable(lgpio, monkeypatch):
    assert os.listdir() == []
    monkeypatch.delitem(sys.modules, "lgpio")
    monkeypatch.chdir("/proc")
    RaspberryPi().pins().close()
    assert Path.cwd() == Path("/proc")


def press(rig, spot: str) -> list[object]:
    rig.hands.press("finger", spot)
    events = rig.run(0.2)
    rig.hands.lift("finger")
    return [*events, *rig.run(0.2)]


def test_pins_in_use_are_faults_that_play_can_do_without_and_heal(lgpio, open_rig):
    lgpio.HOLDERS.update({4: "onewire@4", 22: "other"})
    rig = open_rig("pi", make=lambda *board: WithPins(*board, lgpio))
    (report,) = rig.run(1.0)
    assert {(each.trouble, each.part, each.keys) for each in report.faults} == {
        (Trouble.PIN, "GPIO4 (dtoverlay=w1-gpio)", frozenset()),
        (Trouble.PIN, "GPIO22 (other)", frozenset({"resign"})),
    }
    e5 = [CellTouch("e5", Moment.DOWN), CellTouch("e5", Moment.UP)]
    resign = [KeyTouch("resign", Moment.DOWN), KeyTouch("resign", Moment.UP)]
    assert press(rig, "e5") == e5
    assert press(rig, "resign") == []
    lgpio.HOLDERS.clear()
    assert rig.run(PIN_RETRY_S) == [FaultReport(())]
    assert not rig.device.backend._line_low()
    assert (press(rig, "e5"), press(rig, "resign")) == (e5, resign)
