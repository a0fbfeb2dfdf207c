"""Colours as eight-bit red, green and blue, as on a screen."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Colour:
    """One colour, each channel 0 to 255."""

    red: int
    green: int
    blue: int

    @property
    def hex(self) -> str:
        """Write the colour as "#rrggbb"."""
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"

    def scaled(self, level: float) -> "Colour":
        """Dim the colour to a level, 0 (dark) to 1 (unchanged)."""
        return Colour(
            int(self.red * level + 0.5), int(self.green * level + 0.5), int(self.blue * level + 0.5)
        )


DARK = Colour(0, 0, 0)
WHITE = Colour(255, 255, 255)
