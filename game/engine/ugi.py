"""The Universal Game Interface (UGI): other programs drive the search of one game, line by line.

Owns the conversation: commands, options, the position, limits, and the running search. Lines come
in by `feed` and go out as its result. Time is an injected clock. A search runs only in
`step`, a slice at a time, so that the caller can listen in between. Must not know processes or
streams. The protocol is https://github.com/kz04px/cutegames/blob/master/ugi.md; extensions are
described in docs/engine.md.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, log10
from random import Random
from typing import Any

from game.engine.course import Grading
from game.engine.levels import LEVEL_NAMES, TOP, EngineError, Level, find_level, pick
from game.engine.search import Search, SearchedMove, new_search
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame, known_options, settle
from game.rules.base.grades import grades_text
from game.rules.base.message import Message, say
from game.rules.base.moves import as_word, from_word
from game.rules.base.values import VARIANT, Option

SLICE_S = 0.015  # target duration of a step
MOST_IN_A_SLICE = 5000  # most nodes of a step, so that a coarse clock cannot stretch it
TELL_EVERY_S = 0.5  # interval of `info` lines during a search
GRADE_EVERY_S = 0.25  # interval of `info` lines with grades; the first ones must come soon
MOST_NODES = 20_000_000  # most nodes of an endless search, which then waits for `stop`
MOST_SEED = 2**31 - 1
MOST_LINES = 500
SURE_CP = 10_000  # the score in centipawns of a proved win; others are lower

MOST_NUMBER = 10**9  # the highest number that `go` takes; as milliseconds, eleven days
MOVES_LEFT = 20  # number of moves for which the remaining time must last
OVERHEAD_S = 0.05  # time that a clock loses while lines pass between two programs
LEAST_S = 0.01

_OWN = ("Level", "Seed", "MultiPV")
_WAITING = ("setoption", "uginewgame", "position", "go")  # commands that a search refuses
_OF_GAME = "game-"

_PLAIN = re.compile(r"uct:([1-9][0-9]{0,8})")
_MOVES = re.compile(r"(?:^|\s)moves(?:\s|$)")
_SETTING = re.compile(r"name\s+(?P<name>.*?)(?:\s+value(?:\s+(?P<value>.*))?)?")


@dataclass(frozen=True, slots=True)
class Limits:
    """What ends a search, whichever comes first: nodes, seconds, or the length of its best line.

    With `forever` only `stop` ends it.
    """

    nodes: float = inf
    seconds: float = inf
    depth: float = inf
    forever: bool = False

    def within(self, level: Level) -> "Limits":
        """Apply a level's limits too; those of the top level only if there are no others.

        A weak level stays weak however much time it has.
        """
        if self.forever or (self != Limits() and level.name == TOP):
            return self
        return Limits(min(self.nodes, level.nodes), min(self.seconds, level.seconds), self.depth)


def read_limits(words: Sequence[str], mover: int) -> Limits:
    """Read the words after `go`, for the player to move (from 1); unknown words are skipped.

    Raises EngineError, which names the word, its value and what is allowed.
    """
    bounds: dict[str, int] = {}
    least = {"movetime": 1, "nodes": 1, "depth": 1, f"p{mover}time": 0, f"p{mover}inc": 0}
    for word, value in pairwise((*words, "")):
        if word not in least:
            continue
        fits = re.fullmatch("[0-9]{1,10}", value) is not None
        if not (fits and least[word] <= int(value) <= MOST_NUMBER):
            span = {"least": least[word], "most": MOST_NUMBER}
            raise EngineError(say("engine.bad_number", name=word, value=value, **span))
        bounds[word] = int(value)
    if "infinite" in words:
        return Limits(forever=True)
    seconds = bounds["movetime"] / 1000 if "movetime" in bounds else inf
    if f"p{mover}time" in bounds:
        left = bounds[f"p{mover}time"] / 1000
        share = left / MOVES_LEFT + bounds.get(f"p{mover}inc", 0) / 1000
        seconds = min(seconds, max(LEAST_S, min(share, left) - OVERHEAD_S))
    return Limits(bounds.get("nodes", inf), seconds, bounds.get("depth", inf))


@dataclass(slots=True)
class _Thinking:
    """A running search, when it started, its limits, and when its last info was sent.

    `grading` writes its info lines as grades.
    """

    search: Search
    limits: Limits
    started: float
    reported_s: float
    grading: Grading | None = None
    slice_nodes: float = 1.0

    @property
    def exhausted(self) -> bool:
        """Whether there is nothing left to find; an endless search then waits for `stop`."""
        return self.search.settled or self.search.nodes >= MOST_NODES

    def is_over(self, now: float) -> bool:
        """Return whether a limit is reached."""
        search, limits = self.search, self.limits
        return not limits.forever and (
            self.exhausted
            or search.nodes >= limits.nodes
            or now - self.started >= limits.seconds
            or (limits.depth < inf and len(search.choices()[0].line) >= limits.depth)
        )


class UgiServer:
    """One conversation about one game.

    `clock` is monotonic, in seconds. `tell` translates a message. `level` is the name of a level,
    or `uct:N` for plain UCT with N random games a move; others raise EngineError.
    """

    def __init__(
        self,
        game: AnyGame,
        *,
        clock: Callable[[], float],
        tell: Callable[[Message], str],
        level: str = TOP,
        seed: int = 0,
    ) -> None:
        self._game = game
        self._clock = clock
        self._tell = tell
        self._level = _strength(level)
        self._seed = seed
        self._lines = 1
        self._settings = settle(game, {})
        self._position = game.initial(self._settings)
        self._thinking: _Thinking | None = None
        self._warm = False
        self.ended = False
        self._options = {
            "Level": Option(level, choices=tuple(dict.fromkeys((*LEVEL_NAMES, level)))),
            "Seed": Option(str(seed), least=0, most=MOST_SEED),
            "MultiPV": Option("1", least=1, most=MOST_LINES),
        }
        # Variants are games of their own.
        known = (name for name in known_options(game) if name != VARIANT)
        self._of_game = {offered_name(name): name for name in known}
        for offered, name in self._of_game.items():
            self._options[offered] = known_options(game)[name]
        self._commands: dict[str, Callable[[str], list[str]]] = {
            "ugi": self._introduce,
            "isready": self._be_ready,
            "uginewgame": self._new_game,
            "setoption": self._set_option,
            "position": self._set_position,
            "go": self._go,
            "stop": self._stop,
            "query": self._answer,
            "quit": self._quit,
        }

    @property
    def busy(self) -> bool:
        """Whether a search has work to do; if not, only a new line changes anything."""
        thinking = self._thinking
        return thinking is not None and not (thinking.limits.forever and thinking.exhausted)

    def feed(self, line: str) -> list[str]:
        """Handle a line and return the answers.

        A wrong command changes nothing and is answered by an error. Unknown words before a command
        are skipped.
        """
        words = line.split()
        for at, word in enumerate(words):
            if word in self._commands:
                rest = line.split(None, at + 1)[at + 1 :]
                try:
                    if word in _WAITING and self._thinking is not None:
                        raise EngineError(say("engine.searching", command=word))
                    return self._commands[word](rest[0].strip() if rest else "")
                except RulesError as error:
                    return self._complain(error.message)
        if words:
            allowed = ", ".join(self._commands)
            return self._complain(say("engine.unknown", line=line[:80], allowed=allowed))
        return []

    def step(self) -> list[str]:
        """Search for a slice of time and return the lines to send."""
        thinking = self._thinking
        if thinking is None or not self.busy:
            return []
        before, search, limits = self._clock(), thinking.search, thinking.limits
        nodes = min(thinking.slice_nodes, limits.nodes - search.nodes)
        left = thinking.started + limits.seconds - before
        if left < SLICE_S:
            nodes = min(nodes, thinking.slice_nodes * left / SLICE_S)
        search.go_on(max(1, int(nodes)))
        now = self._clock()
        # If the slice took no time on a coarse clock, it was too small.
        pace = SLICE_S / (now - before) if now > before else 2.0
        nodes = thinking.slice_nodes * min(pace, 2.0)
        thinking.slice_nodes = min(max(1.0, nodes), MOST_IN_A_SLICE)
        if thinking.is_over(now):
            return self._finish(thinking, now)
        if now - thinking.reported_s >= (GRADE_EVERY_S if thinking.grading else TELL_EVERY_S):
            thinking.reported_s = now
            return self._infos(thinking, thinking.search.choices(), now)
        return []

    def _finish(self, thinking: _Thinking, now: float) -> list[str]:
        self._thinking = None
        choices = thinking.search.choices()
        chosen = pick(self._level, choices, self._chance())
        ordered = (chosen, *(choice for choice in choices if choice is not chosen))
        return [*self._infos(thinking, ordered, now), f"bestmove {as_word(chosen.move)}"]

    def _infos(self, thinking: _Thinking, choices: Sequence[SearchedMove], now: float) -> list[str]:
        spent = now - thinking.started
        nodes = thinking.search.nodes
        speed = int(nodes / spent) if spent > 0 else 0
        head = f"info nodes {nodes} time {int(1000 * spent)} nps {speed}"
        if thinking.grading is not None:
            return [f"{head} grades {grades_text(thinking.grading.grades(choices))}"]
        return [
            f"{head} multipv {number} {_score(choice)} pv {' '.join(map(as_word, choice.line))}"
            for number, choice in enumerate(choices[: self._lines], 1)
        ]

    def _complain(self, message: Message) -> list[str]:
        return [f"info string error: {' '.join(self._tell(message).split())}"]

    def _chance(self) -> Random:
        """Return the random generator of this position, the same whenever the seed is the same."""
        return Random(f"{self._seed} {self._game.text(self._seen())}")

    def _seen(self) -> Any:
        """Return the position as the player to move sees it; a move may depend on nothing else."""
        mover = self._game.to_move(self._position)
        return self._game.seen_by(self._position, mover, remembers=True)

    def _introduce(self, _: str) -> list[str]:
        options = [f"option name {name} {_kind(each)}" for name, each in self._options.items()]
        name = f"id name lifeboard {self._game.name}"
        return [name, "id author the lifeboard founders", *options, "ugiok"]

    def _be_ready(self, _: str) -> list[str]:
        if not self._warm and self._game.to_move(self._position) is not None:
            # Prepare the first search now, not on a player's clock.
            new_search(self._game, self._seen(), 0)
            self._warm = True
        return ["readyok"]

    def _new_game(self, _: str) -> list[str]:
        self._position = self._game.initial(self._settings)
        return []

    def _set_option(self, rest: str) -> list[str]:
        read = _SETTING.fullmatch(rest)
        given, value = (read["name"], (read["value"] or "").strip()) if read else (rest, "")
        name = next((each for each in self._options if each.lower() == given.lower()), None)
        if name is None:
            allowed = ", ".join(self._options)
            raise EngineError(say("engine.unknown_option", name=given[:80], allowed=allowed))
        # As in UCI, names and values of options are case-insensitive.
        same = (each for each in self._options[name].choices if each.lower() == value.lower())
        value = next(same, value)
        if name == "Level":
            self._level = _strength(value)
        elif not self._options[name].accepts(value):
            allowed = self._options[name].allowed
            raise EngineError(
                say("engine.bad_option", name=name, value=value[:80], allowed=allowed)
            )
        elif name == "Seed":
            self._seed = int(value)
        elif name == "MultiPV":
            self._lines = int(value)
        else:
            own = self._of_game[name]
            self._settings = settle(self._game, {**self._settings, own: value})
        return []

    def _set_position(self, rest: str) -> list[str]:
        start, *moves = _MOVES.split(rest, maxsplit=1)
        kind, _, text = start.strip().partition(" ")
        if kind == "startpos":
            position = self._game.initial(self._settings)
        elif kind == "fen":
            position = self._game.parse(text.strip())
        else:
            raise EngineError(say("engine.bad_position", value=kind[:80]))
        for word in " ".join(moves).split():
            position = self._game.play(position, self._game.parse_move(position, from_word(word)))
        self._position = position
        return []

    def _go(self, rest: str) -> list[str]:
        mover = self._game.to_move(self._position)
        if mover is None:
            # The caller must not wait forever for a move.
            return [*self._complain(say("rules.game_over")), "bestmove (none)"]
        words = rest.split()
        limits = read_limits(words, mover).within(self._level)
        plain = _PLAIN.fullmatch(self._level.name) is not None
        seed = self._chance().randrange(2**32)
        now = self._clock()
        position = self._seen()
        search = new_search(self._game, position, seed, plain=plain)
        self._thinking = _Thinking(search, limits, now, now)
        if "grades" in words:
            search.grade()
            self._thinking.grading = Grading(self._game, position)
        return []

    def _stop(self, _: str) -> list[str]:
        # The search may have ended while `stop` was on its way.
        return self._finish(self._thinking, self._clock()) if self._thinking is not None else []

    def _answer(self, rest: str) -> list[str]:
        game, position = self._game, self._position
        outcome, result = game.outcome(position), "none"
        if outcome is not None:
            result = "draw" if outcome.winner is None else f"p{outcome.winner}win"
        answers = {
            "gameover": str(outcome is not None).lower(),
            "p1turn": str(game.to_move(position) == 1).lower(),
            "result": result,
        }
        if rest not in answers:
            allowed = ", ".join(answers)
            raise EngineError(say("engine.unknown_query", name=rest[:80], allowed=allowed))
        return [f"response {answers[rest]}"]

    def _quit(self, _: str) -> list[str]:
        self._thinking = None
        self.ended = True
        return []


def offered_name(option: str) -> str:
    """Return the name under which a game's option is offered, distinct from the server's own."""
    taken = option.lower() in (name.lower() for name in _OWN)
    return f"{_OF_GAME}{option}" if taken else option


def _strength(name: str) -> Level:
    """Find a level, or make one of plain UCT; raises EngineError."""
    plain = _PLAIN.fullmatch(name)
    if plain is None:
        return find_level(name)
    return Level(name, say("engine.plain", count=int(plain[1])), int(plain[1]), inf, 0.0)


def _kind(option: Option) -> str:
    if option.choices:
        values = "".join(f" var {choice}" for choice in option.choices)
        return f"type combo default {option.default}{values}"
    return f"type spin default {option.default} min {option.least} max {option.most}"


def _score(choice: SearchedMove) -> str:
    """Return a move's score: centipawns (Elo: 400 for odds of ten to one), win/draw/loss per mille.

    `decided` is 1 for a proved score.
    """
    value = choice.value
    if choice.decided and value in (0, 1):
        cp = SURE_CP if value else -SURE_CP
    else:
        even = min(max(value, 1e-9), 1 - 1e-9)
        cp = max(1 - SURE_CP, min(SURE_CP - 1, round(400 * log10(even / (1 - even)))))
    won = round(1000 * value)
    return f"score cp {cp} wdl {won} 0 {1000 - won} decided {int(choice.decided)}"
