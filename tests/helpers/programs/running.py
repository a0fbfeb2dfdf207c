"""Running lifeboards, and pages without a browser, for the tests of the application."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from websockets.sync.client import ClientConnection, connect

START_S = 60.0
ANSWER_S = 60.0


def _line(fd: int) -> str:
    """Read exactly one line: `communicate` would not see what a buffer holds."""
    line = bytearray()
    while not line.endswith(b"\n") and (letter := os.read(fd, 1)):
        line += letter
    return line.decode()


class Lifeboard:
    """A lifeboard with a page on a free port, in its own process; plays by default."""

    def __init__(
        self,
        data: Path,
        *options: str,
        program: Sequence[str] = (),
        command: str = "play",
        verbose: bool = False,
    ):
        lifeboard = program or (sys.executable, "-m", "game.cli")
        talk = ["--verbose"] if verbose else []
        # The tests play the hands, unless they say otherwise.
        hands = ("--hands", "manual") if command == "play" and "--hands" not in options else ()
        # An unread pipe would fill up and block a process that logs so much.
        self._log = Path(tempfile.mkstemp(prefix="lifeboard-log-")[1]) if verbose else None
        with ExitStack() as files:
            log = files.enter_context(self._log.open("w")) if self._log else subprocess.PIPE
            self._process = subprocess.Popen(
                [
                    *(*lifeboard, *talk, command, "--no-browser", "--port", "0"),
                    *("--data", str(data), *hands, *options),
                ],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout
        output = self._process.stdout.fileno()
        line = _line(output) if select.select([output], [], [], START_S)[0] else ""
        found = re.search(r"https?://127\.0\.0\.1:(\d+)/", line)
        if found is None:
            self._process.kill()
            raise AssertionError(f"not ready: {line!r} {self._process.communicate()[1]}")
        self.address, self.port = found[0], int(found[1])
        self.output = ""

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """End the process; return its exit status and what it wrote to standard error."""
        if self._process.poll() is None:
            self._process.send_signal(how)
        self.output, errors = self._process.communicate(timeout=ANSWER_S)
        if self._log is not None and self._log.exists():
            errors = self._log.read_text()
            self._log.unlink()
        return self._process.returncode, errors

    def kill(self) -> None:
        """End the process as a power cut does."""
        self._process.kill()
        self._process.wait(ANSWER_S)

    def page(self, language: str = "en") -> ClientConnection:
        """Connect as the page does."""
        # Without a bound on its queue: a client that does not read does not close either.
        return connect(f"ws://127.0.0.1:{self.port}/ws?lang={language}", max_queue=None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class Talk:
    """A page without a browser: sends any message, and records what it receives."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.hello: dict[str, Any] = {}
        self.state: dict[str, Any] = {}
        self.look: dict[str, Any] = {}
        self.shown_moves = 0
        self.lights = ""
        self.course: dict[str, Any] = {}
        self.errors: list[str] = []
        self.seat: dict[str, Any] = {}
        self.seats: list[dict[str, Any]] = []
        self.locked: dict[str, Any] = {}

    def send(self, **message: object) -> None:
        self._socket.send(json.dumps(message))

    def until(self, shown: Callable[["Talk"], object], timeout_s: float = ANSWER_S) -> None:
        """Read until something holds; fails when nothing comes for a while."""
        while not shown(self):
            text = self._socket.recv(timeout=timeout_s)
            self.note(str(text))
            message = json.loads(text)
            match message.pop("type"):
                case "hello":
                    self.hello = message
                case "state":
                    saved = self.state.get("moves", [])[: message.get("moves_from", 0)]
                    self.state = message | {"moves": saved + message["moves"]}
                    self.shown_moves = len(message["moves"])
                case "look":
                    self.look = message
                case "lights":
                    self.lights = message["rgb"]
                case "analysis":
                    self.course = message
                case "seat":
                    self.seat = message
                case "seats":
                    self.seats = message["seats"]
                case "locked":
                    self.locked = message
                case "error":
                    self.errors.append(message["text"])

    def note(self, text: str) -> None:
        """Take one raw message; most pages ignore it."""

    def tap(self, cell: str) -> None:
        self.send(do="press", pointer="test", spot=cell)
        self.send(do="lift", pointer="test")


def flood(socket: ClientConnection, message: object) -> None:
    """Send a message until the connection is closed, which is raised."""
    while True:
        socket.send(json.dumps(message))
