"""The games of a match: openings by chance, each played twice, and a record of them.

A seed always gives the same openings; where players set up pieces before play, these are random
too. A record is a file of JSON lines: the match, then each game.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, fields
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from game import engine, rules
from game.common import AppError, words
from game.rules.base.errors import IllegalMove
from game.rules.base.game import AnyGame, settle
from game.rules.base.registry import find_game
from game.rules.base.values import Json
from tests.tools.match.engines import ChosenMove, Player, PlayerError, Spec, make_player

MOST_PLIES = 1000
"""A longer game is a draw."""
_TRIES = 2000
"""Give up after this many known or decided openings in a row."""
_NO_SEARCH = ("ugi", "course")
"""Prefixes of files that do not change how the engine plays."""
_FORM = "lifeboard_match"


@dataclass(frozen=True, slots=True)
class Plan:
    """A match: its game and options, engines A and B, the seed, the plies of an opening.

    The number of games is no part of it: a match can be extended.
    """

    game: str
    options: Mapping[str, str]
    a: Spec
    b: Spec
    seed: int
    opening: int


@dataclass(frozen=True)
class Fixture:
    """A game to play: its number from 0, and its opening."""

    game: int
    opening: Sequence[str]

    @property
    def a(self) -> int:
        """Which player engine A is: 1 in the first game of a pair, 2 in the second."""
        return 1 + self.game % 2


@dataclass(frozen=True)
class Played(Fixture):
    """A game that was played.

    `moves` come after the opening. `winner` is a player's number, None for a draw; `fault` says by
    what the loser lost, "" for a game without. Pairs of numbers are of engine A and engine B: the
    moves that they chose, the seconds and nodes that these took, and how many the clock cut short.
    """

    moves: Sequence[str]
    winner: int | None
    reason: str
    fault: str
    thoughts: Sequence[int]
    seconds: Sequence[float]
    nodes: Sequence[int]
    cut: Sequence[int]

    @property
    def plies(self) -> int:
        return len(self.opening) + len(self.moves)

    def score(self, player: int | None) -> float:
        """Return the score of a player: 1, 0.5 or 0."""
        return 0.5 if self.winner is None else float(self.winner == player)


def openings(game: AnyGame, start: Any, plies: int, seed: int) -> Iterator[list[str]]:
    """Yield openings without end, in plain texts, after which the game is not over.

    No two lead to the same position. Raises AppError when there are no more.
    """
    rng, known = Random(f"{seed}/openings"), set[str]()
    while True:
        for _ in range(_TRIES):
            moves, position = _random_opening(game, start, plies, rng)
            text = game.text(position)
            if game.to_move(position) is not None and text not in known:
                known.add(text)
                break
        else:
            raise AppError(
                f"{plies} random plies give no more than {len(known)} openings of {game.name};"
                " allowed: fewer pairs, or longer openings"
            )
        yield moves


def _random_opening(game: AnyGame, position: Any, plies: int, rng: Random) -> tuple[list[str], Any]:
    moves: list[str] = []
    while (mover := game.to_move(position)) is not None:
        if game.arranging(position, mover) is None:
            if plies <= 0:
                break
            plies -= 1
        move = game.legal_moves(position).pick(rng)
        moves.append(game.plain_text(position, move))
        position = game.play(position, move)
    return moves, position


def play_game(game: AnyGame, start: Any, what: Fixture, a: Player, b: Player, seed: int) -> Played:
    """Play one game; a player that makes no legal move loses it.

    Each player gets what their side sees of a position and remembers.
    """
    players, position = {what.a: a, 3 - what.a: b}, start
    for text in what.opening:
        position = game.play(position, game.parse_move(position, text))
    moves, chosen = list[str](), {number: list[ChosenMove]() for number in players}
    for number, player in players.items():
        player.rng = Random(f"{seed}/{what.game}/{number}")

    def played(winner: int | None, reason: str, fault: str = "") -> Played:
        spent = chosen.values()
        return Played(
            *(what.game, what.opening, moves, winner, reason, fault[:300]),
            thoughts=[len(each) for each in spent],
            seconds=[round(sum(move.seconds for move in each), 6) for each in spent],
            nodes=[sum(move.nodes for move in each) for each in spent],
            cut=[sum(move.cut for move in each) for each in spent],
        )

    while (mover := game.to_move(position)) is not None:
        if len(moves) >= MOST_PLIES:
            return played(None, "too long")
        try:
            move = players[mover].choose(game.seen_by(position, mover, remembers=True))
            position = game.play(position, game.parse_move(position, move.move))
        except PlayerError as error:
            return played(3 - mover, "no move", str(error))
        except IllegalMove as error:
            why = words("en").text(error.message)
            return played(3 - mover, "illegal move", f"{move.move[:40]!r}: {why}")
        moves.append(move.move)
        chosen[mover].append(move)
    outcome = game.outcome(position)
    return played(outcome.winner if outcome else None, outcome.reason if outcome else "")


def play_fixture(plan: Plan, what: Fixture) -> Played:
    """Play a game of a match, with engines of its own."""
    game = find_game(plan.game)
    with closing(make_player(game, plan.a)) as a, closing(make_player(game, plan.b)) as b:
        return play_game(game, game.initial(plan.options), what, a, b, plan.seed)


def play_match(plan: Plan, pairs: int, out: Path | None, jobs: int = 1) -> Iterator[Played]:
    """Yield the games of a match: first those in its record, then the others as they end.

    Raises AppError; whatever ends it, the same call goes on after the games in the record.
    """
    game = find_game(plan.game)
    assert len(game.players) == 2, f"{game.name} is not for two"
    games, first = list[Played](), {_FORM: 1} | header(plan)
    if out and out.exists():
        said, games = read_record(out)
        if said != first:
            raise AppError(f"{out} is the record of another match; allowed: another file")
    elif out:
        out.write_bytes(_line(first))
    yield from games
    started = openings(game, game.initial(plan.options), plan.opening, plan.seed)
    twice = (each for each in islice(started, pairs) for _ in range(2))
    wanted = [Fixture(number, opening) for number, opening in enumerate(twice)]
    have = {game.game for game in games}
    for played in _played(plan, [each for each in wanted if each.game not in have], jobs):
        if out:
            with out.open("ab") as file:
                file.write(_line(asdict(played) | {"a": played.a, "plies": played.plies}))
        yield played


def _played(plan: Plan, games: list[Fixture], jobs: int) -> Iterator[Played]:
    """Play games and yield each as it ends, in any order; a single job is done in this process."""
    if jobs == 1:
        yield from map(partial(play_fixture, plan), games)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(partial(play_fixture, plan), games)


def header(plan: Plan) -> Json:
    """Describe a match, with everything that decides its games; the compiled form plays alike."""
    digest = hashlib.sha256()
    for folder in (Path(rules.__file__).parent, Path(engine.__file__).parent):
        for file in sorted(folder.rglob("*.py")):
            if not file.name.startswith(_NO_SEARCH):
                digest.update(f"{file.relative_to(folder)}\n".encode() + file.read_bytes())
    return {
        "engine": digest.hexdigest()[:12],
        "game": plan.game,
        "options": dict(settle(find_game(plan.game), plan.options)),
        "a": str(plan.a),
        "b": str(plan.b),
        "seed": plan.seed,
        "opening": plan.opening,
    }


def read_record(path: Path) -> tuple[Json, list[Played]]:
    """Read a record: its description, and its games."""
    description, *games = map(json.loads, path.read_bytes().splitlines())
    names = [field.name for field in fields(Played)]
    return description, [Played(**{name: each[name] for name in names}) for each in games]


def _line(said: Mapping[str, object]) -> bytes:
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"
