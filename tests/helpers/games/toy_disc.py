"""Made-up games with rings: for two players by keys and in rounds, and for three players.

On a disc of 2 rings by 4 segments a move sets a piece on a free cell, or turns a ring by its key,
by two segments with `choice1` before. A player of side 1 who fills a segment may set one more, or
decline by `choice1`. A piece of side 1 between two of side 2 in its ring becomes one of side 2 when
such a piece is set. Six pieces end a round; after the first the board is cleared and the sides are
exchanged.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from game.rules.base.edits import Edit, EditKind
from game.rules.base.game import MoveResult, settle
from game.rules.base.message import Message, say
from game.rules.base.moves import MoveList
from game.rules.base.values import Goal, Option, Outcome
from game.rules.boards.disc import disc
from tests.helpers.games.one_class import OneClassGame

BOARD = disc(2, 4)
LAST_PLY = 60


@dataclass(frozen=True, slots=True)
class Wheel:
    pieces: tuple[tuple[str, str], ...] = ()
    mover: int = 1
    birth: bool = False
    second: bool = False
    ply: int = 0


class PlainResult(MoveResult[Wheel, str]):
    """The removals of a move that clears no round are the pieces it replaces."""

    @cached_property
    def removed(self) -> tuple[str, ...]:
        if self.move.startswith("T") or (self.after.second and not self.before.second):
            return ()
        return super().removed


class WheelResult(PlainResult):
    """Like PlainResult, but reports which ring was turned."""

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        if self.move.startswith("T"):
            ring, steps = f"ring{self.move[-1]}", self.move.count("T")
            return (Edit(EditKind.TURN, ring, "", steps),)
        return super().edits


class ToyDisc(OneClassGame):
    name = "toy-disc"
    title = "Toy disc"
    board = BOARD
    players: ClassVar[tuple[Message, ...]] = (say("player.orange"), say("player.blue"))
    keys = (*BOARD.rings, "choice1")
    hues = ("#102030", "#405060")
    agreed_draws: ClassVar[bool] = True
    palette = ("1", "2")
    full: ClassVar[int] = 6
    _rounds: ClassVar[int] = 2

    def initial(self, options: Mapping[str, str] = {}) -> Wheel:
        return Wheel(mover=int(settle(self, options)["first"]))

    def legal_moves(self, position: Wheel) -> MoveList[str]:
        if self.outcome(position) is not None:
            return MoveList(())
        free = [cell for cell in self.board.cells if cell not in dict(position.pieces)]
        return MoveList((*free, *(("-",) if position.birth else ("T1", "T2", "TT1", "TT2"))))

    def play(self, position: Wheel, move: str) -> Wheel:
        pieces, side = dict(position.pieces), self.side_of(position, position.mover)
        born = False
        if move.startswith("T"):
            ring, steps = self.board.rings[f"ring{move[-1]}"], move.count("T")
            turned = {
                ring[(n + steps) % len(ring)]: pieces.get(cell) for n, cell in enumerate(ring)
            }
            pieces = {cell: piece for cell, piece in (pieces | turned).items() if piece}
        elif move != "-":
            pieces[move] = str(side)
            segment = [pieces.get(f"{move[0]}{n}") for n in (1, 2)]
            born = side == 1 and segment == ["1", "1"] and len(pieces) < self.full
            if side == 2:
                pieces |= dict.fromkeys(self._between(pieces), "2")
        mover = position.mover if born else self._next(position.mover)
        stand = tuple(sorted(pieces.items()))
        if len(pieces) >= self.full and not position.second and self._rounds > 1:
            return Wheel((), mover, False, True, position.ply + 1)
        return replace(position, pieces=stand, mover=mover, birth=born, ply=position.ply + 1)

    def _next(self, mover: int) -> int:
        return mover % len(self.players) + 1

    def _between(self, pieces: Mapping[str, str]) -> list[str]:
        return [
            cell
            for cells in self.board.rings.values()
            for n, cell in enumerate(cells)
            if pieces.get(cell) == "1"
            and {pieces.get(cells[n - 1]), pieces.get(cells[(n + 1) % len(cells)])} == {"2"}
        ]

    def outcome(self, position: Wheel) -> Outcome | None:
        full = len(position.pieces) >= self.full and (position.second or self._rounds == 1)
        if full or position.ply >= LAST_PLY:
            return Outcome(None, "full", say("rules.game_over"))
        return None

    def to_move(self, position: Wheel) -> int | None:
        return None if self.outcome(position) else position.mover

    def pieces(self, position: Wheel) -> dict[str, str]:
        return dict(position.pieces)

    def text(self, position: Wheel) -> str:
        stand = ",".join(f"{cell}{piece}" for cell, piece in position.pieces)
        rest = (position.mover, int(position.birth), int(position.second), position.ply)
        return " ".join((stand or "-", *map(str, rest)))

    def parse(self, text: str) -> Wheel:
        stand, mover, birth, second, ply = text.split()
        pieces = tuple((each[:2], each[2]) for each in stand.split(",") if stand != "-")
        return Wheel(pieces, int(mover), birth == "1", second == "1", int(ply))

    def taps(self, position: Wheel, move: str) -> tuple[str, ...]:
        if move == "-":
            return ("choice1",)
        key = f"ring{move[-1]}"
        if move.startswith("TT"):
            return "choice1", key
        return (key,) if move.startswith("T") else (move,)

    def result(self, position: Wheel, move: str) -> MoveResult[Wheel, str]:
        return WheelResult(self, position, move)

    def side(self, piece: str) -> int | None:
        return int(piece) if piece in ("1", "2", "3") else None

    def side_of(self, position: Wheel, player: int) -> int:
        return 3 - player if position.second else player

    def called(self, position: Wheel, player: int) -> Message:
        return self.players[self.side_of(position, player) - 1]

    def goals(self, position: Wheel) -> tuple[Goal, ...]:
        own = [piece for _, piece in position.pieces]
        return tuple(
            Goal(n, say("goal.score"), own.count(str(self.side_of(position, n))), self.full)
            for n in range(1, len(self.players) + 1)
        )


class BigDisc(ToyDisc):
    """Like ToyDisc on more segments, with more pieces in a round than are put back one by one."""

    name = "big-disc"
    board = disc(2, 8)
    keys = (*board.rings, "choice1")
    full = 10


class PlainDisc(ToyDisc):
    """Like ToyDisc, but its edits report only the differences."""

    name = "plain-disc"

    def result(self, position: Wheel, move: str) -> MoveResult[Wheel, str]:
        return PlainResult(self, position, move)


class ToyTrio(ToyDisc):
    """Like ToyDisc for three, in one round, without second decisions; orange always begins."""

    name = "toy-trio"
    players: ClassVar[tuple[Message, ...]] = (
        say("player.orange"),
        say("player.blue"),
        say("player.third"),
    )
    agreed_draws = False
    palette = ("1", "2", "3")
    options: ClassVar[Mapping[str, Option]] = {"first": Option("1", choices=("1",))}
    _rounds = 1

    def play(self, position: Wheel, move: str) -> Wheel:
        after = super().play(position, move)
        return replace(after, mover=self._next(position.mover), birth=False)

    def side_of(self, position: Wheel, player: int) -> int:
        return player
