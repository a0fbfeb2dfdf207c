"""A person at a board that learns, who sees its pixels and the tool's screens, and has a finger."""

import re
from collections.abc import Callable
from typing import Self

from game.maker.display import ToolScreen
from game.maker.learn import LearnSession
from hal.learning import Learner
from hal.profile import Electrode, Profile
from tests.helpers.boards.clocked_board import FakeClock
from tests.helpers.boards.tool_rig import TimedBoard
from tests.helpers.boards.true_board import judged

PRESS_S, PAUSE_S = 0.25, 0.25


class LearnUser:
    """A display and the person before it, who sees pixels and screens, and has one finger.

    The person knows the board by eye, wired as `true`: which spot is over which pixel, and which
    keys are pads. `choose` may override the right answer to a screen.
    """

    def __init__(
        self,
        board: TimedBoard,
        clock: FakeClock,
        true: Profile,
        choose: Callable[[ToolScreen], str | None] | None = None,
    ) -> None:
        self.screens: list[ToolScreen] = []
        self.said: list[str] = []
        self.choose = choose or (lambda screen: None)
        self._board = board
        self._clock = clock
        self._true = true
        self._spots = {pixel: spot for spot, pixel in true.pixels.items()}
        self._down = False
        self._busy_until = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def say(self, text: str) -> None:
        self.said.append(text)

    def show(self, screen: ToolScreen) -> None:
        if self.screens[-1:] != [screen]:
            self.screens.append(screen)

    def asked(self) -> str | None:
        now = self._clock.now
        if not self.screens or now < self._busy_until:
            return None
        if self._down:
            self._board.lift("finger")
            self._down, self._busy_until = False, now + PAUSE_S
            return None
        screen = self.screens[-1]
        if len(screen.actions) <= 1 or "Lift" in screen.message:
            return None
        chosen = self.choose(screen)
        if chosen is None:
            chosen = self._answer(screen)
        if chosen is not None:
            self._busy_until = now + 0.03  # one look at how the board reads it
        return chosen

    def _answer(self, screen: ToolScreen) -> str | None:
        lit = enumerate(self._board.lit())
        glowing = [n for n, each in lit if each.red == each.green == each.blue > 0]  # white
        if "touch its cell" in screen.message:
            spot = self._spots.get(glowing[0], "")  # a strip may have more pixels than spots
            return self._touch(spot) if spot in self._true.cells else "light"
        if found := re.search(r"Touch the key (\w+)", screen.message):
            pad = isinstance(self._true.keys[found[1]], Electrode)
            return self._touch(found[1]) if pad else "pin"
        if re.search(r"Touch \w+\.", screen.message):
            return self._touch(next(c for c, note in screen.cells.items() if note.state == "asked"))
        if found := re.search(r"lights? (\d+) .*of (\w+)[,?]", screen.message):
            places = range(int(found[1]) - 1, self._true.lights[found[2]])
            asked = {int(c.text): spot for spot, c in screen.cells.items() if c.state == "asked"}
            run = [asked[place] for place in sorted(asked)]
            return judged(run, [f"{found[2]}.{place}" for place in places])
        return "write" if "write the profile" in screen.message else None

    def _touch(self, spot: str) -> None:
        self._board.press("finger", spot)
        self._down, self._busy_until = True, self._clock.now + PRESS_S


def teach(
    learner: Learner, template: Profile, truth: Profile, board: TimedBoard, clock: FakeClock
) -> LearnUser:
    """Let a learner learn a board that is wired as `truth`, to the end."""
    teacher = LearnUser(board, clock, truth)
    seen = {pixel: spot for spot, pixel in truth.pixels.items()}
    LearnSession(learner, board, teacher, template, lambda _: None, seen).run(clock, lambda: False)
    return teacher
