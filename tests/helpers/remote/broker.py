"""A real Mosquitto on this computer, and a line to it that delays and breaks."""

import select
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Lock, Thread
from typing import Self

PATIENCE_S = 30.0


def free_port() -> int:
    with socket.socket() as each:
        each.bind(("127.0.0.1", 0))
        return int(each.getsockname()[1])


class Mosquitto:
    """The broker, which can be stopped, killed and started again on the same port."""

    def __init__(self, folder: Path, *settings: str, listener: str = "") -> None:
        self.port, self.folder = free_port(), folder
        folder.mkdir(parents=True, exist_ok=True)
        self._config = folder / "mosquitto.conf"
        self._config.write_text(
            f"listener {self.port} 127.0.0.1\n{listener}\n"
            + "\n".join(settings or ("allow_anonymous true",))
            + "\nuser root\n"
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

    def stop(self) -> None:
        """Kill it: what it kept is lost."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(PATIENCE_S)
            self._process = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class Line:
    """A port that leads to the broker: each piece of data is late by up to `delay_s`."""

    def __init__(self, port: int, delay_s: float = 0.0, seed: int = 1) -> None:
        self._to, self._delay_s, self._chance = port, delay_s, Random(seed)
        self._lock = Lock()
        self._open: set[socket.socket] = set()
        self._is_cut = False
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        Thread(target=self._accept, daemon=True).start()

    def cut(self, is_cut: bool = True) -> None:
        """Break all connections, and refuse others until it is mended."""
        with self._lock:
            self._is_cut = is_cut
            broken, self._open = self._open, set()
        for each in broken:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.cut()
        self._listening.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                Thread(target=self._serve, args=(near,), daemon=True).start()

    def _serve(self, near: socket.socket) -> None:
        with (
            near,
            suppress(OSError),
            socket.create_connection(("127.0.0.1", self._to), 5) as far,
        ):
            with self._lock:
                if self._is_cut:
                    return
                self._open |= {near, far}
            self._carry(near, far)

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        """Carry data both ways, in order and late, until one end closes."""
        late: list[tuple[float, socket.socket, bytes]] = []
        last = {near: 0.0, far: 0.0}
        while True:
            now = time.monotonic()
            for _, end, data in [each for each in late if each[0] <= now]:
                end.sendall(data)
            late = [each for each in late if each[0] > now]
            wait_s = min((at for at, _, _ in late), default=now + 1.0) - now
            for source in select.select([near, far], [], [], max(0.0, wait_s))[0]:
                data = source.recv(65536)
                if not data:
                    return
                end = far if source is near else near
                at = time.monotonic() + self._chance.random() * self._delay_s
                last[end] = max(last[end], at)
                late.append((last[end], end, data))
