"""The Pico's start program: when it starts the firmware, and when it yields to the prompt."""

import runpy
import sys
from pathlib import Path
from types import ModuleType

import pytest

from firmware import main


class Started:
    """What main.py imports, in a folder that is the Pico's flash. Counts runs and resets.

    `error` is raised by the firmware's run; `interrupts` are the bytes that were to interrupt, -1
    for none, as they were set.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.error: Exception | None = None
        self.runs = self.resets = 0
        self.interrupts: list[int] = []
        for name, content in (
            ("micropython", {"kbd_intr": self.interrupts.append}),
            ("firmware.pico", {"reset": self.reset}),
            ("firmware.run", {"run": self.run}),
        ):
            module = ModuleType(name)
            module.__dict__.update(content)
            monkeypatch.setitem(sys.modules, name, module)

    def start(self) -> None:
        runpy.run_path(main.__file__, run_name="__main__")

    def run(self) -> None:
        # A HELLO that comes while the firmware is imported may hold a 3, which is Ctrl-C.
        assert self.interrupts[-1] == -1
        self.runs += 1
        if self.error is not None:
            raise self.error

    def reset(self) -> None:
        self.resets += 1


@pytest.fixture
def pico(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "print_exception", lambda error, file: print(error, file=file), False)
    return Started(monkeypatch)


def test_main_starts_the_firmware_but_once_after_a_stop(pico, tmp_path):
    (tmp_path / main.STOP_NOTE).touch()
    pico.start()
    assert (pico.runs, pico.interrupts[-1]) == (0, 3)
    pico.start()
    assert (pico.runs, pico.interrupts[-1]) == (1, 3)


def test_main_gives_a_firmware_up_that_failed_three_times_in_a_row(pico, tmp_path, capsys):
    pico.error = OSError("no such pin")
    for times in (1, 2, 3):
        pico.start()
        assert (pico.runs, pico.resets) == (times, times)
    pico.start()
    assert (pico.runs, pico.resets) == (3, 3)
    assert "failed 3 times in a row" in capsys.readouterr().out
    assert "no such pin" in (tmp_path / main.LAST_FAILURE).read_text()
    # It is tried again at the next start.
    pico.start()
    assert pico.runs == 4


def test_main_leaves_to_the_prompt_when_a_file_is_missing(pico, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "firmware.run", None)
    pico.start()
    assert (pico.runs, pico.resets) == (0, 0)
    assert "not whole" in capsys.readouterr().out


def test_main_and_pico_name_the_same_files():
    text = (Path(main.__file__).parent / "pico.py").read_text(encoding="utf-8")
    assert f'STOP_NOTE = "{main.STOP_NOTE}"' in text
    assert f'FAILURE = "{main.FAILURE}"' in text
