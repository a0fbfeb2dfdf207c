"""The menu that the cells can be: who is a computer, chosen without a screen."""

from random import Random

import pytest

from game.engine import LEVEL_NAMES
from game.rules.azteka import GAME as AZTEKA
from game.rules.boards.board import disc, hexagon, menu_layout, rectangle, spread_levels
from game.rules.circle_of_life import GAME
from game.table import DRAW_S, LESSON, Phase, Table
from game.table.inputs import Asked, Command, SetOpponents
from tests.helpers.games.toy_game import Toy
from tests.table.random_game import LEVELS, TWO_MEALS

MENU = Asked(Command.MENU)
LEARN = "e1"
BOARDS = {
    "hexagon": hexagon(5),
    "middle hexagon": hexagon(4),
    "small hexagon": hexagon(3),
    "tiny hexagon": hexagon(2),
    "disc": disc(),
    "rectangle": rectangle(),
    "row": Toy.board,
    "four squares": rectangle(2, 2),
}


@pytest.mark.parametrize("players", [1, 2, 3])
@pytest.mark.parametrize("name", BOARDS)
def test_every_board_has_a_menu_of_cells_that_are_told_apart(name, players):
    board = BOARDS[name]
    people, rows = menu_layout(board, players, len(LEVELS))
    cells = [people, *(cell for row in rows for cell in row)]
    assert len(set(cells)) == len(cells)
    assert set(cells) <= set(board.cells)
    assert (len(rows), len({len(row) for row in rows})) == (players, 1)


def test_rows_lie_where_people_find_them_if_the_board_has_room():
    rows = tuple(tuple(f"{row}{n}" for n in range(1, 8)) for row in "cg")
    assert menu_layout(BOARDS["hexagon"], 2, 7) == ("e5", rows)
    rows = tuple(tuple(f"{segment}{ring}" for segment in "abcdefg") for ring in (4, 1))
    assert menu_layout(BOARDS["disc"], 2, 7)[1] == rows
    assert menu_layout(BOARDS["rectangle"], 2, 7)[1][1][0] == "A11"
    assert menu_layout(BOARDS["row"], 2, 7) == ("c", (("a", "b"), ("d", "e")))
    assert menu_layout(BOARDS["four squares"], 4, 7) == ("", ())
    assert menu_layout(BOARDS["hexagon"], 2, 0) == ("", ())


def test_of_too_many_levels_the_easiest_and_the_strongest_stay():
    assert spread_levels(LEVELS, 7) == LEVELS
    assert spread_levels(LEVELS, 4) == ("random", "1", "4", "6")
    shown = ("random", "1", "2", "3", "3.5", "4", "5.5", "6")
    assert spread_levels(LEVEL_NAMES, 8) == shown
    assert (spread_levels(LEVELS, 2), spread_levels(LEVELS, 1)) == (("random", "6"), ("3",))


def test_the_menu_lights_its_choices_and_what_is_so_now(sit):
    session = sit().do("e4")
    session.oppose("", "2")
    session.give(MENU)
    assert (session.phase, session.cues("chosen")) == (Phase.MENU, ["g3"])
    lamps = session.table.scene().cells
    assert {cell: lamp.side for cell, lamp in lamps.items()} == {
        **{"e5": None, "e1": None},
        **{f"c{n}": 1 for n in range(1, 8)},
        **{f"g{n}": 2 for n in range(1, 8)},
    }
    rows = [each for each in session.table.scene().prompt if each.key == "table.menu_row"]
    assert [(row.args["first"], row.args["side"]) for row in rows] == [
        ("c1", GAME.players[0]),
        ("g1", GAME.players[1]),
    ]
    menu = session.table.scene().menu
    assert (menu["g1"].level, menu["g7"].level, menu["e5"].player) == ("random", "6", None)
    assert session.do(MENU, SetOpponents(("", "")), MENU).cues("chosen") == ["e5"]


@pytest.mark.parametrize("presence", [False, True])
def test_three_players_have_a_row_each(sit, presence):
    session = sit(AZTEKA.variants["three"], presence=presence).oppose("", "", "3").do(MENU)
    menu = session.table.scene().menu
    assert {choice.player for choice in menu.values()} == {None, 1, 2, 3}
    assert {lamp.side for lamp in session.table.scene().cells.values()} == {None, 1, 2, 3}
    cell = next(cell for cell, choice in menu.items() if choice.player == 2)
    assert session.do(cell).phase is Phase.DRAW
    assert session.state.computers == ("", menu[cell].level, "")


@pytest.mark.parametrize("moves", [(), TWO_MEALS])
def test_every_key_closes_the_menu_and_nothing_has_changed(sit, moves):
    session = sit().do(*moves, 10.0)
    before = session.state
    for key in (Command.MENU, Command.NEW_GAME, Command.TAKE_BACK, Command.RESIGN):
        assert session.do(MENU, key).state == before


def test_a_paused_board_has_no_menu_and_a_masked_choice_is_reached_by_the_cell_key(sit):
    session = sit().disturb("h1").do(MENU)
    assert (session.phase, session.notice) == (Phase.TAP, "table.paused")
    session.mend().do(MENU).disturb("h1").do("g4")
    assert (session.phase, session.notice) == (Phase.MENU, "table.paused")
    assert session.mend().twin().do("g4").state.computers == ("", "3")
    assert session.mask("g2").cue("g2") == "cursor"
    assert session.do(Command.TOUCH_CELL).state.computers == ("", "1")


@pytest.mark.parametrize("presence", [False, True])
def test_touches_or_stones_elsewhere_or_several_at_once_choose_nothing(sit, presence):
    session = sit(presence=presence).do(MENU, "a1")
    assert (session.notice, session.cue("a1")) == ("table.not_in_menu", "wrong")
    assert session.phase is Phase.MENU
    if presence:
        assert (session.do({"g1", "g2"}).phase, session.cues("remove")) == (Phase.MENU, [])
        assert session.do(MENU, 10.0).cues("remove") == ["a1", "g1", "g2"]


def test_a_board_with_nothing_on_it_opens_the_menu_by_itself(sit):
    session = sit(offers=True)
    scene = session.table.scene()
    assert session.state.menu_offered
    assert (session.cues("chosen"), session.cues("hint")) == (["g2"], [LEARN])
    assert (scene.menu["g2"].level, scene.menu[LEARN].level) == ("1", LESSON)
    assert not session.table.state.lesson_wanted
    assert "table.menu_learn" in [each.key for each in scene.prompt]
    session.tap(LEARN)
    assert session.table.state.lesson_wanted


@pytest.mark.parametrize("presence", [False, True])
@pytest.mark.parametrize(
    ("answer", "level"),
    [
        ("g2", "1"),
        (Command.CONFIRM, "1"),
        ("g5", "4"),
        ("e5", ""),
        (Command.NEW_GAME, ""),
        (SetOpponents(("", "3")), "3"),
    ],
)
def test_what_is_offered_is_chosen_once_by_touch_key_or_page(sit, answer, level, presence):
    session = sit(offers=True, presence=presence).do(answer, DRAW_S)
    assert session.phase is not Phase.MENU
    assert session.state.level_of(2) == level
    assert session.do({*session.stones}, Command.NEW_GAME, DRAW_S).phase is Phase.TAP


def test_a_game_that_goes_on_is_not_asked_about(sit):
    session = sit().do("e4")
    table = Table(GAME, {}, Random(0), levels=LEVELS, offers=True)
    table.resume(session.saved, 0.0)
    table.tick(DRAW_S)
    table.handle(Asked(Command.CONFIRM), DRAW_S)
    table.tick(2 * DRAW_S)
    assert table.state.phase is Phase.TAP
