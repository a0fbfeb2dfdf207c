"""The commands about games that were kept: history, show, analyse, export, import and replay.

Owns their options and help. Each command's work stands in a module of its own, imported when it is
called; errors and exit statuses are those of `game.app.cli`.
"""

import argparse
import io
import sys
from pathlib import Path

from game.app.arguments import Commands, add_board, add_data, add_page, add_serial, whole
from game.app.errors import AppError

_SLOWEST, _FASTEST = 0.1, 100.0
_MOST_NODES = 1_000_000_000
_WHICH = "number of the game, as `lifeboard history` lists it, or `last`, the one played last"


def add_commands(commands: Commands) -> None:
    """Add the commands about games that were kept to the command line."""
    _add_history(commands)
    _add_show(commands)
    _add_analyse(commands)
    _add_export(commands)
    _add_import(commands)
    _add_replay(commands)


def _add_history(commands: Commands) -> None:
    history = commands.add_parser(
        "history",
        help="list the games that were played",
        description="List the games that are kept, the newest last.",
    )
    history.add_argument("--game", metavar="NAME", help="only those of this game")
    history.add_argument("--json", action="store_true", help="print one JSON list")
    add_data(history)
    history.set_defaults(run=_history)


def _add_show(commands: Commands) -> None:
    show = commands.add_parser(
        "show",
        help="show one game: who, when, all moves, and the board at its end",
        description="Show one game: who, when, all moves, and the board at its end.",
    )
    show.add_argument("which", metavar="N", help=_WHICH)
    add_data(show)
    show.set_defaults(run=_show)


def _add_analyse(commands: Commands) -> None:
    analyse = commands.add_parser(
        "analyse",
        help="show how one game went: who was ahead when, what turned it, what was better",
        description="Let the computer player judge every move of one game: who was ahead when,"
        " which moves turned it, and what was better there.",
    )
    analyse.add_argument("which", metavar="N", help=_WHICH)
    analyse.add_argument(
        "--nodes",
        type=_nodes,
        metavar="N",
        help="how far each position is searched (10000, or 500 in games that have no search of"
        " their own)",
    )
    analyse.add_argument("--json", action="store_true", help="print one JSON object")
    add_data(analyse)
    analyse.set_defaults(run=_analyse)


def _add_export(commands: Commands) -> None:
    export = commands.add_parser(
        "export",
        help="write the record of a game",
        description="Write records of games, which `lifeboard import` reads: the moves as text, or"
        " with --json everything that was kept, with times, take-backs and stones removed.",
    )
    export.add_argument("which", nargs="+", metavar="N", help=_WHICH + "; or `all`")
    export.add_argument("--json", action="store_true", help="write JSON")
    export.add_argument("--out", type=Path, metavar="FILE", help="write a new file")
    export.add_argument("--force", action="store_true", help="overwrite the file if it is there")
    add_data(export)
    export.set_defaults(run=_export)


def _add_import(commands: Commands) -> None:
    bring_in = commands.add_parser(
        "import",
        help="take in the records of games",
        description="Take in games: text or JSON as `lifeboard export` writes them, a list of"
        " moves, or a games file that was set aside, also a damaged one. Nothing is taken in when a"
        " file is wrong, and no game twice.",
    )
    bring_in.add_argument("files", nargs="+", metavar="FILE", help="a file, or - for the input")
    add_data(bring_in)
    bring_in.set_defaults(run=_import)


def _add_replay(commands: Commands) -> None:
    replay = commands.add_parser(
        "replay",
        help="show a game again, move by move, on the lights and the page",
        description="Show a game again, move by move, on the lights and the page. A touch of"
        " any cell pauses and goes on, the key `take_back` goes one move back, `new_game` begins"
        " again.",
    )
    replay.add_argument("which", metavar="N", help=_WHICH)
    replay.add_argument(
        "--backend", default="sim", metavar="NAME", help="what carries the board (%(default)s)"
    )
    add_board(replay)
    add_serial(replay)
    replay.add_argument(
        "--speed",
        type=_speed,
        default=1.0,
        metavar="X",
        help="how fast: 1 is a move every two seconds, 2 twice as fast (%(default)s)",
    )
    add_page(replay)
    add_data(replay)
    replay.set_defaults(run=_replay)


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not _SLOWEST <= speed <= _FASTEST:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no speed; allowed: {_SLOWEST:g} - {_FASTEST:g}"
        )
    return speed


def _nodes(text: str) -> int:
    number = whole(text)
    if not 1 <= number <= _MOST_NODES:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no number of nodes; allowed: 1 - {_MOST_NODES}"
        )
    return number


def _folder(options: argparse.Namespace) -> Path:
    if options.data is not None:
        return Path(options.data)
    from game.app.data import data_folder

    return data_folder()


def _folder_there(options: argparse.Namespace) -> Path:
    """Return the folder to read; raises AppError if one was named that is not there."""
    folder = _folder(options)
    if options.data is not None and not folder.is_dir():
        wrong = "no folder" if folder.exists() else "not there"
        raise AppError(f"data folder {folder} is {wrong}; choose one with --data")
    return folder


def _history(options: argparse.Namespace) -> int:
    from game.app.history.archive import history

    print(history(_folder_there(options), options.game, as_json=options.json))
    return 0


def _show(options: argparse.Namespace) -> int:
    from game.app.history.archive import show

    print(show(_folder_there(options), options.which))
    return 0


def _analyse(options: argparse.Namespace) -> int:
    from game.app.history.analyse import analyse

    folder = _folder_there(options)
    print(analyse(folder, options.which, options.nodes, as_json=options.json))
    return 0


def _export(options: argparse.Namespace) -> int:
    from game.app.history.archive import export, save

    text = export(_folder_there(options), options.which, as_json=options.json).rstrip("\n") + "\n"
    if options.out is not None:
        save(text, options.out, force=options.force)
        return 0
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Names must come through whatever the terminal can show.
        sys.stdout.reconfigure(encoding="utf-8")
    print(text, end="")
    return 0


def _import(options: argparse.Namespace) -> int:
    from game.app.history.archive import bring_in

    for line in bring_in(_folder(options), options.files):
        print(line, flush=True)
    return 0


def _replay(options: argparse.Namespace) -> int:
    from game.app.history.replay import ReplayOptions, replay

    _folder_there(options)
    replay(
        ReplayOptions(
            which=options.which,
            backend=options.backend,
            board=options.board,
            speed=options.speed,
            port=options.port,
            browser=not options.no_browser,
            data=options.data,
            serial=options.serial,
        )
    )
    return 0
