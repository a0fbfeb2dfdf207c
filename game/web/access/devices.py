"""The devices that have entered the PIN: a small file for each.

So one process can remove a device while another one sees it. The file's name is the device's expiry
time and random digits. It contains the User-Agent, and its modification time is when the device was
last seen. Must not know the PIN, nor tokens.

A Raspberry Pi has no battery-backed clock: its time of day jumps by months when a network answers.
So a device's time is counted by a steady clock, which goes on from its last reading on disk. How
long the program was off is known from the time of day alone, and counts as MAX_OFF_S at most.
"""

import logging
import os
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from game.rules.base.message import Message, say
from hal.base.files import write_whole

DEVICES_FOLDER = "page-devices"
LIFE_S = 90 * 24 * 3600
"""How long a device keeps control, in seconds."""
MAX_DEVICES = 64
"""More than a household has; one more replaces the device that was seen longest ago."""
SEEN_S = 3600
"""Precision of the time when a device was last seen, so that a memory card is rarely written."""
CLOCK = "clock"
MAX_OFF_S = 7 * 24 * 3600
"""Longest time that a board in use is off; a clock jump meanwhile costs no more of LIFE_S."""
MAX_AGENT = 300
"""Most bytes of a User-Agent that are stored; browsers send less than 200."""

# The first that occurs counts: browsers also name those that they resemble.
_BROWSERS = {"Edg": "Edge", "OPR/": "Opera", "SamsungBrowser/": "Samsung Internet"}
_BROWSERS |= {"Firefox/": "Firefox", "FxiOS/": "Firefox", "Chrome/": "Chrome", "CriOS/": "Chrome"}
_BROWSERS |= {"Safari/": "Safari"}
_SYSTEMS = ("Android", "iPhone", "iPad", "CrOS", "Windows", "Mac", "Linux")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Device:
    """A device that has entered the PIN; `last_seen` is in seconds since 1970."""

    name: str
    agent: str
    last_seen: float

    @property
    def words(self) -> Message:
        """Its browser and system, such as "Chrome on Android"."""
        browser = next((word for part, word in _BROWSERS.items() if part in self.agent), None)
        system = next((word for word in _SYSTEMS if word in self.agent), None)
        if browser is None or system is None:
            return say("access.device_unknown")
        return say("access.device", browser=browser, system=system)


class Devices:
    """Keeps devices in a data folder; thread-safe.

    `clock` returns the time of day, and `running` monotonic seconds.
    """

    def __init__(
        self,
        data: Path,
        clock: Callable[[], float] = time.time,
        running: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder = data / DEVICES_FOLDER
        self._clock = clock
        self._running = running
        self._unsaved: set[str] = set()
        now = steady = clock()
        with suppress(OSError, ValueError):
            read = (self._folder / CLOCK).read_text(encoding="ascii").split()
            steady, then = map(float, read)
            steady += min(max(0.0, now - then), MAX_OFF_S)
        self._ahead_s = steady - running()

    def listed(self) -> list[Device]:
        """List the devices that have not expired, in the order in which they were added."""
        found, now = [], self._steady()
        for file in sorted(self._folder.glob("*-*[0-9a-f]")):
            # Another process may remove it meanwhile.
            with suppress(OSError):
                agent = file.read_text(encoding="utf-8", errors="replace")
                found.append(Device(file.name, agent, file.stat().st_mtime))
        return [each for each in found if now < _end(each.name)]

    def add(self, agent: str) -> str:
        """Add a device for LIFE_S and return its name.

        Where it cannot be written, it is valid until the program ends, and the log says so.
        """
        with suppress(OSError):
            known = sorted(self._folder.glob("*-*"), key=os.path.getmtime)
            for file in known[: 1 - MAX_DEVICES]:
                file.unlink()
        name = f"{int(1000 * (self._steady() + LIFE_S))}-{secrets.token_hex(8)}"
        try:
            self._folder.mkdir(0o700, parents=True, exist_ok=True)
            self._save_clock()
            write_whole(self._folder / name, agent.encode(errors="replace")[:MAX_AGENT], 0o600)
        except OSError as error:
            self._unsaved.add(name)
            log.warning("a device must enter the PIN again after the next start: %s", error)
        return name

    def see(self, name: str) -> bool:
        """Note that a device was seen; return False if it is unknown, removed or expired."""
        now, file = self._clock(), self._folder / name
        known = name in self._unsaved
        with suppress(OSError):
            ago_s, known = now - file.stat().st_mtime, True
            # The clock may have been ahead.
            if abs(ago_s) >= SEEN_S:
                os.utime(file, (now, now))
                self._save_clock()
        return known and self._steady() < _end(name)

    def remove(self, name: str) -> None:
        """Remove a device at once, if it is there; the log says where it cannot be removed."""
        self._unsaved.discard(name)
        try:
            if name:
                (self._folder / name).unlink(missing_ok=True)
        except OSError as error:
            log.warning("device cannot be removed: %s", error)

    def _steady(self) -> float:
        """Return seconds close to those since 1970, of a clock that does not jump."""
        return self._ahead_s + self._running()

    def _save_clock(self) -> None:
        reading = f"{self._steady()} {self._clock()}"
        write_whole(self._folder / CLOCK, reading.encode(), 0o600)


def _end(name: str) -> float:
    return int(name.partition("-")[0]) / 1000
