"""Playing at the table: placing, feeding, inspecting, refusing; by fingers, or by stones."""

from math import inf
from random import Random

import pytest

from game.rules.boards.fingers import DEBOUNCE_S
from game.rules.circle_of_life import GAME
from game.rules.food_web.position import Position
from game.table import DRAW_S, REJECTED_S, UNKNOWN_PIECE, Cue, Phase, Table
from game.table.entries import Entry, EntryKind
from game.table.inputs import Command, Held, Lifted, PalmDetected, Touched
from game.table.state import NOTICE_S
from tests.helpers.games.toy_game import Toy
from tests.table.random_game import TWO_MEALS

NEW, BACK, RESIGN = Command.NEW_GAME, Command.TAKE_BACK, Command.RESIGN
SENSING = pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])
BEFORE_MEAL = ("e6", "e4", "a1", "i5", "c1", "h1")
"""Orange's e5 then makes a pair with e6, which eats the singleton on e4."""
FOUR_IN_A_ROW = ("e1", "a1", "e2", "a3", "e3", "a5", "e4", "i1")


def test_draw_by_the_generator_shows_running_lights_refuses_all_and_ends_by_itself(sit):
    drawn = [Table(GAME, {}, Random(seed)).start(0.0)[0].text for seed in (*range(20), *range(20))]
    assert drawn[:20] == drawn[20:]
    assert {*drawn} == {'{"first": "1", "target": "20"}', '{"first": "2", "target": "20"}'}
    table = Table(GAME, {"first": "2"}, Random(1))
    table.start(10.0)
    scene = table.scene()
    assert set(scene.cells) == set(GAME.board.rim)
    assert {lamp.cue for lamp in scene.cells.values()} == {Cue.DRAW}
    assert len({lamp.phase for lamp in scene.cells.values()}) == len(GAME.board.rim)
    assert (set(scene.legend), scene.turn) == (set(range(12)), None)
    before = table.state.position
    assert table.handle(Touched("e5"), 10.1) == ()
    assert table.state.position is before
    assert (table.scene().notice.key, table.due()) == ("table.wait_for_draw", 10.0 + DRAW_S)
    table.tick(10.0 + DRAW_S)
    assert (table.state.phase, table.scene().turn) == (Phase.TAP, 2)
    assert sit().do("e5", NEW, NEW).notice == "table.clear_board"
    # Nor is a stone that is set then a move.
    session = sit(presence=True).do(NEW, "e5")
    assert session.notice == "table.wait_for_draw"
    assert (session.do(DRAW_S).moves, session.phase) == ([], Phase.EDIT)
    assert session.do("e5", "e5").moves == ["e5"]


@SENSING
def test_a_touch_or_stone_on_a_legal_cell_is_the_move_and_is_saved(sit, presence):
    session = sit(presence=presence).do("e5")
    assert session.saved[-2:] == [Entry(EntryKind.MOVE, "e5"), Entry(EntryKind.EDIT, "e5")]
    assert (session.cue("e5"), session.state.standing) == ("placed", {"e5": "1"})
    scene = session.table.scene()
    legal = {c for c, lamp in scene.cells.items() if lamp.cue is Cue.LEGAL}
    assert legal == set(GAME.board.cells) - {"e5"}
    assert ({scene.cells[c].side for c in legal}, scene.turn) == ({2}, 2)
    session.do("a1", "e6")
    assert (session.cue("e6"), session.cue("e5")) == ("placed", "critter")
    scene = session.table.scene()
    assert {n: lamp.cue for n, lamp in scene.legend.items()} == {1: Cue.CRITTER}
    assert scene.prompt[0].args["species"].key == "species.pair"


def test_a_stone_is_placed_once_however_much_is_shown_of_its_move(sit, monkeypatch):
    places, place = [], Position.placed
    monkeypatch.setattr(Position, "placed", lambda *args: places.append(args) or place(*args))
    session = sit().do(*BEFORE_MEAL)
    del places[:]
    entries = session.table.handle(Touched("e5"), session.now)
    assert [entry.text for entry in entries] == ["e5x", "e5"]
    session.table.scene()
    assert len(places) == 1


def test_eaten_stones_are_to_be_removed_and_the_turn_waits(sit):
    session = sit().do(*BEFORE_MEAL, "e5")
    assert session.saved[-2:] == [Entry(EntryKind.MOVE, "e5x"), Entry(EntryKind.EDIT, "e5")]
    assert (session.phase, session.cue("e4")) == (Phase.EDIT, "remove")
    assert (session.table.scene().score, session.table.scene().turn) == ((1, 0), 1)
    assert session.prompts == ["circle_of_life.ate", "table.take_away"]
    assert session.twin().do(RESIGN, RESIGN).state.outcome.winner == 2, "it is the eater's turn"
    session.do("g4")
    assert (session.cue("g4"), session.notice) == ("wrong", "table.first_take_away")
    session.do("a1")
    assert (session.cue("a1"), session.notice) == ("wrong", "table.stays")
    assert session.state.standing.keys() == {"e5", *BEFORE_MEAL}
    session.do("e4")
    assert session.saved[-1] == Entry(EntryKind.EDIT, "e4")
    assert (session.phase, session.cue("e4")) == (Phase.TAP, "legal")


def test_eaten_stones_are_lifted_and_no_other_stone_counts_before(sit):
    session = sit(presence=True).do(*TWO_MEALS)
    assert (session.phase, session.cues("remove")) == (Phase.EDIT, ["d4", "f5"])
    assert session.prompts == ["circle_of_life.ate", "table.lift"]
    saved = list(session.saved)
    session.do("g4")
    assert (session.cue("g4"), session.notice) == ("wrong", "table.first_take_away")
    assert session.do("f5").table.scene().turn == 1
    session.do("d4")
    assert (session.moves[-1], session.phase) == ("e6x", Phase.EDIT)
    session.do("g4")
    assert (session.phase, session.table.scene().turn) == (Phase.TAP, 2)
    assert session.saved == saved, "what hands do is read off the board, not saved"
    assert session.do("g4").moves[-1] == "g4"


def test_occupied_cell_flashes_on_lifting_and_changes_nothing(sit):
    session = sit().do("e5")
    before, saved = session.state.position, list(session.saved)
    session.do(DEBOUNCE_S, Touched("e5"))
    assert session.cue("e5") == "placed"
    session.give(Lifted("e5"))
    assert (session.cue("e5"), session.notice) == ("wrong", "circle_of_life.occupied")
    assert session.state.position is before
    assert (session.saved, session.do(REJECTED_S).cue("e5")) == (saved, "placed")
    assert session.notice == "circle_of_life.occupied"
    assert (session.do(NOTICE_S).notice, session.table.due()) == ("", inf)


@SENSING
def test_a_stone_on_an_illegal_cell_is_refused_at_once_and_leaves_all_as_before(sit, presence):
    session = sit(presence=presence).do(*FOUR_IN_A_ROW)
    assert session.cue("e5") == ""
    before = session.state
    session.do("e5")
    assert (session.cue("e5"), session.notice) == ("wrong", "circle_of_life.too_big")
    assert session.state.standing.get("e5") == (UNKNOWN_PIECE if presence else None)
    assert session.do(3.0).cue("e5") == ("remove" if presence else "")
    session.do(*["e5"] * presence, 10.0)
    assert (session.state.position, session.pieces) == (before.position, dict(before.standing))
    assert session.state == before or not presence


def test_holding_a_stone_inspects_it_until_it_is_let_go(sit):
    session = sit().do("e5", "a1", "g5", "a2", Touched("a1"), Held("a1"))
    assert session.prompts == ["circle_of_life.inspected"]
    assert [session.cue(cell) for cell in ("a1", "a2", "e5", "g5")] == ["critter"] * 2 + [
        "prey"
    ] * 2
    legend = {n: lamp.cue for n, lamp in session.table.scene().legend.items()}
    assert legend == {1: Cue.CRITTER, 0: Cue.PREY, 2: Cue.PREDATOR}
    session.give(Lifted("a1"))
    assert "circle_of_life.inspected" not in session.prompts
    assert (session.cue("a1"), session.cue("e5")) == ("critter", "")
    # It goes on while another stone is set; the stone just set is not inspected.
    session = sit().do("e5", "a1", Touched("e5"), Held("e5"), "i5")
    assert session.prompts == ["circle_of_life.inspected"]
    assert session.do(Lifted("e5")).cue("i5") == "placed"
    session = sit().do(Touched("e5"), Held("e5"))
    assert (session.state.inspecting, session.cue("e5")) == ("", "placed")


@SENSING
def test_winning_by_eating_shows_who_and_how_until_a_new_game(sit, presence):
    session = sit(presence=presence, target="2").do(*TWO_MEALS)
    outcome = session.state.outcome
    assert (session.phase, outcome.winner, outcome.reason) == (Phase.OVER, 1, "stones eaten")
    assert (session.cue("e5"), session.cue("d4")) == ("win", "remove")
    assert "circle_of_life.won_eaten" in session.prompts
    assert session.do("d4", "f5").state.standing == session.pieces
    assert session.do("a4").notice == "rules.game_over"
    assert (session.do(1000.0).phase, session.table.scene().turn) == (Phase.OVER, 1)


def test_two_stones_set_at_once_are_no_move_nor_is_the_one_that_is_left(sit):
    session = sit(presence=True).do({"e5", "a1"})
    assert (session.cue("a1"), session.notice) == ("wrong", "table.set_again")
    again = session.twin().do({"e5", "a1"})
    assert (again.cue("a1"), again.notice) == ("legal", "")
    session.do("a1")
    assert (session.moves, session.phase, session.cue("e5")) == ([], Phase.EDIT, "remove")
    assert session.do("e5", "a1").moves == ["a1"]


def test_a_piece_lifted_and_set_elsewhere_moves_and_put_back_is_not_chosen(sit):
    session = sit(Toy(), presence=True)
    before = session.state
    assert session.do("a", "a").state == before
    session.do("a")
    assert (session.cue("a"), session.cue("b")) == ("chosen", "legal")
    assert (session.do("b").moves, session.state.standing) == (["a-b"], {"b": "1", "e": "2"})


def test_a_tap_of_a_longer_move_is_undone_by_taking_back_or_holding(sit):
    session = sit(Toy()).do("a", "b", "e", BACK)
    assert (session.state.taps, session.moves) == ((), ["a-b"])
    session = sit(Toy()).do(Touched("a"), Held("a"))
    assert (session.state.taps, session.state.inspecting) == ((), "a")
    session.give(Lifted("a"))
    assert (session.state.inspecting, session.notice) == ("", "")


# After a restart, where stones are sensed.


def test_a_resumed_game_reads_the_board_and_takes_nothing_on_it_for_new(sit):
    session = sit(presence=True).do(*TWO_MEALS, "d4")
    again = session.restarted()
    assert again.state.standing == session.state.standing
    assert [edit.cell for edit in again.state.pending] == ["f5"]
    assert again.scene().notice.key == "table.resumed_felt"
    assert again.state.notices.current.good
    session.stones ^= {"e5", "f5", "g4"}
    cells = session.restarted().scene().cells
    assert (cells["e5"].cue, cells["g4"].cue) == (Cue.PUT, Cue.REMOVE)
    # Until the board has reported, nothing is asked for.
    session = sit(presence=True).do(*TWO_MEALS, {"d4", "f5"}, "g4")
    table = Table(GAME, {}, Random(0), presence=True)
    table.resume(session.saved, 0.0)
    assert table.state.pending == ()
    # A stone whose move was taken back, but that still stands, is not played again.
    session = sit(presence=True).do("e5", "a1", BACK)
    again = session.restarted()
    assert (again.state.phase, again.state.position) == (Phase.EDIT, session.state.position)


# One finger is one touch.


@pytest.mark.parametrize(
    ("steps", "moves", "wrong"),
    [
        # A finger that slides on from the stone it has set sets no other.
        ((Touched("e5"), Touched("e6"), Lifted("e5"), Lifted("e6")), ["e5"], "e6"),
        ((*TWO_MEALS, "d4", Touched("f5"), Touched("f4")), [*TWO_MEALS[:-1], "e6x"], "f4"),
        # One that slides from the eater to its prey takes nothing away.
        ((*BEFORE_MEAL, 1.0, Touched("e5"), Touched("e4")), [*BEFORE_MEAL, "e5x"], "e4"),
        # Two stones set at once are not two moves.
        ((Touched("e5"), Touched("a1")), ["e5"], "a1"),
    ],
)
def test_a_finger_that_slides_or_has_not_left_makes_no_second_move(sit, steps, moves, wrong):
    session = sit().do(*steps)
    assert (session.moves, session.notice) == (moves, "table.touch_again")
    assert session.cue(wrong) == "wrong"
    lifts = [Lifted(each.spot) for each in steps if isinstance(each, Touched)]
    session.do(*lifts, wrong)
    assert session.notice == "", "a new touch there counts"


def test_bounces_are_silent_and_the_touch_of_a_palm_is_taken_back(sit):
    session = sit().do(1.0, *[Touched("e5"), Lifted("e5")] * 2)
    assert (session.moves, session.notice, session.cue("e5")) == (["e5"], "", "placed")
    assert session.state.fingers.down == session.state.fingers.repeats == frozenset()
    session = sit().do(Touched("e5"), PalmDetected(frozenset({"e4", "e5", "e6"})))
    assert (session.moves, session.notice) == (["e5"], "table.palm")
    session.do(Lifted("e5"), BACK, "e5")
    assert (session.moves, session.phase) == ([], Phase.TAP)


def test_fingers_are_forgotten_in_a_pause_and_a_resting_one_is_not_refused(sit):
    session = sit().do(Touched("e5"))
    session.disturb("e5")
    session.mend()
    assert session.state.fingers.debounce_until == {}
    assert session.do(Touched("e6")).moves == ["e5", "e6"]
    session = sit().do(*TWO_MEALS[:-1], Touched("d4"), "e6", Lifted("d4"))
    assert (session.cue("d4"), session.notice) == ("remove", "")
