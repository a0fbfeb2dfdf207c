"""The command line: `lifeboard` and its commands.

Owns options, help and exit statuses: 0 for success, 1 for a failure or a refused line, 2 for wrong
usage. Each command's work is in a module of its own, imported when it is called.
"""

import argparse
import io
import logging
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any, NoReturn

from game.cli import engine as engine_command
from game.cli import history as history_commands
from game.cli import maker
from game.cli import service as service_commands
from game.cli.arguments import (
    Commands,
    add_board,
    add_data,
    add_options,
    add_page,
    add_serial,
    whole,
)
from game.common.defaults import DEFAULT_GAME
from game.common.errors import AppError
from game.common.printing import SafeFormatter, escaped
from game.common.translation import words
from game.play.night_mode import NightMode
from game.rules.base.errors import RulesError
from game.rules.base.registry import all_games, choose_game
from hal.base.errors import HalError, UnknownBackend


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    options = _parser().parse_args(arguments)
    handler = logging.StreamHandler()
    more = "%(levelname)s %(name)s: " if options.verbose else ""
    handler.setFormatter(SafeFormatter(f"lifeboard: {more}%(message)s"))
    level = logging.DEBUG if options.verbose else logging.WARNING
    logging.basicConfig(level=level, handlers=[handler])
    for stream in (sys.stdout, sys.stderr):
        # A character that the terminal cannot show must not end a game.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        status = int(options.run(options))
        print(end="", flush=True)
        return status
    except RulesError as error:
        return _fail(words("en").text(error.message), 2)
    except UnknownBackend as error:
        return _fail(str(error), 2)
    except AppError as error:
        return _fail(str(error), error.status)
    except HalError as error:
        return _fail(str(error), 1)
    except OSError as error:
        why = error.strerror or str(error)
        if error.filename is not None:
            return _fail(f"{error.filename}: {why}", 1)
        # The interpreter must not flush what cannot be written a second time.
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        # The reader of our output has closed the pipe: no message needed.
        gone = isinstance(error, BrokenPipeError)
        return 1 if gone else _fail(f"standard output cannot be written: {why}", 1)
    except KeyboardInterrupt:
        return 130


def _fail(why: str, status: int) -> int:
    print(f"lifeboard: {escaped(' '.join(why.split()))}", file=sys.stderr)
    return status


class _Parser(argparse.ArgumentParser):
    """A parser whose error messages are one line, like all our errors."""

    def error(self, message: str) -> NoReturn:
        self.exit(_fail(f"{message}; see `{self.prog} --help`", 2))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse surplus arguments here, where the subcommand is known whose help to name."""
        known, more = super().parse_known_args(args, namespace)
        if more:
            self.error(f"unrecognized arguments: {' '.join(more)}")
        return known, more


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="lifeboard", description="The brain of a board that feels stones and glows."
    )
    parser.add_argument("--version", action="version", version=version("lifeboard"))
    parser.add_argument("--verbose", action="store_true", help="log more on standard error")
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", required=True
    )
    _add_play(commands)
    _add_tutorial(commands)
    history_commands.add_commands(commands)
    _add_referee(commands)
    engine_command.add_command(commands)
    maker.add_commands(commands)
    service_commands.add_commands(commands)
    games = commands.add_parser("games", help="list the games that can be played")
    games.set_defaults(run=_games)
    return parser


def _add_play(commands: Commands) -> None:
    play = commands.add_parser(
        "play",
        help="play on a board, the simulated one unless told otherwise",
        description="Play on a board. The page to watch and touch it is served on this machine.",
    )
    play.add_argument(
        "--game",
        default=DEFAULT_GAME,
        metavar="NAME",
        help="which game; `lifeboard games` lists them (%(default)s)",
    )
    add_options(play)
    play.add_argument(
        "--backend",
        default="sim",
        metavar="NAME",
        help="the board's backend: sim, pi, coprocessor (a Pico) or mock (%(default)s)",
    )
    add_board(play)
    add_serial(play)
    add_page(play)
    play.add_argument(
        "--network",
        action="store_true",
        help="let other devices of the local network open the page, with a PIN",
    )
    play.add_argument(
        "--public", action="store_true", help="with --network: answer addresses of the internet too"
    )
    play.add_argument(
        "--https",
        action="store_true",
        help="the same by HTTPS, with a certificate of which their browsers warn once",
    )
    play.add_argument(
        "--hands",
        choices=("auto", "manual"),
        default="auto",
        help="who sets and removes pieces on a simulated board: the board, or you (%(default)s)",
    )
    play.add_argument("--seed", type=whole, metavar="N", help="seed for chance, such as who begins")
    play.add_argument(
        "--sound",
        action="store_true",
        help="let the game be heard on this computer's loudspeaker, by aplay",
    )
    play.add_argument(
        "--night",
        choices=[mode.value for mode in NightMode],
        default=NightMode.AUTO.value,
        help="dim the lights: by the hours of the profile, always or never (%(default)s)",
    )
    play.add_argument(
        "--players",
        type=_names,
        default=(),
        metavar="NAME,NAME",
        help="the players' names, for the history; the page can change them",
    )
    play.add_argument(
        "--opponent",
        metavar="WHO[,WHO]",
        help="a computer as the last player: random, or 1 (easy) to 6; or who plays, one for each"
        " player, such as 3,person; the page and the board itself can change it",
    )
    play.add_argument(
        "--room",
        metavar="URL/CODE",
        help="play with another board: a broker of MQTT and the room's code on both boards, such as"
        " mqtt://HOST/new, which draws a code; docs/two-boards.md says how",
    )
    add_data(play)
    play.set_defaults(run=_play, kind="game")


def _add_tutorial(commands: Commands) -> None:
    tutorial = commands.add_parser(
        "tutorial",
        help="learn a game step by step, on the lights and the page",
        description="Learn a game in a few minutes, step by step, on the lights and the page.",
    )
    tutorial.add_argument(
        "game",
        nargs="?",
        default=DEFAULT_GAME,
        metavar="GAME",
        help="which game; `lifeboard games` lists them (%(default)s)",
    )
    tutorial.add_argument(
        "--backend", default="sim", metavar="NAME", help="the backend of the board (%(default)s)"
    )
    add_board(tutorial)
    add_serial(tutorial)
    add_page(tutorial)
    add_data(tutorial)
    played = {"seed": None, "night": NightMode.AUTO.value, "players": (), "opponent": None}
    served = {"room": None, "network": False, "https": False, "public": False, "sound": False}
    tutorial.set_defaults(run=_play, kind="tutorial", option=(), hands="auto", **played, **served)


def _add_referee(commands: Commands) -> None:
    referee = commands.add_parser(
        "referee",
        help="read moves from standard input and answer each with the position",
        description="Read moves, one a line, and answer each with one JSON object a line.",
    )
    referee.add_argument("game", metavar="GAME", help="which game; `lifeboard games` lists them")
    add_options(referee)
    referee.add_argument("--position", metavar="JSON", help="start from this position")
    referee.add_argument("--legal", action="store_true", help="list the legal moves too")
    referee.set_defaults(run=_referee)


def _play(options: argparse.Namespace) -> int:
    from game.cli.play import PlayOptions, play

    play(
        PlayOptions(
            game=options.game,
            backend=options.backend,
            board=options.board,
            port=options.port,
            browser=not options.no_browser,
            seed=options.seed,
            data=options.data,
            night=NightMode(options.night),
            names=options.players,
            opponent=options.opponent,
            sound=options.sound,
            network=options.network or options.https,
            https=options.https,
            public=options.public,
            serial=options.serial,
            options=dict(options.option),
            automatic=options.hands == "auto",
            kind=options.kind,
            room=options.room,
        )
    )
    return 0


def _referee(options: argparse.Namespace) -> int:
    from game.cli.referee import bounded_lines, referee

    # An invalid byte makes its line wrong, and must not end the conversation.
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    game, chosen = choose_game(options.game, dict(options.option))
    try:
        answers = referee(
            game,
            chosen,
            options.position,
            options.legal,
            bounded_lines(sys.stdin) if sys.stdin else (),
        )
        status = 0
        for answer in answers:
            print(answer.text, flush=True)
            status = max(status, int(answer.refused))
    except AppError as error:
        return _fail(str(error), 2)
    return status


def _games(_: argparse.Namespace) -> int:
    games = all_games()
    widest = max(map(len, games))
    for name, game in games.items():
        # An option with one value is no choice: it names the variant of the game.
        options = ((k, each) for k, each in game.options.items() if len(each.choices) != 1)
        choices = "  ".join(f"{key}={option.allowed}" for key, option in options)
        print(f"{name:<{widest}} {game.title}, {len(game.players)} players  {choices}".rstrip())
    return 0


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))
