"""The firmware's main loop: bytes in, a turn of the board, bytes out."""

from firmware.board import PicoBoard
from firmware.framing import Receiver, encode
from firmware.hardware import Hardware

MOST_LINES = 8  # the most lines read in one turn, so that chips and keys have their turn too

TIDY_FRAMES = 16
"""After this many frames, in and out, collect garbage once the line has been idle for QUIET_MS."""
MOST_UNTIDY_FRAMES = 64
"""After this many frames, collect garbage at the first idle turn.

A frame leaves up to 1.5 KB. So MicroPython itself hardly ever has to collect while work waits.
"""
QUIET_MS = 30  # after a touch the host soon asks for measurements, and has a light to show


class Loop:
    """Run a board, turn by turn."""

    def __init__(self, hardware: Hardware) -> None:
        self.board = PicoBoard(hardware, hardware.now())
        self._hardware = hardware
        self._receiver = Receiver()
        # Frames since the last garbage collection, and the time of the last frame.
        self._untidy = 0
        self._busy_ms = 0

    def turn(self) -> None:
        """Wait briefly for the host, and do what is due."""
        hardware, board = self._hardware, self.board
        hardware.feed()
        lines = self._read()
        now = hardware.now()
        board.step(now)
        frames = board.frames(now)
        for frame in frames:
            hardware.write(encode(frame))
        if lines or frames:
            self._untidy += lines + len(frames)
            self._busy_ms = now
        elif board.patience() and self._untidy >= (
            TIDY_FRAMES if now - self._busy_ms >= QUIET_MS else MOST_UNTIDY_FRAMES
        ):
            self._untidy = 0
            hardware.tidy()

    def _read(self) -> int:
        """Let the board handle received lines; return how many."""
        hardware, board, receiver = self._hardware, self.board, self._receiver
        lines = 0
        come = hardware.wait(board.patience())
        while come:
            now = hardware.now()
            for frame in receiver.take(hardware.read_line()):
                board.take(frame, now)
            lines += 1
            come = lines < MOST_LINES and hardware.wait(0)
        return lines


def run() -> None:
    """Run the firmware on this Pico for ever, with its watchdog."""
    from firmware.pico import Pico

    loop = Loop(Pico())
    while True:
        loop.turn()
