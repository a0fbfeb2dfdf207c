"""Whose a file is, for people who may not use it."""

import os
import pwd
from contextlib import suppress
from pathlib import Path


def with_sudo(path: Path) -> str:
    """Say which account has the nearest folder that can be seen, and what to do."""
    for each in (path, *path.parents):
        with suppress(OSError, KeyError):
            if (user := each.stat().st_uid) != os.geteuid():
                whose = f"{each} belongs to the account {pwd.getpwuid(user).pw_name}"
                return f"{whose}: use sudo, or choose another folder with --data"
    return "choose another folder with --data"
