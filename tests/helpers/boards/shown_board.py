"""A board on a backend, with a clock and a finger that the test moves, and what is shown on it."""

from collections.abc import Callable
from dataclasses import replace

from game.play import Snapshot
from hal.backends.device import Device
from hal.backends.registry import open_backend
from hal.lights import Frame
from hal.profile import Profile


class Watcher:
    """Records all that was shown."""

    def __init__(self) -> None:
        self.snapshots: list[Snapshot] = []
        self.frames: list[Frame] = []

    def see(self, snapshot: Snapshot) -> None:
        self.snapshots.append(snapshot)

    def see_lights(self, colours: Frame) -> None:
        self.frames.append(colours)

    @property
    def newest(self) -> Snapshot:
        return self.snapshots[-1]


class ShownBoard:
    """A board; the test passes what runs on it as `step`, and when it wants to as `due`."""

    step_s = 0.01
    lifted_s = 0.1

    def __init__(self, profile: Profile, backend: str, mode: str = "touch") -> None:
        self.now = 100.0
        self.profile = replace(profile, sensing=replace(profile.sensing, mode=mode))
        self.backend = open_backend(backend, self.profile, clock=lambda: self.now)
        self.device = Device(self.profile, self.backend)
        self.watcher = Watcher()
        self.step: Callable[[float], None]
        self.due: Callable[[float], float]

    def close(self) -> None:
        self.device.close()

    def run(self, seconds: float) -> None:
        """Step as the loop does: at once, since a finger has woken it, then when it is due."""
        end, due = self.now + seconds, self.now
        while self.now < end:
            self.now = min(end, max(self.now + self.step_s, due))
            self.step(self.now)
            due = self.due(self.now)

    def tap(self, spot: str) -> None:
        self.backend.press("finger", spot)
        self.run(0.1)
        self.backend.lift("finger")
        self.run(self.lifted_s)
