"""The disc of Azteka as sets of cells: neighbours, turning rings, spreading and reigning.

A set is an integer with a bit a cell: segment by segment, four bits each from the inside.
"""

from game.rules.boards.board import disc

RINGS, SEGMENTS = 4, 8
BOARD = disc(RINGS, SEGMENTS)
names = BOARD.in_mask
FULL = (1 << RINGS * SEGMENTS) - 1
BIT = {cell: 1 << index for index, cell in enumerate(BOARD.cells)}
RING = tuple(sum(BIT[cell] for cell in cells) for cells in BOARD.rings.values())
INNERMOST = RING[0]
SEGMENT = tuple(0b1111 << RINGS * n for n in range(SEGMENTS))
SEGMENT_OF = {cell: SEGMENT[index // RINGS] for index, cell in enumerate(BOARD.cells)}

_INSIDE, _OUTSIDE = FULL ^ RING[-1], FULL ^ INNERMOST
_STEP = RINGS
_BACK = RINGS * (SEGMENTS - 1)


def around(cells: int) -> int:
    """Return all neighbours of a set of cells."""
    return (
        (cells << _STEP | cells >> _BACK | cells >> _STEP | cells << _BACK) & FULL
        | (cells & _INSIDE) << 1
        | (cells & _OUTSIDE) >> 1
    )


def turned(cells: int, ring: int, steps: int) -> int:
    """Turn one ring, from 0, clockwise by 1 or 2 segments."""
    mask = RING[ring]
    part = cells & mask
    if not part:
        return cells
    step = _STEP * steps
    return cells ^ part | (part << step | part >> RINGS * SEGMENTS - step) & mask


def spreads(cells: int) -> bool:
    """Return whether a set has a cell in every segment and every ring."""
    if not all(cells & ring for ring in RING):
        return False
    return (cells | cells >> 1 | cells >> 2 | cells >> 3) & INNERMOST == INNERMOST


def reigns(cells: int) -> bool:
    """Return whether a set fills a segment or a ring."""
    if cells & cells >> 1 & cells >> 2 & cells >> 3 & INNERMOST:
        return True
    return any(cells & ring == ring for ring in RING)


def lines_met(cells: int) -> int:
    """Count the segments and rings, 12 in all, in which a set has a cell."""
    return sum(bool(cells & line) for line in (*SEGMENT, *RING))


def fullest_line(cells: int) -> tuple[int, int]:
    """Return the number of cells in the relatively fullest segment or ring, and that one's size."""
    segment = max((cells & line).bit_count() for line in SEGMENT)
    ring = max((cells & line).bit_count() for line in RING)
    return (segment, RINGS) if segment * SEGMENTS >= ring * RINGS else (ring, SEGMENTS)
