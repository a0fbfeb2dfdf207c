"""Messages of games to people: a catalogue key with arguments, never a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Message:
    """Name one catalogue entry and the values that fill it.

    An argument is a text, a number, another message (a species, a player) or a tuple of these
    (a list of cells). The argument `count` chooses between singular and plural.
    """

    key: str
    args: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        values = ", ".join(f"{name}={value}" for name, value in self.args.items())
        return f"{self.key}({values})" if values else self.key


@dataclass(frozen=True, slots=True)
class InlineText(Message):
    """A message that carries its sentence in each language, as in data files."""

    texts: Mapping[str, str] = field(default_factory=dict)


LONGEST = 40  # Longest quotation in a message


def quote(value: object) -> str:
    """Quote a value from outside, cut if it is long."""
    return repr(value)[:LONGEST]


def say(key: str, /, **args: object) -> Message:
    """Build a message; a test finds each key, or an f-string's pattern, in the catalogues."""
    return Message(key, args)
