"""Whole games with rings and with limbs at the table, by a hand without errors."""

from random import Random

import pytest

from game.rules.base.game import Game
from game.rules.base.registry import all_games
from game.table.inputs import Command
from game.table.phases import Phase
from tests.helpers.effort import effort
from tests.helpers.games.toy_disc import BigDisc, PlainDisc, ToyDisc, ToyTrio
from tests.helpers.games.toy_hidden import ToyHidden
from tests.oracles.perfect_hand import Hand, resumes
from tests.table.random_game import TableSession

TOYS = (ToyDisc(), BigDisc(), PlainDisc(), ToyTrio(), ToyHidden())
GAMES = {game.name: game for game in (*all_games().values(), *TOYS) if game.keys}
SENSING = pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])


@SENSING
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("seed", range(effort(1, 3)))
def test_whole_games_are_played_to_their_end(game: Game, presence: bool, seed: int):
    rng = Random(seed)
    session = TableSession(game, {"first": "1"}, presence)
    hand = Hand(session, presence, rng)
    for ply in range(600):
        position = session.state.position
        if session.state.outcome is not None:
            break
        if session.phase is Phase.ARRANGE:
            hand.lay_out()
            continue
        assert session.phase is Phase.TAP
        picked = [game.legal_moves(position).pick(rng) for _ in range(8 if game.hidden else 1)]
        # Where pieces are hidden nothing but attacks brings the end.
        attacks = [move for move in picked if game.faces(position, move)]
        hand.make((attacks or picked)[0])
        if ply % 40 == 0:
            resumes(session, presence)
    if session.state.outcome is None and game.hidden:
        session.ask(Command.DRAW, Command.DRAW)
    assert session.state.outcome is not None
    assert session.phase is Phase.OVER
    resumes(session, presence)
