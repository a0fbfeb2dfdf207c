"""Hints and teaching: what those who play ask the lights to show."""

import pytest

from game.rules.base.message import say
from game.rules.base.registry import find_game
from game.rules.base.values import Threats
from game.rules.circle_of_life import GAME
from game.table.computer import SearchRequest
from game.table.inputs import Asked, Command, EngineUnavailable, ScoredMove, SearchResult
from game.table.table import Table
from tests.helpers.games.toy_game import Toy
from tests.table.random_game import Sitting

HINT, TEACH = Asked(Command.HINT), Asked(Command.TEACH)
THREE = (
    ScoredMove("d4", 1.0, decided=True),
    ScoredMove("e6", 0.624),
    ScoredMove("a1", 0.0, decided=True),
)


def hinted(sitting, ideas=THREE):
    sitting.give(HINT)
    sitting.give(SearchResult(sitting.table.state.position, "", ideas))
    return sitting


def test_a_hint_is_wanted_only_for_the_asking(sit):
    sitting = sit()
    sitting.tap("e5")
    assert sitting.table.search_request() is None
    sitting.give(HINT)
    assert sitting.table.search_request() == SearchRequest(sitting.table.state.position, "", 3)
    assert sitting.prompts[-1] == "table.hinting"
    assert len(sitting.cues("legal")) == 60


def test_the_best_three_show_by_rank_and_in_words(sit):
    sitting = sit()
    sitting.tap("e5")
    hinted(sitting)
    scene = sitting.table.scene()
    lamps = {cell: lamp.rank for cell, lamp in scene.cells.items() if lamp.cue.value == "hint"}
    assert lamps == {"d4": 0, "e6": 1, "a1": 2}
    assert [(hint.spot, hint.move) for hint in scene.hints] == [(idea.move, idea) for idea in THREE]
    assert scene.prompt[-1] == say(
        "table.hints",
        ideas=(
            say("table.idea_wins", move="d4"),
            say("table.idea", move="e6", percent=62),
            say("table.idea_loses", move="a1"),
        ),
    )
    assert sitting.table.search_request() is None


def test_hints_end_with_the_next_move_or_when_asked_again(sit):
    sitting = sit()
    hinted(sitting)
    again = sitting.twin()
    again.give(HINT)
    assert again.cues("hint") == []
    assert again.table.search_request() is None
    sitting.tap("c5")
    assert sitting.table.state.engine.hints == ()
    assert sitting.cues("hint") == []


def test_asking_again_before_the_hint_is_there_calls_it_off(sit):
    sitting = sit()
    sitting.give(HINT)
    sitting.give(HINT)
    assert sitting.table.search_request() is None
    sitting.give(SearchResult(sitting.table.state.position, "", THREE))
    assert sitting.cues("hint") == []


def test_a_hint_for_a_position_that_is_over_is_dropped(sit):
    sitting = sit()
    sitting.give(HINT)
    asked = sitting.table.search_request()
    sitting.tap("e5")
    sitting.give(HINT)
    sitting.give(SearchResult(asked.position, "", THREE))
    assert sitting.cues("hint") == []
    assert sitting.table.state.engine.hinting


def test_a_hint_that_is_no_move_is_nonsense(sit):
    sitting = sit()
    sitting.give(HINT)
    sitting.give(SearchResult(sitting.table.state.position, "", (ScoredMove("z9", 0.5), *THREE)))
    assert sitting.table.state.engine.hinting


@pytest.mark.parametrize("state", ["computer", "edit", "over", "set up"])
def test_a_hint_is_refused_when_no_person_is_to_move(sit, state):
    sitting = sit()
    sitting.tap("e5", "a1")
    if state == "computer":
        sitting.oppose("1", "")
    elif state == "edit":
        sitting.ask(Command.TAKE_BACK)
    elif state == "over":
        sitting.ask(Command.RESIGN, Command.RESIGN)
    else:
        sitting.ask(Command.SET_UP)
    sitting.give(HINT)
    assert sitting.notice == "table.no_hint"
    assert not sitting.table.state.engine.hinting


def test_a_hint_is_refused_with_the_reason(sit):
    sitting = sit()
    sitting.tap("e5")
    asked = sitting.twin()
    asked.ask(Command.CONFIRM)
    asked.give(HINT)
    assert asked.notice == "table.confirm_first"
    sitting.disturb("h1")
    sitting.give(HINT)
    assert sitting.notice == "table.paused"
    new = sit()
    new.ask(Command.NEW_GAME)
    new.give(HINT)
    assert new.notice == "table.wait_for_draw"
    without = Table(GAME, {}, new.table._book.rng)
    without.start(0.0)
    without.tick(10.0)
    without.handle(HINT, 10.0)
    assert without.state.notices.current.message == say("table.no_computers")


def test_trouble_ends_the_waiting_and_is_told(sit):
    sitting = sit()
    sitting.give(HINT)
    sitting.give(EngineUnavailable(say("fault.link")))
    assert sitting.notice == "fault.link"
    assert sitting.table.search_request() is None
    assert len(sitting.cues("legal")) == 61


def test_hints_pause_with_the_board(sit):
    sitting = hinted(sit())
    sitting.disturb("h1")
    assert sitting.cues("hint") == []
    sitting.mend()
    assert len(sitting.cues("hint")) == 3


def test_hints_of_several_touches_lead_on():
    sitting = Sitting(Toy(), {"first": "1"}, presence=False)
    hinted(sitting, (ScoredMove("pass", 0.7), ScoredMove("a-b", 0.5)))
    assert [hint.spot for hint in sitting.table.scene().hints] == ["key:pass", "a"]
    assert sitting.cues("hint") == ["a"]
    sitting.tap("a")
    assert [hint.spot for hint in sitting.table.scene().hints] == ["b"]
    assert sitting.cues("hint") == ["b"]


def test_teaching_marks_what_could_be_eaten_on_both_sides(sit):
    sitting = sit()
    sitting.tap("e5", "d4", "a1", "f5", "a3", "i5")
    sitting.give(TEACH)
    threats = GAME.presentation.threats(sitting.table.state.position, 1)
    assert threats.edible
    assert set(sitting.cues("edible")) == threats.edible
    assert set(sitting.cues("endangered")) == threats.endangered
    assert sitting.prompts[-2:] == ["table.endangered", "table.edible"]
    sitting.give(TEACH)
    assert sitting.notice == "table.not_teaching"
    assert sitting.cues("edible") == sitting.cues("endangered") == []


class Taught(Toy):
    """The toy game in which every piece is in danger."""

    def threats(self, position, player):
        pieces = self.pieces(position)
        return Threats(
            frozenset(cell for cell, piece in pieces.items() if piece == str(player)),
            frozenset(cell for cell, piece in pieces.items() if piece != str(player)),
        )


def test_what_is_chosen_or_can_be_touched_covers_what_is_taught():
    sitting = Sitting(Taught(), {"first": "1"}, presence=False)
    sitting.tap("a", "b", "e", "d", "b", "c")
    sitting.give(TEACH)
    assert (sitting.cues("endangered"), sitting.cues("edible")) == (["d"], ["c"])
    sitting.tap("d")
    assert (sitting.cue("d"), sitting.cue("c")) == ("chosen", "legal")


def test_a_trouble_of_a_hint_is_not_told_of_the_next_turn_in_which_it_thinks(sit):
    sitting = sit()
    sitting.oppose("", "3")
    sitting.give(Asked(Command.HINT))
    sitting.give(EngineUnavailable(say("opponent.died")))
    sitting.wait(600.0)
    sitting.tap("e5")
    assert sitting.table.search_request() is not None
    assert sitting.table.scene().thinking


@pytest.mark.parametrize("name", ["azteka-aggressive", "azteka-three"])
def test_teaching_is_refused_with_words_where_nothing_can_be_taken(name):
    sitting = Sitting(find_game(name), {"first": "1"}, presence=False)
    sitting.give(TEACH)
    assert sitting.notice == "table.nothing_to_teach"
    assert not sitting.table.state.engine.teaching
