"""Colours as eight-bit red, green and blue, as a screen would name them.

Owns the arithmetic of single colours. Must not know pixels, gamma or current (`hal.light`).
"""

import re
from dataclasses import dataclass
from typing import Self

from hal.errors import LightError

_HEX = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True)
class Colour:
    """Hold one colour, each channel 0 to 255; raise LightError outside of it."""

    red: int
    green: int
    blue: int

    def __post_init__(self) -> None:
        # Composing makes thousands of colours a second, so the good case is one test.
        if 0 <= self.red <= 255 and 0 <= self.green <= 255 and 0 <= self.blue <= 255:
            return
        for channel in ("red", "green", "blue"):
            value = getattr(self, channel)
            if not 0 <= value <= 255:
                raise LightError(f"colour channel {channel} is {value}: allowed is 0 to 255")

    @classmethod
    def from_hex(cls, text: str) -> Self:
        """Read a colour such as "#ff8000"; raise LightError for another form."""
        if not _HEX.fullmatch(text):
            raise LightError(f'colour text is {text!r}: allowed is "#" and six hexadecimal digits')
        return cls(int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16))

    @property
    def hex(self) -> str:
        """Write the colour as "#rrggbb"."""
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"

    def scaled(self, level: float) -> "Colour":
        """Dim the colour to a level, 0 (dark) to 1 (unchanged); raise LightError outside of it."""
        if not 0.0 <= level <= 1.0:
            raise LightError(f"level is {level}: allowed is 0 to 1")
        return Colour(
            int(self.red * level + 0.5), int(self.green * level + 0.5), int(self.blue * level + 0.5)
        )

    def mixed(self, other: "Colour", share: float) -> "Colour":
        """Blend with another colour, which gets a share from 0 (none) to 1 (all of it)."""
        if not 0.0 <= share <= 1.0:
            raise LightError(f"share is {share}: allowed is 0 to 1")
        keep = 1.0 - share
        return Colour(
            int(self.red * keep + other.red * share + 0.5),
            int(self.green * keep + other.green * share + 0.5),
            int(self.blue * keep + other.blue * share + 0.5),
        )


DARK = Colour(0, 0, 0)
WHITE = Colour(255, 255, 255)
