"""The `match` command: engines against each other.

Owns its options and help. The matches stand in the other modules of this package, imported when it
is called.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

from game.app.arguments import DEFAULT_GAME, Commands, whole
from game.app.errors import AppError

MOST_JOBS = 64
MOST_PAIRS = 1_000_000
MOST_OPENING = 1000
_PAIRS, _OPENING = 50, 4
_BROKEN_OFF = 130

_ENGINE = (
    "a level (random, 1 - 6), `uct:N` (plain UCT with N random games a move), or `ugi:COMMAND`"
    " (another program over UGI, 3 seconds a move); `6@3s`, `6@100000n` or `6@3s,100000n` sets"
    " seconds and nodes for a move in place of its own"
)


def add_command(commands: Commands) -> None:
    """Add the command to the others."""
    match = commands.add_parser(
        "match",
        help="play engines or levels against each other, and say how strong they are",
        description=(
            "Play a match: openings by chance, each of them twice with the colours exchanged, and"
            " say the score of engine A with its interval. With --out every game is kept as it"
            " ends; the same command goes on where it was broken off, and with more pairs it"
            " adds to the match."
        ),
    )
    match.add_argument("a", nargs="?", metavar="A", help=_ENGINE)
    match.add_argument("b", nargs="?", metavar="B", help="the other engine, written alike")
    match.add_argument(
        "--game", default=DEFAULT_GAME, metavar="NAME", help="which game (%(default)s)"
    )
    many = match.add_mutually_exclusive_group()
    many.add_argument("--games", type=_games, metavar="N", help="how many games, an even number")
    many.add_argument("--pairs", type=_pairs, metavar="N", help=f"how many pairs ({_PAIRS})")
    match.add_argument(
        "--seed", type=whole, default=1, metavar="N", help="seed of all chance (%(default)s)"
    )
    match.add_argument(
        "--opening",
        type=_opening,
        default=_OPENING,
        metavar="PLIES",
        help="plies by chance at the beginning (%(default)s)",
    )
    match.add_argument(
        "--option",
        action="append",
        default=[],
        type=_pair,
        metavar="KEY=VALUE",
        help="an option of the game, such as target=10; may be repeated",
    )
    match.add_argument("--out", type=Path, metavar="FILE", help="keep the record of the match here")
    match.add_argument(
        "--jobs", type=_jobs, default=1, metavar="N", help="processes at work (%(default)s)"
    )
    match.add_argument("--json", action="store_true", help="print one JSON object")
    kept = match.add_mutually_exclusive_group()
    kept.add_argument("--show", type=Path, metavar="FILE", help="print the result of a record")
    kept.add_argument(
        "--verify", type=Path, metavar="FILE", help="play a record again by the rules"
    )
    match.set_defaults(run=_match)


def _match(options: argparse.Namespace) -> int:
    if options.verify is not None or options.show is not None:
        if options.a is not None:
            raise _wrong("no engines beside --show and --verify")
        return _verify(options) if options.verify is not None else _show(options)
    if options.b is None:
        raise _wrong("two engines, --show FILE or --verify FILE")
    return _play(options)


def _play(options: argparse.Namespace) -> int:
    from game.app.opponent.match.match import Broken, play_match
    from game.app.opponent.match.plan import Plan, header
    from game.app.opponent.match.progress import Progress
    from game.app.opponent.match.result import result_of
    from game.app.opponent.match.specs import read_spec
    from game.rules.catalogue import choose_game

    a, b = read_spec(options.a), read_spec(options.b)
    game, left = choose_game(options.game, dict(options.option))
    plan = Plan(game.name, left, a, b, options.seed, options.opening)
    pairs = options.games // 2 if options.games else options.pairs or _PAIRS
    progress, status = Progress(2 * pairs), 0
    try:
        games = play_match(plan, pairs, options.out, options.jobs, progress.tell)
    except Broken as broken:
        games, status = broken.games, _BROKEN_OFF
    finally:
        progress.close()
    _print(header(plan), result_of(games), as_json=options.json)
    if status:
        on = "; the same command goes on" if options.out is not None else ""
        print(f"lifeboard: broken off after {len(games)} games{on}", file=sys.stderr)
    return status


def _show(options: argparse.Namespace) -> int:
    from game.app.opponent.match.match import shown

    described, result = shown(options.show)
    _print(described, result, as_json=options.json)
    return 0


def _verify(options: argparse.Namespace) -> int:
    from game.app.opponent.match.match import verify

    count = verify(options.verify)
    print(f"{options.verify}: {count} games, all of them legal and their results right")
    return 0


def _print(described: Any, result: Any, *, as_json: bool) -> None:
    from game.app.opponent.match import result as results

    print(results.as_json(described, result) if as_json else results.as_text(described, result))


class _CallError(AppError):
    status = 2


def _wrong(allowed: str) -> AppError:
    return _CallError(f"which match is not clear; allowed: {allowed}")


def _between(text: str, least: int, most: int, what: str) -> int:
    number = whole(text)
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(f"{text!r} is no {what}; allowed: {least} - {most}")
    return number


def _games(text: str) -> int:
    number = _between(text, 2, 2 * MOST_PAIRS, "number of games")
    if number % 2:
        raise argparse.ArgumentTypeError(f"{text!r} is odd; allowed: even numbers, for pairs")
    return number


def _pairs(text: str) -> int:
    return _between(text, 1, MOST_PAIRS, "number of pairs")


def _opening(text: str) -> int:
    return _between(text, 0, MOST_OPENING, "number of plies")


def _jobs(text: str) -> int:
    return _between(text, 1, MOST_JOBS, "number of processes")


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE")
    return key, value
