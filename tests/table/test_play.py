"""Playing Circle of Life at the table: placing, feeding, inspecting, refusing."""

from random import Random

from game.rules.circle_of_life import GAME
from game.table.entries import Entry, EntryKind
from game.table.fingers import DEBOUNCE_S
from game.table.inputs import Asked, Command, Held, Lifted, PalmDetected, Touched
from game.table.records import NOTICE_S, REJECTED_S, Phase
from game.table.scene import Cue
from game.table.table import DRAW_S, Table
from tests.table.random_game import TWO_MEALS

# Orange's e5 then makes a pair with e6, which eats the singleton on e4.
BEFORE_MEAL = ("e6", "e4", "a1", "i5", "c1", "h1")


def test_start_draws_who_begins_with_the_generator():
    firsts = set()
    for seed in range(20):
        table = Table(GAME, {}, Random(seed))
        (entry,) = table.start(0.0)
        again = Table(GAME, {}, Random(seed)).start(0.0)
        assert again == (entry,)
        firsts.add(entry.text)
    assert firsts == {'{"first": "1", "target": "20"}', '{"first": "2", "target": "20"}'}


def test_draw_shows_running_lights_and_ends_by_itself():
    table = Table(GAME, {"first": "2"}, Random(1))
    table.start(10.0)
    scene = table.scene()
    assert set(scene.cells) == set(GAME.board.rim)
    assert {lamp.cue for lamp in scene.cells.values()} == {Cue.DRAW}
    assert len({lamp.phase for lamp in scene.cells.values()}) == len(GAME.board.rim)
    assert set(scene.legend) == set(range(12))
    assert scene.turn is None
    assert table.due() == 10.0 + DRAW_S
    table.tick(10.0 + DRAW_S)
    assert table.state.phase is Phase.TAP
    assert table.scene().turn == 2


def test_draw_refuses_touches_and_places_nothing():
    table = Table(GAME, {}, Random(1))
    table.start(0.0)
    before = table.state.position
    assert table.handle(Touched("e5"), 0.1) == ()
    assert table.state.position is before
    assert table.scene().notice.key == "table.wait_for_draw"


def test_touch_on_a_legal_cell_places_and_is_kept(sit):
    sitting = sit()
    sitting.tap("e5")
    assert sitting.kept[-2:] == [Entry(EntryKind.MOVE, "e5"), Entry(EntryKind.EDIT, "e5")]
    assert sitting.cue("e5") == "placed"
    assert sitting.table.scene().turn == 2
    assert sitting.table.state.standing == {"e5": "1"}


def test_all_legal_cells_are_lit_for_the_mover(sit):
    sitting = sit()
    sitting.tap("e5")
    legal = {c for c, lamp in sitting.table.scene().cells.items() if lamp.cue is Cue.LEGAL}
    assert legal == set(GAME.board.cells) - {"e5"}
    assert {sitting.table.scene().cells[c].side for c in legal} == {2}


def test_placing_shows_the_critter_and_its_species(sit):
    sitting = sit()
    sitting.tap("e5", "a1", "e6")
    assert sitting.cue("e6") == "placed"
    assert sitting.cue("e5") == "critter"
    scene = sitting.table.scene()
    assert {n: lamp.cue for n, lamp in scene.legend.items()} == {1: Cue.CRITTER}
    assert scene.prompt[0].args["species"].key == "species.pair"


def test_eaten_stones_are_to_be_removed_and_the_turn_waits(sit):
    sitting = sit()
    sitting.tap(*BEFORE_MEAL)
    sitting.tap("e5")
    assert sitting.kept[-2:] == [Entry(EntryKind.MOVE, "e5x"), Entry(EntryKind.EDIT, "e5")]
    assert sitting.table.state.phase is Phase.EDIT
    assert sitting.cue("e4") == "remove"
    assert sitting.table.scene().score == (1, 0)
    assert sitting.table.scene().turn == 1
    assert sitting.prompts == ["circle_of_life.ate", "table.take_away"]
    sitting.tap("g4")
    assert "g4" not in sitting.table.state.standing
    assert sitting.cue("g4") == "wrong"
    assert sitting.notice == "table.first_take_away"
    sitting.tap("e4")
    assert sitting.kept[-1] == Entry(EntryKind.EDIT, "e4")
    assert sitting.table.state.phase is Phase.TAP
    assert sitting.cue("e4") == "legal"


def test_a_stone_that_was_not_eaten_is_not_to_be_taken(sit):
    sitting = sit()
    sitting.tap(*TWO_MEALS)
    sitting.tap("i5")
    assert sitting.cue("i5") == "wrong"
    assert sitting.notice == "table.stays"
    assert sitting.table.state.standing["i5"] == "2"
    assert sitting.kept[-1] == Entry(EntryKind.EDIT, "e6")


def test_occupied_cell_flashes_on_lifting_and_changes_nothing(sit):
    sitting = sit()
    sitting.tap("e5")
    before = sitting.table.state.position
    sitting.wait(DEBOUNCE_S)
    sitting.give(Touched("e5"))
    assert sitting.cue("e5") == "placed"
    sitting.give(Lifted("e5"))
    assert sitting.cue("e5") == "wrong"
    assert sitting.notice == "circle_of_life.occupied"
    assert sitting.table.state.position is before
    assert sitting.kept[-1] == Entry(EntryKind.EDIT, "e5")


def test_critter_of_five_is_refused_at_once(sit):
    sitting = sit()
    for own, other in zip(("e1", "e2", "e3", "e4"), ("a1", "a3", "a5", "i1"), strict=True):
        sitting.tap(own, other)
    assert sitting.cue("e5") == ""
    sitting.give(Touched("e5"))
    assert sitting.cue("e5") == "wrong"
    assert sitting.notice == "circle_of_life.too_big"
    assert "e5" not in sitting.table.state.standing


def test_a_refusal_is_forgotten_after_a_while(sit):
    sitting = sit()
    sitting.tap("e5", "e5")
    assert sitting.cue("e5") == "wrong"
    sitting.wait(REJECTED_S)
    assert sitting.cue("e5") == "placed"
    assert sitting.notice == "circle_of_life.occupied"
    sitting.wait(NOTICE_S)
    assert sitting.notice == ""
    assert sitting.table.due() is None


def test_holding_a_stone_inspects_it_until_it_is_let_go(sit):
    sitting = sit()
    sitting.tap("e5", "a1", "g5", "a2")
    sitting.give(Touched("a1"))
    sitting.give(Held("a1"))
    assert sitting.prompts == ["circle_of_life.inspected"]
    assert (sitting.cue("a1"), sitting.cue("a2")) == ("critter", "critter")
    assert (sitting.cue("e5"), sitting.cue("g5")) == ("prey", "prey")
    legend = {n: lamp.cue for n, lamp in sitting.table.scene().legend.items()}
    assert legend == {1: Cue.CRITTER, 0: Cue.PREY, 2: Cue.PREDATOR}
    sitting.give(Lifted("a1"))
    assert "circle_of_life.inspected" not in sitting.prompts
    assert sitting.cue("a1") == "critter"
    assert sitting.cue("e5") == ""


def test_inspecting_goes_on_while_another_stone_is_set(sit):
    sitting = sit()
    sitting.tap("e5", "a1")
    sitting.give(Touched("e5"))
    sitting.give(Held("e5"))
    sitting.tap("i5")
    assert sitting.prompts == ["circle_of_life.inspected"]
    sitting.give(Lifted("e5"))
    assert sitting.cue("i5") == "placed"


def test_draw_words_end_with_the_draw_and_a_full_board_is_to_be_cleared(sit):
    sitting = sit()
    sitting.tap("e5")
    sitting.give(Asked(Command.NEW_GAME))
    sitting.give(Asked(Command.NEW_GAME))
    assert sitting.notice == "table.clear_board"
    sitting.give(Touched("a1"))
    assert sitting.notice == "table.wait_for_draw"
    sitting.wait(DRAW_S)
    assert sitting.notice == ""


def test_holding_the_stone_just_set_does_not_inspect(sit):
    sitting = sit()
    sitting.give(Touched("e5"))
    sitting.give(Held("e5"))
    assert sitting.table.state.inspecting == ""
    assert sitting.cue("e5") == "placed"


def test_a_palm_is_explained_and_changes_nothing(sit):
    sitting = sit()
    before = sitting.table.state.position
    sitting.give(PalmDetected(frozenset({"a1", "a2", "b2"})))
    assert sitting.notice == "table.palm"
    assert sitting.table.state.position is before


def test_winning_by_eating_shows_who_and_how_until_a_new_game(sit):
    sitting = sit(target="2")
    sitting.tap(*TWO_MEALS)
    state = sitting.table.state
    assert state.phase is Phase.OVER
    assert (state.outcome.winner, state.outcome.reason) == (1, "stones eaten")
    assert sitting.cue("e5") == "win"
    assert sitting.cue("d4") == "remove"
    assert "circle_of_life.won_eaten" in sitting.prompts
    sitting.tap("d4", "f5")
    assert sitting.table.state.standing == GAME.pieces(state.position)
    sitting.tap("a4")
    assert sitting.notice == "rules.game_over"
    sitting.wait(1000.0)
    assert sitting.table.state.phase is Phase.OVER
    assert sitting.table.scene().turn == 1


def test_finger_that_rests_on_a_stone_while_it_is_eaten_is_not_scolded(sit):
    sitting = sit()
    sitting.tap(*TWO_MEALS[:-1])
    sitting.give(Touched("d4"))
    sitting.tap("e6")
    sitting.give(Lifted("d4"))
    assert sitting.cue("d4") == "remove"
    assert sitting.notice == ""


def test_turn_stays_with_the_eater_who_may_also_resign_it(sit):
    sitting = sit()
    sitting.tap(*TWO_MEALS)
    assert sitting.table.scene().turn == 1
    sitting.give(Asked(Command.RESIGN))
    sitting.give(Asked(Command.RESIGN))
    assert sitting.table.state.outcome.winner == 2
