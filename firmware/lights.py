"""The levels of a strip: the host's frames, and the lights shown without a host.

Pure over `firmware.hardware`.

There are three buffers, so that the strip shows whole frames only: `change` writes the first,
`show` copies it to the second, and `step` copies that to the third and sends it to a free strip.
"""

from firmware.hardware import PixelStrip

HERE = 0  # the strip shows the host's last frame
ALONE = 1  # the host is silent: the strip breathes
GONE = 2  # the host is gone: the strip is dark

BREATH_MS = 4000  # from dark to bright and back
BREATH_FRAME_MS = 40
AGAIN_MS = 1000  # how often a frame is sent again, for pixels that lost their power


class Lights:
    """Drive a strip of `count` levels, which starts dark, and breathes up to the level `glow`.

    `waiting` tells whether a frame waits until the strip is free.
    """

    def __init__(self, strip: PixelStrip, count: int, glow: int) -> None:
        self._strip = strip
        self._count = count
        self._glow = glow
        self._levels = bytearray(count)
        self._shown = bytearray(count)
        self._frame = bytearray(count)
        self._look = HERE
        self._look_ms = 0
        self.waiting = True
        self._due_ms = 0

    def change(self, runs: list[tuple[int, bytes]], clear: bool) -> None:
        """Change levels, after setting all to 0 with `clear`; raise ValueError out of range."""
        for offset, levels in runs:
            if offset + len(levels) > self._count:
                raise ValueError(
                    f"levels {offset} to {offset + len(levels) - 1}: there are {self._count},"
                    " counted from 0"
                )
        if clear:
            self._levels[:] = bytes(self._count)
        for offset, levels in runs:
            self._levels[offset : offset + len(levels)] = levels

    def show(self) -> None:
        """Show all changes, as soon as the strip is free."""
        self._shown[:] = self._levels
        self.waiting = True

    def step(self, now: int, look: int) -> None:
        """Send the frame that is due. With HERE the frame stays the same until `show`."""
        if self._strip.busy():
            return
        if look != self._look:
            self._look = look
            self._look_ms = now
            if look != HERE:
                self._due_ms = now
        if not self.waiting and now < self._due_ms:
            return
        self._due_ms = now + AGAIN_MS
        if look == ALONE:
            self._due_ms = now + BREATH_FRAME_MS
            # The level of all pixels rises and falls evenly, and begins at 0.
            half, at_ms = BREATH_MS // 2, (now - self._look_ms) % BREATH_MS
            level = self._glow * min(at_ms, BREATH_MS - at_ms) // half
            self._frame[:] = bytes([level]) * self._count
        elif look == GONE:
            self._frame[:] = bytes(self._count)
        elif self.waiting:
            self._frame[:] = self._shown
        self.waiting = False
        self._strip.send(self._frame)

    def close(self) -> None:
        """Release the strip."""
        self._strip.close()
