"""The boards that can be ordered, and where their files are."""

from pathlib import Path

ORDERED = Path(__file__).parents[2] / "hardware" / "boards"
BOARDS = ("coupon-4", "hexagon-61")
