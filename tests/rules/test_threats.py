"""What could be taken next turn, for teaching."""

from random import Random

import pytest

from game.rules.circle_of_life import GAME
from tests.helpers.effort import effort


def eatable(text: str, player: int) -> set[str]:
    """Find by playing every move what a player could eat on their turn."""
    board, _, score, target = text.split()
    position = GAME.parse(f"{board} {player} {score} {target}")
    moves = GAME.legal_moves(position)
    return {cell for move in moves for cell in GAME.result(position, move).removed}


@pytest.mark.parametrize("seed", range(effort(2, 12)))
def test_threats_are_what_playing_every_move_would_eat(seed):
    rng, position, seen = Random(seed), GAME.initial({"first": "1"}), 0
    while GAME.outcome(position) is None:
        text = GAME.text(position)
        for player in (1, 2):
            threats = GAME.presentation.threats(position, player)
            assert threats.edible == eatable(text, player)
            assert threats.endangered == eatable(text, 3 - player)
            pieces = GAME.pieces(position)
            assert {pieces[cell] for cell in threats.endangered} <= {str(player)}
            seen += len(threats.edible)
        position = GAME.play(position, GAME.legal_moves(position).pick(rng))
    assert seen
