"""Hands that play a game by touches of a real board."""

from random import Random
from typing import Any

from game.play import fitted_profile
from game.rules.base.game import Game
from game.table.phases import Phase
from hal.profile import Profile
from tests.helpers.boards.emulated_game import EmulatedGame

MOST_TOUCHES = 20
"""Most touches after one move until the board is right."""


class GameHands:
    """Touch the spots of a real board, by the names of the game that is played on it."""

    def __init__(self, room: EmulatedGame, board: Profile, game: Game[Any, Any]) -> None:
        self.room = room
        self.game = game
        names = {pad: cell for cell, pad in board.cells.items()}
        self.own = {cell: names[pad] for cell, pad in fitted_profile(board, game).cells.items()}
        self.used: set[str] = set()

    def touch(self, spot: str) -> None:
        self.used.add(spot)
        self.room.tap(self.own.get(spot, spot))

    def move(self, rng: Random) -> None:
        """Enter a legal move, and bring the board to where it should be."""
        table = self.room.table
        position = table.state.position
        plies = self.room.plies
        moves = list(self.game.legal_moves(position))
        keys = set(self.game.keys) - self.used
        fresh = [move for move in moves if keys.intersection(self.game.taps(position, move))]
        move = rng.choice(fresh if fresh and plies % 2 else moves)
        for spot in self.game.taps(position, move):
            self.touch(spot)
        assert self.room.plies == plies + 1
        assert table.state.history[-1].text == self.game.move_text(position, move)
        for _ in range(MOST_TOUCHES):
            pending = table.state.pending
            if table.state.phase is Phase.CONFIRM:
                self.touch(self.game.board.cells[0])
            elif pending:
                self.touch(pending[0].cell)
            else:
                return
        raise AssertionError(f"after {move} there is still to do: {pending}")
