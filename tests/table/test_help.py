"""How much help a player has: grades at a touch, looks, blunders held back, and the menu."""

import pytest

from game.rules.base.errors import BadOption
from game.rules.base.grades import Grade, Graded, grades_in, grades_text, help_in
from game.rules.cirkle_mind import GAME as MIND
from game.table.inputs import (
    GRADE,
    Asked,
    Command,
    GradesFound,
    Held,
    Lifted,
    Look,
    SetHelp,
    Touched,
)
from game.table.table import DRAW_S

BLUNDER = Graded(Grade.BLUNDER, 31, "d5")
GRADES = {("e5",): Graded(Grade.GOOD, 0), ("d4",): BLUNDER, ("a1",): Graded(Grade.LOSING, 0)}


@pytest.fixture
def helped(sit):
    """Return a game whose mover has some help, with grades of three cells."""

    def start(level, presence=False, **options):
        session = sit(presence=presence, help=f"{level},0", **options)
        if (wanted := session.table.search_request()) is not None:
            assert wanted.level == GRADE
            session.give(GradesFound(wanted.position, GRADES))
        return session

    return start


def rest(session, cell):
    session.now += 1.0
    session.do(Touched(cell), Held(cell))


def test_help_is_read_for_each_player_or_all():
    assert [each.text for each in help_in("3:2,0", 2)] == ["3:2", "0"]
    assert help_in("3", 2) == help_in("3:3", 2) == help_in("3:3,3", 2)
    for wrong in ("6", "3:7", "2:1", "1,2,3", "x"):
        with pytest.raises(BadOption):
            help_in(wrong, 2)
    assert grades_in(grades_text(GRADES)) == GRADES


@pytest.mark.parametrize("level", ["3:2", "4"])
def test_a_finger_that_rests_sees_the_grade_and_one_that_leaves_plays(helped, level):
    session = helped(level)
    for cell, cue in (("e5", "good"), ("d4", "blunder")):
        rest(session, cell)
        assert session.cue(cell) == cue
        assert {"help.graded", "help.graded_loss"} & set(session.prompts)
        session.give(Lifted(cell))
        assert session.cue(cell) == "legal"
    rest(session, "a1")
    assert (session.cue("a1") == "losing") == (level == "4")
    session.give(Lifted("a1"))
    rest(session, "e5")
    assert session.cue("e5") == "good", "a second look at the same cell costs nothing"
    session.give(Lifted("e5"))
    assert session.moves == []
    session.tap("e5")
    assert session.moves == ["e5"]
    rest(session, "e6")
    assert len(session.moves) == 2, "blue has no help: a touch plays at once"


def test_a_page_looks_without_touching_and_without_hands_in_between(helped):
    session = helped("3:1").do(Look("e5"))
    assert session.cue("e5") == "good"
    session.give(Look(""))
    assert session.cue("e5") == "legal"
    session.give(Look("d4"))
    assert (session.cue("d4"), session.notice) == ("legal", "help.no_looks_left")


def test_a_move_without_a_grade_yet_shows_that(helped):
    session = helped("4")
    rest(session, "f5")
    assert "help.not_graded" in session.prompts


@pytest.mark.parametrize("presence", [False, True])
def test_a_blunder_is_made_only_the_second_time(helped, presence):
    session = helped("1", presence)
    play = session.put if presence else session.tap
    play("d4")
    assert (session.moves, session.notice) == ([], "help.held")
    assert (session.cue("d4"), session.cue("d5")) == ("wrong", "predator")
    if presence:
        session.take("d4")
    session.wait(10.0)
    assert (session.cue("d4"), session.cue("d5")) == ("legal", "legal")
    play("d4")
    assert session.moves == ["d4"]


def test_another_move_after_a_warning_is_made_at_once_and_a_lost_game_warns_of_nothing(helped):
    session = helped("1").do("d4", "e5")
    assert session.moves == ["e5"]
    lost = helped("1").do("a1")
    assert lost.moves == ["a1"]


def test_the_best_cells_are_lit_at_the_highest_level_only(helped):
    assert helped("5").cues("hint") == ["e5"]
    assert helped("4").cues("hint") == []


def test_a_strict_game_locks_all_help(helped):
    session = helped("5", assistance="strict")
    assert session.table.search_request() is None
    session.give(SetHelp(("5", "5")))
    assert session.notice == "table.strict"
    assert [each.level for each in session.state.helps] == [0, 0]


def test_hints_on_request_are_not_more_than_the_help_allows(helped):
    for level, refused in (("1", True), ("3", True), ("2", False), ("4", False)):
        session = helped(level).do(Asked(Command.HINT))
        assert (session.notice == "help.no_hints") == refused


def test_help_is_set_on_the_board_itself_and_stays_for_the_next_game(sit):
    session = sit().do(Command.MENU, "e1")
    assert session.state.menu_of_help
    session.tap("b4")
    assert session.cues("chosen")[0] == "b4"
    session.do("e5", Command.MENU, Command.NEW_GAME, DRAW_S)
    assert [each.text for each in session.state.helps] == ["3:3", "0"]
    assert '"help": "3,0"' in session.saved[-1].text


def test_hidden_pieces_are_graded_as_spectators_see_them(sit):
    session = sit(MIND, help="4")
    state = session.state
    assert session.table.search_request() is None, "set-ups are not graded"
    session.ask(Command.NEW_GAME)
    assert state.game.hidden
