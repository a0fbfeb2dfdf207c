"""The doctor: all checks in their order, and the command.

Owns which checks make a diagnosis. Must not know what each checks.
"""

import platform
from dataclasses import dataclass
from pathlib import Path

from game.app import boards
from game.app.carriers import COPROCESSOR, PI
from game.app.data import data_folder
from game.app.doctor.checks_buses import check_buses, check_chips
from game.app.doctor.checks_link import check_link, hint
from game.app.doctor.checks_pixels import check_pixels
from game.app.doctor.checks_system import (
    check_any_system,
    check_disk,
    check_groups,
    check_libraries,
    check_service,
    check_supply,
    check_system,
    groups_of,
)
from game.app.doctor.findings import Finding, ok
from game.app.doctor.host import Host, host_of
from game.app.doctor.model import Family, Model
from game.app.doctor.report import as_json, exit_status, report
from game.app.doctor.system import System
from hal.probe import Buses
from hal.profile import Profile

_BUSES = "adafruit-extended-bus"


@dataclass(frozen=True, slots=True)
class DoctorOptions:
    """What the command line says; None where it says nothing."""

    board: str | None
    data: Path | None
    as_json: bool
    serial: str | None = None


def run(options: DoctorOptions) -> int:
    """Examine this computer, print what was found and return the exit status.

    Raises AppError or HalError for a profile that cannot be used.
    """
    system = System(options.data or data_folder())
    profile, said = chosen_board(options, system)
    findings = (*said, *diagnose(profile, system, _machine(system)))
    print(as_json(findings) if options.as_json else report(findings))
    return exit_status(findings)


def diagnose(profile: Profile, system: System, machine: Buses | None) -> tuple[Finding, ...]:
    """Examine a computer for a board.

    Gives a single finding for a board that is wired to a Raspberry Pi when the computer is none.
    `machine` opens its I2C buses; with None the chips are not looked for.
    """
    model = system.model
    if profile.pico is not None:
        return _diagnose_behind_pico(profile, host_of(system, model or _any(system)))
    pico = hint(system)
    if model is None:
        what = system.machine or system.os_name
        also = f"; {pico}" if pico else ""
        return (
            ok(
                "machine",
                f"this machine is no Raspberry Pi: it is {what}; boards play on it by"
                f" `lifeboard play --backend sim`{also}",
            ),
        )
    host = host_of(system, model)
    return (
        *check_system(host),
        *check_libraries(host, profile),
        *((ok("pico", pico),) if pico else ()),
        *check_groups(host, groups_of(profile)),
        *check_buses(host, profile),
        *check_chips(host, profile, machine),
        *check_pixels(host, profile),
        *check_supply(host),
        *check_disk(host),
        *check_service(host),
    )


def chosen_board(options: DoctorOptions, system: System) -> tuple[Profile, tuple[Finding, ...]]:
    """Choose the board that is meant, and say so where that is a guess.

    Raises AppError or HalError.
    """
    if options.serial is not None:
        return boards.choose(options.board, COPROCESSOR, options.serial), ()
    chosen = boards.choose(options.board, PI)
    if options.board is not None or boards.learned_file().exists():
        return chosen, ()
    if not hint(system) or (system.model and system.numbered("/dev/i2c-")):
        return chosen, ()
    usual = boards.usual(COPROCESSOR)
    text = f"taken for {usual.name}, since a Pico is plugged in; --board names another"
    return usual, (ok("board", text),)


def _diagnose_behind_pico(profile: Profile, host: Host) -> tuple[Finding, ...]:
    """Examine any computer for a board that hangs on a Pico: none of its own buses is needed."""
    return (
        *check_any_system(host),
        *check_link(host, profile),
        *(check_supply(host) if host.system.model else ()),
        *check_disk(host),
        *check_service(host),
    )


def _any(system: System) -> Model:
    """Take a computer that is no Raspberry Pi for one of a kind that nothing is known of."""
    name = f"{system.machine or platform.machine()}, which need not be a Raspberry Pi"
    return Model(name, Family.OTHER, frozenset())


def _machine(system: System) -> Buses | None:
    # A library that is missing is found and told as such.
    if _BUSES not in system.process.packages:
        return None
    from hal.pi import RaspberryPi

    return RaspberryPi()
