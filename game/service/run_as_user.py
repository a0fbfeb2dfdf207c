"""Programs that run as the service's user, while the service is stopped if they need its board.

Owns the rights and signals of such a program, and the restart of the service afterwards.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

from game.common import AppError
from game.service.paths import NAME, UNIT
from game.service.unit import properties, systemctl

_KEPT = ("PATH", "TERM", "LANG", "LANGUAGE", "TZ")
"""Variables of root's environment that a program gets, besides LC_*."""


def run_as_user(line: Sequence[str], home: str, *, capture: bool = False) -> tuple[int, str]:
    """Run a program as the service's user; return its exit status, and its output if captured.

    A signal that ends us ends the program first. Without `capture` it has our terminal.
    """
    environment = {
        **{
            key: value for key, value in os.environ.items() if key in _KEPT or key.startswith("LC_")
        },
        **{"HOME": home, "LG_WD": home, "USER": NAME, "LOGNAME": NAME},
    }
    rights = ("--reuid", NAME, "--regid", NAME, "--init-groups", "--pdeathsig", "TERM")
    with subprocess.Popen(
        ["setpriv", *rights, "--", *line],
        env=environment,
        umask=0o077,
        stdout=subprocess.PIPE if capture else None,
        encoding="utf-8",
        errors="replace",
    ) as child:
        try:
            text, _ = child.communicate()
        except SystemExit:
            child.terminate()
            child.wait()
            raise
    status = child.returncode
    return (status if status >= 0 else 128 - status), text or ""


@contextmanager
def orderly_end() -> Iterator[None]:
    """Let SIGTERM and SIGHUP raise SystemExit, once; leave Ctrl-C to the program that runs."""
    ends = (signal.SIGTERM, signal.SIGHUP)
    before = {each: signal.getsignal(each) for each in (*ends, signal.SIGINT)}

    def end(number: int, _: FrameType | None) -> None:
        for each in ends:
            signal.signal(each, signal.SIG_IGN)
        raise SystemExit(128 + number)

    for each in ends:
        signal.signal(each, end)
    # A handler, unlike SIG_IGN, is not inherited.
    signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextmanager
def service_stopped(needed: bool) -> Iterator[None]:
    """Stop the service if it runs, and start it again; raise AppError if that fails."""
    # A service between two tries counts as running.
    runs = needed and properties().get("ActiveState") in ("active", "activating", "reloading")
    try:
        if runs:
            _say("the service is stopped meanwhile")
            if systemctl("stop", UNIT).returncode:
                raise AppError(f"{UNIT} cannot be stopped; see `systemctl status {UNIT}`")
        yield
    finally:
        if runs:
            if systemctl("start", UNIT).returncode:
                raise AppError(f"{UNIT} does not start again; see `lifeboard service logs`")
            # systemd limits the number of starts; this one is not a crash.
            systemctl("reset-failed", UNIT)
            _say("the service runs again")


def _say(text: str) -> None:
    # The terminal may be gone.
    with suppress(OSError):
        print(f"lifeboard: {text}", file=sys.stderr, flush=True)
