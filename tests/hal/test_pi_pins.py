"""The pins of a Pi through gpiozero and a stand-in for lgpio."""

import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from hal.backends.pi import RaspberryPi
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


def test_pins_leave_nothing_in_the_working_folder_and_stay_there(lgpio, tmp_path: Path):
    assert os.listdir() == []
    assert Path.cwd() == tmp_path


def test_pins_can_be_used_from_a_folder_that_cannot_be_written(lgpio, monkeypatch):
    monkeypatch.delitem(sys.modules, "lgpio")
    monkeypatch.chdir("/proc")
    RaspberryPi().pins().close()
