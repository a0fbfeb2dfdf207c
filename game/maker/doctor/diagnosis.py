"""The checks for each kind of board, in their order, and the command."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from game.common import data_folder
from game.maker.doctor import checks
from game.maker.doctor.system import Finding, Severity, System, Target
from game.play import choose_board
from hal.backends.registry import COPROCESSOR, PI
from hal.drivers.i2c_search import Buses
from hal.profile import Profile

Checks = Sequence[Callable[[Target], Iterator[Finding]]]

_REST: Checks = (checks.supply, checks.disk, checks.service)
_PI: Checks = (
    *(checks.computer, checks.lgpio, checks.groups, checks.chips, checks.strip, checks.core_clock),
    *_REST,
)
# A board on a Pico needs none of the computer's own buses and pins.
_PICO: Checks = (checks.computer, checks.pico, *_REST)
# On other computers only a simulated board can be checked.
_COMPUTER: Checks = (checks.computer, checks.disk)


def run_doctor(board: str | None, data: Path | None, serial: str | None = None) -> int:
    """Examine this computer, print what was found and return the exit status."""
    from hal.backends.pi import RaspberryPi

    profile = choose_board(board, PI if serial is None else COPROCESSOR, serial)
    findings = diagnose(profile, System(data or data_folder()), RaspberryPi())
    print(report(findings))
    return int(any(finding.level is Severity.FAILURE for finding in findings))


def diagnose(profile: Profile, system: System, buses: Buses | None) -> tuple[Finding, ...]:
    """Examine a computer for a board; `buses` are the I2C buses of a Pi."""
    wanted = _PI if system.family else _COMPUTER
    if profile.pico is not None:
        wanted = _PICO
    target = Target(system, profile, buses)
    return tuple(finding for check in wanted for finding in check(target))


def report(findings: Sequence[Finding]) -> str:
    """Write one line a finding, the remedy under it, and a count."""
    lines = []
    for finding in findings:
        level = finding.level if finding.level is Severity.OK else finding.level.upper()
        lines.append(f"{level:<9}{finding.name}: {finding.text}")
        if finding.remedy:
            lines.append(f"{'':<9}-> {finding.remedy}")
    count = Counter(finding.level for finding in findings)
    lines.append(", ".join(f"{level}: {count[level]}" for level in Severity))
    return "\n".join(lines)
