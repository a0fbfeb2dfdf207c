"""Findings, the computer and the board that are examined, and printing of findings."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import partial

from game.maker.doctor.pi import CONFIG, BootConfig, Model, parse
from game.maker.doctor.system import System
from hal.drivers.i2c_search import Buses
from hal.profile import Profile

_SERVICE = ["systemctl", "is-active", "lifeboard"]


class Severity(StrEnum):
    """How bad a finding is: only failures keep a board from working."""

    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of a check, whose name it gets unless it has its own.

    `remedy` is the command or the wiring that repairs it.
    """

    level: Severity
    text: str
    remedy: str = ""
    name: str = ""


warning = partial(Finding, Severity.WARNING)
failure = partial(Finding, Severity.FAILURE)


def ok(text: str, name: str = "") -> Finding:
    return Finding(Severity.OK, text, name=name)


def report(findings: Sequence[Finding]) -> str:
    """Write one line a finding, the remedy under it, and a count."""
    lines = []
    for finding in findings:
        level = finding.level if finding.level is Severity.OK else finding.level.upper()
        lines.append(f"{level:<9}{finding.name}: {finding.text}")
        if finding.remedy:
            lines.append(f"{'':<9}-> {finding.remedy}")
    count = Counter(finding.level for finding in findings)
    bad = {level: count[level] for level in (Severity.WARNING, Severity.FAILURE)}
    counted = (f"{number} {level}{'s' * (number != 1)}" for level, number in bad.items())
    end = "" if any(bad.values()) else ": all that can be checked here is well"
    return "\n".join([*lines, f"{', '.join((f'{count[Severity.OK]} ok', *counted))}{end}"])


def in_json(findings: Sequence[Finding]) -> str:
    """Write the findings and their count as one JSON object."""
    count = Counter(finding.level for finding in findings)
    return json.dumps(
        {
            "findings": [asdict(finding) for finding in findings],
            "ok": count[Severity.OK],
            "warnings": count[Severity.WARNING],
            "failures": count[Severity.FAILURE],
        }
    )


@dataclass(frozen=True, slots=True)
class Target:
    """The computer and the board that are examined; `buses` are the I2C buses of a Pi."""

    system: System
    profile: Profile
    model: Model
    buses: Buses | None = None

    @property
    def config(self) -> BootConfig:
        """Return what config.txt sets; nothing when it is unreadable."""
        return parse(self.system.text(CONFIG) or "", self.model.sections)

    def in_use(self) -> bool:
        """Return whether a running lifeboard uses the board."""
        return self.system.playing() or self.system.run(_SERVICE) in ("active", "activating")
