"""The firmware's main loop: bytes in, a turn of the board, bytes out.

Owns what happens in a turn and in which order. Must not know messages, nor MicroPython's modules:
those are `firmware.pico`'s, which only `run` imports.
"""

from firmware.board import Board
from firmware.hardware import Hardware
from firmware.wire import Receiver, encode

MOST_LINES = 8
"""So many lines are read in one turn, that chips and keys have theirs."""

SOUND_MS = 10_000
"""What has run for so long has started well."""


class Loop:
    """Run a board. `errors` counts turns that went wrong in a way that nobody thought of."""

    def __init__(self, hardware: Hardware) -> None:
        self.errors = 0
        self.board = Board(hardware, hardware.now())
        self._hardware = hardware
        self._receiver = Receiver()

    def turn(self) -> None:
        """Wait for the host, but not for long, and do what is due."""
        hardware = self._hardware
        hardware.feed()
        try:
            self._read()
            now = hardware.now()
            self.board.step(now)
            for frame in self.board.frames(now):
                hardware.write(encode(frame))
        except Exception as error:
            self.errors += 1
            hardware.complain(error)
            self.board.fail(hardware.now())

    def _read(self) -> None:
        hardware, board = self._hardware, self.board
        come = hardware.wait(board.patience())
        lines = 0
        while come:
            for frame in self._receiver.take(hardware.read_line()):
                board.take(frame, hardware.now())
            lines += 1
            come = lines < MOST_LINES and hardware.wait(0)


def run() -> None:
    """Run the firmware on this Pico, for ever. From the first turn on its watchdog runs."""
    from firmware.pico import Pico

    hardware = Pico()
    loop = Loop(hardware)
    hardware.start_watchdog()
    while hardware.now() < SOUND_MS:
        loop.turn()
    hardware.forget_failures()
    while True:
        loop.turn()
