"""`python -m hal.sim.pico`: an emulated Pico with a board, in real time, for whoever has none.

Owns the command's options, its clock, and the reading of what is typed. The firmware, MicroPython
and the serial port are real; the Pico, its chips and pixels are not.
"""

import argparse
import os
import select
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

from hal.backend import Clock
from hal.errors import HalError
from hal.profile import Profile, built_in, built_in_names, load
from hal.sim.body import Body
from hal.sim.pico.desk import Desk
from hal.sim.pico.flash import fill_flash
from hal.sim.pico.process import EmulatedPico
from hal.sim.scramble import scrambled

_USUAL = "hexagon-61-pico"
_POWERED_S = 0.1
_CHUNK = 4096
_MOST_STEP_S = 0.05
"""Much more than it sleeps at most when nothing happens."""


class PatientClock:
    """Give seconds, without those in which a busy computer had no time to ask.

    A Pico that had to make up for them would fall behind more and more, and not answer meanwhile.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._asked_s = self._now_s = clock()
        self._lock = threading.Lock()

    def __call__(self) -> float:
        """Let time go on since the last time that somebody asked."""
        with self._lock:
            asked_s, self._asked_s = self._asked_s, self._clock()
            self._now_s += min(self._asked_s - asked_s, _MOST_STEP_S)
            return self._now_s


def main(arguments: Sequence[str] | None = None) -> int:
    """Run an emulated Pico until it is interrupted; give the exit status."""
    options = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        truth = _board(options.board)
        if options.scramble is not None:
            truth = scrambled(truth, Random(options.scramble))
        with _flash(options.flash) as flash:
            fill_flash(flash)
            _run(truth, flash, options.board)
    except HalError as error:
        print(f"hal.sim.pico: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


def _run(truth: Profile, flash: Path, board: str) -> None:
    clock = PatientClock(time.monotonic)
    body = Body(truth, clock() - _POWERED_S, seed=0)
    with closing(EmulatedPico(truth, body, clock, flash=flash)) as pico, pico.live():
        print(f"A Pico is at {pico.path}")
        print(f"  lifeboard play --backend coprocessor --board {board} --serial {pico.path}")
        print("Type help for what hands can do here, and Ctrl-C to end.", flush=True)
        _obey(Desk(truth, pico, clock))


def _obey(desk: Desk) -> None:
    """Do what is typed; sleeps while nothing is, and goes on without a keyboard."""
    source: list[int] = [sys.stdin.fileno()] if sys.stdin is not None else []
    kept = b""
    while not desk.ended:
        ready, _, _ = select.select(source, [], [], desk.step_s)
        if ready:
            read = os.read(source[0], _CHUNK)
            if not read:
                source = []
            *lines, kept = (kept + read).split(b"\n")
            for line in lines:
                if answer := desk.do(line.decode(errors="replace")):
                    print(answer, flush=True)
        desk.advance()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m hal.sim.pico",
        description="Emulate a Raspberry Pi Pico with a board on it, in real time: MicroPython, the"
        " firmware and the serial port are real. What hands do is typed.",
    )
    parser.add_argument(
        "--board",
        default=_USUAL,
        metavar="NAME|FILE",
        help="the board: a built-in one or a profile that has [pico] (%(default)s)",
    )
    parser.add_argument(
        "--scramble",
        type=int,
        metavar="N",
        help="wire the board at random, as a board that has yet to be learnt is",
    )
    parser.add_argument(
        "--flash",
        type=Path,
        metavar="DIR",
        help="the folder that is the Pico's flash, kept for the next time (one that is not kept)",
    )
    return parser


def _board(board: str) -> Profile:
    return built_in(board) if board in built_in_names() else load(Path(board))


@contextmanager
def _flash(folder: Path | None) -> Iterator[Path]:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="pico-flash-") as fresh:
        yield Path(fresh)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
