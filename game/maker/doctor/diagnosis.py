"""The checks for each kind of board, in their order, and the command."""

import platform
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from game.common import data_folder
from game.maker.doctor import pi_checks, pico_checks
from game.maker.doctor.check import Finding, Severity, Target, in_json, ok, report
from game.maker.doctor.pi import Family, Model
from game.maker.doctor.system import System
from game.play import choose_board
from hal.backends.registry import COPROCESSOR, PI
from hal.drivers.i2c_search import Buses
from hal.profile import SPI_DRIVER, Profile

Checks = Mapping[str, Callable[[Target], Finding | Iterable[Finding]]]
"""Checks in their order, by the name of the findings that have no name of their own."""

_MACHINE: Checks = {"machine": lambda target: ok(target.model.name)}
_SOFTWARE: Checks = {
    "system": lambda it: ok(f"{it.system.os_name}, {it.system.process.bits}-bit"),
    "python": lambda target: ok(target.system.process.python),
}
_REST: Checks = {
    "supply": pi_checks.supply,
    "disk": pi_checks.disk,
    "service": pi_checks.service,
}
_PI: Checks = {
    "model": pi_checks.model,
    **_SOFTWARE,
    "lgpio": pi_checks.lgpio,
    "pico": pico_checks.hint,
    "groups": pi_checks.groups,
    "buses": pi_checks.buses,
    "chips": pi_checks.chips,
    "pins": pi_checks.pins,
}
# What drives the strip.
_SPI: Checks = {"spi": pi_checks.spi, "spi buffer": pi_checks.buffer}
_CORE_CLOCK: Checks = {"core clock": pi_checks.core_clock}
_KERNEL: Checks = {"leds": pi_checks.leds, "root": pi_checks.root}
_LIBRARY: Checks = {
    "rpi-ws281x": pi_checks.package,
    "root": pi_checks.root,
    "audio": pi_checks.audio,
}
# A board on a Pico needs none of the computer's own buses and pins.
_PICO: Checks = {**_MACHINE, **_SOFTWARE, "port": pico_checks.link, **_REST}
# On other computers only a simulated board can be checked.
_COMPUTER: Checks = {
    **_MACHINE,
    **_SOFTWARE,
    "computer player": pi_checks.engine,
    "pico": pico_checks.hint,
    "disk": pi_checks.disk,
}


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
        checks = {**_PI, **_strip_checks(profile, model), **_REST}
        return _run(checks, Target(system, profile, model, buses))
    other = Model(f"{name}, no Raspberry Pi; `lifeboard play` simulates the board", Family.OTHER)
    return _run(_COMPUTER, Target(system, profile, other))


def _strip_checks(profile: Profile, model: Model) -> Checks:
    if profile.strip.driver == SPI_DRIVER:
        clocked = model.family in (Family.ZERO_2, Family.THREE, Family.FOUR)
        return {**_SPI, **_CORE_CLOCK} if clocked else _SPI
    return _KERNEL if model.family is Family.FIVE else _LIBRARY


def _run(checks: Checks, target: Target) -> tuple[Finding, ...]:
    found: list[Finding] = []
    for name, check in checks.items():
        given = check(target)
        each = (given,) if isinstance(given, Finding) else given
        found += (it if it.name else replace(it, name=name) for it in each)
    return tuple(found)
