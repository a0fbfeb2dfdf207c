"""The rules and the words of Foxes.

Foxes go one step on the middle 19 cells of the board, and eat what they land on. A key stays where
one is. Three eaten win; after 30 plies the game is a draw.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from game.rules.base.errors import IllegalMove
from game.rules.base.game import Game, Presentation, score_goals, settle
from game.rules.base.message import Message, say
from game.rules.base.moves import MoveList
from game.rules.base.values import CHOICES, Goal, Outcome
from game.rules.boards.board import hexagon

STAY = "stay"
EATEN = say("foxes.score")


@dataclass(frozen=True, slots=True)
class Den:
    """A position: what stands on each cell in the board's order, plies played, who began."""

    foxes: str
    ply: int = 0
    first: int = 1


class Foxes(Game[Den, str]):
    """Eat three of the other's foxes."""

    name, title = "foxes", "Foxes"
    board = hexagon(3)
    players = (say("foxes.red"), say("foxes.grey"))
    keys = CHOICES[:1]

    @cached_property
    def presentation(self) -> "FoxesPresentation":
        return FoxesPresentation(self)

    def initial(self, options: Mapping[str, str] = {}) -> Den:
        return Den("11..1..........2.22", 0, int(settle(self, options)["first"]))

    def legal_moves(self, position: Den) -> MoveList[str]:
        if (mover := self.to_move(position)) is None:
            return MoveList()
        foxes, beside = self.pieces(position), self.board.neighbours
        mine = [cell for cell, fox in foxes.items() if fox == str(mover)]
        ways = [(cell, to) for cell in mine for to in beside[cell] if to not in mine]
        return MoveList((*(f"{cell}-{to}" for cell, to in ways), STAY))

    def play(self, position: Den, move: str) -> Den:
        if move not in self.legal_moves(position):
            raise IllegalMove(say("rules.not_legal", text=move))
        foxes = self.pieces(position)
        if move != STAY:
            start, goal = move.split("-")
            foxes[goal] = foxes.pop(start)
        drawn = "".join(foxes.get(cell, ".") for cell in self.board.cells)
        return Den(drawn, position.ply + 1, position.first)

    def outcome(self, position: Den) -> Outcome | None:
        for winner, eaten in enumerate(self.score(position), start=1):
            if eaten == 3:
                return Outcome(winner, "eaten", say("foxes.eaten"))
        return Outcome(None, "tired", say("foxes.tired")) if position.ply >= 30 else None

    def to_move(self, position: Den) -> int | None:
        return None if self.outcome(position) else (position.ply + position.first - 1) % 2 + 1

    def pieces(self, position: Den) -> dict[str, str]:
        drawn = zip(self.board.cells, position.foxes, strict=True)
        return {cell: fox for cell, fox in drawn if fox != "."}

    def score(self, position: Den) -> tuple[int, ...]:
        return tuple(3 - position.foxes.count(other) for other in "21")

    def goals(self, position: Den) -> tuple[Goal, ...]:
        return score_goals(EATEN, self.score(position), 3)

    def text(self, position: Den) -> str:
        return f"{position.foxes} {position.ply} {position.first}"

    def parse(self, text: str) -> Den:
        foxes, ply, first = text.split(" ")
        return Den(foxes, int(ply), int(first))

    def taps(self, position: Den, move: str) -> tuple[str, ...]:
        return self.keys if move == STAY else tuple(move.split("-"))


class FoxesPresentation(Presentation[Den, str]):
    """Names the game's parts; the drawings are in `page/art.js`, the texts in `locale`."""

    rules = (say("foxes.rule"),)
    hues = ("#d04020", "#a0a8b0")
    score_word = EATEN

    def piece_word(self, piece: str) -> Message:
        return self.game.players[int(piece) - 1]

    def side(self, piece: str) -> int:
        return int(piece)


GAME = Foxes()
