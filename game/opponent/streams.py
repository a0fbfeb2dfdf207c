"""The engine on standard input and output.

Owns the streams, the real clock and the shutdown. Lines are read between two slices of a search;
without a search the process sleeps until a line comes. The conversation is in `game.engine.ugi`.
"""

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Sequence
from random import SystemRandom

from game.common import escaped, words
from game.engine import MOST_SEED, TOP, UgiServer
from game.opponent.program import lower_priority
from game.rules.base.message import Message, say
from game.rules.base.registry import find_game
from hal.base.files import decoded

MOST_LINE = 1 << 16  # most bytes of a line; longer ones are errors


def serve(
    game: str,
    *,
    level: str | None = None,
    seed: int | None = None,
    nice: int = 0,
) -> None:
    """Serve standard input and output until `quit`, the end of input, or SIGTERM.

    A `level` of None is the top one, a `seed` of None a random one.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    if nice:
        lower_priority(nice)
    tell = words("en").text
    server = UgiServer(
        find_game(game),
        clock=time.monotonic,
        tell=tell,
        level=TOP if level is None else level,
        seed=SystemRandom().randrange(MOST_SEED) if seed is None else seed,
    )
    converse(server, tell, source=0, target=1)


def converse(server: UgiServer, tell: Callable[[Message], str], source: int, target: int) -> None:
    """Carry lines between two file descriptors and a server, until either ends."""
    partial = b""
    while not server.ended:
        ready, _, _ = select.select([source], [], [], 0 if server.busy else None)
        if not ready:
            _say(server.step(), target)
            continue
        piece = os.read(source, MOST_LINE)
        *lines, partial = (partial + piece).split(b"\n") if piece else (partial, b"")
        # One byte more than allowed is enough to see that a line is too long.
        partial = partial[: MOST_LINE + 1]
        for line in lines:
            if len(line) > MOST_LINE:
                why = tell(say("engine.too_long", most=MOST_LINE))
                _say([f"info string error: {why}"], target)
            elif line and not server.ended:
                _say(server.feed(decoded(line, "replace").rstrip("\n")), target)
        if not piece:
            return


def _say(lines: Sequence[str], target: int) -> None:
    """Write lines without a buffer; wait while a non-blocking pipe is full."""
    data = "".join(f"{escaped(line)}\n" for line in lines).encode(errors="replace")
    while data:
        select.select([], [target], [])
        data = data[os.write(target, data) :]
