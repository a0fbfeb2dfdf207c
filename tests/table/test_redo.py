"""Taking back and making again, and what a strict game locks."""

from random import Random

import pytest

from game.rules.azteka import GAME as AZTEKA
from game.rules.cirkle_mind import GAME as MIND
from game.table.entries import Entry, EntryKind
from game.table.inputs import Asked, Command, SubmitSetup
from game.table.phases import Phase
from tests.table.random_game import TWO_MEALS

BACK, REDO = Asked(Command.TAKE_BACK), Asked(Command.REDO)


@pytest.mark.parametrize("presence", [False, True])
def test_redo_makes_again_what_was_taken_back_and_asks_hands_for_the_rest(sit, presence):
    session = sit(presence=presence)
    if presence:
        session.do(*TWO_MEALS, {"d4", "f5"})
    else:
        session.tap(*TWO_MEALS, "d4", "f5")
    after = session.pieces
    session.do(BACK, BACK)
    assert len(session.state.undone) == 2
    session.do(REDO, REDO)
    assert session.state.undone == ()
    assert session.pieces == after
    # Hands had not undone anything yet, so nothing is pending.
    assert session.phase is Phase.TAP
    session.give(REDO)
    assert session.notice == "table.nothing_to_redo"


def test_redo_asks_for_the_stones_that_hands_have_moved_back(sit):
    session = sit().do(*TWO_MEALS, "d4", "f5", BACK, "d4", "f5", "e6", REDO)
    cues = {each: session.cue(each) for each in ("d4", "f5", "e6")}
    assert cues == {"d4": "remove", "f5": "remove", "e6": "put"}


def test_another_move_ends_what_can_be_made_again_and_the_same_one_does_not(sit):
    session = sit().do("e5", "a1", "a3")
    for _ in range(3):
        session.give(BACK)
    session.tap("a3", "a1", "e5", "e5")
    assert session.state.undone == ("a3", "a1")
    session.tap("i5")
    assert session.state.undone == ()


def test_redo_goes_on_to_the_persons_turn_and_is_known_after_a_restart(sit):
    session = sit()
    session.oppose("", "3")
    session.tap("e5")
    session.think("a1")
    session.do("a1", BACK)
    assert session.restarted().state.undone == ("a1", "e5")
    session.give(REDO)
    assert len(session.moves) == 2


def test_what_was_taken_back_of_hidden_pieces_is_not_shown(sit):
    session = sit(MIND)
    for player in (1, 2):
        pieces = MIND.arranged_at_random(session.state.position, player, Random(1))
        session.give(SubmitSetup(player, pieces))
    session.ask(Command.CONFIRM)
    move = MIND.legal_moves(session.state.position)[0]
    session.do(*MIND.taps(session.state.position, move), BACK)
    assert len(session.state.undone) == 1
    assert session.table.seen().undone == ("",)


@pytest.mark.parametrize("presence", [False, True])
def test_a_strict_game_takes_nothing_back_and_gives_no_hints(sit, presence):
    session = sit(presence=presence, assistance="strict")
    session.do("e5")
    for command in (Command.TAKE_BACK, Command.HINT, Command.COACH):
        session.ask(command)
        assert session.notice == "table.strict"
    if presence:
        session.take("e5")
    assert len(session.moves) == 1
    assert EntryKind.TAKE_BACK not in [each.kind for each in session.saved]
    assert session.table.search_request() is None


@pytest.mark.parametrize(("seat", "offers", "other"), [(0, 1, 0), (1, 1, 2), (2, 2, 0), (0, 1, 2)])
def test_a_draw_is_offered_by_name_and_a_seat_agrees_for_its_own_player_only(
    sit, seat, offers, other
):
    session = sit(AZTEKA)
    # A second press of the same seat offers it once more; where there are no seats it agrees.
    for _ in range(2 if seat else 1):
        session.give(Asked(Command.DRAW, seat))
    asked = session.table.scene().notice
    assert asked.key == "table.draw_offered"
    called = [AZTEKA.presentation.called(session.state.position, n) for n in (1, 2)]
    assert called.index(asked.args["player"]) + 1 == offers
    assert called.index(asked.args["other"]) + 1 == 3 - offers
    assert session.state.outcome is None
    session.give(Asked(Command.DRAW, other))
    assert session.saved[-1] == Entry(EntryKind.DRAW)
    outcome = session.state.outcome
    assert (outcome.winner, outcome.reason) == (None, "agreed")
    session.give(BACK)
    assert session.state.outcome is None
