"""The function that runs each command; a room is imported only when its command is called."""

import argparse
import io
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from game.cli.arguments import Run, filled
from game.common import AppError, data_folder, escaped
from game.rules.base.registry import all_games, choose_game


def _play(options: argparse.Namespace) -> int:
    from game.cli.play import PlayOptions, play

    if options.command != "play":
        options.kind = options.command
    play(filled(PlayOptions, options))
    return 0


def _folder(options: argparse.Namespace, *, must_exist: bool = True) -> Path:
    """Return the data folder; raises AppError if the named one is missing."""
    folder: Path = options.data or data_folder()
    if options.data is not None and must_exist and not folder.is_dir():
        wrong = "no folder" if folder.exists() else "not there"
        raise AppError(f"data folder {folder} is {wrong}; choose one with --data")
    return folder


def _history(options: argparse.Namespace) -> int:
    from game.store import history

    print(escaped(history(_folder(options), options.game, as_json=options.json)))
    return 0


def _export(options: argparse.Namespace) -> int:
    from game.store import export

    bad: list[str] = []
    report = export(_folder(options), options.which, as_json=options.json, skip=bad.append)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A file must not depend on the terminal's encoding.
        sys.stdout.reconfigure(encoding="utf-8")
    print(escaped(report.rstrip("\n")), flush=True)
    for each in bad:
        print(f"lifeboard: left out: {escaped(each)}", file=sys.stderr)
    return 1 if bad else 0


def _import(options: argparse.Namespace) -> int:
    from game.store import import_files

    for line in import_files(_folder(options, must_exist=False), options.files):
        print(escaped(line), flush=True)
    return 0


def _referee(options: argparse.Namespace) -> int:
    from game.cli.referee import bounded_lines, referee

    game, chosen = choose_game(options.game, dict(options.options))
    # Standard input may have no file descriptor, or be None.
    with suppress(OSError, AttributeError):
        os.set_blocking(sys.stdin.fileno(), True)
    lines = bounded_lines(sys.stdin) if sys.stdin else ()
    status = 0
    for answer in referee(game, chosen, options.position, options.legal, lines):
        print(json.dumps(answer), flush=True)
        status = 1 if "error" in answer else status
    return status


def _engine(options: argparse.Namespace) -> int:
    from game.opponent import serve

    filled(serve, options)
    return 0


def _tool(options: argparse.Namespace) -> int:
    """Run one of the tools for people who build a board."""
    from game import maker

    match options.command:
        case "doctor":
            return filled(maker.run_doctor, options)
        case "flash":
            return filled(maker.run_flash, options)
        case "learn":
            return maker.run_learn(filled(maker.LearnOptions, options))
        case "calibrate":
            return maker.run_calibrate(filled(maker.ToolOptions, options), quick=options.quick)
        case "monitor":
            return maker.run_monitor(filled(maker.ToolOptions, options), options.seconds)
    print(escaped(filled(maker.prepare, options)))
    return 0


def _board(options: argparse.Namespace) -> int:
    from game.maker import check_board, show_board

    report = {"check": check_board, "show": show_board}[options.action]
    print(escaped(report(options.board)))
    return 0


def _service(options: argparse.Namespace) -> int:
    from game.service.paths import PROGRAM, ServicePaths

    match options.action:
        case "status":
            from game.service.board_commands import print_status

            return print_status()
        case "check":
            from game.service.settings import read_checked

            read_checked(options.file)
            exists = "is right" if options.file.exists() else "does not exist, and need not"
            print(f"{options.file} {exists}")
            return 0
        case "rollback":
            from game.service.board_commands import roll_back

            return roll_back(PROGRAM / "upgrade")
        case "run":
            from game.service.run import run

            return run(ServicePaths(options.settings, options.data or ServicePaths().data))
    from game.service.board_commands import run_command

    return run_command(options.action, tuple(options.arguments), ServicePaths())


def _pin(options: argparse.Namespace) -> int:
    from game.service.board_commands import pin_folder, shown_pin
    from game.service.paths import ServicePaths
    from game.web.access import CERTIFICATE_FILE, fingerprint

    folder = pin_folder(options.data, ServicePaths().data)
    print(shown_pin(folder, new=options.new))
    with suppress(OSError, ValueError):
        certificate = (folder / CERTIFICATE_FILE).read_text(encoding="ascii")
        print("certificate for HTTPS, SHA-256:", fingerprint(certificate))
    return 0


def _games(_: argparse.Namespace) -> int:
    games = all_games()
    widest = max(map(len, games))
    for name, game in games.items():
        # An option with one value is no choice: it names the variant of the game.
        options = ((k, each) for k, each in game.options.items() if len(each.choices) != 1)
        choices = "  ".join(f"{key}={option.allowed}" for key, option in options)
        print(f"{name:<{widest}} {game.title}, {len(game.players)} players  {choices}".rstrip())
    return 0


RUNS: Mapping[str, Run] = {
    "history": _history,
    "export": _export,
    "import": _import,
    "referee": _referee,
    "engine": _engine,
    "board": _board,
    "service": _service,
    "pin": _pin,
    "games": _games,
    **dict.fromkeys(("play", "tutorial", "puzzles"), _play),
    **dict.fromkeys(("card", "doctor", "flash", "learn", "calibrate", "monitor"), _tool),
}
