"""Taking back and making again, and what a strict game locks."""

from random import Random

import pytest

from game.rules.azteka import GAME as AZTEKA
from game.rules.base.hidden import hiding
from game.rules.cirkle_mind import GAME as MIND
from game.table.entries import Entry, EntryKind
from game.table.inputs import Asked, Command, SubmitSetup
from game.table.records import Phase
from tests.table.random_game import TWO_MEALS

BACK, REDO = Asked(Command.TAKE_BACK), Asked(Command.REDO)


@pytest.mark.parametrize("presence", [False, True])
def test_redo_makes_again_what_was_taken_back_and_asks_hands_for_the_rest(sit, presence):
    sitting = sit(presence=presence)
    if presence:
        sitting.set_in_turn(*TWO_MEALS)
        sitting.take("d4", "f5")
    else:
        sitting.tap(*TWO_MEALS, "d4", "f5")
    after = sitting.pieces
    sitting.give(BACK)
    sitting.give(BACK)
    assert len(sitting.table.state.undone) == 2
    sitting.give(REDO)
    sitting.give(REDO)
    assert sitting.table.state.undone == ()
    assert sitting.pieces == after
    # Hands had undone nothing yet, so that there is nothing to do.
    assert sitting.table.state.phase is Phase.TAP
    sitting.give(REDO)
    assert sitting.notice == "table.nothing_to_redo"


def test_redo_asks_for_the_stones_that_hands_have_moved_back(sit):
    sitting = sit()
    sitting.tap(*TWO_MEALS, "d4", "f5")
    sitting.give(BACK)
    sitting.tap("d4", "f5", "e6")
    sitting.give(REDO)
    cues = {each: sitting.cue(each) for each in ("d4", "f5", "e6")}
    assert cues == {"d4": "remove", "f5": "remove", "e6": "put"}


def test_another_move_ends_what_can_be_made_again_and_the_same_one_does_not(sit):
    sitting = sit()
    sitting.tap("e5", "a1", "a3")
    for _ in range(3):
        sitting.give(BACK)
    sitting.tap("a3", "a1", "e5", "e5")
    assert sitting.table.state.undone == ("a3", "a1")
    sitting.tap("i5")
    assert sitting.table.state.undone == ()


def test_redo_goes_on_to_the_persons_turn_and_is_known_after_a_restart(sit):
    sitting = sit()
    sitting.oppose("", "3")
    sitting.tap("e5")
    sitting.think("a1")
    sitting.tap("a1")
    sitting.give(BACK)
    assert sitting.restarted().state.undone == ("a1", "e5")
    sitting.give(REDO)
    assert len(sitting.table.state.history) == 2


def test_what_was_taken_back_of_hidden_pieces_is_not_shown(sit):
    sitting = sit(MIND)
    for player in (1, 2):
        pieces = hiding(MIND).arranged_at_random(sitting.table.state.position, player, Random(1))
        sitting.give(SubmitSetup(player, pieces))
    sitting.ask(Command.CONFIRM)
    move = MIND.legal_moves(sitting.table.state.position)[0]
    sitting.tap(*MIND.taps(sitting.table.state.position, move))
    sitting.give(BACK)
    assert len(sitting.table.state.undone) == 1
    assert sitting.table.seen().undone == ("",)


@pytest.mark.parametrize("presence", [False, True])
def test_a_strict_game_takes_nothing_back_and_gives_no_hints(sit, presence):
    sitting = sit(presence=presence, assistance="strict")
    sitting.put("e5") if presence else sitting.tap("e5")
    for command in (Command.TAKE_BACK, Command.HINT, Command.TEACH):
        sitting.ask(command)
        assert sitting.notice == "table.strict"
    if presence:
        sitting.take("e5")
    assert len(sitting.table.state.history) == 1
    assert EntryKind.TAKE_BACK not in [each.kind for each in sitting.kept]
    assert sitting.table.search_request() is None


@pytest.mark.parametrize(("seat", "offers", "other"), [(0, 1, 0), (1, 1, 2), (2, 2, 0), (0, 1, 2)])
def test_a_draw_is_offered_by_name_and_a_seat_agrees_for_its_own_player_only(
    sit, seat, offers, other
):
    sitting = sit(AZTEKA)
    # A second press of the same seat offers it once more; where there are no seats it agrees.
    for _ in range(2 if seat else 1):
        sitting.give(Asked(Command.DRAW, seat))
    asked = sitting.table.scene().notice
    assert asked.key == "table.draw_offered"
    called = [AZTEKA.presentation.called(sitting.table.state.position, n) for n in (1, 2)]
    assert called.index(asked.args["player"]) + 1 == offers
    assert called.index(asked.args["other"]) + 1 == 3 - offers
    assert sitting.table.state.outcome is None
    sitting.give(Asked(Command.DRAW, other))
    assert sitting.kept[-1] == Entry(EntryKind.DRAW)
    outcome = sitting.table.state.outcome
    assert (outcome.winner, outcome.reason) == (None, "agreed")
    sitting.give(BACK)
    assert sitting.table.state.outcome is None
