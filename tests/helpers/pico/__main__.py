"""`python -m tests.helpers.pico`: an emulated Pico with a board, in real time, touched by commands.

The firmware and the serial port are real; the Pico, its chips and pixels are not.
"""

import os
import select
import signal
import sys
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path

from hal.base.errors import HalError
from hal.lights import DARK
from hal.profile import Profile, built_in
from hal.sim.body import Body, VirtualHands
from tests.helpers.pico.quick import EmulatedPico
from tests.helpers.pico.terminal import StallFreeClock, Terminal

BOARD = "hexagon-61-pico"
_POWERED_S = 0.1


def run(flash: Path) -> None:
    """Run an emulated Pico until it is interrupted."""
    profile = built_in(BOARD)
    clock = StallFreeClock(time.monotonic)
    body = Body(profile, clock() - _POWERED_S, seed=0)
    hands = VirtualHands(frozenset({*profile.cells, *profile.keys}), clock, lambda: None)
    with closing(EmulatedPico(profile, body, clock, flash=flash)) as pico:
        terminal = Terminal(pico)
        with terminal.live():
            print(f"A Pico is at {terminal.path}")
            real = f"--backend coprocessor --board {BOARD} --serial {terminal.path}"
            print(f"  lifeboard play {real}")
            print("Type touch e5, touch take_back, show, unplug or plug, and Ctrl-C to end.")
            source, saved = [sys.stdin.fileno()], b""
            while True:
                sys.stdout.flush()
                # It sleeps in between, and continues without a keyboard.
                ready, _, _ = select.select(source, [], [], hands.step_s)
                if ready:
                    read = os.read(source[0], 4096)
                    source = source if read else []
                    *lines, saved = (saved + read).split(b"\n")
                    for line in lines:
                        with terminal.lock:
                            print(_execute(line.decode(errors="replace"), profile, pico, hands))
                with terminal.lock:
                    if moves := hands.advance(clock()):
                        pico.settle(moves)


def _execute(line: str, profile: Profile, pico: EmulatedPico, hands: VirtualHands) -> str:
    """Carry out a line and return the answer, which may be an error message."""
    match line.split():
        case ["touch", spot]:
            # One finger does everything, so quick commands are carried out one after the other.
            try:
                hands.press("the finger", spot)
            except HalError as error:
                return str(error)
            hands.lift("the finger")
            return f"{spot} is touched"
        case ["show"]:
            frame = pico.platform.latched()
            lit = [f"{s} {frame[n].hex}" for s, n in profile.pixels.items() if frame[n] != DARK]
            return f"glowing: {', '.join(lit) or 'nothing'}"
        case ["unplug"]:
            pico.unplug()
            return "unplugged"
        case ["plug"]:
            if not pico.plugged:
                pico.plug()
            return f"plugged in: {pico.path}"
    return f"{line!r} is unknown: allowed are touch, show, unplug, plug"


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="pico-flash-") as folder, suppress(KeyboardInterrupt):
        run(Path(folder))
