"""Discs of rings and segments: their cells, neighbours and centres.

A cell is named by its segment, clockwise from `a` at the top, and its ring, `1` being innermost.
When a ring turns, its pieces move to other cells.
"""

from math import cos, pi, sin

from game.rules.boards.board import Board

MOST_RINGS, FEWEST_SEGMENTS, MOST_SEGMENTS = 20, 3, 26


def disc(rings: int = 4, segments: int = 8) -> Board:
    """Build a board of 4 rings by 8 segments, or of another size.

    Cells are ordered by segment, and from the inside in a segment. Neighbours share a side. Rings
    are 1 apart, and so are the cells of the innermost ring.
    """
    if not 1 <= rings <= MOST_RINGS:
        raise ValueError(f"rings is {rings}; a disc has 1 to {MOST_RINGS} rings")
    if not FEWEST_SEGMENTS <= segments <= MOST_SEGMENTS:
        allowed = f"{FEWEST_SEGMENTS} to {MOST_SEGMENTS} segments"
        raise ValueError(f"segments is {segments}; a disc has {allowed}")
    cells = [(segment, ring) for segment in range(segments) for ring in range(rings)]
    neighbours = {}
    centres = {}
    innermost = 1 / (2 * sin(pi / segments))
    for segment, ring in cells:
        around = [
            (segment, ring + 1),
            ((segment + 1) % segments, ring),
            (segment, ring - 1),
            ((segment - 1) % segments, ring),
        ]
        name = _name(segment, ring)
        neighbours[name] = tuple(_name(*near) for near in around if 0 <= near[1] < rings)
        angle = 2 * pi * segment / segments
        centres[name] = (innermost + ring) * sin(angle), -(innermost + ring) * cos(angle)
    # The first segment whose middle is at most an eighth of a turn before the top.
    first = -(segments // 8) % segments
    rim = tuple(_name((first + n) % segments, rings - 1) for n in range(segments))
    turning = {
        f"ring{ring + 1}": tuple(_name(segment, ring) for segment in range(segments))
        for ring in range(rings)
    }
    return Board("disc", tuple(_name(*cell) for cell in cells), neighbours, centres, rim, turning)


def _name(segment: int, ring: int) -> str:
    return f"{chr(ord('a') + segment)}{ring + 1}"
