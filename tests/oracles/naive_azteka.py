"""A second, deliberately naive Azteka, written from the rules document alone.

It owns nothing but plainness: a dictionary from cells to codes, and loops over lists of names. It
must not know `game`: the tests compare the two.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from tests.oracles.naive import Naive

SEGMENTS = ["a", "b", "c", "d", "e", "f", "g", "h"]
RINGS = ["1", "2", "3", "4"]
CELLS = [segment + ring for segment in SEGMENTS for ring in RINGS]
CODES = {"basic": ["L", "D"], "aggressive": ["L", "D"], "three": ["L", "D", "M"]}
PIECES = {"basic": 14, "aggressive": 14, "three": 12}


def next_segment(segment: str) -> str:
    return "a" if segment == "h" else SEGMENTS[SEGMENTS.index(segment) + 1]


def neighbours(cell: str) -> list[str]:
    found = []
    for other in CELLS:
        if other[0] == cell[0] and abs(int(other[1]) - int(cell[1])) == 1:
            found.append(other)
        if other[1] == cell[1] and cell[0] == next_segment(other[0]):
            found.append(other)
        if other[1] == cell[1] and other[0] == next_segment(cell[0]):
            found.append(other)
    return found


NEIGHBOURS = {cell: neighbours(cell) for cell in CELLS}


def spread(board: dict[str, str], code: str) -> bool:
    cells = [cell for cell in board if board[cell] == code]
    return {cell[0] for cell in cells} == set(SEGMENTS) and {c[1] for c in cells} == set(RINGS)


def reign(board: dict[str, str], code: str) -> bool:
    for segment in SEGMENTS:
        if all(board.get(segment + ring) == code for ring in RINGS):
            return True
    return any(all(board.get(segment + ring) == code for segment in SEGMENTS) for ring in RINGS)


@dataclass(frozen=True)
class NaiveAzteka(Naive):
    """A position; `happened` counts what is rare, for the tests to see that it was there."""

    variant: str = "basic"
    roles: tuple[str, ...] = ("L", "D")
    to_move: int | None = 1
    board: dict[str, str] = field(default_factory=dict)
    round: int = 1
    birth: bool = False
    first_round: dict[str, int] | None = None
    last_actions: int | None = None
    outcome: tuple[int | None, str] | None = None
    gone: tuple[str, ...] = ()
    happened: tuple[str, ...] = ()

    def count(self, code: str) -> int:
        return len([cell for cell in self.board if self.board[cell] == code])

    def left(self, code: str) -> int:
        return PIECES[self.variant] - self.count(code)

    @property
    def score(self) -> tuple[int, ...]:
        return tuple(self.count(code) for code in self.roles)

    @property
    def mover(self) -> str:
        assert self.to_move is not None
        return self.roles[self.to_move - 1]

    def places(self, code: str) -> list[str]:
        if self.left(code) == 0:
            return []
        free = [cell for cell in CELLS if cell not in self.board]
        if self.variant == "basic" and self.count(code) > 0:
            return [
                cell
                for cell in free
                if any(self.board.get(near) == code for near in NEIGHBOURS[cell])
            ]
        return free

    def legal(self) -> list[str]:
        if self.outcome is not None:
            return []
        if self.birth:
            return sorted([*self.places("L"), "-"])
        moves = ["T" + ring for ring in RINGS]
        if self.last_actions is None:
            moves += self.places(self.mover)
        if self.variant == "aggressive":
            for ring in RINGS:
                on_ring = [self.board[s + ring] for s in SEGMENTS if s + ring in self.board]
                mine = len([code for code in on_ring if code == self.mover])
                if mine > len(on_ring) - mine:
                    moves.append("TT" + ring)
        return sorted(moves)

    def turned(self, ring: str) -> dict[str, str]:
        board = {}
        for cell, code in self.board.items():
            to = next_segment(cell[0]) + ring if cell[1] == ring else cell
            board[to] = code
        return board

    def play(self, move: str) -> NaiveAzteka:
        if move not in self.legal():
            raise ValueError(f"{move} is not legal")
        now = replace(self, gone=(), happened=(), birth=False)
        if move == "-":
            return replace(now, happened=("declined",)).finish_action()
        if move.startswith("T"):
            for _ in range(move.count("T")):
                now = replace(now, board=now.turned(move[-1]))
            return replace(now, happened=(move[:-1],)).finish_action()
        code = self.mover
        now = replace(now, board={**self.board, move: code})
        if self.count(code) == 0 and self.count("D") > 3:
            now = now.note("placed anew")
        whole = all(now.board.get(move[0] + ring) == "L" for ring in RINGS)
        if self.variant == "basic" and code == "L" and whole:
            if now.places("L"):
                return replace(now, birth=True).note("chain" if self.birth else "birth")
            now = now.note("no birth")
        if self.variant == "basic" and code == "D":
            now = now.disintegrate()
        return now.finish_action()

    def note(self, what: str) -> NaiveAzteka:
        return replace(self, happened=(*self.happened, what))

    def disintegrate(self) -> NaiveAzteka:
        """Replace the surrounded Life pieces while there are Death pieces."""
        doomed = [
            cell
            for cell in CELLS
            if self.board.get(cell) == "L"
            and all(self.board.get(near) == "D" for near in NEIGHBOURS[cell])
        ]
        enough = doomed[: self.left("D")]
        board = {**self.board, **dict.fromkeys(enough, "D")}
        now = replace(self, board=board, gone=tuple(enough))
        if enough:
            now = now.note("disintegration")
        if len(enough) > 1:
            now = now.note("several")
        return now.note("short") if len(enough) < len(doomed) else now

    def reached(self, code: str) -> str | None:
        if (code == "L" or self.variant == "three") and spread(self.board, code):
            return "spread"
        if (code == "D" or self.variant == "three") and reign(self.board, code):
            return "reign"
        if self.variant != "three" and self.left(code) <= 0:
            return "all placed"
        return None

    def finish_action(self) -> NaiveAzteka:
        assert self.to_move is not None
        codes = CODES[self.variant]
        following = codes[codes.index(self.mover) + 1 :] + codes[: codes.index(self.mover)]
        now = self
        if now.last_actions is not None:
            now = replace(now, last_actions=now.last_actions - 1)
        winners = [code for code in [self.mover, *following] if self.reached(code) is not None]
        if winners:
            now = now.note(str(self.reached(winners[0])))
            if winners[0] != self.mover:
                now = now.note("given away")
            if len(winners) > 1:
                now = now.note("both goals")
            return now.end_round(winners[0])
        if now.last_actions == 0:
            return replace(now, to_move=None, outcome=(None, "board full")).note("board full")
        if self.variant == "three" and now.last_actions is None and len(now.board) == len(CELLS):
            now = replace(now, last_actions=3).note("filled")
        return replace(now, to_move=self.roles.index(following[0]) + 1)

    def end_round(self, code: str) -> NaiveAzteka:
        """Note who won the round; begin the next or name the winner of all."""
        player = self.roles.index(code) + 1
        pieces = self.count(code)
        if self.variant == "three":
            return replace(self, to_move=None, outcome=(player, str(self.reached(code))))
        if self.round == 1:
            roles = (self.roles[1], self.roles[0])
            return replace(
                self,
                board={},
                roles=roles,
                to_move=roles.index("L") + 1,
                round=2,
                first_round={"winner": player, "pieces": pieces},
            )
        assert self.first_round is not None
        before, fewer = self.first_round["winner"], self.first_round["pieces"]
        winner: int | None = None
        reason = "equal pieces"
        if before == player:
            winner, reason = player, "both rounds"
        elif pieces < fewer:
            winner, reason = player, "fewer pieces"
        elif fewer < pieces:
            winner, reason = before, "fewer pieces"
        return replace(self, to_move=None, outcome=(winner, reason)).note(reason)

    def codes(self) -> dict[str, str]:
        return self.board

    def extras(self) -> dict[str, Any]:
        return {
            "round": self.round,
            "roles": list(self.roles),
            "birth": self.birth,
            "first_round": self.first_round,
            "last_actions": self.last_actions,
        }


def naive_start(variant: str, first: int = 1) -> NaiveAzteka:
    codes = CODES[variant]
    roles = tuple(codes) if first == 1 else (codes[1], codes[0])
    return NaiveAzteka(variant, roles, first)


STYLES = ("any", "placing", "turning", "lasting", "hunting", "growing")


def choose(style: str, rng: Random, position: NaiveAzteka, moves: list[str]) -> str:
    """Draw a legal move, most of them in a style that lets rare things happen."""
    if style == "any" or rng.random() < 0.1:
        return rng.choice(moves)
    placements = [move for move in moves if move[0] not in "T-"]
    wide = [move for move in moves if move.startswith("TT")]
    if style == "turning" and rng.random() < 0.5:
        return rng.choice(wide or moves)
    if style == "hunting" and position.mover == "L" and rng.random() < 0.4:
        return rng.choice([move for move in moves if move not in placements])
    if style == "hunting" and position.mover == "D" and placements:
        # A cell beside a Life piece that has few neighbours left which are not Death.
        def open_sides(cell: str) -> int:
            near = [each for each in NEIGHBOURS[cell] if position.board.get(each) == "L"]
            around = [[position.board.get(e) != "D" for e in NEIGHBOURS[own]] for own in near]
            return min((sum(each) for each in around), default=9)

        quiet = [move for move in placements if position.play(move).round == position.round]
        return min(rng.sample(quiet, len(quiet)) or placements, key=open_sides)
    if style == "growing" and position.mover == "L" and placements:
        # The cell whose segment holds the most Life pieces.
        def grown(cell: str) -> int:
            return sum(position.board.get(cell[0] + ring) == "L" for ring in RINGS)

        return max(rng.sample(placements, len(placements)), key=grown)
    if style == "lasting":
        # Avoid what ends the round, so that the board fills up.
        for _ in range(6):
            move = rng.choice(placements or moves)
            after = position.play(move)
            if after.outcome is None and after.round == position.round:
                return move
    return rng.choice(placements or moves)


def crowded(rng: Random, variant: str) -> NaiveAzteka:
    """Draw a position in which no goal is reached, with many pieces on the board."""
    codes = CODES[variant]
    while True:
        most = PIECES[variant] - (0 if variant == "three" else 1)
        amounts = [rng.randint(most // 2, most) for _ in codes]
        drawn = [code for code, amount in zip(codes, amounts, strict=True) for _ in range(amount)]
        if len(drawn) >= len(CELLS):
            continue
        cells = rng.sample(CELLS, len(drawn))
        if variant == "basic" and rng.random() < 0.5:
            cells = besieged(rng, drawn)
        position = replace(
            naive_start(variant, 1 if variant == "three" else rng.choice((1, 2))),
            board=dict(zip(cells, drawn, strict=True)),
        )
        if not any(position.reached(code) for code in codes):
            break
    position = replace(position, to_move=rng.randint(1, len(codes)))
    if variant != "three" and rng.random() < 0.5:
        before = {"winner": rng.randint(1, 2), "pieces": rng.randint(4, 14)}
        position = replace(position, round=2, first_round=before)
    return position


def besieged(rng: Random, drawn: list[str]) -> list[str]:
    """Order the cells so that Death, drawn last, surrounds two Life pieces except for a gap."""
    gap = rng.choice(CELLS)
    prey = rng.sample(NEIGHBOURS[gap], 2)
    around = {each for cell in prey for each in NEIGHBOURS[cell]} - {gap}
    others = [cell for cell in rng.sample(CELLS, len(CELLS)) if cell not in {gap, *prey, *around}]
    rest = len(drawn) - len(prey) - len(around)
    return [*prey, *others[: max(rest, 0)], *around][: len(drawn)]
