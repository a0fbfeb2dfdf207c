"""The command line: `lifeboard` and its commands.

Owns options, help and exit statuses: 0 for done, 1 for a failure or a refused line, 2 for a wrong
call. Each command's work stands in a module of its own, imported when it is called.
"""

import argparse
import io
import logging
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from game.app.errors import AppError
from game.app.night import NightMode
from game.app.words import words
from game.rules.catalogue import all_games, find_game
from game.rules.errors import RulesError
from hal.errors import HalError, UnknownBackend

if TYPE_CHECKING:
    from game.app.workshop.instrument import ToolOptions

DEFAULT_PORT = 8765
DEFAULT_GAME = "circle-of-life"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(
        level=logging.DEBUG if options.verbose else logging.WARNING,
        format="%(levelname)s %(name)s: %(message)s",
    )
    for stream in (sys.stdout, sys.stderr):
        # A sign that the terminal cannot show must not end a game.
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
    except (AppError, HalError) as error:
        return _fail(str(error), 1)
    except OSError as error:
        # The interpreter must not flush what cannot be written a second time.
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        # Whoever read our output and went away needs no word.
        gone = isinstance(error, BrokenPipeError)
        return 1 if gone else _fail(str(error), 1)
    except KeyboardInterrupt:
        return 130


def _fail(why: str, status: int) -> int:
    print(f"lifeboard: {' '.join(why.split())}", file=sys.stderr)
    return status


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line, as all our errors are."""

    def error(self, message: str) -> NoReturn:
        self.exit(_fail(f"{message}; see `{self.prog} --help`", 2))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="lifeboard", description="The brain of a board that feels stones and glows."
    )
    parser.add_argument("--version", action="version", version=version("lifeboard"))
    parser.add_argument("--verbose", action="store_true", help="tell more on standard error")
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", required=True
    )
    _add_play(commands)
    _add_referee(commands)
    _add_bench(commands)
    _add_doctor(commands)
    _add_learn(commands)
    _add_calibrate(commands)
    _add_monitor(commands)
    _add_boards(commands)
    games = commands.add_parser("games", help="list the games that can be played")
    games.set_defaults(run=_games)
    return parser


_Commands: TypeAlias = "argparse._SubParsersAction[_Parser]"


def _add_play(commands: _Commands) -> None:
    play = commands.add_parser(
        "play",
        help="play on a board, the simulated one unless told otherwise",
        description="Play on a board. The page to watch and touch it is served on this machine.",
    )
    play.add_argument(
        "--game", default=DEFAULT_GAME, metavar="NAME", help="which game (%(default)s)"
    )
    play.add_argument(
        "--backend",
        default="sim",
        metavar="NAME",
        help="what carries the board: sim, pi or mock; coprocessor comes later (%(default)s)",
    )
    _add_board(play)
    _add_page(play)
    play.add_argument(
        "--seed", type=_whole, metavar="N", help="make chance (who begins) repeatable"
    )
    play.add_argument(
        "--night",
        choices=[mode.value for mode in NightMode],
        default=NightMode.AUTO.value,
        help="dim the lights: by the hours of the profile, always or never (%(default)s)",
    )
    _add_data(play)
    play.set_defaults(run=_play)


def _add_board(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--board",
        metavar="NAME|FILE",
        help="the board: the name of a built-in one or a profile (the hexagon; on a Pi the one"
        " that `lifeboard learn` has written)",
    )


def _add_page(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port",
        type=_port,
        default=DEFAULT_PORT,
        metavar="N",
        help="port of the page, 0 for any free one (%(default)s)",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="folder of the games and of what the board has taught (the user's data folder)",
    )


def _add_referee(commands: _Commands) -> None:
    referee = commands.add_parser(
        "referee",
        help="read moves from standard input and answer each with the position",
        description="Read moves, one a line, and answer each with one JSON object a line.",
    )
    referee.add_argument("game", metavar="GAME", help="which game; `lifeboard games` lists them")
    referee.add_argument(
        "--option",
        action="append",
        default=[],
        type=_pair,
        metavar="KEY=VALUE",
        help="an option of the game, such as first=2; may be repeated",
    )
    referee.add_argument("--position", metavar="JSON", help="start from this position")
    referee.add_argument("--legal", action="store_true", help="list the legal moves too")
    referee.set_defaults(run=_referee)


def _add_bench(commands: _Commands) -> None:
    bench = commands.add_parser(
        "bench",
        help="measure speed, latency, idle use and start on this machine",
        description="Measure rules speed, touch-to-light latency, idle use, memory and start.",
    )
    bench.add_argument("--json", action="store_true", help="print one JSON object")
    bench.set_defaults(run=_bench)


def _add_doctor(commands: _Commands) -> None:
    doctor = commands.add_parser(
        "doctor",
        help="find out what keeps a board on this Raspberry Pi from working",
        description="Look at this Raspberry Pi and the board on it; say what is wrong and what"
        " mends it. The exit status is 1 when something keeps the board from working.",
    )
    _add_board(doctor)
    _add_data(doctor)
    doctor.add_argument("--json", action="store_true", help="print one JSON object")
    doctor.set_defaults(run=_doctor)


def _add_tool(commands: _Commands, name: str, text: str, description: str) -> _Parser:
    """Add one of the tools with which a real board is made ready."""
    tool = commands.add_parser(name, help=text, description=description)
    tool.add_argument(
        "--backend",
        default="pi",
        choices=("pi", "sim"),
        help="the real board, or the simulated one to try it on (%(default)s)",
    )
    _add_board(tool)
    _add_page(tool)
    _add_data(tool)
    return tool


def _add_learn(commands: _Commands) -> None:
    learn = _add_tool(
        commands,
        "learn",
        "let the board find out how it is wired, and write its profile",
        "Light one pixel after the other and ask for the glowing cell to be touched, then for each"
        " cell by its name; write the profile of the board from that. It can be stopped and gone on"
        " with at any time.",
    )
    learn.add_argument(
        "cells", nargs="*", metavar="CELL", help="learn only these cells anew, of a learned board"
    )
    learn.add_argument(
        "--like",
        default="hexagon-61",
        metavar="NAME|FILE",
        help="the board whose cells, lights and keys this one has (%(default)s)",
    )
    learn.add_argument(
        "--sensing",
        choices=("touch", "presence"),
        help="what the board is to sense in play: touches, or stones while they stand (as the"
        " board that it is like)",
    )
    learn.add_argument("--out", type=Path, metavar="FILE", help="the profile to write")
    learn.add_argument("--pixels", type=_whole, metavar="N", help="pixels on the strip")
    learn.add_argument("--fresh", action="store_true", help="forget what was learned half")
    learn.add_argument(
        "--seed", type=_whole, metavar="N", help="wire the simulated board at random"
    )
    learn.set_defaults(run=_learn)


def _add_calibrate(commands: _Commands) -> None:
    calibrate = _add_tool(
        commands,
        "calibrate",
        "measure every cell and choose its settings",
        "Measure noise and baseline of every empty cell and the change that a touch makes, and"
        " choose charge and thresholds from them. Nothing changes before the end.",
    )
    calibrate.add_argument(
        "--quick", action="store_true", help="measure the baselines of the empty board alone"
    )
    calibrate.set_defaults(run=_calibrate)


def _add_monitor(commands: _Commands) -> None:
    monitor = _add_tool(
        commands,
        "monitor",
        "watch what every cell measures, live",
        "Show reading, baseline, difference and state of every cell, in the terminal and on the"
        " page.",
    )
    monitor.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="write a trace that the emulated chips can replay; compressed if it ends in .gz",
    )
    monitor.add_argument("--seconds", type=_seconds, metavar="N", help="end after so many seconds")
    monitor.set_defaults(run=_monitor)


def _add_boards(commands: _Commands) -> None:
    board = commands.add_parser(
        "board",
        help="check or show the profile of a board",
        description="Check or show a profile: which electrode, pixel and pin belongs to what.",
    )
    actions = board.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    for action, text in (
        ("check", "tell whether a profile can be used, or the first thing that is wrong"),
        ("show", "draw a profile, and list its wiring"),
    ):
        parser = actions.add_parser(action, help=text, description=text[0].upper() + text[1:] + ".")
        parser.add_argument(
            "board", metavar="NAME|FILE", help="the name of a built-in board, or a profile"
        )
        parser.set_defaults(run=_board)


def _play(options: argparse.Namespace) -> int:
    from game.app.play import PlayOptions, play

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
        )
    )
    return 0


def _referee(options: argparse.Namespace) -> int:
    from game.app.referee import referee

    # A byte that is no text makes its line wrong, and must not end the conversation.
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    try:
        answers = referee(
            find_game(options.game),
            dict(options.option),
            options.position,
            options.legal,
            sys.stdin or (),
        )
        status = 0
        for answer in answers:
            print(answer.text, flush=True)
            status = max(status, int(answer.refused))
    except AppError as error:
        return _fail(str(error), 2)
    return status


def _bench(options: argparse.Namespace) -> int:
    from game.app.bench import measure, report

    print(report(measure(), as_json=options.json))
    return 0


def _doctor(options: argparse.Namespace) -> int:
    from game.app.doctor import DoctorOptions, run

    return run(DoctorOptions(board=options.board, data=options.data, as_json=options.json))


def _tool(options: argparse.Namespace) -> "ToolOptions":
    from game.app.workshop.instrument import ToolOptions

    return ToolOptions(
        backend=options.backend,
        board=options.board,
        port=options.port,
        browser=not options.no_browser,
        data=options.data,
    )


def _learn(options: argparse.Namespace) -> int:
    from game.app.workshop.learn import LearnOptions, learn

    return learn(
        LearnOptions(
            backend=options.backend,
            like=options.like,
            board=options.board,
            cells=tuple(options.cells),
            out=options.out,
            pixels=options.pixels,
            fresh=options.fresh,
            port=options.port,
            browser=not options.no_browser,
            seed=options.seed,
            data=options.data,
            sensing=options.sensing,
        )
    )


def _calibrate(options: argparse.Namespace) -> int:
    from game.app.workshop.calibrate import CalibrateOptions, calibrate

    return calibrate(CalibrateOptions(_tool(options), options.quick))


def _monitor(options: argparse.Namespace) -> int:
    from game.app.workshop.monitor import MonitorOptions, monitor

    return monitor(MonitorOptions(_tool(options), options.record, options.seconds))


def _board(options: argparse.Namespace) -> int:
    from game.app import board_tools

    print({"check": board_tools.check, "show": board_tools.show}[options.action](options.board))
    return 0


def _games(_: argparse.Namespace) -> int:
    for name, game in all_games().items():
        choices = " ".join(f"{key}={option.allowed}" for key, option in game.options.items())
        print(f"{name:<16} {game.title}, {len(game.players)} players  {choices}".rstrip())
    return 0


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no time; allowed: seconds above 0")
    return seconds


def _port(text: str) -> int:
    port = _whole(text)
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; allowed: 0 - 65535")
    return port


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE")
    return key, value
