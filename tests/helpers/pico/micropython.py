"""Finds the MicroPython in which an emulated Pico runs.

Owns the search. Must not know what runs in it, nor how one is fetched (the tests do that).
"""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from hal.base.errors import BackendError

VARIABLE = "LIFEBOARD_MICROPYTHON"
"""Environment variable with the command of an interpreter, its words separated by spaces."""

START = "start"
"""The executable in the folder that the tests fill."""


class MicroPythonMissing(BackendError):
    """There is no MicroPython on this computer."""


def cache(environment: Mapping[str, str] = os.environ, architecture: str = "") -> Path:
    """Return the folder in which the tests keep the MicroPython that they fetch.

    One per architecture, by default this computer's.
    """
    home = Path(environment.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    name = f"micropython-{architecture}" if architecture else "micropython"
    return home / "lifeboard-tests" / name


def find(environment: Mapping[str, str] = os.environ) -> Sequence[str]:
    """Return the command of an interpreter; raise MicroPythonMissing when there is none.

    The variable comes first, then the path, then the tests' folder.
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
