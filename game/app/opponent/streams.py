"""The engine on standard input and output.

Owns the streams, the real clock and the end: lines are heard between two slices of a search, and
while there is nothing to search it sleeps until a line comes. The conversation itself stands in
`game.engine.ugi`.
"""

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import SystemRandom
from types import FrameType
from typing import NoReturn, Protocol

from game.app.opponent.giving_way import end_with_parent, give_way
from game.app.words import words
from game.engine.levels import TOP
from game.engine.ugi import MOST_SEED, Server
from game.rules.catalogue import find_game
from game.rules.message import Message, say

MOST_LINE = 1 << 16
"""Bytes of a line; what is longer is not read."""
_IN, _OUT = 0, 1


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """What the command line says; a `level` of None is the top one, a `seed` of None any."""

    game: str
    level: str | None = None
    seed: int | None = None
    nice: int = 0
    with_parent: bool = False


class Conversation(Protocol):
    """What is talked with: the server of a protocol."""

    @property
    def ended(self) -> bool:
        """Whether it wants no more lines."""
        ...

    @property
    def busy(self) -> bool:
        """Whether a step would do anything."""
        ...

    def feed(self, line: str) -> list[str]:
        """Take a line and answer it."""
        ...

    def step(self) -> list[str]:
        """Work for a moment."""
        ...


def serve(options: EngineOptions) -> None:
    """Converse on standard input and output until `quit`, the end of input, or SIGTERM."""
    signal.signal(signal.SIGTERM, _leave)
    if options.with_parent:
        end_with_parent()
    if options.nice:
        give_way(options.nice)
    seed = SystemRandom().randrange(MOST_SEED) if options.seed is None else options.seed
    tell = words("en").text
    server = Server(
        find_game(options.game),
        clock=time.monotonic,
        tell=tell,
        level=TOP if options.level is None else options.level,
        seed=seed,
    )
    converse(server, tell, _IN, _OUT)


def converse(
    server: Conversation, tell: Callable[[Message], str], source: int, target: int
) -> None:
    """Carry lines between two open files, by their numbers, and a server, until either ends."""
    heard = Lines(MOST_LINE)
    while not server.ended:
        ready, _, _ = select.select([source], [], [], 0 if server.busy else None)
        if not ready:
            _say(server.step(), target)
            continue
        piece = os.read(source, MOST_LINE)
        lines = heard.take(piece) if piece else heard.rest()
        for line in lines:
            if line is None:
                why = tell(say("engine.too_long", most=MOST_LINE))
                _say([f"info string error: {why}"], target)
            elif not server.ended:
                _say(server.feed(line), target)
        if not piece:
            return


class Lines:
    """Lines out of pieces of bytes; of one that is longer than `most` bytes only that it was."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._begun = b""
        self._too_long = False

    def take(self, piece: bytes) -> list[str | None]:
        """Give the lines that are whole now, without their ends; None for one that is too long."""
        *whole, begun = (self._begun + piece).split(b"\n")
        lines: list[str | None] = []
        for line in whole:
            lines.append(None if self._too_long or len(line) > self._most else _text(line))
            self._too_long = False
        if len(begun) > self._most:
            self._too_long = True
        # What is too long is not kept: only its end is looked for.
        self._begun = b"" if self._too_long else begun
        return lines

    def rest(self) -> list[str | None]:
        """Give what has no end of line, after which nothing comes."""
        return self.take(b"\n") if self._begun or self._too_long else []


def _text(line: bytes) -> str:
    return line.decode(errors="replace").rstrip("\r")


def _say(lines: Sequence[str], target: int) -> None:
    """Write lines at once, so that none waits in a buffer."""
    data = "".join(f"{line}\n" for line in lines).encode(errors="replace")
    while data:
        data = data[os.write(target, data) :]


def _leave(_signal: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(0)
