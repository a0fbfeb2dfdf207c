"""A second judge of the puzzles, which knows the naive rules and what the sentences say.

It reads `puzzles.toml` itself, and shares no code and no constant with what finds, reads and plays
puzzles.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.oracles.naive import Naive
from tests.oracles.naive_adaptoid import near_cells, read
from tests.oracles.naive_azteka import CELLS, NaiveAzteka
from tests.oracles.naive_circle import CELLS as CIRCLE_CELLS
from tests.oracles.naive_circle import NaivePosition

GO_NEAR = near_cells({"a": 3, "b": 4, "c": 5, "d": 4, "e": 3})
GO_CELLS = list(GO_NEAR)


@dataclass(frozen=True)
class NaiveGo(Naive):
    """A position of Capture Go on 19 cells."""

    stones: dict[str, str]
    to_move: int
    score: tuple[int, ...]
    target: int
    gone: tuple[str, ...] = ()

    def dead(self, cell: str) -> set[str]:
        """Return the group of a stone if no empty cell is beside it."""
        group, edge = {cell}, [cell]
        while edge:
            for near in GO_NEAR[edge.pop()]:
                if near not in self.stones:
                    return set()
                if near not in group and self.stones[near] == self.stones[cell]:
                    group.add(near)
                    edge.append(near)
        return group

    def play(self, cell: str) -> "NaiveGo":
        new = NaiveGo({**self.stones, cell: str(self.to_move)}, 3 - self.to_move, self.score, 0)
        enemies = [c for c in GO_NEAR[cell] if new.stones.get(c) == str(new.to_move)]
        gone = set[str]().union(*map(new.dead, enemies))
        stones = {c: stone for c, stone in new.stones.items() if c not in gone}
        score = list(self.score)
        score[self.to_move - 1] += len(gone)
        return NaiveGo(stones, new.to_move, tuple(score), self.target, tuple(gone))

    def legal(self) -> list[str]:
        if max(self.score) >= self.target:
            return []
        return [c for c in GO_CELLS if c not in self.stones and not self.play(c).dead(c)]

    @property
    def outcome(self) -> tuple[int, str] | None:
        if max(self.score) >= self.target:
            return self.score.index(max(self.score)) + 1, "stones taken"
        return None if self.legal() else (3 - self.to_move, "no legal placement")

    def codes(self) -> dict[str, str]:
        return self.stones


def read_position(game: str, text: str) -> Any:
    """Read a position as the rules document of its game writes it."""
    board, *rest = text.split()
    match game:
        case "circle-of-life" | "capture-go":
            # The rows of Circle of Life are written from the top.
            rows = sorted(CIRCLE_CELLS, key=lambda cell: (-ord(cell[0]), cell))
            cells = rows if game == "circle-of-life" else GO_CELLS
            drawn = zip(cells, board.replace("/", ""), strict=True)
            mover, score, target = rest
            one, two = map(int, score.split("-"))
            stones = {cell: code for cell, code in drawn if code != "."}
            if game == "capture-go":
                return NaiveGo(stones, int(mover), (one, two), int(target))
            numbers = {cell: int(code) for cell, code in stones.items()}
            return NaivePosition(numbers, int(mover), (one, two), int(target))
        case "azteka":
            drawn = zip(CELLS, board.replace("/", ""), strict=True)
            variant, roles, mover, first = rest
            before = None
            if first != "-":
                winner, pieces = map(int, first.split(":"))
                before = {"winner": winner, "pieces": pieces}
            return NaiveAzteka(
                variant,
                tuple(roles),
                roles.index(mover[0]) + 1,
                {cell: code for cell, code in drawn if code != "."},
                1 if before is None else 2,
                mover.endswith("+"),
                before,
            )
        case "adaptoid":
            phase, mover, colours, score = rest
            codes = dict(each.split("=") for each in board.split(","))
            one, two = map(int, score.split("-"))
            naive = read(codes, to_move=int(mover), colours=(colours[0], colours[1]))
            return replace(naive, phase=phase, score=(one, two))
    raise ValueError(f"no naive rules of {game}")


NOBODY = 0


def winner(position: Naive) -> int | None:
    """Return who has won the game or the match, NOBODY for a draw, None while it goes on."""
    won = position.outcome
    return None if won is None else won[0] or NOBODY


def wins(position: Any, player: int, own: int) -> bool:
    won = winner(position)
    if won is not None:
        return won == player
    mine = position.to_move == player
    if mine and own == 0:
        return False
    results = (wins(position.play(move), player, own - mine) for move in position.legal())
    return any(results) if mine else all(results)


def wins_next(position: Any, player: int) -> bool:
    if winner(position) is not None or position.to_move != player:
        return winner(position) == player
    return any(winner(position.play(move)) == player for move in position.legal())


def flaws(file: Path, first: int = 1, step: int = 1) -> Iterator[tuple[int, str]]:
    """Yield the number of each puzzle of a file that is not what it says, and why.

    Only each `step`-th from the `first` on is judged.
    """
    data = tomllib.loads(file.read_text("utf-8"))
    lines = [line.split(" ", 1)[1] for line in data["puzzles"].strip().splitlines()]
    asked = data["ask"].get("win1", {}).get("en", "")
    stands = Counter(line.split(" ", 3)[3] for line in lines)
    yield from ((0, f"{text} stands {many} times") for text, many in stands.items() if many > 1)
    for number in range(first, len(lines) + 1, step):
        line = lines[number - 1]
        why = flaw(data["game"], line)
        if line.startswith("win 1 ") and "," in line.split()[2] and asked.endswith("at once."):
            why = why or "does not win at once"
        if why:
            yield number, why


def flaw(game: str, puzzle: str) -> str:
    """Return why a puzzle is wrong, "" if it is right: its line without rating and themes."""
    kind, number, moves, text = puzzle.split(" ", 3)
    position, count, line = read_position(game, text), int(number), moves.split(",")
    me = position.to_move
    if kind == "win" and wins(position, me, count - 1):
        return "there is a shorter win"
    for ply, text in enumerate(line):
        move = text.removesuffix("x")
        if move not in position.legal():
            return f"{text} is not legal"
        if position.to_move == me:
            why = wrong(position, kind, count - ply // 2, move)
            if why:
                return why
        position = position.play(move)
    if kind == "win" and winner(position) != me:
        return "the line does not end the game, which it says it wins"
    return ""


def wrong(start: Any, kind: str, count: int, right: str) -> str:
    """Return why a move is not the only right one, "" if it is."""
    me = start.to_move
    other = 3 - me
    after = {move: start.play(move) for move in start.legal()}
    match kind:
        case "win":
            good = [move for move, then in after.items() if wins(then, me, count - 1)]
        case "save":
            good = [move for move, then in after.items() if not wins_next(then, other)]
            if wins(after[right], other, 1):
                return "the solution loses too"
        case "most":
            gained = {
                move: then.score[me - 1] - start.score[me - 1] for move, then in after.items()
            }
            most = max(gained.values())
            good = [move for move, each in gained.items() if each == most == count]
        case "safe":
            good = [
                move
                for move, then in after.items()
                if winner(then) != other
                and all(
                    each.score[other - 1] <= start.score[other - 1] + count
                    for each in (then, *map(then.play, then.legal()))
                )
            ]
        case _:
            return f"no kind {kind}"
    if good != [right]:
        return f"right are {good}, not {right} alone"
    if kind in ("most", "safe") and wins_next(after[right], other):
        return "the solution lets the other player win"
    return ""
