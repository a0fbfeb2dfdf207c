"""Sides that play by themselves, each in a process that can be killed."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

CODE = "abcdef"
PATIENCE_S = 60.0


class Side:
    """One side in a process of its own, and the entries it says to have on its disk."""

    def __init__(
        self,
        side: int,
        port: int,
        folder: Path,
        game: str = "azteka",
        late_s: float = 0.0,
        code: str = CODE,
    ) -> None:
        self.side, self.port, self.folder = side, port, folder
        self._more, self._code = (game, str(late_s)), code
        self.entries: dict[int, tuple[str, str]] = {}
        self._starts = 0
        self.start()

    def start(self) -> None:
        self._starts += 1
        url = f"mqtt://127.0.0.1:{self.port}/{self._code}?side={self.side}"
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "tests.helpers.remote.side", url),
                *(str(self.folder), str(self.side * 100 + self._starts), *self._more),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._lines: Queue[str] = Queue()
        Thread(target=self._read, args=(self._process, self._lines), daemon=True).start()

    def _read(self, process: subprocess.Popen[str], lines: Queue[str]) -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                lines.put(line)

    def hear(self, seconds: float = 0.0) -> None:
        """Read what it has said; what it said before must be true for ever."""
        end = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, end - time.monotonic()))
            except Empty:
                return
            number, digest, kind = line.split()
            assert self.entries.setdefault(int(number), (digest, kind)) == (digest, kind)

    def until(self, length: int) -> None:
        """Wait until it has this many entries."""
        end = time.monotonic() + PATIENCE_S
        while len(self.entries) < length:
            assert time.monotonic() < end, f"side {self.side} has {len(self.entries)} of {length}"
            self.hear(0.2)

    def rest(self) -> None:
        """Let it make no more moves."""
        self._process.send_signal(signal.SIGUSR1)

    def kill(self) -> None:
        assert self._process.stdin is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(PATIENCE_S)
        self._process.stdin.close()
        self.hear(0.2)

    def close(self) -> None:
        if self._process.poll() is None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait(PATIENCE_S)
        self.hear(0.2)
