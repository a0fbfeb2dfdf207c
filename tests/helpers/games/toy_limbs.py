"""A made-up game with long turns: from, to, where to grow, and a limb by key.

On seven cells each side has bodies, bare (`1a`) or armed (`1b`). A turn may move a body to a
neighbouring cell, an armed one onto an enemy too, which takes it (against an armed one both
fall). Then something must grow if it can: a bare body beside an own one, or an arm by `choice1`.
Text: `a1-b2/+b1`, `a1-b2/b2!`, `/+b1`, `/b2!`, `a1-b2/`; `/` passes where nothing can be done.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from game.rules.base.game import MoveResult, settle
from game.rules.base.message import Message, say
from game.rules.base.moves import MoveList
from game.rules.base.values import Inspection, Outcome, Role
from game.rules.boards.hexagon import hexagon
from tests.helpers.games.one_class import OneClassGame

BOARD = hexagon(2)
SUPPLY, LAST_PLY = 3, 40
Pieces = dict[str, str]


@dataclass(frozen=True, slots=True)
class Field:
    pieces: tuple[tuple[str, str], ...] = (("a1", "1a"), ("c2", "2a"))
    mover: int = 1
    ply: int = 0


class WalkResult(MoveResult[Field, str]):
    """A body that is captured takes its captor with it."""

    @cached_property
    def removed(self) -> tuple[str, ...]:
        start, _, goal = self.move.partition("/")[0].partition("-")
        pieces = self.game.pieces(self.before)
        if goal not in pieces:
            return ()
        return tuple(sorted((start, goal))) if pieces[goal][1] == "b" else (goal,)


class ToyLimbs(OneClassGame):
    name = "toy-limbs"
    title = "Toy limbs"
    board = BOARD
    players = (say("player.orange"), say("player.blue"))
    keys = ("choice1",)
    palette = ("1a", "1b", "2a", "2b")
    roles: ClassVar[Mapping[Role, Message]] = {
        Role.INSPECTED: say("cue.critter"),
        Role.MARK: say("cue.mark"),
    }

    def initial(self, options: Mapping[str, str] = {}) -> Field:
        return Field(mover=int(settle(self, options)["first"]))

    def legal_moves(self, position: Field) -> MoveList[str]:
        return MoveList(tuple(self._moves(position)) if self.to_move(position) else ())

    def _moves(self, position: Field) -> Iterator[str]:
        pieces, own = self.pieces(position), str(position.mover)
        done = False
        for text, stand in [("", pieces), *self._walks(pieces, own)]:
            grown = list(self._growths(stand, own)) if self._decided(stand) is None else []
            yield from (f"{text}/{growth}" for growth in grown)
            if text and not grown:
                yield f"{text}/"
            done = done or bool(grown) or bool(text)
        if not done:
            yield "/"

    def _walks(self, pieces: Pieces, own: str) -> Iterator[tuple[str, Pieces]]:
        for start, piece in pieces.items():
            for goal in BOARD.neighbours[start] if piece[0] == own else ():
                enemy = pieces.get(goal, "")
                if enemy[:1] == own or (enemy and piece[1] == "a"):
                    continue
                stand = {cell: each for cell, each in pieces.items() if cell not in (start, goal)}
                stand |= {} if enemy[1:] == "b" else {goal: piece}
                yield f"{start}-{goal}", stand

    def _growths(self, pieces: Pieces, own: str) -> Iterator[str]:
        mine = [cell for cell, piece in pieces.items() if piece[0] == own]
        yield from (f"{cell}!" for cell in mine if pieces[cell][1] == "a")
        beside = {near for cell in mine for near in BOARD.neighbours[cell]} - pieces.keys()
        if len(mine) < SUPPLY:
            yield from (f"+{cell}" for cell in sorted(beside))

    def play(self, position: Field, move: str) -> Field:
        own, pieces = str(position.mover), self.pieces(position)
        walk, _, growth = move.partition("/")
        if walk:
            pieces = dict(self._walks(pieces, own))[walk]
        if growth.startswith("+"):
            pieces = {**pieces, growth[1:]: own + "a"}
        elif growth:
            pieces = {**pieces, growth[:-1]: own + "b"}
        return Field(tuple(sorted(pieces.items())), 3 - position.mover, position.ply + 1)

    @staticmethod
    def _decided(pieces: Mapping[str, str]) -> Outcome | None:
        left = {piece[0] for piece in pieces.values()}
        if left == {"1", "2"}:
            return None
        return Outcome(int(left.pop()) if left else None, "alone", say("rules.game_over"))

    def outcome(self, position: Field) -> Outcome | None:
        late = Outcome(None, "late", say("rules.game_over")) if position.ply >= LAST_PLY else None
        return self._decided(dict(position.pieces)) or late

    def to_move(self, position: Field) -> int | None:
        return None if self.outcome(position) else position.mover

    def pieces(self, position: Field) -> Pieces:
        return dict(position.pieces)

    def text(self, position: Field) -> str:
        stand = ",".join(cell + piece for cell, piece in position.pieces)
        return f"{stand or '-'} {position.mover} {position.ply}"

    def parse(self, text: str) -> Field:
        stand, mover, ply = text.split()
        pieces = tuple((each[:2], each[2:]) for each in stand.split(",") if stand != "-")
        return Field(pieces, int(mover), int(ply))

    def taps(self, position: Field, move: str) -> tuple[str, ...]:
        walk, _, growth = move.partition("/")
        taps = tuple(walk.split("-")) if walk else ()
        if growth.startswith("+"):
            return (*taps, growth[1:])
        return (*taps, growth[:-1], "choice1") if growth else taps or ("choice1",)

    def result(self, position: Field, move: str) -> MoveResult[Field, str]:
        return WalkResult(self, position, move)

    def side(self, piece: str) -> int | None:
        return int(piece[0]) if piece[:1] in ("1", "2") else None

    def inspect(self, position: Field, cell: str) -> Inspection | None:
        piece = self.pieces(position).get(cell)
        if piece is None:
            return None
        marked = BOARD.neighbours[cell][:1] if piece[1] == "b" else ()
        roles = {cell: Role.INSPECTED, **dict.fromkeys(marked, Role.MARK)}
        return Inspection(roles, {}, say("rules.game_over"))
