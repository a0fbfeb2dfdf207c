"""What a match is: its settings, its openings, and the engine's sources.

Owns what must be equal to continue a match. A seed always gives the same openings. Where players
set up pieces before play, these are random too, beside the plies of the opening.
"""

import hashlib
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any

from game import engine, rules
from game.engine.circle import field
from game.engine.levels import find_level
from game.rules.base.game import Game, settle
from game.rules.base.registry import find_game
from game.rules.base.values import Json
from tests.tools.match.playing import Fixture, fixture
from tests.tools.match.specs import Kind, MatchError, Spec

_NO_SEARCH = ("ugi", "course")
"""Prefixes of files that do not change how the engine plays."""
_TRIES = 2000
"""Give up after this many known or decided openings in a row."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A match: which game with which options, engines A and B, the seed, the plies of an opening.

    The number of games is no part of it: a match can be extended.
    """

    game: str
    options: Mapping[str, str]
    a: Spec
    b: Spec
    seed: int
    opening: int

    @property
    def timed(self) -> bool:
        """Whether the games depend on the clock."""
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
    begun = openings(game, game.initial(plan.options), plan.opening, plan.seed)
    found = zip(range(pairs), begun, strict=False)
    return [fixture(2 * pair + n, opening) for pair, opening in found for n in range(2)]


def openings(game: Game[Any, Any], start: Any, plies: int, seed: int) -> Iterator[tuple[str, ...]]:
    """Yield openings without end, in plain texts, after which the game is not over.

    No two lead to the same position. Raises MatchError when there are no more.
    """
    rng = Random(f"{seed}/openings")
    known: set[str] = set()
    while True:
        for _ in range(_TRIES):
            moves, position = _random_opening(game, start, plies, rng)
            text = game.text(position)
            if game.to_move(position) is not None and text not in known:
                known.add(text)
                break
        else:
            raise MatchError(
                f"{plies} random plies give no more than {len(known)} openings of {game.name};"
                " allowed: fewer pairs, or longer openings"
            )
        yield moves


def _random_opening(
    game: Game[Any, Any], position: Any, plies: int, rng: Random
) -> tuple[tuple[str, ...], Any]:
    moves: list[str] = []
    while (mover := game.to_move(position)) is not None:
        if game.arranging(position, mover) is None:
            if plies <= 0:
                break
            plies -= 1
        move = game.legal_moves(position).pick(rng)
        moves.append(game.plain_text(position, move))
        position = game.play(position, move)
    return tuple(moves), position


def header(plan: Plan) -> Json:
    """Describe a match, with everything that decides its games."""
    described: Json = {
        "lifeboard": version("lifeboard"),
        "engine": engine_mark(),
        "game": plan.game,
        "options": dict(settle(the_game(plan), plan.options)),
        "a": str(plan.a),
        "b": str(plan.b),
        "looseness": [_looseness(plan.a), _looseness(plan.b)],
        "seed": plan.seed,
        "opening": plan.opening,
    }
    if plan.timed:
        # These decide how many nodes a search gets in its time.
        described["python"] = platform.python_version()
        described["compiled"] = not field.__file__.endswith(".py")
    return described


def engine_mark() -> str:
    """Return a hash of the sources of engine and rules; the compiled form plays the same."""
    digest = hashlib.sha256()
    for folder in (Path(rules.__file__).parent, Path(engine.__file__).parent):
        for file in sorted(folder.rglob("*.py")):
            if not file.name.startswith(_NO_SEARCH):
                digest.update(f"{file.relative_to(folder)}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:12]


def _looseness(spec: Spec) -> float | str | None:
    if spec.kind is not Kind.LEVEL:
        return None
    looseness = find_level(spec.name).looseness
    # JSON has no infinity.
    return looseness if looseness < float("inf") else "any"
