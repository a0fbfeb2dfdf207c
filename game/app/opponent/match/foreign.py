"""Another program as a player of a match, over standard input and output by UGI.

Owns that program's process and the conversation with it, all in bounded time: whatever it does, or
does not do, at worst it loses the game. The protocol is
https://github.com/kz04px/cutegames/blob/master/ugi.md.
"""

import os
import select
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any

from game.app.opponent.match.players import PlayerError, Thought
from game.app.opponent.match.specs import Spec
from game.engine.ugi import offered_name
from game.rules.game import Game
from game.rules.movetext import from_word

MOST_LINE = 1 << 20
"""Bytes without an end of line; a program that sends more talks nonsense."""
_SEED = "seed"
_SPENT = 0.9
"""Who has used so much of its time was ended by the clock, as far as can be seen from outside."""
_SEEDS = 10**9
"""Programs take seeds of so many values at least."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a program may take, in seconds.

    `start_s` to begin and to be ready, `grace_s` beyond the time it has for a move, and `nodes_s`
    for a move where only its nodes are limited.
    """

    start_s: float = 20.0
    grace_s: float = 5.0
    nodes_s: float = 600.0


class Foreign:
    """A program that plays; it is started again when a game begins and it is not there."""

    def __init__(
        self,
        game: Game[Any, Any],
        spec: Spec,
        options: Mapping[str, str],
        patience: Patience = Patience(),
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._game = game
        self._spec = spec
        self._settings = dict(options)
        self._patience = patience
        self._clock = clock
        self._talk: _Talk | None = None
        self._offered: dict[str, str] = {}

    def begin(self, rng: Random) -> None:
        """Begin a game, with a seed where the program takes one."""
        seed = rng.randrange(_SEEDS)
        deadline = self._clock() + self._patience.start_s
        if self._talk is None:
            self._start(deadline)
        if _SEED in self._offered:
            self._say(f"setoption name {self._offered[_SEED]} value {seed}")
        self._say("uginewgame")
        self._say("isready")
        self._wait("readyok", deadline)

    def think(self, position: Any) -> Thought:
        """Let it choose a move."""
        began = self._clock()
        seconds, nodes = self._spec.seconds, self._spec.nodes
        limits = [f"movetime {max(1, round(1000 * seconds))}"] if seconds is not None else []
        limits += [f"nodes {nodes}"] if nodes is not None else []
        self._say(f"position fen {self._game.text(position)}")
        self._say(f"go {' '.join(limits)}")
        allowed_s = self._patience.nodes_s
        if seconds is not None:
            allowed_s = seconds + self._patience.grace_s
        searched = 0
        while True:
            words = self._line(began + allowed_s, "a move").split()
            if words[:1] == ["info"]:
                searched = _nodes_in(words, searched)
            elif words[:1] == ["bestmove"]:
                took_s = self._clock() - began
                cut = seconds is not None and took_s >= _SPENT * seconds
                move = from_word(words[1]) if len(words) > 1 else ""
                return Thought(move, searched, took_s, cut)

    def close(self) -> None:
        """End the program."""
        if self._talk is not None:
            self._talk.close()
            self._talk = None

    def _start(self, deadline: float) -> None:
        try:
            self._talk = _Talk(shlex.split(self._spec.name))
        except (OSError, ValueError) as error:
            raise PlayerError(f"cannot be started: {error}") from error
        self._offered = {}
        self._say("ugi")
        while True:
            line = self._line(deadline, "ugiok")
            if line == "ugiok":
                break
            if line.startswith("option name "):
                name = line.removeprefix("option name ").partition(" type ")[0].strip()
                self._offered[name.lower()] = name
        for option, value in self._settings.items():
            name = offered_name(option).lower()
            if name in self._offered:
                self._say(f"setoption name {self._offered[name]} value {value}")

    def _wait(self, wanted: str, deadline: float) -> None:
        while self._line(deadline, wanted) != wanted:
            pass

    def _say(self, line: str) -> None:
        if self._talk is None:
            raise PlayerError("is not there any more")
        try:
            self._talk.say(line)
        except OSError as error:
            raise self._given_up(self._talk.ended()) from error

    def _line(self, deadline: float, wanted: str) -> str:
        """Wait for its next line; raises PlayerError."""
        if self._talk is None:
            raise PlayerError("is not there any more")
        while (line := self._talk.line()) is None:
            left_s = deadline - self._clock()
            if left_s <= 0:
                raise self._given_up(f"gave no answer in time where {wanted} was awaited")
            more = self._talk.listen(left_s)
            if more is None:
                raise self._given_up(self._talk.ended())
            if not more:
                raise self._given_up("sends a line without end")
        if self._clock() > deadline:
            raise self._given_up(f"talks, and not of {wanted}, which was awaited")
        return line

    def _given_up(self, why: str) -> PlayerError:
        self.close()
        return PlayerError(why)


class _Talk:
    """The process of a program, and the lines that it says."""

    def __init__(self, command: list[str]) -> None:
        # A session of its own, so that Ctrl-C is for us alone and all that it starts can be ended.
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            bufsize=0,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input = self._process.stdin
        self._output = self._process.stdout
        self._heard = b""

    def say(self, line: str) -> None:
        """Send a line; raises OSError if nobody is there."""
        self._input.write(line.encode() + b"\n")

    def line(self) -> str | None:
        """Give the next whole line that was heard."""
        line, end, rest = self._heard.partition(b"\n")
        if not end:
            return None
        self._heard = rest
        return line.decode(errors="replace").strip()

    def listen(self, timeout_s: float) -> bool | None:
        """Hear more, for so long at most; False for far too much, None at the end."""
        ready, _, _ = select.select([self._output], [], [], timeout_s)
        if ready:
            piece = os.read(self._output.fileno(), 1 << 16)
            if not piece:
                return None
            self._heard += piece
        return len(self._heard) <= MOST_LINE

    def ended(self) -> str:
        """Say how the process ended."""
        try:
            status = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return "does not talk any more"
        if status < 0:
            return f"died of {signal.Signals(-status).name}"
        return f"ended with status {status}"

    def close(self) -> None:
        """End the process and all that it started, and wait for it."""
        with suppress(OSError):
            self._input.close()
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._output.close()


def _nodes_in(words: list[str], before: int) -> int:
    """Read the nodes of an `info` line."""
    try:
        return int(words[words.index("nodes") + 1])
    except (ValueError, IndexError):
        return before
