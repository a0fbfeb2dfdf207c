"""Choices that are made before a game begins.

Owns what an option takes. Which options there are is for each game to say.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """A choice made before a game begins: whole numbers from `least` to `most`, or `choices`."""

    default: str
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """The permitted values, as text."""
        return " | ".join(self.choices) if self.choices else f"{self.least} - {self.most}"

    def accepts(self, value: str) -> bool:
        """Tell whether the text is a permitted value."""
        if self.choices:
            return value in self.choices
        if self.least is None or self.most is None or not (value.isascii() and value.isdigit()):
            return False
        return len(value) <= 9 and self.least <= int(value) <= self.most
