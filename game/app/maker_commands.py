"""The makers' commands: doctor, flash, learn, calibrate, monitor and board.

Owns their options and help. Each command's work stands in a module of its own, imported when it is
called; errors and exit statuses are those of `game.app.cli`.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from game.app.arguments import (
    Commands,
    add_board,
    add_data,
    add_page,
    add_serial,
    folder,
    seconds,
    whole,
)
from game.app.carriers import PI, WIRED

if TYPE_CHECKING:
    from game.app.workshop.instrument import ToolOptions


def add_commands(commands: Commands) -> None:
    """Add the makers' commands to the command line."""
    _add_doctor(commands)
    _add_flash(commands)
    _add_learn(commands)
    _add_calibrate(commands)
    _add_monitor(commands)
    _add_boards(commands)


def _add_doctor(commands: Commands) -> None:
    doctor = commands.add_parser(
        "doctor",
        help="find out what keeps a board on this computer from working",
        description="Look at this Raspberry Pi and the board on it, or at the Pico under a board"
        " and the way to it; say what is wrong and what mends it. The exit status is 1 when"
        " something keeps the board from working.",
    )
    add_board(doctor)
    add_serial(doctor)
    add_data(doctor)
    doctor.add_argument("--json", action="store_true", help="print one JSON object")
    doctor.set_defaults(run=_doctor)


def _add_flash(commands: Commands) -> None:
    flash = commands.add_parser(
        "flash",
        help="bring the firmware onto the Raspberry Pi Pico under a board",
        description="Copy the firmware onto a Raspberry Pi Pico that runs MicroPython, start it,"
        " and see that it answers. It can be called again at any time, also after it was cut off.",
    )
    flash.add_argument(
        "--serial",
        metavar="PORT",
        help="the Pico's serial port, such as /dev/ttyACM0 (that of the Pico that is plugged in)",
    )
    flash.add_argument(
        "--check",
        action="store_true",
        help="change nothing; the exit status is 0 if the firmware of this lifeboard runs there,"
        " else 1",
    )
    flash.add_argument(
        "--yes", action="store_true", help="replace somebody else's program without asking"
    )
    flash.set_defaults(run=_flash)


def _add_tool(
    commands: Commands, name: str, text: str, description: str
) -> argparse.ArgumentParser:
    """Add one of the tools with which a real board is made ready."""
    tool: argparse.ArgumentParser = commands.add_parser(name, help=text, description=description)
    tool.add_argument(
        "--backend",
        default=PI,
        choices=(*WIRED, "sim"),
        help="the real board, on the pins of this Raspberry Pi or on a Pico (coprocessor), or the"
        " simulated one to try it on (%(default)s)",
    )
    add_board(tool)
    add_serial(tool)
    add_page(tool)
    add_data(tool)
    return tool


def _add_learn(commands: Commands) -> None:
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
        metavar="NAME|FILE",
        help="the board whose cells, lights and keys this one has, and that says how a Pico is"
        " wired (hexagon-61; hexagon-61-pico on a Pico)",
    )
    learn.add_argument(
        "--sensing",
        choices=("touch", "presence"),
        help="what the board is to sense in play: touches, or stones while they stand (as the"
        " board that it is like)",
    )
    learn.add_argument("--out", type=Path, metavar="FILE", help="the profile to write")
    learn.add_argument("--pixels", type=whole, metavar="N", help="pixels on the strip")
    learn.add_argument("--fresh", action="store_true", help="forget what was learned half")
    learn.add_argument("--seed", type=whole, metavar="N", help="wire the simulated board at random")
    learn.set_defaults(run=_learn)


def _add_calibrate(commands: Commands) -> None:
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


def _add_monitor(commands: Commands) -> None:
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
    monitor.add_argument("--seconds", type=seconds, metavar="N", help="end after so many seconds")
    monitor.set_defaults(run=_monitor)


def _add_boards(commands: Commands) -> None:
    board = commands.add_parser(
        "board",
        help="check or show the profile of a board, or make its kit of parts",
        description="Check or show a profile: which electrode, pixel and pin belongs to what; or"
        " make from it the kit of parts for its board.",
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
    kit = actions.add_parser(
        "kit",
        help="make everything that is drawn, ordered and wired for a board",
        description="Make from a profile the files for its board: templates and circuit for its"
        " pads, laser drawings, the printed top, wiring, parts, and a guide that leads through it"
        " all.",
    )
    kit.add_argument(
        "board", metavar="NAME|FILE", help="the name of a built-in board, or a profile"
    )
    kit.add_argument(
        "--out",
        type=folder,
        metavar="DIR",
        required=True,
        help="the folder to write: a new or empty one, or that of an earlier kit",
    )
    kit.add_argument(
        "--tiled",
        action="store_true",
        help="make circuits of at most 100 by 100 mm, too, which are cheap to order",
    )
    kit.set_defaults(run=_kit)


def _doctor(options: argparse.Namespace) -> int:
    from game.app.doctor import DoctorOptions, run

    return run(DoctorOptions(options.board, options.data, options.json, options.serial))


def _flash(options: argparse.Namespace) -> int:
    from game.app.flash import FlashOptions, flash

    return flash(FlashOptions(port=options.serial, check=options.check, yes=options.yes))


def _tool(options: argparse.Namespace) -> "ToolOptions":
    from game.app.workshop.instrument import ToolOptions

    return ToolOptions(
        backend=options.backend,
        board=options.board,
        port=options.port,
        browser=not options.no_browser,
        data=options.data,
        serial=options.serial,
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
            serial=options.serial,
        )
    )


def _calibrate(options: argparse.Namespace) -> int:
    from game.app.workshop.calibrate import CalibrateOptions, calibrate

    return calibrate(CalibrateOptions(_tool(options), options.quick))


def _monitor(options: argparse.Namespace) -> int:
    from game.app.workshop.monitor import MonitorOptions, monitor

    return monitor(MonitorOptions(_tool(options), options.record, options.seconds))


def _kit(options: argparse.Namespace) -> int:
    from game.app.kit.command import KitOptions, kit

    return kit(KitOptions(options.board, options.out, options.tiled))


def _board(options: argparse.Namespace) -> int:
    from game.app import board_tools

    print({"check": board_tools.check, "show": board_tools.show}[options.action](options.board))
    return 0
