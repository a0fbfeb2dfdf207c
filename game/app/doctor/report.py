"""The doctor's findings on paper: for reading, and as JSON.

Owns the layout. Must not know what was checked.
"""

import json
from collections import Counter
from collections.abc import Sequence

from game.app.doctor.findings import Finding, Level

_WORDS = {Level.OK: "ok", Level.WARNING: "WARNING", Level.FAILURE: "FAILURE"}
_INDENT = 9


def report(findings: Sequence[Finding]) -> str:
    """Write one line a finding, the remedy under it, and a count; a single finding is its text."""
    if len(findings) == 1:
        return findings[0].text
    lines = []
    for finding in findings:
        lines.append(f"{_WORDS[finding.level]:<{_INDENT}}{finding.name}: {finding.text}")
        if finding.remedy:
            lines.append(f"{'':<{_INDENT}}-> {finding.remedy}")
    count = _count(findings)
    lines.append(
        f"{count[Level.OK]} ok, {_many(count[Level.WARNING], 'warning')},"
        f" {_many(count[Level.FAILURE], 'failure')}"
    )
    return "\n".join(lines)


def as_json(findings: Sequence[Finding]) -> str:
    """Write the findings and their count as one JSON object."""
    count = _count(findings)
    return json.dumps(
        {
            "findings": [
                {
                    "name": finding.name,
                    "level": finding.level.value,
                    "text": finding.text,
                    "remedy": finding.remedy,
                }
                for finding in findings
            ],
            "ok": count[Level.OK],
            "warnings": count[Level.WARNING],
            "failures": count[Level.FAILURE],
        }
    )


def exit_status(findings: Sequence[Finding]) -> int:
    """Give 1 when anything failed, else 0."""
    return int(any(finding.level is Level.FAILURE for finding in findings))


def _count(findings: Sequence[Finding]) -> Counter[Level]:
    return Counter(finding.level for finding in findings)


def _many(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
