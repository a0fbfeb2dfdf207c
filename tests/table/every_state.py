"""Every state of the table that matters, by name, in both kinds of sensing.

Owns how each comes about.
"""

from random import Random
from typing import Any

from game.rules.circle_of_life import GAME
from game.rules.game import Game
from game.rules.message import say
from game.table.entries import Entry, Kind
from game.table.inputs import (
    Arranged,
    Command,
    Held,
    Kept,
    Laid,
    Lifted,
    Named,
    Seated,
    Stumped,
    Tallied,
    Touched,
)
from game.table.table import Table
from tests.helpers.games.toy_disc import BigDisc, ToyDisc, ToyTrio
from tests.helpers.games.toy_game import Toy
from tests.helpers.games.toy_limbs import ToyLimbs
from tests.helpers.games.toy_veil import GREEN, MAUVE, DealtVeil, ToyVeil
from tests.table.sitting import LEVELS, TWO_MEALS, Sitting

FULL = say("journal.full")
# Orange e1 to e4 is full: e5 would be a fifth stone. Nothing is eaten.
EIGHT = ("e1", "a1", "e2", "a3", "e3", "a5", "e4", "i1")
MASKED = ("c5", "g5")
TROUBLE = say("fault.link")
# Nothing is eaten there, after the eight and g4.
WANTED = "c4"


class Scenes:
    """Build each state, in the one or the other sensing."""

    def __init__(self, presence: bool) -> None:
        self.presence = presence

    def _sit(self, *cells: str, **options: str) -> Sitting:
        sitting = Sitting(GAME, {"first": "1", "target": "20", **options}, self.presence)
        for cell in cells:
            self._move(sitting, cell)
        sitting.wait(10.0)
        return sitting

    def _move(self, sitting: Sitting, *cells: str) -> None:
        """Set or take a stone on each cell: by a touch, or by the stone itself."""
        state, game = sitting.table.state, sitting.table.game
        for cell in cells:
            if not self.presence or cell in state.masked or cell in game.keys:
                sitting.tap(cell)
            elif cell in sitting.stones:
                sitting.take(cell)
            else:
                sitting.put(cell)

    def draw(self) -> Sitting:
        sitting = self._sit()
        sitting.ask(Command.NEW_GAME)
        return sitting

    def draw_disturbed(self) -> Sitting:
        sitting = self.draw()
        sitting.disturb("h1", "h2")
        return sitting

    def before_the_first_move(self) -> Sitting:
        return self._sit()

    def tap(self) -> Sitting:
        return self._sit(*EIGHT)

    def tap_named_and_unkept(self) -> Sitting:
        sitting = self._sit(*EIGHT)
        sitting.give(Named(("Ada", "Bea")))
        sitting.give(Kept(FULL))
        return sitting

    def tap_and_a_finger_on_a_stone(self) -> Sitting:
        sitting = self._sit(*EIGHT)
        sitting.give(Touched("a1"))
        return sitting

    def tap_and_a_finger_has_just_left(self) -> Sitting:
        sitting = self._sit(*EIGHT)
        sitting.give(Touched("e5"))
        sitting.give(Lifted("e5"))
        return sitting

    def tap_and_a_finger_rests_on_the_stone_just_set(self) -> Sitting:
        sitting = self._sit(*EIGHT)
        sitting.give(Touched("g4"))
        sitting.wait(10.0)
        return sitting

    def tap_and_inspecting(self) -> Sitting:
        sitting = self._sit(*EIGHT)
        sitting.give(Touched("a1"))
        sitting.give(Held("a1"))
        return sitting

    def tap_and_new_game_is_asked(self) -> Sitting:
        sitting = self._sit(*EIGHT)
        sitting.ask(Command.NEW_GAME)
        return sitting

    def tap_and_resigning_is_asked(self) -> Sitting:
        sitting = self._sit(*EIGHT)
        sitting.ask(Command.RESIGN)
        return sitting

    def tap_masked(self) -> Sitting:
        sitting = self._sit(*EIGHT)
        sitting.mask(*MASKED)
        return sitting

    def tap_and_cells_are_felt_again(self) -> Sitting:
        sitting = self.tap_masked()
        sitting.mask()
        return sitting

    def before_the_board_has_told(self) -> Sitting:
        sitting = self._sit(*EIGHT)
        table = Table(GAME, {}, Random(0), presence=True, levels=LEVELS)
        table.resume(sitting.kept, sitting.now)
        sitting.table = table
        sitting.wait(10.0)
        return sitting

    def tap_disturbed(self) -> Sitting:
        sitting = self._sit(*EIGHT)
        sitting.disturb("h1", "h2")
        return sitting

    def toy(self) -> Sitting:
        return Sitting(Toy(), {"first": "1"}, self.presence)

    def toy_taps_begun(self) -> Sitting:
        sitting = self.toy()
        self._move(sitting, "a")
        sitting.wait(10.0)
        return sitting

    def edit_removals(self) -> Sitting:
        return self._sit(*TWO_MEALS)

    def edit_removals_disturbed(self) -> Sitting:
        sitting = self._sit(*TWO_MEALS)
        sitting.disturb("h1", "h2")
        return sitting

    def edit_removal_masked(self) -> Sitting:
        sitting = self._sit(*TWO_MEALS)
        sitting.mask("d4", *MASKED)
        return sitting

    def edit_and_a_finger_has_just_left(self) -> Sitting:
        sitting = self._sit(*TWO_MEALS)
        self._move(sitting, "d4")
        return sitting

    def edit_and_the_finger_that_ate_is_down(self) -> Sitting:
        sitting = self._sit("e5", "e4", "a1", "e7", "a3", "i5")
        sitting.give(Touched("e6"))
        return sitting

    def edit_after_take_back(self) -> Sitting:
        sitting = self._sit(*TWO_MEALS)
        self._move(sitting, "d4", "f5")
        sitting.ask(Command.TAKE_BACK)
        sitting.wait(10.0)
        return sitting

    def edit_a_stone_astray(self) -> Sitting:
        sitting = self._sit(*EIGHT)
        sitting.put("e5")
        sitting.wait(10.0)
        return sitting

    def over_by_score(self) -> Sitting:
        sitting = self._sit(*TWO_MEALS, target="2")
        self._move(sitting, "d4", "f5")
        sitting.wait(10.0)
        return sitting

    def over_removals(self) -> Sitting:
        return self._sit(*TWO_MEALS, target="2")

    def over_by_resignation(self) -> Sitting:
        sitting = self._sit(*EIGHT)
        sitting.ask(Command.RESIGN, Command.RESIGN)
        return sitting

    def over_from_the_set_up(self) -> Sitting:
        sitting = self._sit(*EIGHT)
        sitting.ask(Command.SET_UP)
        sitting.give(Tallied((20, 0), 2))
        sitting.ask(Command.NEW_GAME)
        return sitting

    def confirm(self) -> Sitting:
        return self._restarted(self._sit(*EIGHT))

    def confirm_removals(self) -> Sitting:
        return self._restarted(self._sit(*TWO_MEALS))

    def confirm_disturbed(self) -> Sitting:
        sitting = self.confirm()
        sitting.disturb("h1", "h2")
        return sitting

    def _restarted(self, sitting: Sitting) -> Sitting:
        sitting.table = sitting.restarted()
        sitting.wait(10.0)
        return sitting

    def set_up(self) -> Sitting:
        sitting = self._sit(*EIGHT)
        sitting.ask(Command.SET_UP)
        return sitting

    def set_up_flawed(self) -> Sitting:
        sitting = self.set_up()
        self._move(sitting, "e5")
        sitting.wait(10.0)
        return sitting

    def set_up_by_the_page(self) -> Sitting:
        sitting = self.set_up()
        sitting.give(Laid("i5", "2"))
        sitting.give(Laid("a1", ""))
        return sitting

    def set_up_and_a_finger_has_just_left(self) -> Sitting:
        sitting = self.set_up()
        self._move(sitting, "i5")
        return sitting

    def set_up_masked(self) -> Sitting:
        sitting = self.set_up()
        sitting.mask(*MASKED)
        return sitting

    def set_up_disturbed(self) -> Sitting:
        sitting = self.set_up()
        sitting.disturb("h1", "h2")
        return sitting

    def set_up_both_have_won(self) -> Sitting:
        sitting = self.set_up()
        sitting.give(Tallied((20, 20), 1))
        return sitting

    def computer_thinks(self) -> Sitting:
        sitting = self._sit(*EIGHT, "g4")
        sitting.oppose("", "3")
        return sitting

    def computer_thinks_disturbed(self) -> Sitting:
        sitting = self.computer_thinks()
        sitting.disturb("h1", "h2")
        return sitting

    def computer_thinks_while_stones_are_removed(self) -> Sitting:
        sitting = self._sit(*TWO_MEALS)
        sitting.oppose("", "3")
        return sitting

    def computer_wants(self) -> Sitting:
        sitting = self.computer_thinks()
        sitting.think(WANTED)
        return sitting

    def computer_wants_a_masked_cell(self) -> Sitting:
        sitting = self.computer_wants()
        sitting.mask(WANTED, "g5")
        return sitting

    def computer_wants_and_is_disturbed(self) -> Sitting:
        sitting = self.computer_wants()
        sitting.disturb("h1", "h2")
        return sitting

    def computer_wants_while_stones_are_removed(self) -> Sitting:
        sitting = self.computer_thinks_while_stones_are_removed()
        sitting.think(WANTED)
        return sitting

    def computer_is_stumped(self) -> Sitting:
        sitting = self.computer_thinks()
        sitting.give(Stumped(TROUBLE))
        return sitting

    def computer_is_unknown(self) -> Sitting:
        sitting = self._sit(*EIGHT, "g4")
        told = (*sitting.kept, Entry(Kind.COMPUTERS, '[null, "99"]'))
        table = Table(GAME, {}, Random(0), self.presence, LEVELS)
        table.resume(told, sitting.now)
        sitting.table = table
        if self.presence:
            sitting.put()
        else:
            sitting.ask(Command.CONFIRM)
        sitting.wait(10.0)
        return sitting

    def computers_only(self) -> Sitting:
        sitting = self.computer_thinks()
        sitting.oppose("random", "3")
        return sitting

    def computer_moved_last(self) -> Sitting:
        sitting = self.computer_wants()
        self._move(sitting, WANTED)
        sitting.wait(10.0)
        return sitting

    def toy_computer_wants(self) -> Sitting:
        sitting = self.toy()
        sitting.oppose("1", "")
        sitting.think("a-b")
        return sitting

    def toy_computer_taps_begun(self) -> Sitting:
        sitting = self.toy_computer_wants()
        self._move(sitting, "a")
        sitting.wait(10.0)
        return sitting

    def _toy(self, game: Game[Any, Any], *spots: str) -> Sitting:
        sitting = Sitting(game, {"first": "1"}, self.presence)
        self._move(sitting, *spots)
        sitting.wait(10.0)
        return sitting

    def disc(self) -> Sitting:
        return self._toy(ToyDisc(), "a1", "c2")

    def disc_ring_turned(self) -> Sitting:
        sitting = self.disc()
        sitting.tap("ring1")
        sitting.wait(1.0)
        return sitting

    def disc_ring_turned_long_ago(self) -> Sitting:
        return self._toy(ToyDisc(), "a1", "c2", "ring1")

    def disc_ring_to_turn_back(self) -> Sitting:
        sitting = self.disc_ring_turned()
        if self.presence:
            sitting.stones = set(sitting.pieces)
            sitting.put()
        sitting.wait(10.0)
        sitting.ask(Command.TAKE_BACK)
        return sitting

    def disc_a_key_has_just_been_pressed(self) -> Sitting:
        sitting = self.disc()
        sitting.give(Touched("ring2"))
        return sitting

    def disc_turn_by_two_begun(self) -> Sitting:
        return self._toy(ToyDisc(), "a1", "c2", "choice1")

    def disc_second_decision(self) -> Sitting:
        return self._toy(ToyDisc(), "a1", "c2", "a2")

    def disc_exchange(self) -> Sitting:
        return self._toy(ToyDisc(), "b1", "a1", "d2", "c1")

    def disc_round_over(self) -> Sitting:
        sitting = self._toy(ToyDisc(), "a1", "b2", "c1", "d2", "a2", "choice1", "c2")
        sitting.wait(10.0)
        return sitting

    def disc_laid_out_anew(self) -> Sitting:
        sitting = self._toy(BigDisc())
        for cell in ("a1", "b2", "c1", "d2", "e1", "f2", "g1", "h2", "b1", "d1"):
            self._move(sitting, cell)
            if sitting.table.state.position.birth:
                self._move(sitting, "choice1")
            for edit in sitting.table.state.pending(BigDisc()) if cell != "d1" else ():
                self._move(sitting, edit.cell)
        sitting.ask(Command.CONFIRM, Command.TAKE_BACK)
        sitting.wait(10.0)
        return sitting

    def disc_draw_is_asked(self) -> Sitting:
        sitting = self.disc()
        sitting.ask(Command.DRAW)
        return sitting

    def disc_agreed_on_a_draw(self) -> Sitting:
        sitting = self.disc_draw_is_asked()
        sitting.ask(Command.DRAW)
        return sitting

    def disc_computer_wants_a_turn(self) -> Sitting:
        sitting = self.disc()
        sitting.oppose("1", "")
        sitting.think("TT1")
        return sitting

    def limbs(self) -> Sitting:
        return self._toy(ToyLimbs())

    def limbs_body_chosen(self) -> Sitting:
        return self._toy(ToyLimbs(), "a1")

    def limbs_moved(self) -> Sitting:
        return self._toy(ToyLimbs(), "a1", "a2")

    def limbs_key_next(self) -> Sitting:
        return self._toy(ToyLimbs(), "a1", "a2", "a2")

    def limbs_taken(self) -> Sitting:
        sitting = self._toy(ToyLimbs(), "a1", "choice1")
        if self.presence:
            sitting.put("a1")
        self._move(sitting, "c2", "b2", "c2", "a1", "b2", "a1")
        sitting.wait(10.0)
        return sitting

    def limbs_computer_wants_a_limb(self) -> Sitting:
        sitting = self.limbs()
        sitting.oppose("1", "")
        sitting.think("/a1!")
        self._move(sitting, "a1")
        sitting.wait(10.0)
        return sitting

    def _veil(self, *spots: str) -> Sitting:
        sitting = Sitting(ToyVeil(), {"first": "1"}, self.presence)
        if spots:
            sitting.give(Arranged(1, GREEN))
            sitting.give(Arranged(2, MAUVE))
            sitting.put(*sitting.pieces) if self.presence else sitting.ask(Command.CONFIRM)
            self._move(sitting, *(spot for spot in spots if spot))
            sitting.wait(10.0)
        return sitting

    def veil_laid_out_by_nobody(self) -> Sitting:
        return self._veil()

    def veil_laid_out_by_one(self) -> Sitting:
        sitting = self._veil()
        sitting.give(Arranged(2, MAUVE))
        return sitting

    def veil_one_is_seated(self) -> Sitting:
        sitting = self._veil()
        sitting.give(Seated(frozenset({2})))
        return sitting

    def veil_both_are_seated_and_one_is_done(self) -> Sitting:
        sitting = self._veil()
        sitting.give(Seated(frozenset({1, 2})))
        sitting.give(Arranged(1, GREEN))
        return sitting

    def veil_covering_begun(self) -> Sitting:
        sitting = self._veil()
        sitting.ask(Command.SET_UP)
        self._move(sitting, "A1")
        sitting.wait(10.0)
        return sitting

    def veil_covering_done(self) -> Sitting:
        sitting = self.veil_covering_begun()
        for cell in ("B1", "C1"):
            self._move(sitting, cell)
            sitting.wait(10.0)
        return sitting

    def veil_covering_disturbed(self) -> Sitting:
        sitting = self.veil_covering_begun()
        sitting.disturb("B2")
        return sitting

    def veil_to_be_laid_out(self) -> Sitting:
        sitting = self._veil()
        sitting.give(Arranged(1, GREEN))
        sitting.give(Arranged(2, MAUVE))
        sitting.wait(10.0)
        return sitting

    def veil_before_the_first_move(self) -> Sitting:
        return self._veil("")

    def veil_key_next(self) -> Sitting:
        return self._veil("A1", "A2")

    def veil_faces_just_shown(self) -> Sitting:
        sitting = self._veil("A1", "A2")
        self._move(sitting, "A3")
        return sitting

    def veil_faces_shown(self) -> Sitting:
        return self._veil("C1", "C2", "C3")

    def veil_faces_shown_disturbed(self) -> Sitting:
        sitting = self.veil_faces_shown()
        sitting.disturb("B2")
        return sitting

    def veil_faces_covered(self) -> Sitting:
        sitting = self.veil_faces_shown()
        sitting.ask(Command.CONFIRM)
        return sitting

    def veil_over(self) -> Sitting:
        sitting = self._veil("")
        sitting.ask(Command.RESIGN, Command.RESIGN)
        return sitting

    def veil_menu(self) -> Sitting:
        sitting = self._veil()
        sitting.ask(Command.MENU)
        return sitting

    def veil_computer_wants(self) -> Sitting:
        sitting = Sitting(DealtVeil(), {"first": "1"}, self.presence)
        sitting.oppose("1", "")
        sitting.give(Arranged(2, MAUVE))
        sitting.put(*sitting.pieces) if self.presence else sitting.ask(Command.CONFIRM)
        sitting.wait(10.0)
        sitting.think("C1-C2*C3")
        return sitting

    def trio_resigning_is_asked(self) -> Sitting:
        sitting = self._toy(ToyTrio(), "a1")
        sitting.ask(Command.RESIGN)
        return sitting

    def hinting(self) -> Sitting:
        sitting = self._sit(*EIGHT)
        sitting.ask(Command.HINT)
        return sitting

    def hints(self) -> Sitting:
        sitting = self.hinting()
        sitting.think("g4", "c4", "c5")
        return sitting

    def teaching(self) -> Sitting:
        sitting = self._sit(*EIGHT)
        sitting.ask(Command.TEACH)
        sitting.wait(10.0)
        return sitting

    def menu(self) -> Sitting:
        sitting = self._sit(*EIGHT)
        sitting.ask(Command.MENU)
        return sitting

    def menu_opposed(self) -> Sitting:
        sitting = self.computer_wants()
        sitting.ask(Command.MENU)
        return sitting

    def menu_over_removals(self) -> Sitting:
        sitting = self._sit(*TWO_MEALS)
        sitting.ask(Command.MENU)
        return sitting

    def menu_masked(self) -> Sitting:
        sitting = self.menu()
        sitting.mask(*MASKED)
        return sitting

    def menu_disturbed(self) -> Sitting:
        sitting = self.menu()
        sitting.disturb("h1", "h2")
        return sitting

    def menu_from_confirm(self) -> Sitting:
        sitting = self.confirm()
        sitting.ask(Command.MENU)
        return sitting


FINGERS_ONLY = (
    "tap_and_a_finger_on_a_stone",
    "tap_and_a_finger_has_just_left",
    "tap_and_a_finger_rests_on_the_stone_just_set",
    "tap_and_inspecting",
    "edit_and_a_finger_has_just_left",
    "edit_and_the_finger_that_ate_is_down",
    "set_up_and_a_finger_has_just_left",
    "confirm",
    "confirm_removals",
    "confirm_disturbed",
    "menu_from_confirm",
    "disc_laid_out_anew",
)
STONES_ONLY = ("edit_a_stone_astray", "before_the_board_has_told")
ALL = tuple(name for name in vars(Scenes) if not name.startswith("_"))
STATES = {
    f"{sensing} {name}": getattr(Scenes(presence), name)
    for sensing, presence, unknown in (
        ("touch", False, STONES_ONLY),
        ("presence", True, FINGERS_ONLY),
    )
    for name in ALL
    if name not in unknown
}
