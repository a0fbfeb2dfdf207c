"""Choices that are made before a game begins."""

from dataclasses import dataclass

from game.rules.base.message import Message

VARIANT = "variant"
"""The option by which a game chooses between its variants."""


@dataclass(frozen=True, slots=True)
class Option:
    """A choice made before a game begins: whole numbers from `least` to `most`, or `choices`.

    `word` names it for players, and `choice_words` name its choices; the default is the plain name.
    """

    default: str
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    word: Message | None = None
    choice_words: tuple[Message, ...] = ()

    @property
    def allowed(self) -> str:
        """The permitted values, as text."""
        return " | ".join(self.choices) if self.choices else f"{self.least} - {self.most}"

    def accepts(self, value: str) -> bool:
        """Return whether the text is a permitted value."""
        if self.choices:
            return value in self.choices
        if self.least is None or self.most is None or not (value.isascii() and value.isdigit()):
            return False
        return len(value) <= 9 and self.least <= int(value) <= self.most
