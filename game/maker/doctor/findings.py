"""Findings of the doctor, and how they are printed.

Must not know what is checked.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum


class Severity(StrEnum):
    """Say how bad a finding is. Only failures keep a board from working."""

    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Finding:
    """Describe one result of a check. `remedy` is the command or the wiring that repairs it."""

    name: str
    level: Severity
    text: str
    remedy: str = ""

    def __post_init__(self) -> None:
        if (self.level is Severity.OK) != (not self.remedy):
            raise ValueError(
                f"finding {self.name} is {self.level.value} with remedy {self.remedy!r}:"
                " allowed is a remedy for a warning or failure, and for these only"
            )


def ok(text: str, name: str = "") -> Finding:
    """Make a finding that needs no repair; without a name it gets that of its check."""
    return Finding(name, Severity.OK, text)


def warning(text: str, remedy: str, name: str = "") -> Finding:
    """Make a finding of something that works less well than it could."""
    return Finding(name, Severity.WARNING, text, remedy)


def failure(text: str, remedy: str, name: str = "") -> Finding:
    """Make a finding of something that does not work."""
    return Finding(name, Severity.FAILURE, text, remedy)


def report(findings: Sequence[Finding]) -> str:
    """Write one line a finding, the remedy under it, and a count; a single finding is its text."""
    if len(findings) == 1:
        return findings[0].text
    lines = []
    for finding in findings:
        level = finding.level if finding.level is Severity.OK else finding.level.upper()
        lines.append(f"{level:<9}{finding.name}: {finding.text}")
        if finding.remedy:
            lines.append(f"{'':<9}-> {finding.remedy}")
    return "\n".join([*lines, ", ".join(_count(findings))])


def as_json(findings: Sequence[Finding]) -> str:
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


def exit_status(findings: Sequence[Finding]) -> int:
    """Give 1 when anything failed, else 0."""
    return int(any(finding.level is Severity.FAILURE for finding in findings))


def _count(findings: Sequence[Finding]) -> list[str]:
    count = Counter(finding.level for finding in findings)
    plural = {level: "" if level is Severity.OK or count[level] == 1 else "s" for level in Severity}
    return [f"{count[level]} {level.value}{plural[level]}" for level in Severity]
