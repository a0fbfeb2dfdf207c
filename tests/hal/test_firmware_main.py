"""The Pico's start program: when it starts the firmware, and when it yields to the prompt."""

import runpy
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock, call

import pytest

from firmware import main

# A HELLO that comes while the firmware is imported may hold a 3, which is Ctrl-C.
RUN = [call.interrupt(-1), call.run(), call.interrupt(3)]


@pytest.fixture
def pico(tmp_path, monkeypatch):
    """What main.py imports, in a folder that is the Pico's flash."""
    pico = Mock()
    for name, content in (
        ("micropython", {"kbd_intr": pico.interrupt}),
        ("firmware.pico", {"reset": pico.reset}),
        ("firmware.run", {"run": pico.run}),
    ):
        monkeypatch.setitem(sys.modules, name, SimpleNamespace(**content))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(time, "ticks_ms", pico.ticks_ms, False)
    monkeypatch.setattr(sys, "print_exception", lambda error, file: print(error, file=file), False)
    return pico


def start() -> None:
    runpy.run_path(main.__file__, run_name="__main__")


def test_main_starts_the_firmware_but_once_after_a_stop(pico, tmp_path):
    (tmp_path / main.STOP_NOTE).touch()
    start()
    assert pico.mock_calls == [call.interrupt(-1), call.interrupt(3)]
    pico.reset_mock()
    start()
    assert pico.mock_calls == RUN


def test_main_leaves_to_the_prompt_once_after_a_failure_soon_after_a_start(pico, tmp_path):
    pico.run.side_effect = OSError("no such pin")
    for at_ms, runs in ((main.SOON_MS, 1), (main.SOON_MS - 1, 2), (0, 2), (0, 3)):
        pico.ticks_ms.return_value = at_ms
        start()
        assert (pico.run.call_count, pico.reset.call_count) == (runs, runs)
    assert "no such pin" in (tmp_path / main.FAILURE).read_text()


def test_main_leaves_to_the_prompt_when_a_file_is_missing(pico, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "firmware.run", None)
    start()
    assert not pico.reset.called
    assert "not whole" in capsys.readouterr().out


def test_main_and_pico_name_the_same_file():
    text = (Path(main.__file__).parent / "pico.py").read_text(encoding="utf-8")
    assert f'STOP_NOTE = "{main.STOP_NOTE}"' in text
