"""`python -m tests.helpers.pico`: an emulated Pico with a board, in real time.

The firmware and the serial port are real; the Pico, its chips and pixels are not.
"""

import argparse
import os
import select
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from hal.base.errors import HalError
from hal.profile import Profile, built_in, built_in_names, load
from hal.sim.body import Body
from tests.helpers.pico.commands import CommandInterpreter
from tests.helpers.pico.quick import EmulatedPico
from tests.helpers.pico.terminal import StallFreeClock, Terminal

_USUAL = "hexagon-61-pico"
_POWERED_S = 0.1
_CHUNK = 4096


def main(arguments: Sequence[str] | None = None) -> int:
    """Run an emulated Pico until it is interrupted; return the exit status."""
    options = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with tempfile.TemporaryDirectory(prefix="pico-flash-") as flash:
            _run(_board(options.board), Path(flash), options.board)
    except HalError as error:
        print(f"tests.helpers.pico: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


def _run(profile: Profile, flash: Path, board: str) -> None:
    clock = StallFreeClock(time.monotonic)
    body = Body(profile, clock() - _POWERED_S, seed=0)
    with closing(EmulatedPico(profile, body, clock, flash=flash)) as pico:
        terminal = Terminal(pico)
        with terminal.live():
            _serve(CommandInterpreter(profile, pico, clock), terminal, board)


def _serve(interpreter: CommandInterpreter, terminal: Terminal, board: str) -> None:
    print(f"A Pico is at {terminal.path}")
    print(f"  lifeboard play --backend coprocessor --board {board} --serial {terminal.path}")
    print("Type touch e5, touch take_back, show, unplug or plug, and Ctrl-C to end.", flush=True)
    _read_commands(interpreter, terminal)


def _read_commands(interpreter: CommandInterpreter, terminal: Terminal) -> None:
    """Carry out typed commands; sleep in between, and continue without a keyboard."""
    source: list[int] = [sys.stdin.fileno()] if sys.stdin is not None else []
    saved = b""
    while True:
        ready, _, _ = select.select(source, [], [], interpreter.step_s)
        if ready:
            read = os.read(source[0], _CHUNK)
            if not read:
                source = []
            *lines, saved = (saved + read).split(b"\n")
            for line in lines:
                with terminal.lock:
                    answer = interpreter.execute(line.decode(errors="replace"))
                print(answer, flush=True)
        with terminal.lock:
            interpreter.advance()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.helpers.pico",
        description="Emulate a Raspberry Pi Pico with a board on it, in real time: the firmware"
        " and the serial port are real. Type commands to touch the board.",
    )
    parser.add_argument(
        "--board",
        default=_USUAL,
        metavar="NAME|FILE",
        help="the board: a built-in one or a profile that has [pico] (%(default)s)",
    )
    return parser


def _board(board: str) -> Profile:
    return built_in(board) if board in built_in_names() else load(Path(board))


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
