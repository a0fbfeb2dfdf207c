"""A real Mosquitto on this computer."""

import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Self, TypeVar

from tests.helpers.programs.manager import free_port

PATIENCE_S = 30.0
T = TypeVar("T")


def until(event: Event, find: Callable[[], T]) -> T:
    """Look again at each event, until something is found."""
    while not (found := find()):
        assert event.wait(PATIENCE_S), "nothing comes"
        event.clear()
    return found


class Mosquitto:
    """The broker, which can be stopped, killed and started again on the same port.

    A `persistent` one saves its state when it is ended, as Debian's does.
    """

    def __init__(self, folder: Path, *settings: str, persistent: bool = False) -> None:
        self.port, self.folder = free_port(), folder
        folder.mkdir(parents=True, exist_ok=True)
        self._config = folder / "mosquitto.conf"
        self._config.write_text(
            f"listener {self.port} 127.0.0.1\n"
            + "\n".join(settings or ("allow_anonymous true",))
            + "\nuser root\n"
            + f"persistence true\npersistence_location {folder}/\n" * persistent
        )
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                ["mosquitto", "-c", str(self._config)], stdout=subprocess.DEVNULL, stderr=log
            )
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            assert self._process.poll() is None, (self.folder / "log").read_text()
        raise AssertionError("mosquitto does not listen")

    def stop(self, kill: bool = True) -> None:
        """Kill it, which loses its state since it was last ended; or end it."""
        if self._process is not None:
            self._process.kill() if kill else self._process.terminate()
            self._process.wait(PATIENCE_S)
            self._process = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
