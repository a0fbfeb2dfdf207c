"""A person who plays all sides of a game: what to do next, from what is seen and what stands.

Owns the order of concerns, the reaction to another position on the page, and how the board is
brought to what it should be. How a move is made stands in `moving`, the slips in `slips`.
"""

from dataclasses import dataclass
from typing import Any

from game.common import AppError
from game.table.inputs import Command
from game.table.phases import Phase
from game.table.scene import Cue
from tests.tools.soak.hands import differences
from tests.tools.soak.intended_move import choose, entered, turns, wrongly_lit
from tests.tools.soak.moving import next_touch, steps_to_turn, turn_ring
from tests.tools.soak.person import SETTLED_S
from tests.tools.soak.setting_up import SettingUp
from tests.tools.soak.slips import slip
from tests.tools.soak.view import PAUSE

LONGEST_DRAW_S = 6.0
ENDS_EARLY = 0.06
"""Chance that the players end a game themselves, some time in it."""
EARLY_S = (60.0, 600.0)
LONGEST_S = 3600.0
"""Time after which players end any game."""
LONGEST_HIDDEN_S = 1500.0
"""The same where pieces are hidden: random moves rarely end these games."""
ACCEPTS = 0.25
"""Chance to accept an unintended move, where no cell is shown as the last move."""
CHECKS_LIGHTS = 0.1
"""Chance to compare all lights with the rules before a move."""
GIVEN_UP = frozenset({"table.resigned", "table.resigned_among_many", "table.agreed_draw"})
"""The words of an end by the players' will."""
NOTHING_BACK = frozenset({"table.nothing_to_take_back", "table.all_is_shown"})
"""The words for no move to take back."""
_NO_CELL = "what no cell shows"


@dataclass(eq=False)
class Player(SettingUp):
    def __post_init__(self) -> None:
        self._was_set_up = False
        self._position: Any = None
        self._wanted: list[Any] = []  # positions that came about as intended, in order
        early = self.rng.random() < ENDS_EARLY
        self._ends_s = self.draw_s(EARLY_S) if early else LONGEST_S
        self._resigns = self.rng.random() < 0.4
        self._gives_up = False

    def decide(self) -> bool:
        if PAUSE in self.view.words:
            return False
        self._see_position()
        self._forget_accepted()
        return (
            self._watch_draw()
            or self.set_up()
            or self.look()
            or self._restore_knocked()
            or self._undo()
            or self._give_back()
            or self._take_back_moves()
            or self.put_all()
            or self._confirm_board()
            or self._press_pending_key()
            or self._turn_rings()
            or self._do_as_shown()
            or self._check_cells()
            or self._settle_unconfirmed()
            or self._leave()
            or self._end_early()
            or self._play()
        )

    def _watch_draw(self) -> bool:
        if self.view.phase is not Phase.DRAW or not self.view.lit(Cue.DRAW):
            return False
        if not self.unconfirmed and slip(self, self.traits.drawing):
            return True
        self.due = self.now + LONGEST_DRAW_S  # `see` calls earlier
        if self.idle_s is not None and self.now - self.idle_s >= LONGEST_DRAW_S:
            raise AppError(f"has watched the draw for more than {LONGEST_DRAW_S} s")
        self.idle_s = self.now if self.idle_s is None else self.idle_s
        return False

    def _see_position(self) -> None:
        """Notice another position on the page: the intended one, an earlier one, or neither.

        A known position tells which cells and rings must be checked.
        """
        view = self.view
        if not self._wanted:
            self._wanted.append(view.position)
        if self._was_set_up:
            self._wanted.append(view.position)
            self.to_check.update(self.differences())
        self._was_set_up = view.phase is Phase.ARRANGE
        if view.position == self._position:
            return
        move, self.intended, self._position = self.intended, None, view.position
        self.key_pending = False
        if move is not None and view.position == move.after:
            self.rings_to_check.update(edit.cell for edit in turns(move))
            if len(move.taps) > 1:
                self.to_check.update(cell for cell in move.taps if cell in view.game.board.centres)
            self.touched.clear()
            self._wanted.append(view.position)
            return
        # The board may have taken what hands did for something else.
        self.to_check |= self.touched
        if view.position in self._wanted:
            self.rings_to_check.update(view.game.board.rings)
            del self._wanted[self._wanted.index(view.position) + 1 :]

    def _undo(self) -> bool:
        """Take back by the key what is shown as a move and was not intended."""
        what = "" if self.knocked_over else self._unintended()
        if not what:
            return False
        if self.look_again():
            return True
        self.counts["unwanted"] += 1
        if what == _NO_CELL and self.rng.random() < ACCEPTS:
            self.log("did not want it so, and goes on")
            self.unconfirmed.clear()
            self.to_check.update(self.differences())
            self.rings_to_check.update(self.view.game.board.rings)
            self._wanted.append(self.view.position)
            return False
        return self._reject(what)

    def _reject(self, what: str) -> bool:
        self.log(f"did not want {what}")
        return self.press_key(Command.TAKE_BACK)

    def _unintended(self) -> str:
        """Name the unintended cell that is shown as a move, or whatever else was unintended.

        A cell with a pending edit does not count.
        """
        view = self.view
        if GIVEN_UP & view.words and not self._gives_up and not view.game.hidden:
            return "this end"
        known, cell = view.position in self._wanted, view.placed
        if cell is not None and self.stones.get(cell) != view.page.get(cell):
            return "" if known and cell in self.to_check else cell
        if known or view.phase is Phase.CONFIRM or view.started:
            return ""
        if not self.differences().keys() - view.to_do().keys() - self.unconfirmed.keys():
            return ""
        return _NO_CELL if cell is None else cell

    def _leave(self) -> bool:
        """Leave when the game is over, unless something unintended ended it."""
        if self.view.phase is not Phase.OVER:
            return False
        if self.look_again():
            return True
        wrong = self.differences()
        if not wrong:
            self.done = True
        elif self.view.game.hidden:
            # All has been revealed then, and nothing is taken back.
            self.to_check.update(wrong)
            self.due = self.now + 0.5
        else:
            self.counts["unwanted"] += 1
            self._reject("the game to end like this")
        return True

    def _end_early(self) -> bool:
        """End the game by the players' will when it is time: resign, or agree on a draw."""
        view, ends_s = self.view, self._ends_s
        if view.game.hidden:
            ends_s = min(ends_s, LONGEST_HIDDEN_S)
        if self.now < ends_s or view.started or not view.spots(Cue.LEGAL):
            return False
        self._gives_up = True
        draws = view.game.agreed_draws and not self._resigns
        return self.press_key(Command.DRAW if draws else Command.RESIGN)

    def _play(self) -> bool:
        view = self.view
        if not any(map(view.invites, view.lamps)):
            return False
        going = self.intended.taps if self.intended and len(self.intended.taps) > 1 else ()
        if any(spot not in self.stones or spot in going for spot in view.spots(Cue.WRONG)):
            # Whether the move took place shows when the spot has stopped flashing.
            self.due = self.now + 0.5
            return True
        if not view.started and self.now >= self.fingers.done_s + SETTLED_S:
            self._check_settled()
        if not self.failures:
            slips = self.traits.placing, self.traits.moving if view.game.keys else {}
            if any(slip(self, chances) for chances in slips):
                return True
        taken, move = entered(view, self.intended), self.intended
        if taken is None:
            raise AppError(
                f"is told of a move begun with {' '.join(view.started)}, and shown to go on at"
                f" {' '.join(sorted(view.spots(Cue.LEGAL)))}; allowed is what goes on with it"
            )
        if not taken or move is None or move.taps[: len(taken)] != taken:
            move = self.intended = choose(view, self.rng, self.stones, taken)
        if move is not None:
            next_touch(self, move, taken)
        return move is not None

    def _check_settled(self) -> None:
        self.settled()
        if self.view.position not in self._wanted:
            self._wanted.append(self.view.position)
        if self.rng.random() < CHECKS_LIGHTS and (wrong := wrongly_lit(self.view)):
            raise AppError(f"is shown to begin at {' '.join(wrong)}, where no move begins")

    # To bring the board to what it should be; each tells whether there was something to do.

    def _restore_knocked(self) -> bool:
        """After knocking over stones that the board cannot feel, ask it what stands where."""
        view = self.view
        if not self.knocked_over or view.phase is Phase.CONFIRM:
            return False
        wrong, over = self.differences(), view.phase is Phase.OVER
        if not wrong or (over and view.game.hidden):
            # A touch may confirm the board too early: they ask again until all is right. They know
            # by themselves what stood where, when all has been revealed.
            self.knocked_over = False
            self.to_check.update(wrong)
            return False
        if over:
            # A sliding stone made a move that ended the game, so nothing is compared.
            self.counts["unwanted"] += 1
            return self._reject("the game to end by a knock")
        return self.press_key(Command.CONFIRM)

    def _give_back(self) -> bool:
        """Put back a stone that was taken by mistake, where the board cannot ask for it."""
        while self.taken_wrongly:
            cell, piece = self.taken_wrongly.popitem()
            gone = cell not in self.stones and self.view.page.get(cell) == piece
            if gone and self.view.cue(cell) is not Cue.PUT:
                end = self.put(cell, piece, touch=self.rng.random() < 0.5)
                return self.go_on(f"puts {piece} back on {cell}", end)
        return False

    def _take_back_moves(self) -> bool:
        view = self.view
        if NOTHING_BACK & view.words or view.phase is Phase.CONFIRM:
            self.take_backs = 0
        if not self.take_backs or (view.to_do() and self.rng.random() < 0.5):
            return False
        self.take_backs -= 1
        self.counts["taken_back_by_key"] += 1
        return self.press_key(Command.TAKE_BACK)

    def _do_as_shown(self) -> bool:
        """Do one of the things that lights ask for, or slip."""
        shown, overlooked = self.view.to_do(), self.overlooked
        for cell, until in list(overlooked.items()):
            if cell not in shown:
                del overlooked[cell]
            elif self.now >= until:
                del overlooked[cell]
                self.counts["insisted"] += 1
                self.log(f"notices at last what {cell} asks for")
        if not shown:
            return False
        if not self.failures and slip(self, self.traits.tidying):
            return True
        seen = [cell for cell in shown if cell not in overlooked]
        if seen:
            self.obey(self.rng.choice(seen))
        else:
            self.due = min(overlooked.values())
        return True

    def _confirm_board(self) -> bool:
        """Compare the board with the lights, and confirm by a touch that it is right."""
        view = self.view
        if view.phase is not Phase.CONFIRM:
            return False
        self.unconfirmed.clear()
        self.rings_to_check.clear()
        shown = {cell: view.page.get(cell, "") for cell in view.lit(Cue.STANDS)}
        for cell in differences(self.stones, shown):
            if cell not in view.to_do():
                return self.go_on(f"brings {cell} right", self._bring_right(cell))
        cell = self.rng.choice(view.game.board.cells)
        if cell in view.to_do():
            # Doing what one light asks for also confirms the rest.
            self.obey(cell)
            return True
        what = f"confirms by touching {cell} that the board is right"
        return self.wait(what, self.press(cell), lambda seen: seen.phase is not Phase.CONFIRM)

    def _press_pending_key(self) -> bool:
        move, position = self.intended, self.view.position
        if not self.key_pending or move is None or move.before != position:
            return False
        self.key_pending = False
        key = move.taps[-1]
        end = self.press_game_key(key, self.start())
        return self.wait(f"presses {key}", end, lambda seen: seen.position != position)

    def _turn_rings(self) -> bool:
        """Turn the rings that differ from the page, and confirm it where the board asks."""
        shown = self.view.to_turn()
        for ring in sorted(self.rings_to_check.union(shown)):
            steps = steps_to_turn(self, ring)
            if steps is None:
                self.to_check.update(self.view.game.board.rings[ring])
            self.rings_to_check.discard(ring)
            if ring in shown:
                return self._confirm_ring(ring, steps or 0)
            if steps:
                return self.go_on(*turn_ring(self, ring, steps, self.start()))
        return False

    def _confirm_ring(self, ring: str, steps: int) -> bool:
        """Bring a ring right and confirm it, by its key or by a touch of any of its cells."""
        what, end = f"sees that {ring} is right", self.start()
        if steps:
            what, end = turn_ring(self, ring, steps, end)
        at = end + self.rng.uniform(0.2, 0.8)
        if self.rng.random() < 0.5:
            end = self.press(self.rng.choice(self.view.game.board.rings[ring]), at)
        else:
            end = self.press_game_key(ring, at)
        return self.wait(f"{what}, and confirms it", end, lambda seen: ring not in seen.to_turn())

    def _check_cells(self) -> bool:
        """Do what a light has asked for when something else put that light out.

        A touch on the cell, or a stone of the wrong colour where stones are felt, can tell the
        board that it is done. The person knows that it is not, and the page shows what should be.
        """
        if self.view.started:
            return False
        wrong = self.differences()
        while self.to_check:
            cell = min(self.to_check)
            if cell in wrong and cell not in self.unconfirmed:
                if self.look_again():
                    return True
                self.counts["untold"] += 1
                end = self._bring_right(cell)
                return self.go_on(f"corrects {cell}, whose light went out too early", end)
            self.to_check.discard(cell)
        return False

    def _bring_right(self, cell: str) -> float:
        if cell in self.stones:
            return self.take(cell, touch=False)
        return self.put(cell, self.view.page[cell], touch=False)

    def _forget_accepted(self) -> None:
        view = self.view
        for cell, piece in list(self.unconfirmed.items()):
            accepted = view.cue(cell) is Cue.PLACED or view.page.get(cell) == piece
            if accepted or cell in view.started or self.stones.get(cell) != piece:
                del self.unconfirmed[cell]

    def _settle_unconfirmed(self) -> bool:
        """Touch again what was not sensed, and take off what was refused."""
        view, move = self.view, self.intended
        for cell, piece in list(self.unconfirmed.items()):
            if self.look_again():
                return True
            fitting = {view.piece(view.turn), *((move.pieces[1].get(cell),) if move else ())}
            if view.cue(cell) is Cue.LEGAL and piece in fitting and not self.feels_stones:
                end = self.press(cell)
                return self.wait(f"touches {cell} once more", end, self.answer(cell))
            del self.unconfirmed[cell]
            if cell in view.page:
                self.to_check.add(cell)
            end = self.take(cell, touch=self.rng.random() < 0.25)
            return self.go_on(f"takes {piece} off {cell} again", end)
        return False
