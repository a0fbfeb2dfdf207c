"""The checks for each kind of board, in their order, and the command."""

import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from game.common import data_folder
from game.maker.doctor import pi_checks as pi
from game.maker.doctor.check import Finding, Severity, Target, in_json, report
from game.maker.doctor.pi import Family, Model
from game.maker.doctor.pico_checks import pico, port
from game.maker.doctor.system import System
from game.play import choose_board
from hal.backends.registry import COPROCESSOR, PI
from hal.drivers.i2c_search import Buses
from hal.profile import SPI_DRIVER, Profile

Checks = Sequence[Callable[[Target], Finding | Iterable[Finding]]]
"""Checks in their order; a finding without a name of its own has that of its check."""

_SOFTWARE: Checks = (pi.system, pi.python)
_REST: Checks = (pi.supply, pi.disk, pi.disk_speed, pi.service)
_PI: Checks = (pi.model, *_SOFTWARE, pi.lgpio, pico, pi.groups, pi.buses, pi.chips, pi.pins)
# What drives the strip.
_SPI: Checks = (pi.spi, pi.spi_buffer)
_KERNEL: Checks = (pi.leds, pi.root)
_LIBRARY: Checks = (pi.rpi_ws281x, pi.root, pi.audio)
# A board on a Pico needs none of the computer's own buses and pins.
_PICO: Checks = (pi.machine, *_SOFTWARE, port, *_REST)
# On other computers only a simulated board can be checked.
_COMPUTER: Checks = (pi.machine, *_SOFTWARE, pi.computer_player, pico, pi.disk, pi.disk_speed)


def run_doctor(
    board: str | None, data: Path | None, as_json: bool, serial: str | None = None
) -> int:
    """Examine this computer, print what was found and return the exit status."""
    from hal.backends.pi import RaspberryPi

    profile = choose_board(board, PI if serial is None else COPROCESSOR, serial)
    findings = diagnose(profile, System(data or data_folder()), RaspberryPi())
    print(in_json(findings) if as_json else report(findings))
    return int(any(finding.level is Severity.FAILURE for finding in findings))


def diagnose(profile: Profile, system: System, buses: Buses | None) -> tuple[Finding, ...]:
    """Examine a computer for a board; `buses` are the I2C buses of a Pi."""
    model, name = system.model, system.machine or platform.machine()
    if profile.pico is not None:
        other = Model(f"{name}, which need not be a Raspberry Pi", Family.OTHER)
        return _run(_PICO, Target(system, profile, model or other))
    if model is not None:
        checks = (*_PI, *_strip_checks(profile, model), *_REST)
        return _run(checks, Target(system, profile, model, buses))
    other = Model(f"{name}, no Raspberry Pi; `lifeboard play` simulates the board", Family.OTHER)
    return _run(_COMPUTER, Target(system, profile, other))


def _strip_checks(profile: Profile, model: Model) -> Checks:
    if profile.strip.driver == SPI_DRIVER:
        clocked = model.family in (Family.ZERO_2, Family.THREE, Family.FOUR)
        return (*_SPI, pi.core_clock) if clocked else _SPI
    return _KERNEL if model.family is Family.FIVE else _LIBRARY


def _run(checks: Checks, target: Target) -> tuple[Finding, ...]:
    found: list[Finding] = []
    for check in checks:
        name, given = check.__name__.replace("_", " "), check(target)
        each = (given,) if isinstance(given, Finding) else given
        found += (it if it.name else replace(it, name=name) for it in each)
    return tuple(found)
