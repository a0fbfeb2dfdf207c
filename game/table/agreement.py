"""What players agree on before a game: a clock, and how much help there is.

Owns the names and values of both, which stand among a game's options in a START entry. Must not
know what a game's own options are, nor what time it is.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from game.rules.base.errors import BadOption
from game.rules.base.message import say

CLOCK, HELP = "clock", "assistance"
"""The names of the options."""
CLOCKS = (
    *("none", "move:30", "move:60", "move:120"),
    *("fischer:180+2", "fischer:300+3", "fischer:600+5", "fischer:1800+20"),
)
"""Clocks to choose from: none, seconds a move, or seconds a game and more for each move."""
ASSISTANCE = ("casual", "strict")
"""With hints, lessons and taking back, or without."""
_CLOCK = re.compile(r"(move):([1-9]\d{0,4})|(fischer):([1-9]\d{0,4})\+(\d{1,3})")
_ALLOWED = {CLOCK: "none | move:SECONDS | fischer:SECONDS+SECONDS", HELP: " | ".join(ASSISTANCE)}


@dataclass(frozen=True, slots=True)
class ClockRule:
    """Seconds for a game, and more after each move; `anew`: seconds for each move."""

    seconds: int
    increment: int = 0
    anew: bool = False


@dataclass(frozen=True, slots=True)
class Agreement:
    """What was agreed, by its texts; the defaults are how games were before there was a choice."""

    clock: str = CLOCKS[0]
    assistance: str = ASSISTANCE[0]

    @property
    def strict(self) -> bool:
        """Whether hints, lessons and taking back are locked."""
        return self.assistance == "strict"

    @property
    def rule(self) -> ClockRule | None:
        found = _CLOCK.fullmatch(self.clock)
        if found is None:
            return None
        if found[1]:
            return ClockRule(int(found[2]), anew=True)
        return ClockRule(int(found[4]), int(found[5]))

    @property
    def options(self) -> dict[str, str]:
        """What differs from the defaults, as options."""
        chosen = {CLOCK: self.clock, HELP: self.assistance}
        usual = {CLOCK: CLOCKS[0], HELP: ASSISTANCE[0]}
        return {key: value for key, value in chosen.items() if value != usual[key]}


def parse(options: Mapping[str, str]) -> tuple[Agreement, dict[str, str]]:
    """Part options into what was agreed and the game's own; raises BadOption."""
    own = {key: value for key, value in options.items() if key not in _ALLOWED}
    agreed = Agreement(options.get(CLOCK, CLOCKS[0]), options.get(HELP, ASSISTANCE[0]))
    good = {
        CLOCK: agreed.clock == CLOCKS[0] or agreed.rule is not None,
        HELP: agreed.assistance in ASSISTANCE,
    }
    for key, value in {CLOCK: agreed.clock, HELP: agreed.assistance}.items():
        if not good[key]:
            raise BadOption(say("rules.bad_option", key=key, value=value, allowed=_ALLOWED[key]))
    return agreed, own
