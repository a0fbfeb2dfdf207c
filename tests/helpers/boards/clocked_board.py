"""A fake clock, and a device that is run on it."""

from dataclasses import dataclass

from hal.backends.backend import Hands
from hal.backends.device import Device
from hal.base.events import Event


@dataclass
class FakeClock:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now

    def pass_time(self, seconds: float) -> None:
        self.now += seconds


class ClockedBoard:
    """Run a device as a loop would: poll whenever something is due, on the fake clock."""

    def __init__(self, device: Device, clock: FakeClock) -> None:
        self.device = device
        self.clock = clock

    @property
    def hands(self) -> Hands:
        assert isinstance(self.device.backend, Hands)
        return self.device.backend

    def run(self, seconds: float) -> list[Event]:
        return [event for _, event in self.run_timed(seconds)]

    def run_timed(self, seconds: float) -> list[tuple[float, Event]]:
        """Return the events of the next seconds, each with the delay until it was reported."""
        began, end = self.clock.now, self.clock.now + seconds
        shown: list[tuple[float, Event]] = []
        while True:
            polled = self.clock.now
            for event in self.device.poll(polled):
                shown.append((self.clock.now - began, event))
            if self.clock.now >= end:
                return shown
            step = getattr(self.device.backend, "step_s", None)
            due = min(self.device.due(self.clock.now), end)
            if step is not None:
                due = min(due, self.clock.now + step)
            assert due > polled, "a loop would spin"
            # Time may have passed while the board was read.
            self.clock.now = max(due, self.clock.now)
