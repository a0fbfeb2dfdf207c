"""The dimensions of one cell: electrode, light holes, LED, chamber, cover.

Millimetres from the cell's middle, x right, y down, seen from the players' side, for the reference
cell, whose LED lies straight below its middle on the drawing (turn 270: KiCad counts angles
counterclockwise on the screen, 0 is right). `turned` moves a point to a cell with another turn.
"""

from math import cos, radians, sin

PITCH_MM = 32.0

# The electrode: a disc on the top copper, cut by the holes, with a guard around it.
PAD_RADIUS_MM = 12.5
GUARD_GAP_MM = 2.0
# Radii around a cell's middle within which inner planes and the bottom pour are left out: only
# electrode tracks run there, on the bottom.
INNER_KEEP_MM = 14.2
LOWER_KEEP_MM = 13.2

# Unplated holes through which light comes back up: (direction from the LED's in degrees, diameter).
# Holes farther from the LED are larger, so that all are equally bright. With their middles on this
# circle the largest ones reach from 8.25 mm, 0.25 mm under the foot of a 17 mm stone, to 13.95 mm,
# which leaves 0.25 mm to the inner planes. Drills go up to 6.3 mm.
HOLE_CIRCLE_MM = 11.1
HOLES = ((30.0, 4.0), (-30.0, 4.0), (90.0, 5.2), (-90.0, 5.2), (150.0, 5.7), (-150.0, 5.7))

# The LED, on the bottom, shines down into the chamber.
LED_RADIUS_MM = 15.2
LED_SIZE_MM = (2.2, 2.0, 0.84)
CAPACITOR_AT = (2.1, 14.9)

# Radius of a finger's contact, and diameters of the stones' feet.
FINGER_RADIUS_MM = 4.0
FOOT_MM = (8.0, 17.0)

# From top to bottom: cover, film, board, chamber. No part may lie below a wall of the lattice.
COVER_MM = 3.0
BOARD_MM = 1.6
CHAMBER_MM = 10.0
WALL_MM = 2.0


def turned(x: float, y: float, turn: float) -> tuple[float, float]:
    """Rotate a point of the reference cell to a cell whose LED lies in direction `turn`."""
    angle = radians(turn - 270.0)
    return x * cos(angle) + y * sin(angle), y * cos(angle) - x * sin(angle)


def holes(turn: float = 270.0) -> tuple[tuple[float, float, float], ...]:
    """Return x, y and diameter of a cell's holes."""
    return tuple(
        (*turned(HOLE_CIRCLE_MM * sin(radians(a)), HOLE_CIRCLE_MM * cos(radians(a)), turn), d)
        for a, d in HOLES
    )
