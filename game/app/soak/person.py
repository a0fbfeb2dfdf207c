"""A person at the board: what he does next, from what he sees and what stands in front of him.

Owns the order of his concerns. Must not know the table's inner state; how he slips stands in
`slips`, how he waits in `actor`. Time comes in, in seconds; chance is seeded.
"""

from collections.abc import Callable
from random import Random

from game.app.soak.actor import BELIEVED_S, Actor, Stuck
from game.app.soak.fingers import Fingers
from game.app.soak.sight import PAUSE, Sight
from game.app.soak.slips import Slips
from game.app.soak.traits import Traits
from game.table.inputs import Command
from game.table.scene import Cue
from game.table.state import Phase

LONGEST_DRAW_S = 6.0
LONGEST_PAUSE_S = 30.0


class Person(Actor):
    """Play both sides of a game. `quiet` hears whenever all seems to be right to him."""

    def __init__(
        self,
        fingers: Fingers,
        traits: Traits,
        rng: Random,
        *,
        feels_stones: bool,
        tell: Callable[[str], None],
        quiet: Callable[[], None],
        keys: frozenset[str],
        ask: Callable[[Command], None],
    ) -> None:
        super().__init__(
            fingers, traits, rng, feels_stones=feels_stones, tell=tell, keys=keys, ask=ask
        )
        self._quiet = quiet
        self._slips = Slips(self)
        self._paused_s: float | None = None

    def decide(self, sight: Sight, now: float) -> bool:
        """Do the first thing that there is to do."""
        if PAUSE in sight.words:
            return self._bear_pause(now)
        self._paused_s = None
        self._see_accepted(sight)
        concerns = (
            self._watch_draw,
            self._undo,
            self._restore_knocked,
            self._give_back,
            self._take_back,
            self._confirm,
            self._do_as_shown,
            self._finish_asked,
            self._settle_tried,
            self._end,
            self._play,
        )
        return any(concern(sight, now) for concern in concerns)

    def _bear_pause(self, now: float) -> bool:
        """Wait while the board says that it must pause."""
        self._paused_s = now if self._paused_s is None else self._paused_s
        if now - self._paused_s > LONGEST_PAUSE_S:
            raise Stuck(f"has been told to pause for more than {LONGEST_PAUSE_S} s")
        self.counts["pauses"] += 1
        self.due = now + 1.0
        return True

    def _watch_draw(self, sight: Sight, now: float) -> bool:
        if sight.phase is not Phase.DRAW:
            return False
        if not sight.lit(Cue.DRAW):
            return False
        if not self.tried and self._slips.make(self.traits.drawing, sight, now):
            return True
        self.due = now + LONGEST_DRAW_S  # `see` calls earlier
        if self.idle_s is not None and now - self.idle_s >= LONGEST_DRAW_S:
            raise Stuck(f"has watched the draw for more than {LONGEST_DRAW_S} s")
        self.idle_s = now if self.idle_s is None else self.idle_s
        return False

    def _undo(self, sight: Sight, now: float) -> bool:
        """Take back by the key what is shown as a move and was none of his."""
        cell = sight.placed
        surprised = cell is not None and (
            self.fingers.desk.stones.get(cell) != sight.piece(sight.lamps[cell].player)
        )
        if "table.resigned" in sight.words:
            surprised, cell = True, "resigning"
        if not surprised or self.scrambled:
            return False
        if self.look_again(now):
            return True
        self.counts["unwanted"] += 1
        self.tell(f"did not want {cell}")
        self.press_key(Command.TAKE_BACK, now)
        return True

    def _restore_knocked(self, sight: Sight, now: float) -> bool:
        """Have shown what should stand where, after knocking over stones that no board can feel."""
        if not self.scrambled or sight.phase is Phase.CONFIRM:
            self.scrambled = False
            return False
        self.press_key(Command.CONFIRM, now)
        return True

    def _give_back(self, sight: Sight, now: float) -> bool:
        """Put back a stone that he took and was then told to leave, where the board cannot ask."""
        while self.mistaken:
            cell, piece = self.mistaken.popitem()
            gone = cell not in self.fingers.desk.stones and sight.page.get(cell) == piece
            if gone and sight.cue(cell) is not Cue.PUT:
                touch = self.rng.random() < 0.5
                end = self.fingers.put(cell, piece, self.start(now), self.press_s(), touch)
                self.go_on(f"puts {piece} back on {cell}", end)
                return True
        return False

    def _take_back(self, sight: Sight, now: float) -> bool:
        """Go on taking back by the key."""
        if "table.nothing_to_take_back" in sight.words or sight.phase is Phase.CONFIRM:
            self.wishes = 0
        if not self.wishes or (sight.to_do() and self.rng.random() < 0.5):
            return False
        self.wishes -= 1
        self.counts["taken_back_by_key"] += 1
        self.press_key(Command.TAKE_BACK, now)
        return True

    def _do_as_shown(self, sight: Sight, now: float) -> bool:
        """Do one of the things that lights ask for."""
        shown = sight.to_do()
        self.asked |= shown.keys()
        for cell in [each for each in self.blind if each not in shown]:
            del self.blind[cell]
        for cell in [each for each, until in self.blind.items() if now >= until]:
            del self.blind[cell]
            self.counts["insisted"] += 1
            self.tell(f"notices at last what {cell} asks for")
        seen = [cell for cell in shown if cell not in self.blind]
        if shown and not self.careful:
            tidying = self.traits.tidying
            if self._slips.make(tidying, sight, now):
                return True
            seen = [cell for cell in shown if cell not in self.blind]
        if not seen:
            if shown:
                self.due = min(self.blind.values())
            return bool(shown)
        self.obey(self.rng.choice(seen), sight, now)
        return True

    def _confirm(self, sight: Sight, now: float) -> bool:
        """Compare the board with the lights, and say by a touch that it is right."""
        if sight.phase is not Phase.CONFIRM:
            return False
        shown = {
            cell: sight.piece(lamp.player)
            for cell, lamp in sight.lamps.items()
            if lamp.cue is Cue.STANDS
        }
        self.tried.clear()
        for cell, (stands, should) in self.fingers.desk.differences(shown).items():
            if cell in sight.to_do():
                continue
            if stands:
                end = self.fingers.take(cell, self.start(now), self.press_s(), touch=False)
            else:
                at = self.start(now)
                end = self.fingers.put(cell, should, at, self.press_s(), touch=False)
            self.go_on(f"brings {cell} right", end)
            return True
        self.asked |= sight.to_do().keys()
        cell = self.rng.choice(sight.game.board.cells)
        if cell in sight.to_do():
            # Whoever does what one light asks for says by that touch that the rest is right.
            self.obey(cell, sight, now)
            return True
        end = self.fingers.press(cell, self.start(now), self.press_s())
        what = f"says by touching {cell} that the board is right"
        self.wait(what, end, lambda seen: seen.phase is not Phase.CONFIRM)
        return True

    def _finish_asked(self, sight: Sight, now: float) -> bool:
        """Do without a light what a light has asked for, and something else than he put out.

        A slip can tell the board that what it asked for is done: a touch on a cell, or a stone of
        the wrong colour where stones are felt. He knows that he has not done it, and the page says
        that it is to be done.
        """
        differences = self.fingers.desk.differences(sight.page)
        while self.asked:
            cell = min(self.asked)
            if cell not in differences or cell in self.tried:
                self.asked.discard(cell)
                continue
            if self.look_again(now):
                return True
            stands, should = differences[cell]
            if stands:
                end = self.fingers.take(cell, self.start(now), self.press_s(), touch=False)
            else:
                end = self.fingers.put(cell, should, self.start(now), self.press_s(), touch=False)
            self.counts["untold"] += 1
            self.go_on(f"sees to {cell}, for which the light went out before he did", end)
            return True
        return False

    def _see_accepted(self, sight: Sight) -> None:
        """Think no more of stones that he sees taken as moves, or that he has taken off again."""
        for cell, piece in list(self.tried.items()):
            accepted = sight.cue(cell) is Cue.PLACED or sight.page.get(cell) == piece
            if accepted or self.fingers.desk.stones.get(cell) != piece:
                del self.tried[cell]

    def _settle_tried(self, sight: Sight, now: float) -> bool:
        """Touch again what was not felt, and take off what was refused."""
        for cell, piece in list(self.tried.items()):
            if self.look_again(now):
                return True
            if (
                sight.cue(cell) is Cue.LEGAL
                and piece == sight.piece(sight.turn)
                and not self.feels_stones
            ):
                self.touch_again(cell, now)
                return True
            del self.tried[cell]
            touch = self.rng.random() < 0.25
            end = self.fingers.take(cell, self.start(now), self.press_s(), touch)
            self.go_on(f"takes {piece} off {cell} again", end)
            return True
        return False

    def _end(self, sight: Sight, now: float) -> bool:
        """Leave when the game is over, unless it ended by what nobody wanted."""
        if sight.phase is not Phase.OVER:
            return False
        if self.look_again(now):
            return True
        if self.fingers.desk.differences(sight.page):
            self.counts["unwanted"] += 1
            self.tell("did not want the game to end like this")
            self.press_key(Command.TAKE_BACK, now)
            return True
        self.done = True
        return True

    def _play(self, sight: Sight, now: float) -> bool:
        """Make a move, or slip."""
        legal = sight.lit(Cue.LEGAL)
        if not legal:
            return False
        if any(cell not in self.fingers.desk.stones for cell in sight.lit(Cue.WRONG)):
            # Whether it was played there can be seen when the cell has stopped flashing.
            self.due = now + 0.5
            return True
        if now >= self.fingers.done_s + BELIEVED_S:
            self._quiet()
            self._remember(dict(self.fingers.desk.stones))
        if not self.careful and self._slips.make(self.traits.placing, sight, now):
            return True
        free = [cell for cell in legal if cell not in self.fingers.desk.stones]
        if not free:
            return False
        self.place(self.rng.choice(free), sight.piece(sight.turn), now)
        return True

    def _remember(self, board: dict[str, str]) -> None:
        """Remember how the board stands, and forget what came later if it has stood so before."""
        if board in self.boards:
            del self.boards[self.boards.index(board) :]
        self.boards.append(board)
