"""The checks for each kind of board, in their order, and the command."""

import platform
from dataclasses import dataclass
from pathlib import Path

from game.common import data_folder
from game.maker.doctor import (
    bus_checks,
    pico_checks,
    pin_checks,
    system_checks,
)
from game.maker.doctor.check import Finding, Target, as_json, exit_status, report, run_checks
from game.maker.doctor.pi import Family, Model
from game.maker.doctor.system import System
from game.play import choose_board
from hal.backends.registry import COPROCESSOR, PI
from hal.drivers.i2c_search import Buses
from hal.profile import Profile

_PI_CHECKS = (
    system_checks.MODEL,
    system_checks.OS,
    system_checks.PYTHON,
    system_checks.LGPIO,
    pico_checks.PICO_HINT,
    system_checks.GROUPS,
    bus_checks.BUSES,
    bus_checks.CHIPS,
    *pin_checks.PINS,
    system_checks.SUPPLY,
    system_checks.DISK,
    system_checks.SERVICE,
)
# A board on a Pico needs none of the computer's own buses and pins.
_PICO_CHECKS = (
    system_checks.MACHINE,
    system_checks.OS,
    system_checks.PYTHON,
    pico_checks.LINK,
    system_checks.SUPPLY,
    system_checks.DISK,
    system_checks.SERVICE,
)
# On other computers only a simulated board can be checked.
_COMPUTER_CHECKS = (
    system_checks.MACHINE,
    system_checks.OS,
    system_checks.PYTHON,
    system_checks.ENGINE,
    pico_checks.PICO_HINT,
    system_checks.DISK,
)


@dataclass(frozen=True, slots=True)
class DoctorOptions:
    """The command line; None for what is not given."""

    board: str | None
    data: Path | None
    as_json: bool
    serial: str | None = None


def run_doctor(options: DoctorOptions) -> int:
    """Examine this computer, print what was found and return the exit status.

    Raises AppError or HalError for a profile that cannot be used.
    """
    from hal.backends.pi import RaspberryPi

    backend = PI if options.serial is None else COPROCESSOR
    profile = choose_board(options.board, backend, options.serial)
    findings = diagnose(profile, System(options.data or data_folder()), RaspberryPi())
    print(as_json(findings) if options.as_json else report(findings))
    return exit_status(findings)


def diagnose(profile: Profile, system: System, buses: Buses | None) -> tuple[Finding, ...]:
    """Examine a computer for a board; `buses` are the I2C buses of a Pi.

    On another computer than a Pi, a board that is wired to one can only be simulated.
    """
    model, name = system.model, system.machine or platform.machine()
    if profile.pico is not None:
        other = Model(f"{name}, which need not be a Raspberry Pi", Family.OTHER)
        return run_checks(_PICO_CHECKS, Target(system, profile, model or other))
    if model is not None:
        return run_checks(_PI_CHECKS, Target(system, profile, model, buses))
    other = Model(f"{name}, no Raspberry Pi; `lifeboard play` simulates the board", Family.OTHER)
    return run_checks(_COMPUTER_CHECKS, Target(system, profile, other))
