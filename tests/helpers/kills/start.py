"""Start the program that kills, in a process without threads, from which it can fork."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
PROGRAM_S = 110.0


def kills(
    what: str, folder: Path, number: int, *, most_s: float = PROGRAM_S, **order: Any
) -> dict[str, Any]:
    """Run `tests.helpers.kills.program` with an order, and return what it saw.

    A traceback in its log is wrong too: the journal survives its own errors.
    """
    given = {"what": what, "folder": str(folder), "kills": number, "flawed": False, **order}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.helpers.kills.program", json.dumps(given)],
        capture_output=True,
        text=True,
        timeout=most_s,
        cwd=ROOT,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    seen = dict(json.loads(done.stdout))
    _, traceback, why = done.stderr.partition("Traceback")
    return seen | {"wrong": seen["wrong"] or traceback + why}
