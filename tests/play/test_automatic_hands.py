"""Hands that play by themselves on a simulated board, with a clock of our own."""

from contextlib import closing
from dataclasses import replace
from random import Random

import pytest

from game.play.automatic_hands import AGAIN_S, SET_S, TAKE_S
from game.rules.base.game import Game
from game.rules.base.registry import all_games
from game.rules.circle_of_life import GAME
from game.table import Cue, Phase, SearchRequest
from game.table.inputs import Asked, Command, Input, ScoredMove, SearchResult, StartGame
from hal.profile import Profile, built_in
from tests.helpers.boards.emulated_game import EmulatedGame
from tests.table.random_game import TWO_MEALS

FELT_S = 2.0
"""Time until a set stone is sensed, and hands have done what follows."""


class Guesser:
    """A computer player that plays any legal move at once."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.chance = game, Random(seed)

    def follow(self, wanted: SearchRequest | None) -> tuple[Input, ...]:
        if wanted is None:
            return ()
        position = wanted.position
        move = self.chance.choice(list(self.game.legal_moves(position)))
        shown = ScoredMove(self.game.move_text(position, move), 0.5)
        return (SearchResult(position, wanted.level, (shown,)),)


def sensing(board: Profile, mode: str) -> Profile:
    return replace(board, sensing=replace(board.sensing, mode=mode))


@pytest.fixture(params=["touch", "presence"])
def room(request, tmp_path):
    board = sensing(built_in("hexagon-61"), request.param)
    with closing(EmulatedGame(board, tmp_path, automatic=True)) as room:
        yield room


def play(room: EmulatedGame, *cells: str) -> None:
    for cell in cells:
        room.tap(cell)
        room.run(0.5)


def test_eaten_stones_are_left_to_people_or_vanish_after_their_light_has_pulsed(room):
    room.hands.switch(False)
    play(room, *TWO_MEALS)
    room.run(5.0)
    assert room.cue("d4") is Cue.REMOVE
    assert room.watcher.newest.automatic is False
    room.hands.switch(True)
    room.run(TAKE_S - 0.2)
    assert room.cue("d4") is Cue.REMOVE
    assert room.watcher.newest.automatic is True
    assert [each.key for each in room.watcher.newest.scene.prompt] == ["circle_of_life.ate"]
    room.run(FELT_S)
    assert room.table.state.phase is Phase.TAP
    assert room.table.state.standing == GAME.pieces(room.table.state.position)
    assert "d4" not in room.table.state.standing


def test_moves_that_are_taken_back_and_made_again_and_a_new_game_need_no_hand(room):
    play(room, *TWO_MEALS)
    room.run(FELT_S)
    for command in (Command.TAKE_BACK, Command.REDO, Command.TAKE_BACK):
        room.session.give(Asked(command))
        room.run(2 * SET_S + FELT_S)
        assert room.table.state.phase is Phase.TAP
        assert room.table.state.standing == GAME.pieces(room.table.state.position)
    room.session.give(Asked(Command.NEW_GAME))
    room.run(0.1)
    room.session.give(Asked(Command.NEW_GAME))
    room.run(0.1)
    assert room.table.scene().notice is not None
    assert room.watcher.newest.scene.notice is None
    room.run(FELT_S + TAKE_S + AGAIN_S)
    assert (room.table.state.phase, room.table.state.standing) == (Phase.TAP, {})
    play(room, "e5")
    assert room.plies == 1


def test_a_board_is_right_by_itself_after_a_restart(tmp_path):
    with closing(EmulatedGame(built_in("hexagon-61"), tmp_path, automatic=True)) as room:
        play(room, "e5", "a1")
    with closing(EmulatedGame(built_in("hexagon-61"), tmp_path, automatic=True)) as again:
        assert again.table.state.phase is Phase.TAP
        assert again.plies == 2


GAMES = [
    ("hexagon-37", "adaptoid", 28),
    ("disc-32", "azteka", 3),
    ("hexagon-61", "circle-of-life", 1),
    ("rectangle-88", "cirkle-mind", 1),
]
PLIES = 12


@pytest.mark.parametrize("mode", ["touch", "presence"])
@pytest.mark.parametrize(("name", "game", "seed"), GAMES)
def test_computers_play_against_each_other_without_a_hand(name, game, seed, mode, tmp_path):
    board, played = sensing(built_in(name), mode), all_games()[game]
    people = {"computer": Guesser(played, seed), "levels": ("random",), "automatic": True}
    with closing(EmulatedGame(board, tmp_path, game=played, **people)) as room:
        room.session.give(StartGame(computers=("random",) * len(played.players)))
        for _ in range(40 * PLIES):
            room.run(0.5)
            if room.table.state.phase is Phase.SHOW:
                room.session.give(Asked(Command.CONFIRM))
            if room.plies >= PLIES + 2 * played.hidden or room.table.state.outcome:
                break
        state = room.table.state
        said = [str(each) for each in room.table.scene().prompt]
        assert room.plies >= PLIES or state.outcome, (room.plies, state.phase, said)
