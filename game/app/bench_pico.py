"""Measure how late touches and pixels are on a board that hangs on a Pico.

Owns the figures of a Pico with 88 cells and 112 pixels, and what they rest on. The firmware runs in
MicroPython with buses, strip and USB modelled (`hal/sim/pico/below/turns.py`); what it computes is
measured here, and taken as many times longer as a Pico is slower. Must not know games.
"""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from game.app.errors import AppError
from hal.sim.pico.micropython import MicroPythonMissing, find

EVENTS = 150
"""Of each kind."""
PIXEL_COUNT = 112
CALIBRATION_NS = 4_430_000
"""What `calibrate` in turn_costs.py takes on a Pico at 125 MHz: 330 500 instructions of 13.4 ns.

The instructions are those of Debian 13's MicroPython 1.25 for armhf, counted by qemu-user. How long
one is taken to last is what the same count makes of programs that its maintainer has timed on a
Pico (N=100 M=100 in https://github.com/micropython/micropython/pull/12846): core_qstr has 2 176 000
in 29.2 ms, bm_nqueens 29 345 000 in 385 ms. So the shorter instructions of a Pico's processor, and
waiting for its flash, are in it. What comes out is no less than the same count of the firmware's
own turns: 312 700 in one that tells of a touch, 300 500 in one that takes a whole frame.
"""
KINDS: Mapping[tuple[str, str], str] = {
    ("touch", "touch"): "touch to report",
    ("frame", "frame"): "whole frame to pixels",
    ("change", "frame"): "small change to pixels",
    ("both", "touch"): "touch while a frame comes",
    ("both", "frame"): "frame while a touch comes",
}
_HEAP_BYTES = 1_500_000
_LIMIT_S = 60


@dataclass(frozen=True, slots=True)
class Tail:
    """The middle, the slow end and the slowest of many times, in milliseconds."""

    p50_ms: float
    p99_ms: float
    worst_ms: float


@dataclass(frozen=True, slots=True)
class Lateness:
    """How late something is, in the parts that make it up.

    `loop` is the wait until the firmware looks, `i2c` the buses, `computing` the firmware's own,
    `usb` and `strip` the wires; `whole` all of them. A touch is counted from when its chip pulls
    the interrupt line until its report has come to the host, a frame from its first byte on the
    line until its last pixel has latched.
    """

    loop: Tail
    i2c: Tail
    computing: Tail
    usb: Tail
    strip: Tail
    whole: Tail


@dataclass(frozen=True, slots=True)
class PicoFigures:
    """What is measured of a Pico. `slower` is how many times longer it computes than this machine.

    `kinds` are named as in KINDS. `frame_bytes` is how long a whole frame is on the line at most.
    """

    events: int
    slower: float
    kinds: dict[str, Lateness]
    frame_bytes: int


def pico_lateness(events: int = EVENTS) -> PicoFigures | None:
    """Let many touches and frames come at random; None where there is no MicroPython."""
    try:
        command = find()
    except MicroPythonMissing:
        return None
    told = _run(command, events)
    times: dict[tuple[str, str], list[tuple[int, ...]]] = {kind: [] for kind in KINDS}
    others: dict[str, float] = {}
    for line in told.splitlines():
        kind, what, *numbers = line.split()
        if (kind, what) in times:
            times[kind, what].append(tuple(map(int, numbers)))
        else:
            others[kind] = float(what)
    if not others.keys() >= {"factor", "frame_bytes"} or any(
        len(each) != events for each in times.values()
    ):
        raise AppError(f"the firmware was not measured: {told[-300:]}")
    kinds = {
        KINDS[kind]: Lateness(*(_tail(part) for part in zip(*each, strict=True)))
        for kind, each in times.items()
    }
    return PicoFigures(events, round(others["factor"], 1), kinds, int(others["frame_bytes"]))


def pico_lines(figures: PicoFigures | None) -> list[str]:
    """Write the figures for reading."""
    if figures is None:
        return [
            "board on a Pico: not measured, since there is no MicroPython here"
            " (on Debian 13 and later: sudo apt install micropython)"
        ]
    told = [
        f"board on a Pico, 88 cells, {PIXEL_COUNT} pixels, {figures.events} times each"
        f" (it computes {figures.slower:.0f} times longer than this machine: modelled)",
        f"  {'':<34}{'p50 ms':>8} {'p99 ms':>8} {'worst':>8}   of that computing, p50",
    ]
    for name, late in figures.kinds.items():
        whole = late.whole
        told.append(
            f"  {name:<34}{whole.p50_ms:8.2f} {whole.p99_ms:8.2f} {whole.worst_ms:8.2f}"
            f" {late.computing.p50_ms:12.2f}"
        )
    told.append(f"  longest whole frame on the line  {figures.frame_bytes:8} bytes")
    return told


def _run(command: Sequence[str], events: int) -> str:
    firmware = files("firmware")
    below = files("hal.sim.pico").joinpath("below")
    with as_file(firmware) as package, as_file(below) as programs:
        program = programs / "turns.py"
        arguments = [str(program), str(Path(package).parent), str(events), str(CALIBRATION_NS)]
        try:
            done = subprocess.run(
                [*command, "-X", f"heapsize={_HEAP_BYTES}", *arguments],
                capture_output=True,
                text=True,
                timeout=_LIMIT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise AppError(f"the firmware cannot be measured: {error}") from error
    if done.returncode:
        raise AppError(f"the firmware cannot be measured: {(done.stdout + done.stderr)[-300:]}")
    return done.stdout


def _tail(times_us: Sequence[int]) -> Tail:
    ordered = sorted(times_us)
    last = len(ordered) - 1
    places = (last // 2, last * 99 // 100, last)
    return Tail(*(round(ordered[place] / 1000, 3) for place in places))
