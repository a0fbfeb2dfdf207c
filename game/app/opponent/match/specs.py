"""The engines that can play a match, as they are written on a command line.

Owns the notation: what plays, and how long it may search for a move. Must not know how it plays.
"""

import re
import shlex
from dataclasses import dataclass, replace
from enum import Enum

from game.app.errors import AppError
from game.engine.levels import find_level

DEFAULT_S = 3.0
"""So long may another program think about a move, unless told otherwise."""
LONGEST_S = 86400.0
MOST_NODES = 10**12
FORMS = "a level, uct:N, ugi:COMMAND; each may end in @3s, @5000n or @3s,5000n"
_LIMITED = re.compile(r"(?P<engine>.+)@(?P<limits>[0-9.]+[sn](,[0-9.]+[sn])?)", re.DOTALL)


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

    `name` is the name of a level, the command line of another program, or "". It searches for a
    move until one of its limits is reached, `nodes` or `seconds`; None is no limit, and at least
    one is set.
    """

    kind: Kind
    name: str
    nodes: int | None
    seconds: float | None

    def __str__(self) -> str:
        """Write the engine with all its limits, in a form that `read_spec` reads."""
        limits = [f"{self.seconds:g}s"] if self.seconds is not None else []
        limits += [f"{self.nodes}n"] if self.nodes is not None else []
        if self.kind is Kind.UCT:
            return f"uct:{self.nodes}" + (f"@{self.seconds:g}s" if self.seconds else "")
        engine = f"ugi:{self.name}" if self.kind is Kind.UGI else self.name
        return f"{engine}@{','.join(limits)}"


def read_spec(text: str) -> Spec:
    """Read an engine; raises MatchError, or RulesError for a level that is not there."""
    found = _LIMITED.fullmatch(text)
    engine, limits = (found["engine"], found["limits"]) if found else (text, "")
    kind, colon, rest = engine.partition(":")
    if kind == Kind.UGI.value and colon:
        if not _words(rest):
            raise MatchError(f"engine is {text!r}; allowed: {FORMS}")
        return _limited(Spec(Kind.UGI, rest.strip(), None, DEFAULT_S), limits, text)
    if kind == Kind.UCT.value and colon:
        if limits.endswith("n"):
            raise MatchError(f"engine is {text!r}; allowed: uct:N or uct:N@3s")
        nodes = _nodes(rest, text)
        return replace(_limited(Spec(Kind.UCT, "", nodes, None), limits, text), nodes=nodes)
    if "@" in engine:
        raise MatchError(f"engine is {text!r}; allowed: {FORMS}")
    level = find_level(engine)
    return _limited(Spec(Kind.LEVEL, level.name, level.nodes, level.seconds), limits, text)


def _words(command: str) -> list[str]:
    """Split a command line as a shell does; into nothing where a quotation has no end."""
    try:
        return shlex.split(command)
    except ValueError:
        return []


def _limited(spec: Spec, limits: str, text: str) -> Spec:
    """Put other limits in place of the usual ones."""
    if not limits:
        return spec
    nodes: int | None = None
    seconds: float | None = None
    for limit in limits.split(","):
        if limit.endswith("n"):
            nodes = _nodes(limit[:-1], text)
        else:
            seconds = _seconds(limit[:-1], text)
    return Spec(spec.kind, spec.name, nodes, seconds)


def _nodes(digits: str, text: str) -> int:
    if not (
        digits.isascii()
        and digits.isdigit()
        and len(digits) <= 13
        and 0 < int(digits) <= MOST_NODES
    ):
        raise MatchError(f"engine is {text!r}; allowed: 1 - {MOST_NODES} nodes")
    return int(digits)


def _seconds(number: str, text: str) -> float:
    try:
        seconds = float(number)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= LONGEST_S:
        raise MatchError(f"engine is {text!r}; allowed: seconds above 0, to {LONGEST_S:g}")
    return seconds
