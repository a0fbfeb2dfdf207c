"""How good the moves of a position are, and how much of that a player is shown."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from game.rules.base.errors import BadOption
from game.rules.base.message import Message, say
from game.rules.base.moves import as_word, from_word
from game.rules.base.situation import Taps

INACCURACY, MISTAKE, BLUNDER, LOSING = 0.05, 0.1, 0.2, 0.4
"""Least loss of expected score for each grade but the first; the analysis marks a move by the first
three with `?!`, `?` or `??`. A short search cannot tell smaller losses; see docs/engine.md."""


class Grade(IntEnum):
    """How good a move is, by the expected score that it gives away."""

    GOOD = 1
    INACCURACY = 2
    MISTAKE = 3
    BLUNDER = 4
    LOSING = 5

    @property
    def word(self) -> Message:
        """The grade's name for people."""
        return say(f"grade.{self.name.lower()}")


def grade_of(loss: float) -> Grade:
    """Return the grade of a loss of expected score, 0 to 1."""
    return Grade(1 + sum(loss >= each for each in (INACCURACY, MISTAKE, BLUNDER, LOSING)))


@dataclass(frozen=True, slots=True)
class Graded:
    """The grade of a move, or of the best move that begins with some taps.

    `loss` is in percent of the point. `reply` is the best answer to a blunder, in plain text, ""
    if it is not known.
    """

    grade: Grade
    loss: int
    reply: str = ""

    def word(self, cell: str) -> Message:
        """Say how good a touch of a cell is."""
        if self.grade is Grade.GOOD:
            return say("help.graded", cell=cell, grade=self.grade.word)
        return say("help.graded_loss", cell=cell, grade=self.grade.word, percent=self.loss)


Grades = Mapping[Taps, Graded]  # By the taps of each move, and by all their beginnings


GRADES = " grades "  # Precedes the grades in an `info` line of the engine


def grades_text(grades: Grades) -> str:
    """Write grades as one word for each sequence of taps."""
    return " ".join(
        f"{'+'.join(taps)}={each.grade:d}/{each.loss}/{as_word(each.reply)}"
        for taps, each in grades.items()
    )


_GRADED = re.compile(r"([^=]+)=([1-5])/(\d{1,3})/(\S*)")


def grades_in(text: str) -> dict[Taps, Graded]:
    """Read what `grades_text` wrote; words that cannot be read are left out."""
    found = (_GRADED.fullmatch(word) for word in text.split())
    return {
        tuple(each[1].split("+")): Graded(Grade(int(each[2])), int(each[3]), from_word(each[4]))
        for each in found
        if each
    }


NONE, WARNED, COACHED, LOOKS, FREE, BEST_LIT = range(6)
"""The levels of help: none; a warning before a blunder; ideas of the coach too; a number of looks
at grades in a turn; any number; and the best cells lit."""
MOST_LOOKS, USUAL_LOOKS = 6, 3
_HELP = re.compile(rf"([0-5])|{LOOKS}:([1-{MOST_LOOKS}])")
HELP_ALLOWED = f"0 - {BEST_LIT}, or {LOOKS}:N with N = 1 - {MOST_LOOKS} looks a turn"


@dataclass(frozen=True, slots=True)
class Help:
    """How much help a player has: a level, and the number of looks in a turn, None for any."""

    level: int = NONE
    looks: int | None = 0

    @property
    def text(self) -> str:
        """The help as `help_in` reads it."""
        return f"{self.level}:{self.looks}" if self.level == LOOKS else str(self.level)


@lru_cache(maxsize=64)
def help_in(text: str, players: int) -> tuple[Help, ...]:
    """Read the help of each player, such as `3:2,0`, or one text for all; raises BadOption."""
    parts = [_HELP.fullmatch(part.strip()) for part in (text or "0").split(",")]
    if len(parts) not in (1, players) or not all(parts):
        raise BadOption(say("rules.bad_option", key="help", value=text, allowed=HELP_ALLOWED))
    usual = {LOOKS: USUAL_LOOKS, FREE: None, BEST_LIT: None}
    read = [
        Help(LOOKS, int(each[2])) if each[2] else Help(int(each[1]), usual.get(int(each[1]), 0))
        for each in parts
        if each
    ]
    return tuple(read if len(read) == players else read * players)
