"""Edits: the pieces that hands must put, remove and swap, and the rings they must turn."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from game.rules.boards.board import Board

Pieces = Mapping[str, str]


class EditKind(Enum):
    """The kinds of change to a cell or a ring."""

    PUT = "put"
    REMOVE = "remove"
    SWAP = "swap"
    TURN = "turn"


@dataclass(frozen=True, slots=True)
class Edit:
    """A change to make by hand: `piece` is the piece on the cell afterwards, "" for none.

    To turn a ring, `cell` is the ring's name (see `Board.rings`), and `steps` is how many cells it
    goes clockwise, or counterclockwise if negative.
    """

    kind: EditKind
    cell: str
    piece: str = ""
    steps: int = 0


def differences(
    before: Mapping[str, str], after: Mapping[str, str], cells: Sequence[str]
) -> tuple[Edit, ...]:
    """List the edits of single cells that turn one set of pieces into another."""
    edits = []
    for cell in cells:
        now, then = before.get(cell, ""), after.get(cell, "")
        if now == then:
            continue
        kind = EditKind.SWAP if now and then else EditKind.PUT if then else EditKind.REMOVE
        edits.append(Edit(kind, cell, then))
    return tuple(edits)


def edits_between(
    standing: Pieces, expected: Pieces, board: Board, keys: Container[str] = ()
) -> tuple[Edit, ...]:
    """List the edits that turn the standing pieces into the expected ones.

    If a ring is among the `keys`, and turning it would correct all its differences, the turn is a
    single edit. Rings come first, then cells in the board's order.
    """
    turns = _turns_between(standing, expected, board, keys)
    done = {cell for edit in turns for cell in board.rings[edit.cell]}
    cells = [cell for cell in board.cells if cell not in done] if done else board.cells
    return (*turns, *differences(standing, expected, cells))


def removed_by(edits: Iterable[Edit], pieces: Pieces) -> tuple[str, ...]:
    """List, sorted, the cells whose piece leaves the board: no equal piece is put elsewhere."""
    changes = tuple(edits)
    put = Counter(edit.piece for edit in changes if edit.piece)
    gone = []
    for kind in (EditKind.REMOVE, EditKind.SWAP):
        for edit in changes:
            if edit.kind is kind and put[pieces[edit.cell]]:
                put[pieces[edit.cell]] -= 1
            elif edit.kind is kind:
                gone.append(edit.cell)
    return tuple(sorted(gone))


def turns_in(
    edits: Iterable[Edit], before: Pieces, after: Pieces, board: Board, taps: Container[str]
) -> tuple[Edit, ...]:
    """List the ring turns of a move (else those its taps imply) that alone change their ring."""
    rings = board.rings
    turns = [edit for edit in edits if edit.kind is EditKind.TURN]
    return tuple(
        edit
        for edit in turns or _turns_between(before, after, board, taps)
        if _on(rings[edit.cell], after) == _rotated(_on(rings[edit.cell], before), edit.steps)
    )


def turned(pieces: Pieces, board: Board, turns: Iterable[Edit], back: bool = False) -> Pieces:
    """Return the pieces by cell after rings have been turned, or turned back."""
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
    """Return the cells that an edit changes: one cell, or the cells of a ring."""
    return board.rings[edit.cell] if edit.kind is EditKind.TURN else (edit.cell,)


def _turns_between(
    standing: Pieces, expected: Pieces, board: Board, keys: Container[str]
) -> tuple[Edit, ...]:
    """List the turns, each by the fewest steps, that bring whole rings to their expected pieces."""
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
