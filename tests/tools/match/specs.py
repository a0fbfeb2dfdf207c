"""The engines that can play a match, as they are written on a command line.

Owns the notation: what plays, and how long it may search for a move. Must not know how it plays.
"""

import re
import shlex
from dataclasses import dataclass
from enum import Enum

from game.common.errors import AppError
from game.engine.levels import find_level

DEFAULT_S = 3.0
"""Time for a move of another program, unless set."""
LONGEST_S = 86400.0
FORMS = (
    "a level, uct:N or ugi:COMMAND; each may end in @3s, and others than uct:N in @5000n or"
    f" @3s,5000n; 1 and more nodes, up to {LONGEST_S:g} s"
)
_SPEC = re.compile(
    r"(?:uct:(?P<uct>\d{1,12})|ugi:\s*(?P<ugi>\S.*?)|(?P<level>[^:@]+))"
    r"(?:@(?=[\d.])(?:(?P<seconds>[\d.]+)s)?(?:(?<=s),)?(?:(?P<nodes>\d{1,12})n)?)?",
    re.DOTALL,
)


class MatchError(AppError):
    """Refuse a match that cannot be played as it was asked for."""

    status = 2


class Kind(Enum):
    """What sort of engine it is."""

    LEVEL = "level"
    UCT = "uct"
    UGI = "ugi"


@dataclass(frozen=True, slots=True)
class Spec:
    """One engine of a match.

    `name` is the name of a level, the command line of another program, or "". `nodes` and `seconds`
    limit the search for a move; None is no limit, and at least one is set.
    """

    kind: Kind
    name: str
    nodes: int | None
    seconds: float | None

    def __str__(self) -> str:
        """Write the engine with all its limits, in a form that `read_spec` reads."""
        limits = [f"{self.seconds:g}s"] if self.seconds is not None else []
        if self.kind is Kind.UCT:
            return "@".join([f"uct:{self.nodes}", *limits])
        limits += [f"{self.nodes}n"] if self.nodes is not None else []
        engine = f"ugi:{self.name}" if self.kind is Kind.UGI else self.name
        return f"{engine}@{','.join(limits)}"


def read_spec(text: str) -> Spec:
    """Read an engine; raises MatchError, or RulesError for an unknown level."""
    wrong = MatchError(f"engine is {text!r}; allowed: {FORMS}")
    found = _SPEC.fullmatch(text)
    if found is None:
        raise wrong
    try:
        nodes = int(found["nodes"]) if found["nodes"] else None
        seconds = float(found["seconds"]) if found["seconds"] else None
        program = shlex.split(found["ugi"] or "")
    except ValueError as error:
        raise wrong from error
    usual: tuple[int | None, float | None] = (None, DEFAULT_S)
    if found["uct"]:
        if nodes is not None:
            raise wrong
        kind, name, nodes = Kind.UCT, "", int(found["uct"])
    elif program:
        kind, name = Kind.UGI, found["ugi"].strip()
    else:
        level = find_level(found["level"] or "")
        kind, name, usual = Kind.LEVEL, level.name, (level.nodes, level.seconds)
    if nodes is None and seconds is None:
        nodes, seconds = usual
    if nodes == 0 or (seconds is not None and not 0 < seconds <= LONGEST_S):
        raise wrong
    return Spec(kind, name, nodes, seconds)
