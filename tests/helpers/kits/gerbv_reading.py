"""gerbv's reading of a circuit's files, and ours, as pictures that can be compared.

Owns how gerbv is asked for a picture, and how polygons become one. Wants the Debian package gerbv.
"""

import subprocess
from pathlib import Path
from shutil import which

import numpy
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from shapely.geometry.base import BaseGeometry

from hardware.kit.circuit.shapes import pieces
from hardware.kit.drawing import Box

Pixels = NDArray[numpy.bool_]

INCH_MM = 25.4
DOTS_PER_INCH = 508
DOTS_PER_MM = DOTS_PER_INCH / INCH_MM


class GerbvFailed(Exception):
    """gerbv is not there, or did not draw."""


def drawn_by_gerbv(data: bytes, name: str, box: Box, folder: Path) -> Pixels:
    """Let gerbv draw a file, Gerber or drills: what is dark in a part of the plane."""
    if which("gerbv") is None:
        raise GerbvFailed("gerbv: missing; apt-get install gerbv")
    (folder / name).write_bytes(data)
    picture = folder / f"{name}.png"
    wide, high = _size(box)
    done = subprocess.run(
        [
            "gerbv",
            "--export=png",
            f"--output={picture}",
            f"--dpi={DOTS_PER_INCH}",
            "--border=0",
            "--units=mm",
            # It reads a score of characters.
            f"--origin={box.left:.3f}x{box.bottom:.3f}",
            f"--window={wide}x{high}",
            "--background=#000000",
            "--foreground=#ffffffff",
            str(folder / name),
        ],
        capture_output=True,
        timeout=60,
    )
    if done.returncode or not picture.exists():
        raise GerbvFailed(f"{name}: {done.stderr.decode()}")
    with Image.open(picture) as image:
        return numpy.asarray(image.convert("L")) > 127


def drawn_by_us(shape: BaseGeometry, box: Box) -> Pixels:
    """Draw polygons in the same way."""
    image = Image.new("1", _size(box))
    pen = ImageDraw.Draw(image)

    def corners(line: BaseGeometry) -> list[tuple[float, float]]:
        return [
            ((x - box.left) * DOTS_PER_MM - 0.5, (box.top - y) * DOTS_PER_MM - 0.5)
            for x, y in line.coords
        ]

    # What lies in the hole of another is smaller.
    for piece in sorted(pieces(shape), key=lambda each: -each.envelope.area):
        pen.polygon(corners(piece.exterior), fill=1)
        for hole in piece.interiors:
            pen.polygon(corners(hole), fill=0)
    return numpy.asarray(image)


def differing(one: Pixels, other: Pixels) -> int:
    """Count where pictures differ, farther than two pixels from where each changes."""
    assert one.shape == other.shape, (one.shape, other.shape)
    return int(((one != other) & _inner(one) & _inner(other)).sum())


def _inner(picture: Pixels) -> Pixels:
    """Tell which pixels are as all those around them, two pixels wide."""
    least = most = picture
    for axis in (0, 1):
        for step in (-1, 1, -1, 1):
            least = least & numpy.roll(least, step, axis)
            most = most | numpy.roll(most, step, axis)
    return least == most


def _size(box: Box) -> tuple[int, int]:
    return round(box.width * DOTS_PER_MM), round(box.height * DOTS_PER_MM)
