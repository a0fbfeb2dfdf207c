"""What `lifeboard bench` says of a board on a Pico: that it is whole, not how fast it is."""

from pathlib import Path

import pytest

from game.app import bench_pico
from game.app.bench_pico import KINDS, PicoFigures, pico_lateness, pico_lines
from game.app.errors import AppError
from hal.sim.pico.micropython import VARIABLE, MicroPythonMissing

EVENTS = 5
USB_MS = 1.0
ROUNDED_MS = 0.01
STRIP_MS = 112 * 24 * 4 / 3050 + 0.3


@pytest.fixture(scope="module")
def figures() -> PicoFigures:
    found = pico_lateness(EVENTS)
    assert found is not None
    return found


def test_every_kind_is_measured_in_all_its_parts(figures: PicoFigures):
    assert set(figures.kinds) == set(KINDS.values())
    assert figures.events == EVENTS
    assert figures.slower > 1
    told = pico_lines(figures)
    for name, late in figures.kinds.items():
        (line,) = [each for each in told if each.strip().startswith(name)]
        assert f"{late.whole.worst_ms:.2f}" in line
        assert 0 < late.computing.p50_ms <= late.computing.p99_ms <= late.computing.worst_ms
        least_ms = late.computing.p50_ms + late.usb.p50_ms + late.strip.p50_ms
        assert late.whole.worst_ms >= least_ms - ROUNDED_MS


def test_touch_pays_for_buses_and_usb_and_frame_for_the_strip(figures: PicoFigures):
    touch, frame = figures.kinds["touch to report"], figures.kinds["whole frame to pixels"]
    change = figures.kinds["small change to pixels"]
    assert touch.usb.p50_ms > USB_MS
    # At least one chip is read, twice.
    assert touch.i2c.p50_ms > 0.2
    assert touch.strip.worst_ms == 0
    assert frame.strip.p50_ms == pytest.approx(STRIP_MS, rel=0.01)
    # Six packets of 64 bytes against one.
    assert frame.usb.p50_ms > 5 * change.usb.p50_ms > 0
    assert 336 < figures.frame_bytes <= 400


def test_without_micropython_the_report_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    def find() -> None:
        raise MicroPythonMissing("MicroPython is not there")

    monkeypatch.setattr(bench_pico, "find", find)
    assert pico_lateness() is None
    (line,) = pico_lines(None)
    assert "not measured" in line
    assert "apt install micropython" in line


def test_micropython_that_fails_is_told_with_its_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho no memory >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv(VARIABLE, str(broken))
    with pytest.raises(AppError, match="no memory"):
        pico_lateness(EVENTS)
    broken.write_text("#!/bin/sh\necho touch touch 1 2 3 4 5 6\n")
    with pytest.raises(AppError, match="not measured"):
        pico_lateness(EVENTS)
