"""The tutorial of a game, played step by step on the lights and the page.

Owns which touch leads to the next step, and the display until then. The steps are read by
`game.rules.base.tutorial`.
"""

from dataclasses import replace

from game.common import AppError
from game.play import Snapshot
from game.rules.base.message import Message, say
from game.rules.base.tutorial import tutorial
from game.table import REJECTED_S, Cue, Lamp, PlayerView
from game.table.inputs import Command
from game.web.game_pages import GAME
from game.web.show import Lesson, Request, inline, standing

LEARNER = 1
"""The player who learns: of a game that hides pieces, the tutorial shows what this one sees."""


class Tutorial(Lesson):
    """The tutorial of one game on one board; raises AppError for a game without one.

    The expected touches enter moves. A take-back goes one step back, a confirmation does what the
    step expects, and a new game begins again. A touch after the last step leads to the game.
    """

    def _open(self) -> None:
        self._steps = tutorial(self.game)
        if not self._steps:
            raise AppError(f"{self.game.title} has no tutorial")
        self._views = PlayerView()
        self._go_to(0)

    def _go_on(self) -> None:
        self._go_to(self._at + 1)

    def obey(self, asked: Request, now: float) -> None:
        match asked:
            case Command.TAKE_BACK if self._frames or self._taps:
                self._go_to(self._at)
            case Command.TAKE_BACK:
                self._go_to(max(0, self._at - 1))
            case Command.NEW_GAME:
                self._go_to(0)
            case Command.CONFIRM if self._frames:
                self._go_to(self._at + 1)
            case Command.CONFIRM:
                at, wanted = self._at, self._steps[self._at]
                while self._at == at < len(self._steps) - 1 and not self._frames:
                    # If the step expects no move, any touch continues.
                    spots = wanted.expected(self._taps) or set(self.game.board.cells)
                    self._touch(min(spots), now)
            case str() if asked in (*self.game.board.cells, *self.game.keys):
                self._touch(asked, now)

    def _touch(self, spot: str, now: float) -> None:
        """Handle a touch: advance if expected, else flag it; during a move, skip to its end."""
        wanted = self._steps[self._at]
        if self._frames:
            self._go_on()
            return
        expected = wanted.expected(self._taps)
        self._wrong = None
        if expected and spot not in expected:
            keys = expected <= {*self.game.keys}
            where = say("tutorial.press") if keys else say("tutorial.elsewhere", cell=spot)
            why = inline(wanted.wrong) if wanted.wrong else where
            self._wrong = spot, why, now + REJECTED_S
        elif wanted.move and len(self._taps) + 1 < len(wanted.taps):
            self._taps = (*self._taps, spot)
        elif wanted.move:
            self._play([wanted.move], now)
        elif self._at + 1 == len(self._steps):
            self.leads_to = GAME
        else:
            self._go_on()

    def _go_to(self, at: int) -> None:
        """Begin a step, the last one at most."""
        self._at = min(at, len(self._steps) - 1)
        self._begin(self._steps[self._at].position)

    def picture(self) -> Snapshot:
        """Return the step's snapshot: every piece and every expected touch is lit."""
        wanted = self._steps[self._at]
        if self._frames:
            state = self._views.seen(self._frames[0].state, LEARNER)
            expected, light = frozenset[str](), dict[str, Lamp]()
            prompt: tuple[Message, ...] = (state.history[-1].summary,)
        else:
            lesson_state = replace(self._state, taps=self._taps, inspecting=wanted.inspect)
            state = self._views.seen(lesson_state, LEARNER)
            expected = wanted.expected(self._taps)
            stands = standing(self.game, state)
            light = {
                cell: replace(stands.get(cell, Lamp(Cue.STANDS)), cue=Cue.CRITTER)
                for cell in wanted.light
            }
            mover = state.situation.to_move
            side = mover and self.game.presentation.side_of(state.position, mover)
            light |= {spot: Lamp(Cue.LEGAL, side) for spot in expected & {*self.game.board.cells}}
            by_stones = self.device.profile.sensing.mode == "presence" and self._at == 0
            prompt = (inline(wanted.texts), *([say("tutorial.by_stone")] if by_stones else []))
        return self._seen(state, expected, light, prompt, (self._at + 1, len(self._steps)))
