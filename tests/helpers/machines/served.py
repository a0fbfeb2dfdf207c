"""The service on a booted machine: its unit, its page and its process.

Owns what tests ask of it again and again. Must not know how a machine is booted.
"""

import http.client
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from game.service.paths import UNIT, ServicePaths
from game.service.settings import DEFAULT_PORT
from game.service.signed_package import REQUEST
from game.service.updates import PART_BYTES
from tests.helpers.machines.machine import Machine
from tests.helpers.programs.manager import moves_shown
from tests.helpers.programs.running import ANSWER_S, Talk

SETTINGS = '[board]\nbackend = "sim"\n'
PATHS = ServicePaths()


def until(talk: Talk, holds: Callable[[], object]) -> None:
    """Read until something holds; fail after a while, even if other messages keep coming."""
    end = time.monotonic() + ANSWER_S

    def over(_: Talk) -> bool:
        return bool(holds()) or time.monotonic() > end

    talk.until(over)
    assert holds(), f"{talk.state.get('message')} {talk.errors}"


class Served:
    """The service on a machine that is on."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    @property
    def unit(self) -> dict[str, str]:
        """What systemd says of the unit."""
        return self.machine.unit(UNIT)

    @property
    def process(self) -> Path:
        """What the kernel says of the process, as seen from outside."""
        return Path(f"/proc/{self.pid}")

    @property
    def pid(self) -> int:
        """The process, as numbered outside."""
        return self.machine.pid(int(self.unit["MainPID"]))

    def until_move(self, number: int) -> dict[str, str]:
        """Wait until the service is up and says that a move is due."""
        return self.machine.until(
            UNIT,
            lambda unit: (
                unit["ActiveState"] == "active" and moves_shown(unit["StatusText"]) == number
            ),
        )

    def until_another(self, before: Mapping[str, str]) -> dict[str, str]:
        """Wait until the service is up again, in another run than before."""
        return self.machine.until(
            UNIT,
            lambda unit: (
                unit["ActiveState"] == "active" and unit["InvocationID"] != before["InvocationID"]
            ),
        )

    def command(self, *arguments: str, status: int | None = 0) -> str:
        """Run `lifeboard service`."""
        return self.machine.call("lifeboard", "service", *arguments, status=status)

    def restart(self, status: int = 0) -> None:
        """Stop and start the service; systemctl ends with this status."""
        self.machine.call("systemctl", "restart", UNIT, status=status)

    def set(self, text: str) -> None:
        """Write the settings of a simulated board, and more."""
        self.machine.write(str(PATHS.settings), SETTINGS + text)

    def drop_in(self, text: str) -> None:
        """Change the unit on this machine."""
        folder = self.machine.inside(f"/etc/systemd/system/{UNIT}.d")
        folder.mkdir(exist_ok=True)
        (folder / "test.conf").write_text(f"[Service]\n{text}\n")
        self.machine.call("systemctl", "daemon-reload")

    @contextmanager
    def page(self) -> Iterator[Talk]:
        """Open the page as soon as play is possible."""
        with connect(
            f"ws://127.0.0.1:{DEFAULT_PORT}/ws?lang=en",
            sock=self.machine.connect(DEFAULT_PORT),
            max_queue=None,
        ) as socket:
            talk = Talk(socket)
            talk.until(lambda t: t.state.get("phase") in ("tap", "confirm"))
            yield talk

    def play(self, *cells: str) -> None:
        """Tap cells, one move each, on the page."""
        with self.page() as talk:
            if talk.state["phase"] == "confirm":
                # A game that goes on wants the board to be looked at, and any cell touched.
                talk.tap(next(cell for cell, at in talk.state["cells"].items() if at["piece"]))
                until(talk, lambda: talk.state["phase"] == "tap")
            for cell in cells:
                talk.tap(cell)
                until(talk, lambda cell=cell: talk.state["cells"][cell]["piece"])

    def update(self, path: str, body: bytes = b"{}") -> dict[str, Any]:
        """Ask what the page's dialog for updates asks, and return the answer."""
        answer: dict[str, Any] = json.loads(self._ask("POST", f"/update{path}", body)[1])
        return answer

    def _ask(self, *request: Any) -> tuple[int, bytes]:
        """Ask the page's server, and return status and content of the answer."""
        asking = http.client.HTTPConnection("127.0.0.1", DEFAULT_PORT, timeout=60)
        with closing(asking):
            asking.sock = self.machine.connect(DEFAULT_PORT)
            asking.request(*request)
            answer = asking.getresponse()
            return answer.status, answer.read()

    def upload(self, deb: Path) -> dict[str, Any]:
        """Send a package as the page does, and return what it offers, or why it is refused."""
        at, whole = 0, deb.read_bytes()
        for at in range(0, len(whole), PART_BYTES):
            shown = self.update(f"/part?at={at}&upload=test", whole[at : at + PART_BYTES])
            assert shown == {}, shown
        return self.update("/check")

    def install(self) -> None:
        """Ask for the offered package, and wait until root has done what it does."""
        assert self.update("/install") == {}
        self.until_updated()

    def until_updated(self) -> None:
        """Wait until nothing is installed any more."""
        wish = self.machine.inside(str(PATHS.data / REQUEST))
        for name in ("install", "failed"):
            self.machine.until(
                f"lifeboard-upgrade@{name}.service",
                lambda unit: unit["ActiveState"] in ("inactive", "failed") and not wish.exists(),
            )

    def front(self) -> int:
        """Fetch the page, and return the status of the answer."""
        return self._ask("GET", "/")[0]
