"""Colours as eight-bit red, green and blue, as on a screen.

Owns the arithmetic of single colours. Must not know pixels, gamma or current (`hal.lights.frame`).
"""

from dataclasses import dataclass

from hal.base.errors import LightError


@dataclass(frozen=True, slots=True)
class Colour:
    """One colour, each channel 0 to 255; raises LightError outside that range."""

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

    @property
    def hex(self) -> str:
        """Write the colour as "#rrggbb"."""
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"

    def scaled(self, level: float) -> "Colour":
        """Dim the colour to a level, 0 (dark) to 1 (unchanged); raises LightError outside that
        range."""
        if not 0.0 <= level <= 1.0:
            raise LightError(f"level is {level}: allowed is 0 to 1")
        return Colour(
            int(self.red * level + 0.5), int(self.green * level + 0.5), int(self.blue * level + 0.5)
        )


DARK = Colour(0, 0, 0)
WHITE = Colour(255, 255, 255)
