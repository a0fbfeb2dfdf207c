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
"""How long it may say nothing: the largest file takes some seconds."""

_OWN = "mpremote: "

_log = logging.getLogger(__name__)

OnLine: TypeAlias = Callable[[str], None]
Run: TypeAlias = Callable[[str, Sequence[Sequence[str]], OnLine], str]
"""Run commands of mpremote on a port, give it each line of their output, and return all of it.

Raises LinkFault with what went wrong, in mpremote's words.
"""


def run_mpremote(device: str, commands: Sequence[Sequence[str]], on_line: OnLine) -> str:
    """Run commands of mpremote, in a process of its own; see `Run`."""
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
            # Without the shortcuts that people may have made of its commands.
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
        why = f"no word for {SILENCE_S:.0f} s" if silent else _last_word(said)
        raise LinkFault(f"mpremote cannot go on at {device}: {why}")
    return "".join(said)


def _watch(process: "subprocess.Popen[str]") -> threading.Timer:
    """Kill a program that says nothing for too long."""
    timer = threading.Timer(SILENCE_S, process.kill)
    timer.daemon = True
    timer.start()
    return timer


def _last_word(said: Sequence[str]) -> str:
    """Give what mpremote gave as its reason; a traceback may follow when the port is gone too."""
    lines = [each.strip() for each in said if each.strip()]
    own = [each[len(_OWN) :] for each in lines if each.startswith(_OWN)]
    return (own or lines or ["it said nothing"])[-1]
