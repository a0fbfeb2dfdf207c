"""A computer for the installer: systemd, accounts, pip and a power plug, without any of these.

A release is as good as its checkout's `behaviour.json` says. Its service keeps moves in a real file
of games, so that what happens to them can be seen.
"""

import json
import os
import re
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from game.app.service.places import GROUPS, NAME, UNIT, Places
from game.app.service.setup.install import roll_back
from game.app.service.setup.systemctl import Done

FILES = "game/app/service/files"
SITE = "lib/python3.11/site-packages"
PYTHON = Path("/usr/bin/python3")
PROBE = {"version": [3, 11, 2], "program": str(PYTHON), "lacks": [], "lgpio": False}


class PowerCut(BaseException):
    """The plug was pulled: nothing is written any more."""


@dataclass
class Plug:
    """Pull the plug before the n-th thing that is done to the disk under a folder."""

    folder: str = ""
    left: int | None = None
    done: int = 0

    def count(self) -> None:
        """Let one more thing be done, or nothing any more."""
        if self.left is None:
            return
        if self.left <= 0:
            raise PowerCut
        self.left -= 1
        self.done += 1


PLUG = Plug()
_WRITES = {
    *("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.symlink", "os.link", "os.chmod"),
    *("os.chown", "os.truncate", "shutil.rmtree", "shutil.copyfile", "sqlite3.connect"),
}


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if PLUG.left is None or (event != "open" and event not in _WRITES):
        return
    if event == "open":
        flags = arguments[2]
        if not isinstance(flags, int) or not flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            return
    if any(str(each).find(PLUG.folder) >= 0 for each in arguments):
        PLUG.count()


sys.addaudithook(_watch)


@contextmanager
def power_for(steps: int, folder: Path) -> Iterator[Plug]:
    """Give power for some steps on the disk; `with` also ends when it goes."""
    PLUG.folder, PLUG.left, PLUG.done = str(folder), steps, 0
    try:
        yield PLUG
    except PowerCut:
        return
    finally:
        PLUG.left = None


def make_root(folder: Path) -> Places:
    """Lay out what every Debian system has."""
    for each in (
        *("run/systemd/system", "opt", "etc/systemd/system", "etc/udev/rules.d", "var/lib"),
        *("etc/sysusers.d", "usr/local/bin", "usr/local/lib"),
    ):
        (folder / each).mkdir(parents=True)
    return Places(folder)


def make_checkout(
    folder: Path,
    version: str,
    *,
    comes_up: bool = True,
    crashes_after_s: float | None = None,
    form: int = 2,
    settings_good: bool = True,
    files: Mapping[str, str] | None = None,
) -> Path:
    """Write a checkout whose service behaves in a way."""
    behaviour = {
        "comes_up": comes_up,
        "crashes_after_s": crashes_after_s,
        "form": form,
        "settings_good": settings_good,
    }
    (folder / FILES).mkdir(parents=True)
    (folder / "hal").mkdir()
    (folder / "pyproject.toml").write_text(f'[project]\nname = "{NAME}"\nversion = "{version}"\n')
    (folder / "game" / "behaviour.json").write_text(json.dumps(behaviour))
    brought = {
        UNIT: f"unit of {version}",
        f"{NAME}-rollback.service": "rollback unit",
        f"{NAME}.sysusers": "g gpio -",
        f"60-{NAME}.rules": "rules",
        f"{NAME}.catalog": "catalogue",
        f"{NAME}.toml": "# settings\n",
        **(files or {}),
    }
    for name, content in brought.items():
        (folder / FILES / name).write_text(content)
    return folder


@dataclass
class FakeSystem:
    """Be the machine; `refuse` maps beginnings of command lines to what they end with."""

    places: Places
    refuse: dict[str, Done] = field(default_factory=dict)
    groups: dict[str, list[str]] = field(default_factory=lambda: {"dialout": ["ann"]})
    users: set[str] = field(default_factory=set)
    enabled: bool = False
    state: str = "inactive"
    running: dict[str, object] = field(default_factory=dict)
    starts: int = 0
    restarts: int = 0
    ended_with: int = 0
    boots: int = 1
    on_s: float = 1000.0
    before_s: float = 1.8e9
    ran: list[str] = field(default_factory=list)
    moves: int = 0
    of_page: str = ""
    warnings: str = ""
    probe: dict[str, object] = field(default_factory=lambda: dict(PROBE))
    at: Callable[[str], None] | None = None

    def run(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> Done:
        """Do what a command would do."""
        line = " ".join(command)
        if "systemctl show" not in line:
            self.ran.append(line)
        PLUG.count()
        if self.at is not None:
            self.at(line)
        for beginning, done in self.refuse.items():
            if beginning in line:
                return done
        program = Path(command[0]).name
        return self._programs().get(program, lambda _: Done(127, err=program))(list(command[1:]))

    def pause(self, seconds: float) -> None:
        """Let time go by; a service may crash in it."""
        self.on_s += seconds
        after = self.running.get("crashes_after_s")
        if self.state == "active" and isinstance(after, int | float):
            self.running["crashes_after_s"] = after - seconds
            if after - seconds <= 0:
                # It starts again, crashes again, and is given up.
                self.state, self.restarts = "failed", self.restarts + 5

    def boot(self) -> str:
        """Name the boot."""
        return f"boot-{self.boots}"

    def uptime_s(self) -> float:
        """Give the time since the last boot."""
        return self.on_s

    def wall_s(self) -> float:
        """Give the time of the clock on the wall."""
        return self.before_s + self.on_s

    def reboot(self) -> None:
        """Come back after the power went, as systemd does."""
        self.boots += 1
        self.on_s, self.state, self.restarts = 20.0, "inactive", 0
        unit = self.places.units / UNIT
        if self.enabled and unit.exists():
            self._start([UNIT])
            self.pause(1.0)
            self.give_up()

    def give_up(self) -> None:
        """Do what the unit's OnFailure= does if it has failed."""
        if self.state == "failed" and (self.places.home / "on-trial").exists():
            assert (self.places.previous / "bin" / NAME).exists()
            roll_back(only_on_trial=True, places=self.places, machine=self, report=lambda _: None)

    def play(self, moves: int) -> None:
        """Let the running service keep some moves."""
        assert self.state == "active"
        with closing(sqlite3.connect(self.file)) as db, db:
            for _ in range(moves):
                self.moves += 1
                db.execute("INSERT INTO moves VALUES (?)", (self.moves,))

    @property
    def file(self) -> Path:
        """The file of games."""
        return self.places.state / "games.sqlite3"

    def kept(self) -> set[int]:
        """Return the moves that the file of games has."""
        with closing(sqlite3.connect(self.file)) as db:
            return {number for (number,) in db.execute("SELECT number FROM moves")}

    def _programs(self) -> dict[str, Callable[[list[str]], Done]]:
        return {
            "systemctl": self._systemctl,
            "systemd-sysusers": self._sysusers,
            "journalctl": self._journalctl,
            "udevadm": lambda _: Done(0),
            "getent": self._getent,
            "userdel": self._userdel,
            "groupdel": lambda words: self._groupdel(words[0]),
            "python3": self._python3,
            "python": self._pip,
            NAME: self._lifeboard,
        }

    def _systemctl(self, words: list[str]) -> Done:
        verbs: dict[str, Callable[[list[str]], Done]] = {
            "start": self._start,
            "stop": self._stop,
            "show": self._show,
            "enable": lambda _: self._enable(True),
            "disable": lambda _: self._enable(False),
        }
        verb, *units = [each for each in words if each != "--no-ask-password"]
        return verbs.get(verb, lambda _: Done(0))(units)

    def _enable(self, enabled: bool) -> Done:
        self.enabled = enabled
        return Done(0)

    def _start(self, units: list[str]) -> Done:
        if units != [UNIT]:
            return Done(0)
        assert (self.places.units / UNIT).exists()
        folder = self.places.current.resolve()
        assert (folder / ".complete").exists(), "a half-made release was started"
        assert self.users == {NAME}
        self.running = json.loads((folder / SITE / "behaviour.json").read_text())
        self.starts += 1
        self._open_games(int(str(self.running["form"])))
        self.state = "active" if self.running["comes_up"] else "failed"
        return Done(0 if self.running["comes_up"] else 1)

    def _open_games(self, form: int) -> None:
        self.places.state.mkdir(exist_ok=True)
        if self.file.exists():
            with closing(sqlite3.connect(self.file)) as db:
                (there,) = db.execute("PRAGMA user_version").fetchone()
            if there > form:
                self.file.rename(self.file.with_name("games.newer-found.sqlite3"))
        with closing(sqlite3.connect(self.file)) as db, db:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("CREATE TABLE IF NOT EXISTS moves (number INTEGER)")
            db.execute(f"PRAGMA user_version = {form}")

    def _stop(self, units: list[str]) -> Done:
        if units == [UNIT]:
            self.state = "inactive"
        return Done(0)

    def _show(self, _: list[str]) -> Done:
        loaded = (self.places.units / UNIT).exists()
        told = {
            "LoadState": "loaded" if loaded else "not-found",
            "ActiveState": self.state,
            "UnitFileState": "enabled" if self.enabled else "disabled",
            "StatusText": "Circle of Life, move 17, Orange to play",
            "NRestarts": str(self.restarts),
            "InvocationID": f"run-{self.starts}-{self.restarts}",
            "ExecMainStatus": str(self.ended_with),
            "MemoryCurrent": "41943040",
            "ActiveEnterTimestamp": "Sat 2026-11-21 12:00:00 UTC",
        }
        return Done(0, "".join(f"{key}={value}\n" for key, value in told.items()))

    def _journalctl(self, words: list[str]) -> Done:
        if "--grep" in words:
            (beginnings,) = (each for each in words if each.startswith("^"))
            return Done(0, f"{self.of_page}\n" if re.match(beginnings, self.of_page) else "")
        if "--priority" in words:
            assert f"_SYSTEMD_INVOCATION_ID=run-{self.starts}-{self.restarts}" in words
            return Done(0, self.warnings)
        return Done(0, "what it said last\n")

    def _sysusers(self, words: list[str]) -> Done:
        if words == ["--version"]:
            return Done(0)
        assert Path(words[0]).exists()
        self.users.add(NAME)
        for group in (NAME, *GROUPS):
            members = self.groups.setdefault(group, [])
            if group != NAME and NAME not in members:
                members.append(NAME)
        return Done(0)

    def _getent(self, words: list[str]) -> Done:
        database, name = words
        if database == "passwd":
            return Done(0, f"{name}:x:990:990::/:\n") if name in self.users else Done(2)
        if name not in self.groups:
            return Done(2)
        return Done(0, f"{name}:x:990:{','.join(self.groups[name])}\n")

    def _userdel(self, words: list[str]) -> Done:
        self.users.discard(words[0])
        self.groups.pop(words[0], None)
        for members in self.groups.values():
            if words[0] in members:
                members.remove(words[0])
        return Done(0)

    def _groupdel(self, group: str) -> Done:
        del self.groups[group]
        return Done(0)

    def _python3(self, words: list[str]) -> Done:
        if "venv" not in words:
            return Done(0, json.dumps(self.probe))
        folder = Path(words[-1])
        (folder / "bin").mkdir(parents=True)
        (folder / SITE / FILES).parent.mkdir(parents=True)
        (folder / "bin" / "python").write_text("python")
        return Done(0)

    def _pip(self, words: list[str]) -> Done:
        """Install a checkout, as pip in a virtual environment would, into the one half-made."""
        source = Path(words[-1].partition("[")[0])
        (folder,) = (
            each for each in self.places.releases.iterdir() if not (each / ".complete").exists()
        )
        shutil.copytree(source / FILES, folder / SITE / FILES)
        shutil.copyfile(source / "game" / "behaviour.json", folder / SITE / "behaviour.json")
        (folder / "bin" / NAME).write_text("lifeboard")
        return Done(0)

    def _lifeboard(self, words: list[str]) -> Done:
        if words == ["--version"]:
            return Done(0)
        newest = max(self.places.releases.iterdir(), key=lambda each: each.stat().st_ctime_ns)
        behaviour = json.loads((newest / SITE / "behaviour.json").read_text())
        return Done(0) if behaviour["settings_good"] else Done(1, err="lifeboard: [page] port: no")


def tree(folder: Path) -> dict[str, str]:
    """Describe all that is in a folder, links and contents too."""
    told = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            what = f"-> {os.readlink(path)}"
        else:
            what = "folder" if path.is_dir() else path.read_bytes().hex()
        told[str(path.relative_to(folder))] = what
    return told
