"""The MicroPython in which an emulated Pico runs: where it is.

Owns the search. Must not know what runs in it, nor how one is fetched (the tests' own affair).
"""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from hal.errors import BackendError

VARIABLE = "LIFEBOARD_MICROPYTHON"
"""Names the command of an interpreter, its words apart from each other by blanks."""

START = "start"
"""What is run in the folder that the tests fill."""


class MicroPythonMissing(BackendError):
    """There is no MicroPython on this computer."""


def cache(environment: Mapping[str, str] = os.environ, architecture: str = "") -> Path:
    """Return the folder in which the tests keep the MicroPython that they fetch.

    That of this computer's architecture, or of the one that is named.
    """
    home = Path(environment.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    name = f"micropython-{architecture}" if architecture else "micropython"
    return home / "lifeboard-tests" / name


def find(environment: Mapping[str, str] = os.environ) -> Sequence[str]:
    """Give the command of an interpreter; raise MicroPythonMissing when there is none.

    What the variable names goes first, then one on the path, then the one of the tests.
    """
    if named := environment.get(VARIABLE, "").split():
        return named
    if found := shutil.which("micropython", path=environment.get("PATH")):
        return [found]
    fetched = cache(environment) / START
    if os.access(fetched, os.X_OK):
        return [str(fetched)]
    raise MicroPythonMissing(
        f"MicroPython is not there: neither {VARIABLE} nor the path names one, nor is there"
        f" {fetched}, which `make test-all` fetches. On Debian 13 and later: sudo apt install"
        " micropython"
    )
