"""A person at the board: what he does next, from what he sees and what stands in front of him.

Owns the order of his concerns, and what he makes of another position. Must not know the table's
inner state; how he brings the board right stands in `tidying`, how he makes a move in `moving`,
how he slips in `slips`, how he waits in `actor`. Time comes in, in seconds; chance is seeded.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from game.app.soak.actor import BELIEVED_S, Stuck
from game.app.soak.fingers import Fingers
from game.app.soak.laying import Laying
from game.app.soak.moving import Moving
from game.app.soak.sight import GIVEN_UP, PAUSE, Sight
from game.app.soak.slips import Slips
from game.app.soak.tidying import Tidier
from game.app.soak.traits import Traits
from game.app.soak.wish import draw, entered, lit_in_vain
from game.table.inputs import Command, Input
from game.table.scene import Cue
from game.table.state import Phase

LONGEST_DRAW_S = 6.0
LONGEST_PAUSE_S = 30.0
ENDS_EARLY = 0.06
"""The chance that the players end a game by their own will, some time in it."""
EARLY_S = (60.0, 600.0)
TIRED_S = 3600.0
"""After so long they end any game."""
TIRED_HIDDEN_S = 1500.0
"""So it is where pieces are hidden: nothing but luck ends these games, and they can be long."""
SHRUGS = 0.25
"""The chance to live with a move that was not meant, where no cell is shown as played on."""
LOOKS = 0.1
"""The chance to compare all lights with the rules before a move."""
_NO_CELL, _THIS_END = "what no cell shows", "this end"


class Person(Tidier):
    """Play all sides of a game. `quiet` hears whenever all seems to be right to him.

    `gives_up` tells that the players want the game to end, by whose will it then does.
    """

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
        press: Callable[[str], None],
        give: Callable[[Input], None],
    ) -> None:
        super().__init__(
            fingers,
            traits,
            rng,
            feels_stones=feels_stones,
            tell=tell,
            keys=keys,
            ask=ask,
            press=press,
            give=give,
        )
        self.moving = Moving(self)
        self.slips = Slips(self, self.moving)
        self.laying = Laying(self)
        self._arranged = False  # pieces were laid out when he last looked
        self._quiet = quiet
        self._paused_s: float | None = None
        self._position: Any = None
        self._agreed: list[Any] = []  # positions that came about as he wanted, in their order
        early = rng.random() < ENDS_EARLY
        self._ends_s = rng.uniform(*EARLY_S) if early else TIRED_S
        self._resigns = rng.random() < 0.4
        self.gives_up = False

    def decide(self, sight: Sight, now: float) -> bool:
        """Do the first thing that there is to do."""
        if PAUSE in sight.words:
            return self._bear_pause(now)
        self._paused_s = None
        self._see_position(sight)
        self.see_accepted(sight)
        concerns = (
            self._watch_draw,
            self.laying.lay_out,
            self.laying.look,
            self._undo,
            self.restore_knocked,
            self.give_back,
            self.take_back,
            self.laying.set_all,
            self.confirm,
            self.say_turned,
            self.turn_rings,
            self.do_as_shown,
            self.finish_asked,
            self.settle_tried,
            self._end,
            self._end_early,
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
        if not self.tried and self.slips.make(self.traits.drawing, sight, now):
            return True
        self.due = now + LONGEST_DRAW_S  # `see` calls earlier
        if self.idle_s is not None and now - self.idle_s >= LONGEST_DRAW_S:
            raise Stuck(f"has watched the draw for more than {LONGEST_DRAW_S} s")
        self.idle_s = now if self.idle_s is None else self.idle_s
        return False

    def _see_position(self, sight: Sight) -> None:
        """Notice another position on the page: the one that he wanted, an earlier one, or neither.

        Where it is one that he knows, he knows too which cells and rings he has to see to.
        """
        if not self._agreed:
            self._agreed.append(sight.position)
        if self._arranged:
            # What is laid out unseen is what they wanted.
            self._agreed.append(sight.position)
            self.asked.update(self.fingers.desk.differences(sight.page))
        self._arranged = sight.phase is Phase.ARRANGE
        if sight.position == self._position:
            return
        wish, self.wish, self._position = self.wish, None, sight.position
        self.turned_first = False
        if wish is not None and sight.position == wish.after:
            self.turning.update(edit.cell for edit in wish.turns)
            if len(wish.taps) > 1:
                self.asked.update(cell for cell in wish.taps if cell in sight.game.board.centres)
            self.handled.clear()
            self._agreed.append(sight.position)
            return
        # What his hands have brought about may be taken for something else than he thought.
        self.asked |= self.handled
        if sight.position in self._agreed:
            self.turning.update(sight.game.board.rings)
            del self._agreed[self._agreed.index(sight.position) + 1 :]

    def _undo(self, sight: Sight, now: float) -> bool:
        """Take back by the key what is shown as a move and was none of his."""
        what = "" if self.scrambled else self._surprise(sight)
        if not what:
            return False
        if self.look_again(now):
            return True
        self.counts["unwanted"] += 1
        if what == _NO_CELL and self.rng.random() < SHRUGS:
            self.tell("did not want it so, and goes on")
            self.tried.clear()
            self.asked.update(self.fingers.desk.differences(sight.page))
            self.turning.update(sight.game.board.rings)
            self._agreed.append(sight.position)
            return False
        self.tell(f"did not want {what}")
        self.press_key(Command.TAKE_BACK, now)
        return True

    def _surprise(self, sight: Sight) -> str:
        """Name the cell that is shown as a move and was none of his, or what else he did not want.

        A cell on which he has yet to finish what he does is no surprise.
        """
        if GIVEN_UP & sight.words and not self.gives_up and not sight.game.hidden:
            return _THIS_END
        known, stones = sight.position in self._agreed, self.fingers.desk.stones
        cell = sight.placed
        if cell is not None:
            wrong = stones.get(cell) != sight.page.get(cell)
            if wrong:
                return "" if known and cell in self.asked else cell
        if known or sight.phase is Phase.CONFIRM or not sight.game.keys:
            return ""
        differences = self.fingers.desk.differences(sight.page).keys() - sight.to_do().keys()
        if sight.begun or not differences - self.tried.keys():
            return ""
        return _NO_CELL if cell is None else cell

    def _end(self, sight: Sight, now: float) -> bool:
        """Leave when the game is over, unless it ended by what nobody wanted."""
        if sight.phase is not Phase.OVER:
            return False
        if self.look_again(now):
            return True
        differences = self.fingers.desk.differences(sight.page)
        if differences and sight.game.hidden:
            # All has been shown then, and nothing is taken back.
            self.asked.update(differences)
            self.due = now + 0.5
            return True
        if differences:
            self.counts["unwanted"] += 1
            self.tell("did not want the game to end like this")
            self.press_key(Command.TAKE_BACK, now)
            return True
        self.done = True
        return True

    def _end_early(self, sight: Sight, now: float) -> bool:
        """End the game by the players' own will, when it is time: resign, or agree on a draw."""
        ends_s = min(self._ends_s, TIRED_HIDDEN_S) if sight.game.hidden else self._ends_s
        if now < ends_s or sight.begun or not sight.spots(Cue.LEGAL):
            return False
        self.gives_up = True
        draws = sight.game.agreed_draws and not self._resigns
        self.press_key(Command.DRAW if draws else Command.RESIGN, now)
        return True

    def _play(self, sight: Sight, now: float) -> bool:
        """Make a move touch by touch, or slip."""
        stones = self.fingers.desk.stones
        if not sight.spots(Cue.LEGAL):
            return False
        if any(spot not in stones or self._is_touched_on(spot) for spot in sight.spots(Cue.WRONG)):
            # Whether it was played there can be seen when the spot has stopped flashing.
            self.due = now + 0.5
            return True
        if not sight.begun and now >= self.fingers.done_s + BELIEVED_S:
            self._quiet()
            self._remember(dict(stones))
            if sight.position not in self._agreed:
                self._agreed.append(sight.position)
            if self.rng.random() < LOOKS and (astray := lit_in_vain(sight)):
                raise Stuck(f"is shown to begin at {' '.join(astray)}, where no move begins")
        if not self.careful and self._slip(sight, now):
            return True
        taken = entered(sight, self.wish)
        if taken is None:
            raise Stuck(
                f"is told that a move has begun with {' '.join(sight.begun)}, and shown to go on at"
                f" {' '.join(sorted(sight.spots(Cue.LEGAL)))}; allowed is what goes on with it"
            )
        wish = self.wish
        if not taken or wish is None or wish.taps[: len(taken)] != taken:
            wish = self.wish = draw(sight, self.rng, stones, taken)
        if wish is None:
            return False
        self.moving.go_on(sight, wish, taken, now)
        return True

    def _slip(self, sight: Sight, now: float) -> bool:
        """Perhaps slip instead of making a move."""
        if self.slips.make(self.traits.placing, sight, now):
            return True
        return bool(sight.game.keys) and self.slips.make(self.traits.moving, sight, now)

    def _is_touched_on(self, spot: str) -> bool:
        """Tell whether a spot belongs to a move of several touches that he wants."""
        return self.wish is not None and len(self.wish.taps) > 1 and spot in self.wish.taps

    def _remember(self, board: dict[str, str]) -> None:
        """Remember how the board stands, and forget what came later if it has stood so before."""
        if board in self.boards:
            del self.boards[self.boards.index(board) :]
        self.boards.append(board)
