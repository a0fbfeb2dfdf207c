"""Says how many bytes the firmware's loop takes in turns in which nothing happens.

Runs in MicroPython, over hardware that takes nothing itself; `test_firmware_memory` runs it there.
"""

import gc

from firmware.board import WATCHING_WAIT_MS
from firmware.hardware import Hardware, I2CBus, Input, PixelStrip
from firmware.messages import (
    HELLO,
    PROTOCOL,
    SET_UP,
    WIRING,
    Bus,
    Hello,
    Wiring,
    pack_hello,
    pack_set_up,
    pack_wiring,
)
from firmware.run import Loop
from firmware.wire import Frame, encode

TURNS = 100
TURN_MS = 2
MODE = 0x8F
HELLO_OF_ALL = Hello(77, PROTOCOL)
REGISTERS = {0x5D: 0x24, 0x5E: MODE}


class StillBus(I2CBus):
    def read(self, address: int, register: int, buffer: bytearray) -> None:
        buffer[0] = REGISTERS.get(register, 0)

    def write(self, address: int, register: int, data: bytes) -> None:
        pass


class StillInput(Input):
    def low(self) -> bool:
        return False


class StillStrip(PixelStrip):
    def busy(self) -> bool:
        return False

    def send(self, levels: bytearray) -> None:
        pass


class StillPico(Hardware):
    """A Pico at which nothing happens but the `lines` of its host."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.written = 0
        self.time_ms = 0

    def now(self) -> int:
        return self.time_ms

    def wait(self, timeout_ms: int) -> bool:
        if not self.lines:
            self.time_ms += TURN_MS
        return len(self.lines) > 0

    def read_line(self) -> bytes:
        return self.lines.pop(0)

    def write(self, data: bytes) -> None:
        self.written += len(data)

    def feed(self) -> None:
        pass

    def led(self, on: bool) -> None:
        pass

    def recall(self) -> bytes | None:
        return None

    def remember(self, data: bytes) -> None:
        pass

    def open_bus(self, number: int, data: int, clock: int, clock_khz: int) -> I2CBus:
        return StillBus()

    def open_input(self, pin: int) -> Input:
        return StillInput()

    def open_strip(self, pin: int, levels: int) -> PixelStrip:
        return StillStrip()


def taken(loop: Loop, turns: int) -> int:
    """Give how many bytes so many turns take."""
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    for _ in range(turns):
        loop.turn()
    after = gc.mem_alloc()
    gc.enable()
    return int(after - before)


def main() -> None:
    """Begin a session, watch two chips, and be idle; then say something, to show the difference."""
    pico = StillPico()
    loop = Loop(pico)
    session = HELLO_OF_ALL.session
    # No chip's turn comes within the time of the test, and nothing is sent again.
    chips = [(0, 0x5A), (0, 0x5B)]
    wiring = Wiring([Bus(0, 4, 5, 400)], chips, 8, [9, 10], 2, 336, 3, 20, 60_000, 8, 800)
    pico.lines.append(encode(Frame(HELLO, 0, 0, 0, pack_hello(HELLO_OF_ALL))).strip(b"\n") + b"\n")
    pico.lines.append(encode(Frame(WIRING, session, 1, 0, pack_wiring(wiring))))
    for chip in range(2):
        set_up = pack_set_up(chip, MODE, [(0x5E, bytes([MODE]))])
        pico.lines.append(encode(Frame(SET_UP, session, 2 + chip, 0, set_up)))
    loop.turn()
    # All that it has told so far.
    acknowledged = encode(Frame(1, session, 0, 4, b""))
    for _ in range(5):
        pico.lines.append(acknowledged)
        loop.turn()
    written = pico.written
    idle = taken(loop, TURNS)
    quiet = pico.written == written and loop.errors == 0
    # Chips are watched, or it would wait longer.
    quiet = quiet and loop.board.patience() == WATCHING_WAIT_MS
    pico.lines.append(acknowledged)
    print(idle, taken(loop, 1), quiet)


if __name__ == "__main__":
    main()
