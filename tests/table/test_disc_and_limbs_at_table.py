"""Whole games with rings and with limbs at the table, by a hand without fault."""

from random import Random

import pytest
from perfect_hand import Hand, resumes
from sitting import Sitting
from toy_disc import BigDisc, PlainDisc, ToyDisc, ToyTrio
from toy_limbs import ToyLimbs

from game.rules.catalogue import all_games
from game.rules.game import Game
from game.table.state import Phase

TOYS = (ToyDisc(), BigDisc(), PlainDisc(), ToyTrio(), ToyLimbs())
GAMES = {game.name: game for game in (*all_games().values(), *TOYS) if game.keys}
SENSING = pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])


@SENSING
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_whole_games_are_played_to_their_end(game: Game, presence: bool, seed: int):
    rng = Random(seed)
    sitting = Sitting(game, {"first": "1"}, presence)
    hand = Hand(sitting, presence, rng)
    for ply in range(600):
        position = sitting.table.state.position
        if sitting.table.state.outcome is not None:
            break
        assert sitting.table.state.phase is Phase.TAP
        hand.make(game.legal_moves(position).pick(rng))
        if ply % 40 == 0:
            resumes(sitting, presence)
    assert sitting.table.state.outcome is not None
    assert sitting.table.state.phase is Phase.OVER
    resumes(sitting, presence)
