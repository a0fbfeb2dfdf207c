"""The table is not made for one particular game: several taps a move, swaps, moves by key."""

from itertools import pairwise
from random import Random

import pytest

from game.rules.base.errors import IllegalMove
from game.rules.base.game import Game
from game.rules.base.registry import all_games
from game.rules.base.situation import Situation
from game.table.inputs import Asked, Command, Held, Lifted, Touched
from tests.helpers.effort import effort
from tests.helpers.games.cirkle_games import started
from tests.helpers.games.toy_game import Toy
from tests.helpers.games.toy_hidden import ToyHidden


def test_takeback_clears_taps_before_it_takes_a_move(sit):
    session = sit(Toy()).do("a", "b", "e", Asked(Command.TAKE_BACK))
    assert session.state.taps == ()
    assert len(session.moves) == 1


def test_holding_a_piece_that_can_move_inspects_it_and_undoes_the_tap(sit):
    session = sit(Toy()).do(Touched("a"), Held("a"))
    assert (session.state.taps, session.state.inspecting) == ((), "a")
    session.give(Lifted("a"))
    assert session.state.inspecting == ""
    assert session.notice == ""


def test_default_parsing_refuses_what_is_not_legal():
    toy = Toy()
    start = toy.initial()
    assert toy.parse_move(start, "a-b") == "a-b"
    with pytest.raises(IllegalMove, match="not_legal"):
        toy.parse_move(start, "b-c")


@pytest.mark.parametrize(
    "game", [*all_games().values(), Toy(), ToyHidden()], ids=lambda game: game.name
)
def test_taps_of_every_game_are_prefix_free(game: Game):
    position, rng = started(game), Random(1)
    for _ in range(effort(12, 60)):
        taps = sorted(game.taps(position, move) for move in game.legal_moves(position))
        for first, second in pairwise(taps):
            assert second[: len(first)] != first
        walk = Situation(game, position).walk
        assert walk.next_taps(()) == {each[0] for each in taps}
        if not taps:
            break
        position = game.play(position, game.legal_moves(position).pick(rng))
