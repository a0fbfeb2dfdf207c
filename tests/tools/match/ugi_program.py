"""Another program as a player of a match, over standard input and output by UGI.

Owns the conversation with it, in bounded time: at worst it loses the game. Its process is a
`LineProcess`. The protocol is https://github.com/kz04px/cutegames/blob/master/ugi.md.
"""

import shlex
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from threading import Event
from typing import Any

from game.engine.ugi import offered_name
from game.opponent.line_process import LineProcess
from game.rules.base.game import Game
from game.rules.base.moves import from_word
from tests.tools.match.players import ChosenMove, PlayerError
from tests.tools.match.specs import Spec

_SPENT = 0.9
"""A program that has used this share of its time was ended by the clock, for all we can see."""
_SEEDS = 10**9
"""Range of seeds that programs take."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a program may take, in seconds.

    `start_s` to begin and be ready, `grace_s` beyond the time that it has for a move, and `nodes_s`
    for a move where only its nodes are limited.
    """

    start_s: float = 20.0
    grace_s: float = 5.0
    nodes_s: float = 600.0


class UgiProgram:
    """A program that plays; it is started again when it is not running as a game begins."""

    def __init__(
        self,
        game: Game[Any, Any],
        spec: Spec,
        options: Mapping[str, str],
        limits: Limits = Limits(),
    ) -> None:
        self._game = game
        self._spec = spec
        self._options = dict(options)
        self._limits = limits
        self._child: LineProcess | None = None
        self._heard: deque[str] = deque()
        self._wake = Event()
        self._offered: dict[str, str] = {}

    def begin(self, rng: Random) -> None:
        """Begin a game, with a seed where the program takes one."""
        seed, deadline = rng.randrange(_SEEDS), time.perf_counter() + self._limits.start_s
        if self._child is None:
            self._start(deadline)
        self._set("seed", seed)
        self._say("uginewgame", "isready")
        while self._line(deadline, "readyok") != "readyok":
            pass

    def choose(self, position: Any) -> ChosenMove:
        """Let it choose a move."""
        began, searched = time.perf_counter(), 0
        seconds, nodes = self._spec.seconds, self._spec.nodes
        limits = [f"movetime {max(1, round(1000 * seconds))}"] if seconds is not None else []
        limits += [f"nodes {nodes}"] if nodes is not None else []
        self._say(f"position fen {self._game.text(position)}", f"go {' '.join(limits)}")
        grace_s = self._limits.grace_s
        deadline = began + (self._limits.nodes_s if seconds is None else seconds + grace_s)
        while True:
            words = self._line(deadline, "a move").split()
            if words[:1] == ["info"]:
                searched = _nodes_in(words, searched)
            elif words[:1] == ["bestmove"]:
                took_s = time.perf_counter() - began
                cut = seconds is not None and took_s >= _SPENT * seconds
                move = from_word(words[1]) if len(words) > 1 else ""
                return ChosenMove(move, searched, took_s, cut)

    def close(self) -> None:
        """End the program."""
        if self._child is not None:
            self._child.kill()
            self._child.join(5.0)
            self._child = None

    def _start(self, deadline: float) -> None:
        self._heard.clear()
        self._offered = {}
        self._child = LineProcess(shlex.split(self._spec.name), self._wake.set)
        self._say("ugi")
        while (line := self._line(deadline, "ugiok")) != "ugiok":
            if line.startswith("option name "):
                name = line.removeprefix("option name ").partition(" type ")[0].strip()
                self._offered[name.lower()] = name
        for option, value in self._options.items():
            self._set(offered_name(option), value)

    def _set(self, option: str, value: object) -> None:
        """Set an option if the program offers it."""
        if option.lower() in self._offered:
            self._say(f"setoption name {self._offered[option.lower()]} value {value}")

    def _say(self, *lines: str) -> None:
        if self._child is None:
            raise PlayerError("is not running")
        self._child.send(*lines)

    def _line(self, deadline: float, wanted: str) -> str:
        """Wait for its next line; raises PlayerError."""
        child = self._child
        while child is not None and not self._heard:
            self._wake.clear()
            self._heard.extend(line.strip() for line in child.lines())
            left_s = deadline - time.perf_counter()
            if self._heard:
                break
            if (ended := child.ended) is not None:
                raise self._given_up(f"ended: {ended.why}")
            if left_s <= 0:
                raise self._given_up(f"gave no answer in time where {wanted} was expected")
            self._wake.wait(left_s)
        if time.perf_counter() > deadline:
            raise self._given_up(f"talks, but {wanted} was expected")
        return self._heard.popleft()

    def _given_up(self, why: str) -> PlayerError:
        self.close()
        return PlayerError(why)


def _nodes_in(words: list[str], before: int) -> int:
    """Read the nodes of an `info` line."""
    try:
        return int(words[words.index("nodes") + 1])
    except (ValueError, IndexError):
        return before
