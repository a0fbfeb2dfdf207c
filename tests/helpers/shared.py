"""What is slow to make is made once in a test run, by the first process that asks.

Owns a folder that all workers of a run share, and the locks in it.
"""

import os
import pickle
from collections.abc import Callable
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

FOLDER = "LIFEBOARD_TESTS_SHARED"
"""The environment variable with the folder's path; `tests/conftest.py` makes and removes it."""

_here: dict[str, Any] = {}


def built_once(name: str, make: Callable[[], T]) -> T:
    """Return the value of that name; make it only if no process of this run has."""
    if name not in _here:
        file = shared_folder() / f"{name}.pickle"
        with file.with_suffix(".lock").open("w") as lock:
            flock(lock, LOCK_EX)
            if not file.exists():
                half = file.with_suffix(".new")
                half.write_bytes(pickle.dumps(make()))
                half.replace(file)
        _here[name] = pickle.loads(file.read_bytes())
    made: T = _here[name]
    return made


def shared_folder() -> Path:
    """Return the folder of this run."""
    return Path(os.environ[FOLDER])
