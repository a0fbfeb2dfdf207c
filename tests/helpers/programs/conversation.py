"""Conversations with `lifeboard referee` in another process, many games to a process.

Owns the pipes. The process runs the command's own `main` for each game; only its start is shared,
because a start costs more than a game.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from threading import Timer
from typing import Any

PATIENCE_S = 120.0
"""How long a process may take before it is ended: a lost answer must not hang the tests."""

# A caller's own setting would hide an answer that is not flushed.
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}

SERVE = """
import json, sys
from game.cli.main import main

class UntilEnd:
    def readline(self, most):
        line = sys.__stdin__.readline(most)
        return "" if line == "end\\n" else line

for call in iter(sys.__stdin__.readline, ""):
    sys.stdin = UntilEnd()
    print(json.dumps({"status": main(json.loads(call))}), flush=True)
"""


class Umpire:
    """Play games against one process: `call`, then `say` for each line, then `end`."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", SERVE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env=ENVIRONMENT,
        )
        self._watchdog = Timer(PATIENCE_S, self._process.kill)
        self._watchdog.start()

    def __enter__(self) -> "Umpire":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self._process.kill()
        self._process.communicate()
        self._watchdog.cancel()

    def call(self, arguments: Sequence[str]) -> dict[str, Any]:
        """Begin a game and return the answer about its start."""
        return self.say(json.dumps(arguments))

    def say(self, line: str) -> dict[str, Any]:
        """Send one line, and only then wait for its answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, f"no answer to {line!r}"
        shown = json.loads(answer)
        assert isinstance(shown, dict)
        return shown

    def end(self) -> int:
        """End the game's input and return the exit status."""
        status = self.say("end")["status"]
        assert isinstance(status, int)
        return status
