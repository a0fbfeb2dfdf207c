"""A drawing with shapes of every kind, and what a program draws in another process."""

import os
import subprocess
import sys
from pathlib import Path as File

from hal.profile.geometry import Point
from hardware.kit.drawing import Anchor, Arc, Area, Box, Circle, Drawing, Label, Path, Style

CUT = Style("cut", "#ff0000", 0.4)
ENGRAVE = Style("engrave", "#0000ff", 0.5, dashed=True)
INK = Style("ink", "#000000", 0.6, fill="#ffcc00")
TEXT = Style("text", None, fill="#006600")

ROOT = File(__file__).parents[3]


def square(x: float, y: float, size: float) -> tuple[Point, ...]:
    return Box(x, y, x + size, y + size).corners


def trial() -> Drawing:
    """Draw each kind of shape. Its box is 200 x 140 mm, and not around 0."""
    drawing = Drawing("Trial <of> “all” & more", Box(-80, -60, 120, 80))
    drawing.add(CUT, Path(Box(-75, -55, 115, 75).corners, closed=True), Circle(Point(20, 10), 50))
    drawing.add(
        ENGRAVE,
        Path((Point(-70, 10), Point(110, 10))),
        Circle(Point(20, 10), 80),
        Arc(Point(20, 10), 100, 30, 150),
        Arc(Point(90, 50), 20, 300, 60),
    )
    drawing.add(INK, Area(square(-70, -50, 40), (square(-65, -45, 10), square(-50, -30, 15))))
    star = (Point(70, -10), Point(80, -40), Point(50, -20), Point(90, -20), Point(60, -40))
    drawing.add(INK, Path(star, closed=True), Arc(Point(90, 50), 30, 90, 200))
    for number, anchor in enumerate(Anchor):
        drawing.add(TEXT, Label(f"{anchor.value} ½ <&>", Point(20, 68 - 7 * number), 5, anchor))
        at = Point(-60 + 20 * number, 40)
        drawing.add(TEXT, Label("Turned", at, 4, anchor, turn_deg=90 * number + 30, bold=True))
        drawing.add(CUT, Circle(at, 1))
    return drawing


def made_elsewhere(expression: str, hash_seed: int) -> bytes:
    """Give the bytes that an expression has in a process of its own; `trial` is known to it."""
    program = (
        "import sys\n"
        "from tests.helpers.kits.trial import *\n"
        "from hardware.kit.files import dxf, pdf, svg\n"
        "from hardware.kit.files.sheets import Paper\n"
        f"sys.stdout.buffer.write({expression})\n"
    )
    environment = os.environ | {"PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout
