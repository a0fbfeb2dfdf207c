"""What the doctor finds: one line each, and what mends it.

Owns the shape of a finding. Must not know what is checked.
"""

from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    """Say how bad a finding is. Only failures keep a board from being played on."""

    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Finding:
    """Tell about one thing. `remedy` is the command or the wiring that mends it, if it must be."""

    name: str
    level: Level
    text: str
    remedy: str = ""

    def __post_init__(self) -> None:
        if (self.level is Level.OK) != (not self.remedy):
            raise ValueError(
                f"finding {self.name} is {self.level.value} with remedy {self.remedy!r}:"
                " allowed is a remedy for a warning or failure, and for these only"
            )


def ok(name: str, text: str) -> Finding:
    """Make a finding of something that is as it should be."""
    return Finding(name, Level.OK, text)


def warning(name: str, text: str, remedy: str) -> Finding:
    """Make a finding of something that works less well than it could."""
    return Finding(name, Level.WARNING, text, remedy)


def failure(name: str, text: str, remedy: str) -> Finding:
    """Make a finding of something that does not work."""
    return Finding(name, Level.FAILURE, text, remedy)
