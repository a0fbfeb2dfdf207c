"""The boards that can be ordered, and where their files are."""

from pathlib import Path

ORDERED = Path(__file__).parents[2] / "hardware" / "boards"
BOARDS = ("coupon-4", "disc-32", "hexagon-61", "rectangle-88")
LONGEST_TRACK_MM = 79.0
"""The tracks of electrodes are shorter."""
