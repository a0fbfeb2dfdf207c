"""Ask for known weaknesses of what the locks name: `make audit`.

Runs pip-audit, and uses the standard library only. Where the data cannot be reached it says that
nothing was checked, and ends well: a network that is missing must not fail a build.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

UNREACHABLE = ("ConnectionError", "Could not connect", "Max retries", "timed out", "HTTP error")
"""What pip-audit says when it cannot get its data."""


def main(locks: Sequence[str]) -> int:
    """Audit the locks; return 1 for a weakness, 2 where pip-audit itself fails."""
    files = [word for lock in locks for word in ("--requirement", lock)]
    options = ("--require-hashes", "--disable-pip", "--format=json", "--progress-spinner=off")
    done = subprocess.run(
        [sys.executable, "-m", "pip_audit", *options, *files],
        capture_output=True,
        text=True,
        check=False,
    )
    status, shown = verdict(done.stdout, done.stderr)
    print(shown, file=sys.stderr if status else sys.stdout)
    return status


def verdict(found: str, errors: str) -> tuple[int, str]:
    """Return the exit status, and what to say of pip-audit's two outputs."""
    try:
        libraries: list[dict[str, Any]] = json.loads(found)["dependencies"]
    except (ValueError, KeyError, TypeError):
        last = (errors.strip().splitlines() or ["pip-audit said nothing"])[-1]
        if any(word in errors for word in UNREACHABLE):
            return 0, f"NOT CHECKED: the data on known weaknesses cannot be reached ({last})"
        return 2, f"pip-audit failed: {last}"
    unknown = sorted({each["name"] for each in libraries if "vulns" not in each})
    known = {(each["name"], each["version"]) for each in libraries if "vulns" in each}
    weak = sorted(
        {
            f"{each['name']} {each['version']}: {found['id']},"
            f" mended in {', '.join(found['fix_versions']) or 'no version yet'}"
            for each in libraries
            for found in each.get("vulns", ())
        }
    )
    # pip-audit itself calls this "no known vulnerabilities", as behind a mirror without the data.
    if not known:
        return 0, f"NOT CHECKED: there is no data on any of {len(unknown)} libraries here"
    lines = [f"{len(known)} libraries checked, {len(weak)} known weaknesses", *weak]
    if unknown:
        lines.append(f"NOT CHECKED, there is no data on them: {', '.join(unknown)}")
    return int(bool(weak)), "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
