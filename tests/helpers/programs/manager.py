"""A service manager for tests: starts the service as its unit does, and reads its notifications."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

from websockets.sync.client import ClientConnection, connect

from tests.helpers.programs.running import ANSWER_S, START_S

SIM = '[board]\nbackend = "sim"\n'


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


class Managed:
    """The service in a process of its own, with settings and data in one folder.

    `shown` holds the fields that it has sent so far, in their order, `status` the newest status.
    """

    def __init__(self, folder: Path, settings: str = "") -> None:
        self.folder = folder
        self.port = free_port()
        self.settings = folder / "lifeboard.toml"
        self.write(settings)
        self.shown: list[tuple[str, str]] = []
        self.log = folder / "log"
        self._pages = ExitStack()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(folder / "notify"))
        environment = {
            **{key: each for key, each in os.environ.items() if not key.startswith("LC_")},
            "LANG": "C.UTF-8",
            "NOTIFY_SOCKET": str(folder / "notify"),
            "WATCHDOG_USEC": "10000000",
            "PYTHONWARNINGS": "error",
        }
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "game.cli", "service", "run"),
                    *("--settings", str(self.settings), "--data", str(folder / "data")),
                ],
                stdout=log,
                stderr=log,
                env=environment,
            )

    def write(self, settings: str) -> None:
        """Write the settings, on our port unless they say another."""
        if "port = " not in settings:
            section, line = "[page]", f"port = {self.port}"
            if section in settings:
                settings = settings.replace(section, f"{section}\n{line}")
            else:
                settings += f"\n{section}\n{line}\n"
        self.settings.write_text(settings, encoding="utf-8")

    @property
    def status(self) -> str:
        return next((value for key, value in reversed(self.shown) if key == "STATUS"), "")

    @property
    def ready(self) -> bool:
        return ("READY", "1") in self.shown

    def until(self, holds: Callable[["Managed"], object], seconds: float = START_S) -> None:
        """Read notifications until something holds; fail when it does not in that time."""
        end = time.monotonic() + seconds
        while not holds(self):
            self._socket.settimeout(max(end - time.monotonic(), 0.001))
            try:
                self._hear()
            except TimeoutError:
                raise AssertionError(f"not told: {self.shown[-5:]} {self.written}") from None

    def _hear(self) -> None:
        lines = self._socket.recv(8192).decode().splitlines()
        self.shown += [line.partition("=")[::2] for line in lines]

    @property
    def written(self) -> str:
        """Everything that it has written to its log."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def page(self) -> ClientConnection:
        """Open a page, which is closed with the service."""
        address = f"ws://127.0.0.1:{self.port}/ws?lang=en"
        return self._pages.enter_context(connect(address, max_queue=None))

    def reload(self, settings: str) -> None:
        """Write new settings and wait until they have been taken, or refused."""
        self.write(settings)
        self._socket.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                self._hear()
        self.shown = [("STATUS", self.status)]
        self.process.send_signal(signal.SIGHUP)
        self.until(lambda manager: manager.ready)

    def end(self, how: signal.Signals | None = signal.SIGTERM) -> int:
        """End it, or wait until it ends by itself; give the exit status."""
        if how is not None and self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait(ANSWER_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(ANSWER_S)
        self._pages.close()
        self._socket.close()


def moves_shown(status: str) -> int:
    """Read the number of the move that a status names."""
    found = re.search(r"move (\d+)", status)
    return int(found[1]) if found else 0
