"""The board as a device: cells and keys in, colours out.

Joins a profile, a backend, the debouncing and the frames. Must not know games, nor which backend it
is. Time comes in as `now`, in monotonic seconds.
"""

from collections.abc import Sequence
from math import inf

from hal import light
from hal.backend import Backend
from hal.events import Event
from hal.light import Frame, Layer
from hal.profile import Profile
from hal.touch import TouchFilter


class Device:
    """Drive one board. All methods belong to one thread."""

    def __init__(self, profile: Profile, backend: Backend) -> None:
        self.profile = profile
        self.backend = backend
        self._touch = TouchFilter(profile.sensing)
        self._sent: Frame | None = None
        self._layers: Sequence[Layer] | None = None
        self._poll_due_s = -inf
        self._change_due_s = inf

    def poll(self, now: float) -> list[Event]:
        """Sense the board and tell what has happened on it since the last call."""
        self._poll_due_s = now + self.profile.sensing.poll_ms / 1000
        return self._touch.update(now, self.backend.sense(now))

    def paint(self, layers: Sequence[Layer], now: float) -> bool:
        """Show layers, the first one lowest; give True when the strip had to be sent a frame.

        Hand over the same object while nothing but time has passed: it costs nothing until due.
        """
        if layers is self._layers and now < self._change_due_s:
            return False
        frame = light.compose(layers, self.profile.pixels, self.profile.pixel_count, now)
        changed = frame != self._sent
        if changed:
            self.backend.light(light.correct(frame, self.profile.power))
            self._sent = frame
        # Last, so that a frame that could not be sent is tried again.
        change_s = light.next_change(layers, now)
        self._change_due_s = inf if change_s is None else change_s
        self._layers = layers
        return changed

    def due(self, now: float) -> float:
        """Give the time, `now` or later, at which `poll` or `paint` next has something to do."""
        return max(now, min(self._poll_due_s, self._touch.due(), self._change_due_s))

    def shown(self) -> Frame:
        """Give the pixel levels that the strip shows; `hal.light.on_screen` fits them to a page."""
        return self.backend.lit()

    def close(self) -> None:
        """Put the lights out and let go of the backend; calling it again does nothing."""
        self.backend.close()
