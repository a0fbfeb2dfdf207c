"""Whole games of every kind on the boards that ship, by touches through emulated chips and pins."""

from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from game.play.board_mapping import fitted
from game.rules.base.game import Game
from game.rules.base.registry import all_games
from game.table.records import Phase
from hal import Profile, built_in
from tests.helpers.boards.emulated_game import EmulatedGame

MOST_TOUCHES = 20
"""After one move, until all stands as it should."""
GAMES = [
    # With seeds whose games are short, and have moves of every kind.
    ("hexagon-61-mux", "adaptoid", 28),
    ("disc-32-pico", "azteka", 3),
    ("disc-32", "azteka-three", 3),
    ("hexagon-61", "circle-of-life", 1),
]


class Hands:
    """Touch the spots of a real board, by the names of the game that is played on it."""

    def __init__(self, room: EmulatedGame, board: Profile, game: Game) -> None:
        self.room = room
        self.game = game
        names = {pad: cell for cell, pad in board.cells.items()}
        self.own = {cell: names[pad] for cell, pad in fitted(board, game).cells.items()}
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
            pending = table.state.pending(self.game)
            if table.state.phase is Phase.CONFIRM:
                self.touch(self.game.board.cells[0])
            elif pending:
                self.touch(pending[0].cell)
            else:
                return
        raise AssertionError(f"after {move} there is still to do: {pending}")


@pytest.mark.parametrize(("name", "game", "seed"), GAMES)
def test_a_whole_game_is_played_by_touches_of_the_board(
    name: str, game: str, seed: int, tmp_path: Path
):
    board, played = built_in(name), all_games()[game]
    options = {"target": "3"} if game == "circle-of-life" else {}
    with closing(EmulatedGame(board, tmp_path, game=played, options=options)) as room:
        hands = Hands(room, board, played)
        rng = Random(seed)
        while room.table.state.outcome is None:
            hands.move(rng)
        assert played.outcome(room.table.state.position) is not None
        assert room.plies > 20
        # All keys of the game were needed, and felt.
        assert hands.used >= set(played.keys)
    with closing(EmulatedGame(board, tmp_path, game=played, options=options)) as again:
        assert again.table.state.outcome == room.table.state.outcome
        assert again.text == room.text
