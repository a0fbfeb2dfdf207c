"""Values that are dear to make, made once in a run of the tests by the process that asks first."""

import atexit
import copyreg
import pickle
import shutil
from collections.abc import Callable
from fcntl import LOCK_EX, flock
from functools import cache
from os import environ
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from time import time
from types import MappingProxyType
from typing import TypeVar

T = TypeVar("T")

NAME = "lifeboard-tests-"
DAY_S = 86400

_here: dict[str, object] = {}


def _read_only(items: dict[object, object]) -> MappingProxyType[object, object]:
    return MappingProxyType(items)


# Profiles and layouts have read-only mappings, which pickle does not know.
copyreg.pickle(MappingProxyType, lambda mapping: (_read_only, (dict(mapping),)))


def built_once(name: str, make: Callable[[], T]) -> T:
    """Give the value of that name; make it only if no process of this run has."""
    if name not in _here:
        folder = _folder()
        file = folder / f"{name}.pickle"
        with (folder / f"{name}.lock").open("w") as lock:
            flock(lock, LOCK_EX)
            if not file.exists():
                half = file.with_suffix(".new")
                half.write_bytes(pickle.dumps(make()))
                half.replace(file)
        _here[name] = pickle.loads(file.read_bytes())
    return _here[name]


@cache
def _folder() -> Path:
    """Give the folder of this run, which its xdist workers share."""
    run = environ.get("PYTEST_XDIST_TESTRUNUID")
    if run is None:
        folder = Path(mkdtemp(prefix=NAME))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return folder
    folder = Path(gettempdir()) / f"{NAME}{run}"
    folder.mkdir(exist_ok=True)
    # No worker knows when the last one ends.
    for other in Path(gettempdir()).glob(f"{NAME}*"):
        if other.stat().st_mtime < time() - DAY_S:
            shutil.rmtree(other, ignore_errors=True)
    return folder
