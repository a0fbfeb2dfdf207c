"""Hints and teaching: what those who play ask the lights to show."""

import pytest

from game.rules.catalogue import find_game
from game.rules.circle_of_life import GAME
from game.rules.game import Threats
from game.rules.message import say
from game.table.inputs import Asked, Command, Idea, Stumped, Thought
from game.table.state import Phase
from game.table.table import Table
from game.table.thinking import Wanted
from tests.helpers.games.toy_game import Toy
from tests.table.sitting import Sitting

HINT, TEACH = Asked(Command.HINT), Asked(Command.TEACH)
THREE = (Idea("d4", 1.0, decided=True), Idea("e6", 0.624), Idea("a1", 0.0, decided=True))


def hinted(sitting, ideas=THREE):
    sitting.give(HINT)
    sitting.give(Thought(sitting.table.state.position, "", ideas))
    return sitting


def test_a_hint_is_wanted_only_for_the_asking(sit):
    sitting = sit()
    sitting.tap("e5")
    assert sitting.table.wanted() is None
    sitting.give(HINT)
    assert sitting.table.wanted() == Wanted(sitting.table.state.position, "", 3)
    assert sitting.prompts[-1] == "table.hinting"
    assert len(sitting.cues("legal")) == 60


def test_the_best_three_show_by_rank_and_in_words(sit):
    sitting = sit()
    sitting.tap("e5")
    hinted(sitting)
    scene = sitting.table.scene()
    lamps = {cell: lamp.rank for cell, lamp in scene.cells.items() if lamp.cue.value == "hint"}
    assert lamps == {"d4": 0, "e6": 1, "a1": 2}
    assert [(hint.spot, hint.idea) for hint in scene.hints] == [(idea.move, idea) for idea in THREE]
    assert scene.prompt[-1] == say(
        "table.hints",
        ideas=(
            say("table.idea_wins", move="d4"),
            say("table.idea", move="e6", percent=62),
            say("table.idea_loses", move="a1"),
        ),
    )
    assert sitting.table.wanted() is None


def test_hints_are_in_the_order_of_what_they_promise(sit):
    sitting = sit()
    hinted(sitting, (Idea("b2", 0.57), Idea("b1", 0.56), Idea("d5", 0.58)))
    ranks = {hint.spot: hint.idea.value for hint in sitting.table.scene().hints}
    assert ranks == {"d5": 0.58, "b2": 0.57, "b1": 0.56}
    assert list(ranks) == ["d5", "b2", "b1"]


def test_hints_end_with_the_next_move_or_when_asked_again(sit):
    sitting = sit()
    hinted(sitting)
    again = sitting.twin()
    again.give(HINT)
    assert again.cues("hint") == []
    assert again.table.wanted() is None
    sitting.tap("c5")
    assert sitting.table.state.hints == ()
    assert sitting.cues("hint") == []


def test_asking_again_before_the_hint_is_there_calls_it_off(sit):
    sitting = sit()
    sitting.give(HINT)
    sitting.give(HINT)
    assert sitting.table.wanted() is None
    sitting.give(Thought(sitting.table.state.position, "", THREE))
    assert sitting.cues("hint") == []


def test_a_hint_for_a_position_that_is_over_is_dropped(sit):
    sitting = sit()
    sitting.give(HINT)
    asked = sitting.table.wanted()
    sitting.tap("e5")
    sitting.give(HINT)
    sitting.give(Thought(asked.position, "", THREE))
    assert sitting.cues("hint") == []
    assert sitting.table.state.hinting


def test_a_hint_that_is_no_move_is_nonsense(sit):
    sitting = sit()
    sitting.give(HINT)
    sitting.give(Thought(sitting.table.state.position, "", (Idea("z9", 0.5), *THREE)))
    assert sitting.table.state.hinting


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
    assert not sitting.table.state.hinting


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
    assert without.state.notice.message == say("table.no_computers")


def test_trouble_ends_the_waiting_and_is_told(sit):
    sitting = sit()
    sitting.give(HINT)
    sitting.give(Stumped(say("fault.link")))
    assert sitting.notice == "fault.link"
    assert sitting.table.wanted() is None
    assert len(sitting.cues("legal")) == 61


def test_a_hint_asked_for_in_the_middle_of_trouble_says_what_it_waits_for(sit):
    sitting = sit()
    sitting.give(Stumped(say("fault.link")))
    sitting.give(HINT)
    assert sitting.prompts[-1] == "fault.link"
    assert sitting.table.wanted() is not None
    sitting.think("e6")
    assert sitting.cues("hint") == ["e6"]
    assert sitting.table.state.stumped is None


def test_hints_pause_with_the_board(sit):
    sitting = hinted(sit())
    sitting.disturb("h1")
    assert sitting.cues("hint") == []
    sitting.mend()
    assert len(sitting.cues("hint")) == 3


def test_hints_of_several_touches_lead_on():
    sitting = Sitting(Toy(), {"first": "1"}, presence=False)
    hinted(sitting, (Idea("pass", 0.7), Idea("a-b", 0.5)))
    assert [hint.spot for hint in sitting.table.scene().hints] == ["key:pass", "a"]
    assert sitting.cues("hint") == ["a"]
    sitting.tap("a")
    assert [hint.spot for hint in sitting.table.scene().hints] == ["b"]
    assert sitting.cues("hint") == ["b"]


class TwiceToPass(Toy):
    """The toy game in which passing takes two touches."""

    def taps(self, position, move):
        taps = super().taps(position, move)
        return (*taps, "e") if move == "pass" else taps


def test_a_hint_ends_with_a_touch_that_begins_something_else():
    sitting = Sitting(TwiceToPass(), {"first": "1"}, presence=False)
    hinted(sitting, (Idea("pass", 0.7), Idea("a-b", 0.5)))
    sitting.tap("a")
    assert sitting.cues("hint") == ["b"]
    assert [message.args for message in sitting.table.scene().prompt[1:]] == [
        {"ideas": (say("table.idea", move="a-b", percent=50),)}
    ]


def test_where_two_hints_meet_the_better_one_shows():
    sitting = Sitting(Toy(), {"first": "1"}, presence=False)
    sitting.tap("a", "b", "e", "d")
    hinted(sitting, (Idea("b-c", 0.7), Idea("b-a", 0.5)))
    assert sitting.table.scene().cells["b"].rank == 0


def test_teaching_marks_what_could_be_eaten_on_both_sides(sit):
    sitting = sit()
    sitting.tap("e5", "d4", "a1", "f5", "a3", "i5")
    sitting.give(TEACH)
    threats = GAME.threats(sitting.table.state.position, 1)
    assert threats.edible
    assert set(sitting.cues("edible")) == threats.edible
    assert set(sitting.cues("endangered")) == threats.endangered
    assert sitting.prompts[-2:] == ["table.endangered", "table.edible"]
    sitting.give(TEACH)
    assert sitting.notice == "table.not_teaching"
    assert sitting.cues("edible") == sitting.cues("endangered") == []


def test_teaching_lasts_over_moves_and_is_for_people_whose_turn_it_is(sit):
    sitting = sit()
    sitting.give(TEACH)
    assert (sitting.notice, sitting.table.state.notice.good) == ("table.teaching", True)
    sitting.tap("e5", "d4", "a1", "f5", "a3", "i5")
    assert sitting.cues("edible")
    sitting.oppose("1", "")
    assert sitting.cues("edible") == []
    sitting.oppose("", "1")
    assert sitting.cues("edible")
    sitting.tap("e6")
    assert sitting.table.state.phase is Phase.EDIT
    assert sitting.cues("edible") == []
    sitting.disturb("h1")
    assert sitting.cues("edible") == []


def test_what_hands_must_do_covers_what_is_taught(sit):
    sitting = sit(presence=True)
    sitting.give(TEACH)
    sitting.set_in_turn("e5", "d4", "a1", "f5", "a3", "i5")
    assert "d4" in sitting.cues("edible")
    sitting.take("d4")
    assert sitting.cue("d4") == "put"
    assert sitting.cues("edible") == []


def test_the_stone_set_last_is_marked_too_if_it_could_be_eaten(sit):
    sitting = sit()
    sitting.tap("e5", "d4")
    assert sitting.cue("d4") == "placed"
    sitting.give(TEACH)
    assert sitting.cue("d4") == "edible"


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
    sitting.give(Stumped(say("opponent.died")))
    sitting.wait(600.0)
    sitting.tap("e5")
    assert sitting.table.wanted() is not None
    assert sitting.table.scene().thinking


@pytest.mark.parametrize("name", ["azteka-aggressive", "azteka-three"])
def test_teaching_is_refused_with_words_where_nothing_can_be_taken(name):
    sitting = Sitting(find_game(name), {"first": "1"}, presence=False)
    sitting.give(TEACH)
    assert sitting.notice == "table.nothing_to_teach"
    assert not sitting.table.state.teaching
