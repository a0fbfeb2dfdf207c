"""Running lifeboards, and pages without a browser, for the tests of the application."""

import json
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

from websockets.sync.client import ClientConnection, connect

START_S = 60.0
ANSWER_S = 20.0


class Lifeboard:
    """A lifeboard with a page on a free port, in a process of its own; it plays unless told."""

    def __init__(
        self,
        data: Path,
        *options: str,
        program: Sequence[str] = (),
        cwd: Any = None,
        command: str = "play",
    ):
        lifeboard = program or (sys.executable, "-m", "game.app")
        self._process = subprocess.Popen(
            [*lifeboard, command, "--no-browser", "--port", "0", "--data", str(data), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=cwd,
        )
        readable, _, _ = select.select([self._process.stdout], [], [], START_S)
        line = self._process.stdout.readline() if readable else ""
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        if found is None:
            self._process.kill()
            raise AssertionError(f"not ready: {line!r} {self._process.communicate()[1]}")
        self.address, self.port = found[0], int(found[1])

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """End the process; return its exit status and what it wrote to standard error."""
        if self._process.poll() is None:
            self._process.send_signal(how)
        _, errors = self._process.communicate(timeout=ANSWER_S)
        return self._process.returncode, errors

    def page(self, language: str = "en") -> ClientConnection:
        """Connect as the page does."""
        # Without a bound on its queue, since a client that does not read does not close either.
        return connect(f"ws://127.0.0.1:{self.port}/ws?lang={language}", max_queue=None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class Talk:
    """A page without a browser: sends what it would, and remembers what it was told."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.hello: dict[str, Any] = {}
        self.state: dict[str, Any] = {}
        self.lights = ""
        self.course: dict[str, Any] = {}
        self.errors: list[str] = []

    def send(self, **message: object) -> None:
        self._socket.send(json.dumps(message))

    def until(self, told: Callable[["Talk"], object]) -> None:
        """Read until something holds; fails when nothing comes for a while."""
        while not told(self):
            message = json.loads(self._socket.recv(timeout=ANSWER_S))
            match message.pop("type"):
                case "hello":
                    self.hello = message
                case "state":
                    self.state = message
                case "lights":
                    self.lights = message["rgb"]
                case "analysis":
                    self.course = message
                case "error":
                    self.errors.append(message["text"])

    def tap(self, cell: str) -> None:
        self.send(do="press", pointer="test", spot=cell)
        self.send(do="lift", pointer="test")
