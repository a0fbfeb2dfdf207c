"""The lights of a board on a strip of pixels that may be gone for a while. Time comes in."""

from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import Protocol

from hal.base.errors import LightsFault
from hal.lights.frame import DARK, Frame, check_length

RETRY_S = 5.0  # how often a device that is gone is tried again
REFRESH_S = 1.0  # how often a frame is sent again: pixels that lost power for a moment have lost it


class Pixels(Protocol):
    """Pixels, real or emulated."""

    def show(self, frame: Frame) -> None:
        """Send a whole frame of final levels; raises OSError."""

    def close(self) -> None:
        """Switch the lights off and release the device; raises OSError when it is gone."""


class Lights:
    """Show frames on pixels, which start dark. `now` is in monotonic seconds.

    A device that is gone is no error but a `fault`; once it is back it shows the last wanted frame.
    """

    def __init__(self, open_pixels: Callable[[], Pixels], count: int, now: float = -inf) -> None:
        self.fault: LightsFault | None = None
        self._open_pixels = open_pixels
        self._dark: Frame = (DARK,) * count
        self._wanted = self._dark
        self._pixels: Pixels | None = None
        self._due = now
        self.attend(now)

    def show(self, frame: Frame, now: float) -> None:
        """Show final pixel levels, one per pixel; raises LightError for another length."""
        check_length(frame, len(self._wanted))
        self._wanted = frame
        if self._pixels is not None or now >= self._due:
            self._send(now)

    def attend(self, now: float) -> None:
        """Retry, or refresh, when that is due."""
        if now >= self._due:
            self._send(now)

    def revive(self, now: float) -> None:
        """Let the next `attend` retry a device that is gone."""
        if self._pixels is None:
            self._due = now

    def due(self) -> float:
        """Return when `attend` is next due; infinity after `close`."""
        return self._due

    def lit(self) -> Frame:
        """Return the levels that the pixels were sent last; all dark while they are gone."""
        return self._dark if self._pixels is None else self._wanted

    def close(self) -> None:
        self._let_go()
        self._due = inf

    def _send(self, now: float) -> None:
        try:
            if self._pixels is None:
                self._pixels = self._open_pixels()
            self._pixels.show(self._wanted)
        except OSError as error:
            self.fault = (
                error
                if isinstance(error, LightsFault)
                else LightsFault(f"the strip takes no frames: {error}")
            )
            self._let_go()
            self._due = now + RETRY_S
            return
        self.fault = None
        if now >= self._due:
            self._due = now + REFRESH_S

    def _let_go(self) -> None:
        """Close the device; a device that is gone cannot be made dark, and need not be."""
        pixels, self._pixels = self._pixels, None
        if pixels is not None:
            with suppress(OSError):
                pixels.close()
