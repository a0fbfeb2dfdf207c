"""Edits: the pieces that hands must put, remove and swap, and the rings they must turn.

Owns how edits follow from what stands and what should stand, and how turned rings move pieces.
Knows no state and no light.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from game.rules.base.game import AnyGame
from game.rules.base.values import Edit, EditKind, differences
from game.rules.boards.board import Board

Pieces = Mapping[str, str]


def edits_between(
    standing: Pieces, expected: Pieces, board: Board, keys: Container[str] = ()
) -> tuple[Edit, ...]:
    """List the edits that turn what stands into what is expected.

    Where a ring is among the `keys`, and the differences within it are exactly a turn of it, they
    are that one edit. Rings come first, then cells in the board's order.
    """
    turns = _turns_between(standing, expected, board, keys)
    done = {cell for edit in turns for cell in board.rings[edit.cell]}
    cells = [cell for cell in board.cells if cell not in done] if done else board.cells
    return (*turns, *differences(standing, expected, cells))


def turns_in(game: AnyGame, before: Any, move: Any, after: Any) -> tuple[Edit, ...]:
    """List the turns of rings in a move, of rings on which nothing else changes.

    Where a game lists only differences, the turned rings are those whose keys enter the move.
    """
    board = game.board
    if not board.rings:
        return ()
    old, new = game.pieces(before), game.pieces(after)
    turns = [edit for edit in game.edits(before, move) if edit.kind is EditKind.TURN]
    if not turns:
        turns.extend(_turns_between(old, new, board, game.taps(before, move)))
    rings = board.rings
    return tuple(
        edit
        for edit in turns
        if _on(rings[edit.cell], new) == _rotated(_on(rings[edit.cell], old), edit.steps)
    )


def turned(pieces: Pieces, board: Board, turns: Iterable[Edit], back: bool = False) -> Pieces:
    """Return where pieces stand once rings have been turned, or turned back."""
    moved = dict(pieces)
    for edit in turns:
        cells = board.rings[edit.cell]
        there = _rotated(_on(cells, moved), -edit.steps if back else edit.steps)
        for cell, piece in zip(cells, there, strict=True):
            moved.pop(cell, None)
            if piece:
                moved[cell] = piece
    return moved


def cells_of(edit: Edit, board: Board) -> tuple[str, ...]:
    """Return the cells that an edit is about: one, or those of a ring."""
    return board.rings[edit.cell] if edit.kind is EditKind.TURN else (edit.cell,)


def _turns_between(
    standing: Pieces, expected: Pieces, board: Board, keys: Container[str]
) -> tuple[Edit, ...]:
    """List the rings that are turned against what is expected, each by the fewest steps."""
    edits = []
    for ring, cells in board.rings.items():
        now, then = _on(cells, standing), _on(cells, expected)
        if ring not in keys or now == then:
            continue
        half = len(cells) // 2
        steps = sorted((n for n in range(-half, half + 1) if n), key=lambda n: (abs(n), -n))
        found = next((n for n in steps if _rotated(now, n) == then), 0)
        if found:
            edits.append(Edit(EditKind.TURN, ring, "", found))
    return tuple(edits)


def _on(cells: Sequence[str], pieces: Pieces) -> list[str]:
    return [pieces.get(cell, "") for cell in cells]


def _rotated(ring: Sequence[str], steps: int) -> list[str]:
    return [ring[(n - steps) % len(ring)] for n in range(len(ring))]
