"""Playing Circle of Life at the table: placing, feeding, inspecting, refusing."""

from random import Random

from game.rules.boards.fingers import DEBOUNCE_S
from game.rules.circle_of_life import GAME
from game.rules.food_web.ecosystem import Ecosystem
from game.table.entries import Entry, EntryKind
from game.table.inputs import Asked, Command, Held, Lifted, PalmDetected, Touched
from game.table.phases import Phase
from game.table.scene import Cue
from game.table.state import NOTICE_S, REJECTED_S
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


def test_a_stone_is_placed_once_however_much_is_shown_of_its_move(sit, monkeypatch):
    places, place = [], Ecosystem.place
    monkeypatch.setattr(Ecosystem, "place", lambda *args: places.append(args) or place(*args))
    session = sit().do(*BEFORE_MEAL)
    del places[:]
    entries = session.table.handle(Touched("e5"), session.now)
    assert [entry.text for entry in entries] == ["e5x", "e5"]
    session.table.scene()
    assert len(places) == 1


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
    session = sit().do("e5")
    assert session.saved[-2:] == [Entry(EntryKind.MOVE, "e5"), Entry(EntryKind.EDIT, "e5")]
    assert session.cue("e5") == "placed"
    assert session.table.scene().turn == 2
    assert session.state.standing == {"e5": "1"}


def test_all_legal_cells_are_lit_for_the_mover(sit):
    session = sit().do("e5")
    legal = {c for c, lamp in session.table.scene().cells.items() if lamp.cue is Cue.LEGAL}
    assert legal == set(GAME.board.cells) - {"e5"}
    assert {session.table.scene().cells[c].side for c in legal} == {2}


def test_placing_shows_the_critter_and_its_species(sit):
    session = sit().do("e5", "a1", "e6")
    assert session.cue("e6") == "placed"
    assert session.cue("e5") == "critter"
    scene = session.table.scene()
    assert {n: lamp.cue for n, lamp in scene.legend.items()} == {1: Cue.CRITTER}
    assert scene.prompt[0].args["species"].key == "species.pair"


def test_eaten_stones_are_to_be_removed_and_the_turn_waits(sit):
    session = sit().do(*BEFORE_MEAL, "e5")
    assert session.saved[-2:] == [Entry(EntryKind.MOVE, "e5x"), Entry(EntryKind.EDIT, "e5")]
    assert session.phase is Phase.EDIT
    assert session.cue("e4") == "remove"
    assert session.table.scene().score == (1, 0)
    assert session.table.scene().turn == 1
    assert session.prompts == ["circle_of_life.ate", "table.take_away"]
    session.tap("g4")
    assert "g4" not in session.state.standing
    assert session.cue("g4") == "wrong"
    assert session.notice == "table.first_take_away"
    session.tap("e4")
    assert session.saved[-1] == Entry(EntryKind.EDIT, "e4")
    assert session.phase is Phase.TAP
    assert session.cue("e4") == "legal"


def test_a_stone_that_was_not_eaten_is_not_to_be_taken(sit):
    session = sit().do(*TWO_MEALS, "i5")
    assert session.cue("i5") == "wrong"
    assert session.notice == "table.stays"
    assert session.state.standing["i5"] == "2"
    assert session.saved[-1] == Entry(EntryKind.EDIT, "e6")


def test_occupied_cell_flashes_on_lifting_and_changes_nothing(sit):
    session = sit().do("e5")
    before = session.state.position
    session.do(DEBOUNCE_S, Touched("e5"))
    assert session.cue("e5") == "placed"
    session.give(Lifted("e5"))
    assert session.cue("e5") == "wrong"
    assert session.notice == "circle_of_life.occupied"
    assert session.state.position is before
    assert session.saved[-1] == Entry(EntryKind.EDIT, "e5")


def test_critter_of_five_is_refused_at_once(sit):
    session = sit()
    for own, other in zip(("e1", "e2", "e3", "e4"), ("a1", "a3", "a5", "i1"), strict=True):
        session.tap(own, other)
    assert session.cue("e5") == ""
    session.give(Touched("e5"))
    assert session.cue("e5") == "wrong"
    assert session.notice == "circle_of_life.too_big"
    assert "e5" not in session.state.standing


def test_a_refusal_is_forgotten_after_a_while(sit):
    session = sit().do("e5", "e5")
    assert session.cue("e5") == "wrong"
    session.wait(REJECTED_S)
    assert session.cue("e5") == "placed"
    assert session.notice == "circle_of_life.occupied"
    session.wait(NOTICE_S)
    assert session.notice == ""
    assert session.table.due() is None


def test_holding_a_stone_inspects_it_until_it_is_let_go(sit):
    session = sit().do("e5", "a1", "g5", "a2", Touched("a1"), Held("a1"))
    assert session.prompts == ["circle_of_life.inspected"]
    assert (session.cue("a1"), session.cue("a2")) == ("critter", "critter")
    assert (session.cue("e5"), session.cue("g5")) == ("prey", "prey")
    legend = {n: lamp.cue for n, lamp in session.table.scene().legend.items()}
    assert legend == {1: Cue.CRITTER, 0: Cue.PREY, 2: Cue.PREDATOR}
    session.give(Lifted("a1"))
    assert "circle_of_life.inspected" not in session.prompts
    assert session.cue("a1") == "critter"
    assert session.cue("e5") == ""


def test_inspecting_goes_on_while_another_stone_is_set(sit):
    session = sit().do("e5", "a1", Touched("e5"), Held("e5"), "i5")
    assert session.prompts == ["circle_of_life.inspected"]
    session.give(Lifted("e5"))
    assert session.cue("i5") == "placed"


def test_draw_words_end_with_the_draw_and_a_full_board_is_to_be_cleared(sit):
    session = sit().do("e5", Asked(Command.NEW_GAME), Asked(Command.NEW_GAME))
    assert session.notice == "table.clear_board"
    session.give(Touched("a1"))
    assert session.notice == "table.wait_for_draw"
    session.wait(DRAW_S)
    assert session.notice == ""


def test_holding_the_stone_just_set_does_not_inspect(sit):
    session = sit().do(Touched("e5"), Held("e5"))
    assert session.state.inspecting == ""
    assert session.cue("e5") == "placed"


def test_a_palm_is_explained_and_changes_nothing(sit):
    session = sit()
    before = session.state.position
    session.give(PalmDetected(frozenset({"a1", "a2", "b2"})))
    assert session.notice == "table.palm"
    assert session.state.position is before


def test_winning_by_eating_shows_who_and_how_until_a_new_game(sit):
    session = sit(target="2").do(*TWO_MEALS)
    state = session.state
    assert state.phase is Phase.OVER
    assert (state.outcome.winner, state.outcome.reason) == (1, "stones eaten")
    assert session.cue("e5") == "win"
    assert session.cue("d4") == "remove"
    assert "circle_of_life.won_eaten" in session.prompts
    session.tap("d4", "f5")
    assert session.state.standing == GAME.pieces(state.position)
    session.tap("a4")
    assert session.notice == "rules.game_over"
    session.wait(1000.0)
    assert session.phase is Phase.OVER
    assert session.table.scene().turn == 1


def test_finger_that_rests_on_a_stone_while_it_is_eaten_is_not_scolded(sit):
    session = sit().do(*TWO_MEALS[:-1], Touched("d4"), "e6", Lifted("d4"))
    assert session.cue("d4") == "remove"
    assert session.notice == ""


def test_turn_stays_with_the_eater_who_may_also_resign_it(sit):
    session = sit().do(*TWO_MEALS)
    assert session.table.scene().turn == 1
    session.do(Asked(Command.RESIGN), Asked(Command.RESIGN))
    assert session.state.outcome.winner == 2
