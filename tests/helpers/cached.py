"""Folders that are slow to make, kept from one test run to the next.

Owns where they lie, and that only one process makes each.
"""

import os
import shutil
import tempfile
from collections.abc import Callable
from fcntl import LOCK_EX, flock
from hashlib import sha256
from pathlib import Path


def cached(name: str, made_of: object, fill: Callable[[Path], None]) -> Path:
    """Return the folder of that name; if it does not exist yet, `fill` fills an empty one.

    The `repr` of `made_of` selects the folder: another one is another folder.
    """
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lifeboard-tests"
    folder = caches / f"{name}-{sha256(repr(made_of).encode()).hexdigest()[:12]}"
    caches.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not folder.exists():
            draft = Path(tempfile.mkdtemp(prefix="draft-", dir=caches))
            draft.chmod(0o755)
            try:
                fill(draft)
                draft.rename(folder)
            finally:
                shutil.rmtree(draft, ignore_errors=True)
    return folder
