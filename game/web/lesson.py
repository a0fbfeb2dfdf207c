"""Lessons and puzzles on a board: touches enter moves, and lights stand for the pieces.

Owns how a move is shown, how a wrong touch is flagged, and the scene of a position. Which touches
are right is decided by `game.web.tutorial` and `game.web.puzzles`.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any

from game.play import Audience, PuzzleList, Snapshot
from game.rules.base.game import AnyGame
from game.rules.base.message import InlineText, Message
from game.rules.base.situation import Situation
from game.store import initial_state
from game.table import REJECTED_S, Cue, Lamp, Phase, State, scene_of
from game.table.entries import Entry, EntryKind
from game.table.inputs import Command
from game.web.game_pages import GAME
from game.web.replay import ReplayFrame, frames_after, standing
from game.web.show import Show
from hal.backends.device import Device
from hal.base.events import Event, KeyTouch, Moment

SLOWER = 1.5
"""How much longer than in a replay a move is shown: newcomers read what happens."""


class Lesson(Show):
    """Steps on one board, which `_open` reads and begins.

    No pieces are needed. At `speed` 1 a move is shown for SLOWER times as long as in a replay.
    """

    def __init__(
        self,
        game: AnyGame,
        device: Device,
        audience: Audience,
        brightness: Callable[[], float] | None = None,
        speed: float = 1.0,
    ) -> None:
        super().__init__(game, device, audience, brightness)
        self._speed = speed / SLOWER
        self._open()

    @abstractmethod
    def _open(self) -> None:
        """Read the steps and begin the first; raises AppError if there are none."""

    def _begin(self, position: Any) -> None:
        """Show a position, in which nothing has been touched."""
        self._taps: tuple[str, ...] = ()
        self._frames: tuple[ReplayFrame, ...] = ()
        self._wrong: tuple[str, Message, float] | None = None
        self._next_s = inf
        start, now = initial_state(self.game), Situation(self.game, position)
        self._state = replace(start, phase=Phase.TAP, situation=now, standing=now.pieces)

    @property
    def step_at(self) -> object:
        """The touches so far, and the frames of the move being shown."""
        return self._state, self._taps, self._frames, self._wrong

    @property
    def next_s(self) -> float:
        """When the move continues, or a wrong touch is forgotten."""
        return min(self._next_s, inf if self._wrong is None else self._wrong[2])

    def _sense(self, event: Event, now: float) -> None:
        """Return to the game when its key for a new one is pressed."""
        if event == KeyTouch(Command.NEW_GAME.value, Moment.DOWN):
            self.leads_to = GAME
        else:
            super()._sense(event, now)

    def advance(self, now: float) -> None:
        """Go on with the move that is shown, and forget a wrong touch after a while."""
        while self._frames and now >= self._next_s:
            if len(self._frames) == 1:
                self._go_on()
            else:
                self._frames = self._frames[1:]
                self._next_s = now + self._frames[0].seconds / self._speed
        if self._wrong is not None and now >= self._wrong[2]:
            self._wrong = None

    @abstractmethod
    def _go_on(self) -> None:
        """Do what follows when the moves have been shown."""

    def _play(self, moves: Iterable[str], now: float) -> None:
        """Show moves, frame by frame."""
        entries = [Entry(EntryKind.MOVE, move) for move in moves]
        self._frames = tuple(frames_after(self.game, self._state, entries))
        self._next_s = now + self._frames[0].seconds / self._speed

    def _refuse(self, spot: str, why: Message, now: float) -> None:
        self._wrong = spot, why, now + REJECTED_S

    def _seen(
        self,
        state: State,
        expected: frozenset[str],
        light: Mapping[str, Lamp],
        prompt: Sequence[Message],
        lesson: tuple[int, int],
        puzzles: PuzzleList | None = None,
    ) -> Snapshot:
        """Return the snapshot of a state: every piece is lit, and `light` overrides some spots."""
        bare, notice = scene_of(self.game, state, expected), None
        if self._wrong is not None:
            spot, notice, _ = self._wrong
            light = {**light, spot: Lamp(Cue.WRONG)}
        lit = standing(self.game, state) | dict(bare.cells) | dict(light)
        cells = {spot: lamp for spot, lamp in lit.items() if spot in self.game.board.centres}
        keys = {key: light.get(key, lamp) for key, lamp in bare.keys.items()}
        seen = replace(bare, cells=cells, keys=keys, prompt=tuple(prompt), notice=notice)
        return Snapshot(self.game, state, seen, lesson=lesson, puzzles=puzzles)


def inline(texts: Mapping[str, str]) -> Message:
    """Return a message from a data file's text in each language."""
    return InlineText("lesson", texts=texts)
