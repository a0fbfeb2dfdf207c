"""A made-up game with several taps a move and all kinds of edits: the table must be general.

Two runners on a row of five cells. A move takes one's runner to a neighbouring cell (tap from, tap
to); landing on the other's runner turns it into a flag; `key:pass` stays. Four plies, then a draw.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from game.rules.base.game import settle
from game.rules.base.message import say
from game.rules.base.moves import MoveList
from game.rules.base.values import Outcome
from game.rules.boards.board import Board
from tests.helpers.games.one_class import OneClassGame

CELLS = ("a", "b", "c", "d", "e")
PASS = "pass"


@dataclass(frozen=True, slots=True)
class Row:
    pieces: str
    ply: int = 0


class Toy(OneClassGame):
    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "Toy"
    board = Board(
        "row",
        CELLS,
        {c: tuple(CELLS[n] for n in (i - 1, i + 1) if 0 <= n < 5) for i, c in enumerate(CELLS)},
        {c: (float(i), 0.0) for i, c in enumerate(CELLS)},
        CELLS,
    )
    players = (say("player.orange"), say("player.blue"))
    keys = ("key:pass",)

    def initial(self, options: Mapping[str, str] = {}) -> Row:
        settle(self, options)
        return Row("1...2")

    def legal_moves(self, position: Row) -> MoveList[str]:
        mover = self.to_move(position)
        if mover is None or str(mover) not in position.pieces:
            return MoveList(() if mover is None else (PASS,))
        at = position.pieces.index(str(mover))
        steps = [f"{CELLS[at]}-{CELLS[to]}" for to in (at - 1, at + 1) if 0 <= to < 5]
        return MoveList((*steps, PASS))

    def play(self, position: Row, move: str) -> Row:
        row = list(position.pieces)
        if move != PASS:
            start, goal = (CELLS.index(cell) for cell in move.split("-"))
            row[goal] = "F" if row[goal] != "." else row[start]
            row[start] = "."
        return Row("".join(row), position.ply + 1)

    def outcome(self, position: Row) -> Outcome | None:
        return Outcome(None, "four plies", say("rules.game_over")) if position.ply >= 4 else None

    def to_move(self, position: Row) -> int | None:
        return None if position.ply >= 4 else position.ply % 2 + 1

    def pieces(self, position: Row) -> dict[str, str]:
        return {c: p for c, p in zip(CELLS, position.pieces, strict=True) if p != "."}

    def text(self, position: Row) -> str:
        return f"{position.pieces} {position.ply}"

    def parse(self, text: str) -> Row:
        pieces, _, ply = text.partition(" ")
        return Row(pieces, int(ply))

    def taps(self, position: Row, move: str) -> tuple[str, ...]:
        return ("key:pass",) if move == PASS else tuple(move.split("-"))
