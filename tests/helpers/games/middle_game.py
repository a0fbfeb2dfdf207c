"""A made-up game on a board of any kind: each turn sets a stone, or presses a key to pass."""

from collections.abc import Mapping
from typing import ClassVar

from game.rules.base.errors import BadPosition
from game.rules.base.game import settle
from game.rules.base.message import say
from game.rules.base.moves import MoveList
from game.rules.base.values import CHOICES, Outcome
from game.rules.boards.board import Board
from game.rules.boards.hexagon import hexagon
from tests.helpers.games.one_class import OneClassGame

PASS = CHOICES[0]
Row = tuple[str, ...]


class Middle(OneClassGame):
    """A position is the list of moves so far; the game ends when no cell is free."""

    name: ClassVar[str] = "middle"
    title: ClassVar[str] = "Middle"
    players = (say("player.orange"), say("player.blue"))
    palette = ("1", "2")

    def __init__(self, board: Board | None = None, keys: tuple[str, ...] = CHOICES[:1]) -> None:
        super().__init__()
        self.board = hexagon(4) if board is None else board
        self.keys = keys

    def initial(self, options: Mapping[str, str] = {}) -> Row:
        settle(self, options)
        return ()

    def legal_moves(self, position: Row) -> MoveList[str]:
        free = tuple(cell for cell in self.board.cells if cell not in position)
        return MoveList((*free, *self.keys[:1]) if free else ())

    def play(self, position: Row, move: str) -> Row:
        return (*position, move)

    def outcome(self, position: Row) -> Outcome | None:
        if self.legal_moves(position):
            return None
        return Outcome(None, "full", say("rules.game_over"))

    def to_move(self, position: Row) -> int | None:
        return len(position) % 2 + 1 if self.legal_moves(position) else None

    def pieces(self, position: Row) -> dict[str, str]:
        played = enumerate(position)
        return {move: str(n % 2 + 1) for n, move in played if move not in self.keys}

    def side(self, piece: str) -> int | None:
        return int(piece)

    def text(self, position: Row) -> str:
        return " ".join(position)

    def parse(self, text: str) -> Row:
        moves = tuple(text.split())
        if not set(moves) <= {*self.board.cells, *self.keys}:
            raise BadPosition(say("rules.not_legal", text=text))
        return moves

    def taps(self, position: Row, move: str) -> tuple[str, ...]:
        return (move,)
