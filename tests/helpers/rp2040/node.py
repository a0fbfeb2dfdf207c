"""The program that emulates the chip: Node with rp2040js, which npm fetches once."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.helpers.cached import cached

HERE = Path(__file__).parent
LOCK = ("package.json", "package-lock.json")
NPM = ("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
NETWORK_S = 300

Say = Callable[[dict[str, Any]], dict[str, Any]]


class NoNode(Exception):
    """Reports what the emulator lacks, and how to fix it."""


def modules() -> Path:
    """Return the folder with rp2040js. Raise NoNode when it cannot be had."""
    return (
        cached("rp2040js", [(HERE / name).read_bytes() for name in LOCK], _fetch) / "node_modules"
    )


def _fetch(folder: Path) -> None:
    if missing := [name for name in ("node", "npm") if shutil.which(name) is None]:
        raise NoNode(f"not installed: {', '.join(missing)}: sudo apt install nodejs npm")
    for name in LOCK:
        shutil.copy(HERE / name, folder)
    done = subprocess.run(
        NPM, cwd=folder, capture_output=True, text=True, timeout=NETWORK_S, check=False
    )
    if done.returncode:
        raise NoNode(f"npm cannot fetch rp2040js: {done.stderr.strip()[-1000:]}")


class Emulator:
    """Runs the program. `answer` gets the emulator's questions and returns the answers."""

    def __init__(self, answer: Say) -> None:
        self._answer = answer
        self._process = subprocess.Popen(
            ["node", str(HERE / "main.js")],
            env={**os.environ, "NODE_PATH": str(modules())},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def tell(self, do: str, **more: Any) -> dict[str, Any]:
        """Give a command; return what came of it."""
        self._write({"do": do, **more})
        while "ask" in (said := self._read()):
            self._write(self._answer(said))
        return said

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def _write(self, what: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(what).encode() + b"\n")
        self._process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the emulated Pico has ended: its program says why above")
        said: dict[str, Any] = json.loads(line)
        return said
