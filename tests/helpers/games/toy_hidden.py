"""A made-up game of hidden pieces: three a side, laid out unseen, that show their faces in attacks.

On 4 by 3 squares each side lays out its `a`, `b` and `c` on its own row. A move goes one square in
any direction, and may then attack an enemy beside it, or not by `choice1`. A letter beats those
after it, which go; the winner takes the square of the attacked piece, or if he was attacked that of
the attacker. Equal ones both stay. A player whose `c` is captured loses. Forty plies are a draw.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from random import Random
from typing import ClassVar

from game.rules.base.errors import IllegalMove
from game.rules.base.game import MoveResult, settle
from game.rules.base.message import Message, say
from game.rules.base.moves import MoveList
from game.rules.base.values import Arranging, Inspection, Outcome, Signal
from game.rules.boards.board import rectangle
from tests.helpers.games.one_class import OneClassHiddenGame

ROWS = (("A1", "B1", "C1", "D1"), ("A3", "B3", "C3", "D3"))
FACES = (("Ga", "Gb", "Gc"), ("Ma", "Mb", "Mc"))
GREEN = {"A1": "Gc", "B1": "Gb", "C1": "Ga"}
MAUVE = {"A3": "Mc", "C3": "Mb", "D3": "Ma"}
"""A set-up of each side."""
LAST_PLY = 40


@dataclass(frozen=True, slots=True)
class HiddenToy:
    pieces: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    mover: int = 1
    done: frozenset[int] = frozenset()
    shown: frozenset[str] = frozenset()
    ply: int = 0


def _set_up(cells: Sequence[str], faces: Sequence[str]) -> str:
    placed = (f"{cell}={face}" for cell, face in zip(cells, faces, strict=True))
    return " ".join(("setup", *placed))


class AttackResult(MoveResult[HiddenToy, str]):
    """An attack removes one piece, or none."""

    game: "ToyHidden"

    @cached_property
    def removed(self) -> tuple[str, ...]:
        _, to, target = self.game._cells(self.move)
        before, after = self.pieces
        if not target or (to in after and target in after and len(after) == len(before)):
            return ()
        return (target,) if target in after else (to,)


class ToyHidden(OneClassHiddenGame):
    name = "toy-veil"
    title = "Toy veil"
    board = rectangle(4, 3)
    players: ClassVar[tuple[Message, ...]] = (say("player.orange"), say("player.blue"))
    keys = ("choice1",)
    hues = ("#00ff00", "#ff00ff")
    agreed_draws: ClassVar[bool] = True

    def initial(self, options: Mapping[str, str] = {}) -> HiddenToy:
        return HiddenToy(mover=int(settle(self, options)["first"]))

    def set_ups(self, player: int) -> list[str]:
        row, faces = ROWS[player - 1], FACES[player - 1]
        return [_set_up(cells, faces) for cells in permutations(row, len(faces))]

    def legal_moves(self, position: HiddenToy) -> MoveList[str]:
        if self.outcome(position) is not None:
            return MoveList(())
        if len(position.done) < 2:
            return MoveList(tuple(self.set_ups(position.mover)))
        pieces = dict(position.pieces)
        moves = []
        for start, piece in position.pieces:
            if self.side(piece) != position.mover:
                continue
            for to in (cell for cell in self.board.neighbours[start] if cell not in pieces):
                moves.append(f"{start}-{to}")
                near = [pieces.get(cell, "") for cell in self.board.neighbours[to]]
                enemies = [each and self.side(each) != position.mover for each in near]
                cells = zip(self.board.neighbours[to], enemies, strict=True)
                moves += [f"{start}-{to}*{cell}" for cell, enemy in cells if enemy]
        return MoveList(tuple(moves) or ("pass",))

    def play(self, position: HiddenToy, move: str) -> HiddenToy:
        if move not in self.legal_moves(position):
            raise IllegalMove(say("rules.not_legal", text=""))
        pieces, shown = dict(position.pieces), set(position.shown)
        done, other = position.done, 3 - position.mover
        if move.startswith("setup"):
            pieces |= dict(each.split("=") for each in move.split()[1:])
            done |= {position.mover}
        elif move != "pass":
            start, to, target = self._cells(move)
            pieces[to] = pieces.pop(start)
            if start in shown:
                shown = shown - {start} | {to}
            if target:
                shown |= {to, target}
                self._attack(pieces, to, target)
                shown &= pieces.keys()
        ordered = tuple((cell, pieces[cell]) for cell in self.board.cells if cell in pieces)
        return HiddenToy(ordered, other, done, frozenset(shown), position.ply + 1)

    def _attack(self, pieces: dict[str, str], to: str, target: str) -> None:
        attacker, defender = pieces[to], pieces[target]
        if len(attacker) < 2 or len(defender) < 2:
            raise IllegalMove(say("rules.not_legal", text=""))
        if attacker[1] < defender[1]:
            pieces[target] = pieces.pop(to)
        elif attacker[1] > defender[1]:
            pieces[to] = pieces.pop(target)

    def _cells(self, move: str) -> tuple[str, str, str]:
        step, _, target = move.partition("*")
        start, _, to = step.partition("-")
        return start, to, target

    def refusal(self, position: HiddenToy, taps: Sequence[str]) -> Message:
        """Speak of the piece that stands where the last tap was, if one does."""
        return say("rules.not_legal", text=dict(position.pieces).get(taps[-1], ""))

    def outcome(self, position: HiddenToy) -> Outcome | None:
        if len(position.done) < 2:
            return None
        stands = {piece for _, piece in position.pieces}
        for player, faces in enumerate(FACES, start=1):
            known = any(len(piece) < 2 for piece in stands)
            if not known and faces[2] not in stands:
                return Outcome(3 - player, "beaten", say("rules.game_over"))
        return Outcome(None, "long", say("rules.game_over")) if position.ply >= LAST_PLY else None

    def to_move(self, position: HiddenToy) -> int | None:
        return None if self.outcome(position) is not None else position.mover

    def pieces(self, position: HiddenToy) -> dict[str, str]:
        return dict(position.pieces)

    def text(self, position: HiddenToy) -> str:
        reported = [dict(position.pieces), position.mover, sorted(position.done)]
        return json.dumps([*reported, sorted(position.shown), position.ply])

    def parse(self, text: str) -> HiddenToy:
        pieces, mover, done, shown, ply = json.loads(text)
        return HiddenToy(tuple(pieces.items()), mover, frozenset(done), frozenset(shown), ply)

    def taps(self, position: HiddenToy, move: str) -> tuple[str, ...]:
        if move == "pass":
            return ("choice1",)
        start, to, target = self._cells(move)
        if target:
            return start, to, target
        attacks = any(each.startswith(f"{move}*") for each in self.legal_moves(position))
        return (start, to, "choice1") if attacks else (start, to)

    def parse_move(self, position: HiddenToy, text: str) -> str:
        if text not in self.legal_moves(position):
            raise IllegalMove(say("rules.not_legal", text=text))
        return text

    def result(self, position: HiddenToy, move: str) -> MoveResult[HiddenToy, str]:
        return AttackResult(self, position, move)

    def covered_summary(self, position: HiddenToy, move: str) -> Message:
        covered = self.covered_text(move)
        return say("table.played", player=self.called(position, position.mover), move=covered)

    def covered_text(self, text: str) -> str:
        return text.split()[0] if text.startswith("setup") else text

    def side(self, piece: str) -> int | None:
        return "GM".index(piece[0]) + 1

    def token(self, side: int) -> str:
        return "GM"[side - 1]

    def inspect(self, position: HiddenToy, cell: str) -> Inspection | None:
        piece = self.pieces(position).get(cell)
        return None if piece is None else Inspection({}, {}, say("piece.code", code=piece))

    def arranging(self, position: HiddenToy, player: int) -> Arranging | None:
        return None if player in position.done else Arranging(ROWS[player - 1], FACES[player - 1])

    def arrangement(self, position: HiddenToy, player: int, pieces: Mapping[str, str]) -> str:
        cells = {piece: cell for cell, piece in pieces.items()}
        faces = FACES[player - 1]
        move = _set_up([cells.get(each, "") for each in faces], faces)
        if len(pieces) != len(faces) or move not in self.set_ups(player) or player in position.done:
            raise IllegalMove(say("rules.not_legal", text=move))
        return move

    def laid(self, position: HiddenToy, player: int, text: str) -> dict[str, str]:
        return dict(each.split("=") for each in text.split()[1:])

    def arranged_at_random(self, position: HiddenToy, player: int, rng: Random) -> dict[str, str]:
        cells: Sequence[str] = rng.sample(ROWS[player - 1], len(FACES[player - 1]))
        return dict(zip(cells, FACES[player - 1], strict=True))

    def seen_by(
        self, position: HiddenToy, player: int | None, remembers: bool = False
    ) -> HiddenToy:
        setting_up = len(position.done) < 2
        pieces = []
        for cell, piece in position.pieces:
            own = self.side(piece) == player
            if own or (remembers and cell in position.shown):
                pieces.append((cell, piece))
            elif not setting_up:
                pieces.append((cell, piece[0]))
        return HiddenToy(tuple(pieces), position.mover, position.done, position.shown, position.ply)

    def faces(self, position: HiddenToy, move: str) -> Mapping[str, str]:
        start, to, target = self._cells(move)
        pieces = self.pieces(position)
        return {to: pieces[start], target: pieces[target]} if target else {}

    def signal(self, piece: str) -> Signal | None:
        return Signal("#ffffff", "abc".index(piece[1])) if len(piece) > 1 else None
