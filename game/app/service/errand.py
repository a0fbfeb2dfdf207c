"""A process that runs as the service's user, while the service rests if it has to.

Owns the rights of that process, the signals that are meant for it, and the service's rest: whatever
ends the errand but a SIGKILL, the service goes on afterwards. Must not know what is run.
"""

import ctypes
import grp
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Self

from game.app.errors import AppError
from game.app.service.places import GROUPS, NAME, UNIT, Places

_PR_SET_PDEATHSIG = 1  # prctl(2), linux/prctl.h
_PASSED_ON = (signal.SIGTERM, signal.SIGHUP)


class Errand:
    """Run programs as the service's user, from `with` on.

    `folder` is a temporary one. Meanwhile a signal that ends programs is for the one that runs.
    """

    def __init__(self, places: Places) -> None:
        try:
            self._user = pwd.getpwnam(NAME)
        except KeyError as error:
            raise AppError(
                f"user {NAME} is not there; `sudo lifeboard service install` makes it"
            ) from error
        self._home = str(places.state)
        self._child: subprocess.Popen[str] | None = None
        self._early: list[int] = []
        self._before: dict[signal.Signals, Any] = {}
        self.folder = Path()

    def run(self, line: Sequence[str]) -> int:
        """Run a program on our terminal, and give its exit status."""
        return _status(self._start(line).wait())

    def listen(self, line: Sequence[str]) -> tuple[int, str]:
        """Run a program, and give its exit status and what it writes to standard output."""
        child = self._start(line, stdout=subprocess.PIPE, encoding="utf-8", errors="replace")
        told, _ = child.communicate()
        return _status(child.returncode), told

    def give_folder(self) -> None:
        """Let the service's user have what is in our folder, and then the folder itself.

        In this order, so that nobody else can put a link there for us to give away.
        """
        for path in (*self.folder.rglob("*"), self.folder):
            os.chown(path, self._user.pw_uid, self._user.pw_gid, follow_symlinks=False)

    def __enter__(self) -> Self:
        self.folder = Path(tempfile.mkdtemp(prefix=f"{NAME}-"))
        # The terminal tells the program itself of Ctrl-C; we wait until it has tidied up.
        self._before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.SIG_IGN)
        for each in _PASSED_ON:
            self._before[each] = signal.signal(each, self._pass_on)
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        for each, handler in self._before.items():
            signal.signal(each, handler)

    def _pass_on(self, number: int, _: FrameType | None) -> None:
        if self._child is None:
            self._early.append(number)
        else:
            self._child.send_signal(number)

    def _start(self, line: Sequence[str], **more: Any) -> "subprocess.Popen[str]":
        """Start a program, which also gets the signals that have come too early for it."""
        self._child = None
        child = subprocess.Popen(
            line,
            user=self._user.pw_uid,
            group=self._user.pw_gid,
            extra_groups=[each.gr_gid for name in GROUPS for each in _group(name)],
            umask=0o027,
            env={
                **{key: each for key, each in os.environ.items() if _is_harmless(key)},
                **dict.fromkeys(("HOME", "LG_WD"), self._home),
                **dict.fromkeys(("USER", "LOGNAME"), NAME),
            },
            preexec_fn=partial(_become_child, os.getpid()),
            **more,
        )
        # It runs for a while before it is known here: from now on signals go straight to it.
        self._child = child
        while self._early:
            child.send_signal(self._early.pop(0))
        return child


@contextmanager
def resting(needed: bool) -> Iterator[None]:
    """Let the service rest, if it runs and has to; raise AppError if it does not go on."""
    runs = needed and _runs()
    try:
        if runs:
            _tell("the service rests meanwhile")
            if _systemctl("stop").returncode != 0:
                raise AppError(f"{UNIT} cannot be stopped; `systemctl status {UNIT}` says why")
        yield
    finally:
        if runs:
            if _systemctl("start").returncode != 0:
                raise AppError(f"{UNIT} does not go on; `lifeboard service logs` says why")
            # Errands are no crashes, which systemd counts.
            _systemctl("reset-failed")
            _tell("the service goes on")


def _runs() -> bool:
    """Tell whether the service is up, or about to come up again after a crash."""
    state = _systemctl("show", "--property=ActiveState", "--value").stdout.strip()
    return state in ("active", "activating", "reloading")


def _tell(text: str) -> None:
    # The terminal may be gone by now.
    with suppress(OSError):
        print(f"lifeboard: {text}", file=sys.stderr, flush=True)


def _status(returned: int) -> int:
    """Write the end of a process as a shell does, which has positive numbers only."""
    return returned if returned >= 0 else 128 - returned


def _is_harmless(variable: str) -> bool:
    """Tell what of root's environment a program may know: its terminal and its language."""
    return variable in ("PATH", "TERM", "LANG", "LANGUAGE", "TZ") or variable.startswith("LC_")


def _become_child(parent: int) -> None:
    """Hear signals again, and end with who has sent us, lest an orphan keeps the board.

    Until the program itself runs, the parent's handlers would hear them, for nobody.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for each in _PASSED_ON:
        signal.signal(each, signal.SIG_DFL)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        # It was gone before it could be waited for.
        os.kill(os.getpid(), signal.SIGTERM)


def _group(name: str) -> list[grp.struct_group]:
    with suppress(KeyError):
        return [grp.getgrnam(name)]
    return []


def _systemctl(verb: str, *options: str) -> "subprocess.CompletedProcess[str]":
    try:
        # In a session of its own, so that a Ctrl-C that is meant for the program does not end it.
        return subprocess.run(
            ["systemctl", verb, *options, UNIT],
            check=False,
            start_new_session=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    except FileNotFoundError as error:
        raise AppError("systemctl is not there: the service needs systemd") from error
