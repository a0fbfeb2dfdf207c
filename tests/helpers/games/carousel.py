"""A made-up game with everything that records could stumble on: moves with blanks, three players,
sides that are not players, a ring that turns, moves straight after one's own, and two rounds."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from game.rules.base.edits import Edit, EditKind
from game.rules.base.errors import BadPosition
from game.rules.base.game import MoveResult, settle
from game.rules.base.message import Message, say
from game.rules.base.moves import MoveList
from game.rules.base.values import Outcome
from game.rules.boards.disc import disc
from tests.helpers.games.one_class import OneClassGame

ROUNDS = 2


@dataclass(frozen=True, slots=True)
class Ride:
    """Who stands on the four cells of the ring, clockwise; `points` are of the rounds before."""

    ring: str = "...."
    mover: int = 1
    round: int = 1
    points: tuple[int, ...] = (0, 0, 0)
    again: bool = False


class RideResult(MoveResult[Ride, str]):
    """Nothing is taken; a full ring shows its turn as swaps."""

    @cached_property
    def removed(self) -> tuple[str, ...]:
        return ()

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        if self.move == "turn by 1" and "." in self.before.ring:
            return (Edit(EditKind.TURN, "ring1", steps=1),)
        return super().edits


class Carousel(OneClassGame):
    """Three ride on a ring of four cells: `sit on a1`, or `turn by 1`.

    Sitting down behind another gives one more move. A full ring ends a round, in which each gets a
    point for each of their riders, and colours are exchanged; after two, most points win.
    """

    name: ClassVar[str] = "carousel"
    title: ClassVar[str] = "Carousel"
    board = disc(1, 4)
    players = (say("player.first"), say("player.second"), say("player.third"))
    keys = ("ring1",)
    agreed_draws = True

    def initial(self, options: Mapping[str, str] = {}) -> Ride:
        return Ride(mover=int(settle(self, options)["first"]))

    def legal_moves(self, position: Ride) -> MoveList[str]:
        if self.to_move(position) is None:
            return MoveList()
        free = [
            cell for cell, code in zip(self.board.cells, position.ring, strict=True) if code == "."
        ]
        return MoveList(
            (*(f"sit on {cell}" for cell in free), *(() if position.again else ("turn by 1",)))
        )

    def play(self, position: Ride, move: str) -> Ride:
        ring, mover = position.ring, position.mover
        after = mover % 3 + 1
        if move == "turn by 1":
            return replace(position, ring=ring[-1] + ring[:-1], mover=after)
        at = self.board.cells.index(move.split()[-1])
        ring = f"{ring[:at]}{mover}{ring[at + 1 :]}"
        if "." not in ring:
            points = tuple(p + ring.count(str(n)) for n, p in enumerate(position.points, 1))
            last = position.round == ROUNDS
            return Ride(ring if last else "....", after, position.round + 1, points)
        again = not position.again and ring[at - 1] not in (".", str(mover))
        return replace(position, ring=ring, mover=mover if again else after, again=again)

    def outcome(self, position: Ride) -> Outcome | None:
        if self.to_move(position) is not None:
            return None
        best = max(position.points)
        winners = [n for n, points in enumerate(position.points, 1) if points == best]
        winner = winners[0] if len(winners) == 1 else None
        return Outcome(winner, "most points", say("rules.game_over"))

    def to_move(self, position: Ride) -> int | None:
        return None if position.round > ROUNDS else position.mover

    def side_of(self, position: Ride, player: int) -> int:
        return (player + min(position.round, ROUNDS)) % 3 + 1

    def side(self, piece: str) -> int | None:
        return "xyz".index(piece) + 1

    def pieces(self, position: Ride) -> dict[str, str]:
        there = zip(self.board.cells, position.ring, strict=True)
        return {cell: self._code(position, int(who)) for cell, who in there if who != "."}

    def _code(self, position: Ride, player: int) -> str:
        return "xyz"[self.side_of(position, player) - 1]

    def score(self, position: Ride) -> tuple[int, ...]:
        return position.points

    def text(self, position: Ride) -> str:
        points = "-".join(map(str, position.points))
        return f"{position.ring} {position.mover} {position.round} {points} {int(position.again)}"

    def parse(self, text: str) -> Ride:
        try:
            ring, mover, number, points, again = text.split(" ")
            told = tuple(map(int, points.split("-")))
            ride = Ride(ring, int(mover), int(number), told, again == "1")
        except ValueError as error:
            raise BadPosition(say("rules.not_legal", text=text)) from error
        if self.text(ride) != text or len(ring) != 4 or set(ring) - set(".123"):
            raise BadPosition(say("rules.not_legal", text=text))
        return ride

    def taps(self, position: Ride, move: str) -> tuple[str, ...]:
        return ("ring1",) if move == "turn by 1" else (move.split()[-1],)

    def result(self, position: Ride, move: str) -> MoveResult[Ride, str]:
        return RideResult(self, position, move)

    def piece_word(self, piece: str) -> Message:
        return say("piece.code", code=piece)


GAME = Carousel()
