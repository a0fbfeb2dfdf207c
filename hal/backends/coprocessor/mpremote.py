"""MicroPython's own tool `mpremote`, run as a program: commands in, lines out."""

import logging
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from typing import TypeAlias

from hal.base.errors import LinkFault

SILENCE_S = 60.0
"""How long mpremote may be silent: the largest file takes some seconds."""

_OWN = "mpremote: "

_log = logging.getLogger(__name__)

OnLine: TypeAlias = Callable[[str], None]
Run: TypeAlias = Callable[[str, Sequence[Sequence[str]], OnLine], str]
"""Runs mpremote commands on a port, passes each line of output on, and returns all output.

Raises LinkFault with mpremote's error message.
"""


def run_mpremote(device: str, commands: Sequence[Sequence[str]], on_line: OnLine) -> str:
    """Run mpremote commands in a subprocess; see `Run`."""
    line = [sys.executable, "-P", "-m", "mpremote", "connect", device]
    for command in commands:
        line += ["+", *command]
    said = []
    with (
        tempfile.TemporaryDirectory(prefix="lifeboard-") as nothing,
        subprocess.Popen(
            line,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            # This ignores the user's own mpremote shortcuts.
            env={**os.environ, "XDG_CONFIG_HOME": nothing, "PYTHONUNBUFFERED": "1"},
        ) as process,
    ):
        watch = _watch(process)
        try:
            for each in process.stdout or ():
                watch.cancel()
                watch = _watch(process)
                _log.debug("mpremote: %s", each.rstrip())
                said.append(each)
                on_line(each.rstrip())
        except BaseException:
            process.kill()
            raise
        finally:
            watch.cancel()
    if process.returncode:
        silent = process.returncode == -signal.SIGKILL
        # A traceback may follow its own message when the port is gone too.
        lines = [each.strip() for each in said if each.strip()]
        own = [each[len(_OWN) :] for each in lines if each.startswith(_OWN)]
        word = (own or lines or ["it said nothing"])[-1]
        why = f"no word for {SILENCE_S:.0f} s" if silent else word
        raise LinkFault(f"mpremote cannot go on at {device}: {why}")
    return "".join(said)


def _watch(process: "subprocess.Popen[str]") -> threading.Timer:
    """Kill a process that is silent for too long."""
    timer = threading.Timer(SILENCE_S, process.kill)
    timer.daemon = True
    timer.start()
    return timer
