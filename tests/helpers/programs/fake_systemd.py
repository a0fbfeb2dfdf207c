"""`systemctl` and `journalctl` for tests: shell scripts that answer from files of one folder."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

_SYSTEMCTL = """#!/bin/sh
[ "$1" != --no-ask-password ] || shift
if [ "$1" = show ]; then cat "{folder}/unit"; exit; fi
echo "systemctl $*" >>"{folder}/ran"
if [ -e "{folder}/refuse-$1" ]; then cat "{folder}/refuse-$1" >&2; exit 1; fi
"""
_JOURNALCTL = """#!/bin/sh
echo "journalctl $*" >>"{folder}/asked"
case "$*" in
    *--grep*) cat "{folder}/page" ;;
    *--priority*) cat "{folder}/warnings" ;;
    *--since*) cat "{folder}/log" ;;
    *--unit*) cat "{folder}/hint" >&2 ;;
esac
"""


class FakeSystemd:
    """A unit that runs; `unit` has systemd's properties, the others are written with `say`."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        folder.mkdir()
        for name, script in (("systemctl", _SYSTEMCTL), ("journalctl", _JOURNALCTL)):
            (folder / name).write_text(script.format(folder=folder))
            (folder / name).chmod(0o755)
        for name in ("page", "warnings", "log", "hint", "ran", "asked"):
            self.say(name, "")
        self.set(
            LoadState="loaded",
            ActiveState="active",
            UnitFileState="enabled",
            StatusText="Circle of Life, move 17, Orange to play",
            InvocationID="run-1",
            ActiveEnterTimestamp="Sat 2026-11-21 12:00:00 UTC",
        )
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    def set(self, **properties: str) -> None:
        """Change properties of the unit."""
        self._unit: Mapping[str, str] = {**getattr(self, "_unit", {}), **properties}
        self.say("unit", "".join(f"{key}={value}\n" for key, value in self._unit.items()))

    def say(self, name: str, text: str) -> None:
        """Write what a program answers; "refuse-VERB" makes systemctl fail."""
        (self.folder / name).write_text(text)

    @property
    def ran(self) -> list[str]:
        """Arguments that systemctl was called with, except for `show`."""
        return (self.folder / "ran").read_text().splitlines()

    @property
    def asked(self) -> str:
        """Arguments that journalctl was called with."""
        return (self.folder / "asked").read_text()
