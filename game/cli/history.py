"""The commands for saved games: history, show, analyse, export, import and replay.

Owns their options and help. Each command's work is in a module of its own, imported when it is
called; errors and exit statuses are those of `game.cli.main`.
"""

import argparse
import io
import sys
from collections.abc import Callable
from pathlib import Path

from game.cli.arguments import Commands, add_board, add_data, add_page, add_serial, whole
from game.common.errors import AppError
from game.common.printing import escaped

_SLOWEST, _FASTEST = 0.1, 100.0
_MOST_NODES = 1_000_000_000
_WHICH = "number of the game in `lifeboard history`, or `last`, the one played last"


def add_commands(commands: Commands) -> None:
    """Add the commands for saved games to the command line."""

    def add(
        name: str, run: Callable[[argparse.Namespace], int], help_: str, description: str = ""
    ) -> argparse.ArgumentParser:
        described = description or f"{help_[0].upper()}{help_[1:]}."
        parser: argparse.ArgumentParser = commands.add_parser(
            name, help=help_, description=described
        )
        parser.set_defaults(run=run)
        add_data(parser)
        return parser

    history = add(
        "history", _history, "list the games that were played", "List all games, the newest last."
    )
    history.add_argument("--game", metavar="NAME", help="only those of this game")
    history.add_argument("--json", action="store_true", help="print one JSON list")

    show = add("show", _show, "show one game: who, when, all moves, and the board at its end")
    show.add_argument("which", metavar="N", help=_WHICH)

    analyse = add(
        "analyse",
        _analyse,
        "show how one game went: who was ahead when, what turned it, what was better",
        "Let the computer player judge every move of one game: who was ahead when, which moves"
        " turned it, and what was better there.",
    )
    analyse.add_argument("which", metavar="N", help=_WHICH)
    analyse.add_argument(
        "--nodes",
        type=_nodes,
        metavar="N",
        help="search nodes for each position (10000; 500 in games without a search of their own)",
    )
    analyse.add_argument("--json", action="store_true", help="print one JSON object")

    export = add(
        "export",
        _export,
        "write the record of a game",
        "Write records of games, which `lifeboard import` reads: the moves as text, or with --json"
        " everything that was kept, with times, take-backs and removed stones.",
    )
    export.add_argument("which", nargs="+", metavar="N", help=_WHICH + "; or `all`")
    export.add_argument("--json", action="store_true", help="write JSON")
    export.add_argument("--out", type=Path, metavar="FILE", help="write a new file")
    export.add_argument("--force", action="store_true", help="overwrite the file if it is there")

    import_ = add(
        "import",
        _import,
        "read the records of games",
        "Read games: text or JSON as `lifeboard export` writes them, a list of moves, or a games"
        " file that was set aside. If a file is wrong, nothing is imported. Games that are already"
        " kept are skipped.",
    )
    import_.add_argument("files", nargs="+", metavar="FILE", help="a file, or - for standard input")

    replay = add(
        "replay",
        _replay,
        "show a game again, move by move, on the lights and the page",
        "Show a game again, move by move, on the lights and the page. Touch any cell to pause or"
        " go on; the key `take_back` goes one move back, `new_game` begins again.",
    )
    replay.add_argument("which", metavar="N", help=_WHICH)
    replay.add_argument(
        "--backend", default="sim", metavar="NAME", help="the backend of the board (%(default)s)"
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


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not _SLOWEST <= speed <= _FASTEST:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a speed; allowed: {_SLOWEST:g} - {_FASTEST:g}"
        )
    return speed


def _nodes(text: str) -> int:
    number = whole(text)
    if not 1 <= number <= _MOST_NODES:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a number of nodes; allowed: 1 - {_MOST_NODES}"
        )
    return number


def _folder(options: argparse.Namespace, *, must_exist: bool = True) -> Path:
    """Return the data folder; raises AppError if the named one is missing."""
    if options.data is None:
        from game.common.data_folder import data_folder

        return data_folder()
    folder = Path(options.data)
    if must_exist and not folder.is_dir():
        wrong = "no folder" if folder.exists() else "not there"
        raise AppError(f"data folder {folder} is {wrong}; choose one with --data")
    return folder


def _history(options: argparse.Namespace) -> int:
    from game.store.records.listing import history

    print(escaped(history(_folder(options), options.game, as_json=options.json)))
    return 0


def _show(options: argparse.Namespace) -> int:
    from game.store.records.archive import show

    print(escaped(show(_folder(options), options.which)))
    return 0


def _analyse(options: argparse.Namespace) -> int:
    from game.opponent.analyse_command import analyse

    told = analyse(_folder(options), options.which, options.nodes, as_json=options.json)
    print(escaped(told))
    return 0


def _export(options: argparse.Namespace) -> int:
    from game.store.records.archive import export, save

    bad: list[str] = []
    told = export(_folder(options), options.which, as_json=options.json, skip=bad.append)
    text = told.rstrip("\n") + "\n"
    if options.out is not None:
        save(text, options.out, force=options.force)
    else:
        if isinstance(sys.stdout, io.TextIOWrapper):
            # File names must not depend on what the terminal can show.
            sys.stdout.reconfigure(encoding="utf-8")
        print(escaped(text), end="", flush=True)
    for each in bad:
        print(f"lifeboard: left out: {escaped(each)}", file=sys.stderr)
    return 1 if bad else 0


def _import(options: argparse.Namespace) -> int:
    from game.store.records.archive import import_files

    for line in import_files(_folder(options, must_exist=False), options.files):
        print(escaped(line), flush=True)
    return 0


def _replay(options: argparse.Namespace) -> int:
    from game.web.replay import replay

    _folder(options)
    replay(
        options.which,
        backend=options.backend,
        board=options.board,
        speed=options.speed,
        port=options.port,
        browser=not options.no_browser,
        data=options.data,
        serial=options.serial,
    )
    return 0
