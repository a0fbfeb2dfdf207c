"""`systemctl` and `nmcli` for tests: scripts that answer from files of one folder."""

import os
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest


class FakePrograms:
    """Scripts by their names, first on PATH; `say` writes the files from which they answer.

    {folder} in a script is the folder. `files` are empty at first; commands are noted in "ran".
    """

    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, scripts: Mapping[str, str], *files: str
    ) -> None:
        self.folder = folder
        folder.mkdir()
        for name, script in scripts.items():
            (folder / name).write_text(script.format(folder=folder))
            (folder / name).chmod(0o755)
        for name in ("ran", *files):
            self.say(name, "")
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    def say(self, name: str, text: str) -> None:
        """Write what a program answers; "refuse-WORDS" makes its calls with these words fail."""
        (self.folder / name).write_text(text)

    @property
    def ran(self) -> list[str]:
        """The calls that were noted."""
        return (self.folder / "ran").read_text().splitlines()


_SYSTEMCTL = """#!/bin/sh
[ "$1" != --no-ask-password ] || shift
if [ "$1" = is-active ]; then cat "{folder}/state"; exit; fi
echo "systemctl $*" >>"{folder}/ran"
if [ -e "{folder}/refuse-$1" ]; then cat "{folder}/refuse-$1" >&2; exit 3; fi
"""


class FakeSystemd(FakePrograms):
    """A unit that runs, or is in the `state` that was written with `say`."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(folder, monkeypatch, {"systemctl": _SYSTEMCTL})
        self.say("state", "active\n")


_NMCLI = """#!/bin/sh
shift 5
printf '%s\\n' "$*" >>"{folder}/ran"
case "$*" in
    *"device wifi list"*) cat "{folder}/networks" ;;
    *device) cat "{folder}/devices" ;;
    *check) cat "{folder}/connectivity" ;;
    *"connection edit"*) cat >>"{folder}/typed" ;;
esac
for refused in "{folder}"/refuse-*; do
    case "$*" in *"${{refused##*/refuse-}}"*) cat "$refused" >&2; exit 4 ;; esac
done
"""


class FakeNmcli(FakePrograms):
    """A radio, with `networks` around it as nmcli lists them.

    Whenever a connection to `socket` waits, the helper is started, as by systemd.
    """

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(folder, monkeypatch, {"nmcli": _NMCLI}, "typed", "networks")
        self.say("devices", "loopback:lo\nwifi-p2p:p2p-dev-wlan0\nwifi:wlan0\n")
        self.say("connectivity", "full\n")
        self.socket = folder / "socket"
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._listening.bind(str(self.socket))
        self._listening.listen()
        self._closed = False
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def typed(self) -> str:
        """What commands have read."""
        return (self.folder / "typed").read_text()

    def close(self) -> None:
        """End the socket; a helper ends with its connection."""
        self._closed = True
        self._listening.shutdown(socket.SHUT_RDWR)

    def _serve(self) -> None:
        command = [sys.executable, "-m", "game.service.wifi_helper"]
        with self._listening:
            # Once it was shut down, it can be read too.
            while select.select([self._listening], [], []) and not self._closed:
                subprocess.run(command, stdin=self._listening.fileno())
