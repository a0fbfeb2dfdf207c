"""What a match is, so that one that was broken off can go on as the same.

Owns the settings of a match, and the mark of the engine's sources that goes with them.
"""

import hashlib
import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import islice
from typing import Any

from game.app.opponent.match.openings import openings
from game.app.opponent.match.playing import Fixture, fixture
from game.app.opponent.match.specs import Kind, MatchError, Spec
from game.engine.levels import find_level
from game.rules.catalogue import find_game
from game.rules.game import Game, Json

_NO_SEARCH = ("ugi", "course", "__pycache__")
"""Files of the engine that begin so have no part in how it plays."""
_MARK = 12


@dataclass(frozen=True, slots=True)
class Plan:
    """A match: which game with which options, engines A and B, the seed, the plies of an opening.

    How many games are played is no part of it: more can be added to a match at any time.
    """

    game: str
    options: Mapping[str, str]
    a: Spec
    b: Spec
    seed: int
    opening: int

    @property
    def timed(self) -> bool:
        """Whether a clock has a part in what is played."""
        return self.a.seconds is not None or self.b.seconds is not None


def the_game(plan: Plan) -> Game[Any, Any]:
    """Find the game of a match; raises MatchError if it is not one for two, or RulesError."""
    game = find_game(plan.game)
    if len(game.players) != 2:
        raise MatchError(f"game is {game.name}, for {len(game.players)}; allowed: games for two")
    return game


def fixtures(plan: Plan, pairs: int) -> list[Fixture]:
    """List the games of so many pairs; raises MatchError where there are not enough openings."""
    game = the_game(plan)
    found = Fixtures(game, game.initial(plan.options), plan.opening, plan.seed)
    return [found.game(number) for number in range(2 * pairs)]


class Fixtures:
    """The games of a match by their numbers; their openings are found as they are asked for."""

    def __init__(self, game: Game[Any, Any], start: Any, plies: int, seed: int) -> None:
        self._more = openings(game, start, plies, seed)
        self._openings: list[tuple[str, ...]] = []

    def game(self, number: int) -> Fixture:
        """Return the game of a number; raises MatchError where there are not enough openings."""
        missing = number // 2 + 1 - len(self._openings)
        self._openings += islice(self._more, max(0, missing))
        return fixture(number, self._openings[number // 2])


def header(plan: Plan) -> Json:
    """Describe a match, with all that decides what is played in it."""
    described: Json = {
        "lifeboard": version("lifeboard"),
        "engine": engine_mark(),
        "game": plan.game,
        "options": dict(the_game(plan).settle(plan.options)),
        "a": str(plan.a),
        "b": str(plan.b),
        "looseness": [_looseness(plan.a), _looseness(plan.b)],
        "seed": plan.seed,
        "opening": plan.opening,
    }
    if plan.timed:
        # These decide how far a search comes in its time.
        described["python"] = platform.python_version()
        described["compiled"] = compiled()
    return described


def engine_mark() -> str:
    """Return a mark of the sources of engine and rules: the same for the same sources only.

    What compiles them has no part in it, as it must change nothing.
    """
    digest = hashlib.sha256()
    for package in ("game.rules", "game.engine"):
        for name, content in sorted(_sources(files(package), package)):
            digest.update(f"{name}\n{len(content)}\n".encode() + content)
    return digest.hexdigest()[:_MARK]


def compiled() -> bool:
    """Tell whether a compiled form of the engine is at work here."""
    inside = [each for name, each in sys.modules.items() if name.startswith("game.engine.")]
    return any(not str(getattr(each, "__file__", "")).endswith((".py", ".pyc")) for each in inside)


def _sources(folder: Traversable, name: str) -> list[tuple[str, bytes]]:
    found = []
    for each in folder.iterdir():
        if each.name.startswith(_NO_SEARCH):
            continue
        if each.is_dir():
            found += _sources(each, f"{name}.{each.name}")
        elif each.name.endswith(".py"):
            found.append((f"{name}.{each.name}", each.read_bytes()))
    return found


def _looseness(spec: Spec) -> float | str | None:
    if spec.kind is not Kind.LEVEL:
        return None
    looseness = find_level(spec.name).looseness
    # JSON has no infinity.
    return looseness if looseness < float("inf") else "any"
