"""`nmcli` for tests: a program that answers from files of one folder, and notes how it was called.

systemd's part is here too: each connection to `socket` gets the helper as a process of its own.
"""

import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

_NMCLI = """#!/bin/sh
shift 5
printf '%s\\n' "$*" >>"{folder}/ran"
case "$*" in
    *"device wifi list"*) cat "{folder}/networks" ;;
    *device) cat "{folder}/devices" ;;
    *check) cat "{folder}/connectivity" ;;
    *passwd-file*) cat >>"{folder}/typed" ;;
esac
for refused in "{folder}"/refuse-*; do
    case "$*" in *"${{refused##*/refuse-}}"*) cat "$refused" >&2; exit 4 ;; esac
done
"""


class FakeNmcli:
    """A radio, with `networks` around it as nmcli lists them."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        folder.mkdir()
        self.program = folder / "nmcli"
        self.program.write_text(_NMCLI.format(folder=folder))
        self.program.chmod(0o755)
        for name in ("ran", "typed", "networks"):
            self.say(name, "")
        self.say("devices", "loopback:lo\nwifi-p2p:p2p-dev-wlan0\nwifi:wlan0\n")
        self.say("connectivity", "full\n")
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
        self.socket = folder / "socket"
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._listening.bind(str(self.socket))
        self._listening.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def say(self, name: str, text: str) -> None:
        """Write what a command answers; "refuse-WORDS" makes commands with these words fail."""
        (self.folder / name).write_text(text)

    @property
    def ran(self) -> list[str]:
        """The commands, without the options of the output."""
        return (self.folder / "ran").read_text().splitlines()

    @property
    def typed(self) -> str:
        """What commands have read."""
        return (self.folder / "typed").read_text()

    def close(self) -> None:
        """End the socket; the processes end with their connections."""
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            with connection:
                command = [sys.executable, "-m", "game.service.wifi_helper"]
                subprocess.Popen(command, stdin=connection.fileno()).wait()
