"""The makers' commands: doctor, flash, learn, calibrate, monitor and board.

Owns their options and help. Each command is imported when it is called; errors and exit statuses
are those of `game.cli.main`.
"""

import argparse
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from game.cli.arguments import (
    Commands,
    add_board,
    add_data,
    add_page,
    add_serial,
    seconds,
    whole,
)
from game.common.printing import escaped
from hal.backends.registry import PI

if TYPE_CHECKING:
    from game.maker.measured_board import ToolOptions

T = TypeVar("T")


def add_commands(commands: Commands) -> None:
    """Add the makers' commands to the command line."""
    for add in (_add_doctor, _add_flash, _add_learn, _add_calibrate, _add_monitor, _add_boards):
        add(commands)


def _add_doctor(commands: Commands) -> None:
    doctor = commands.add_parser(
        "doctor",
        help="find out what keeps a board on this computer from working",
        description="Look at this Raspberry Pi and the board on it, or at the Pico under a board"
        " and the way to it; say what is wrong and what repairs it. The exit status is 1 when"
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
        " and check that it answers. It can be repeated at any time, also after a cut.",
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
    flash.add_argument("--yes", action="store_true", help="replace another program without asking")
    flash.set_defaults(run=_flash)


def _add_tool(
    commands: Commands, name: str, text: str, description: str
) -> argparse.ArgumentParser:
    """Add a tool that prepares a real board."""
    tool: argparse.ArgumentParser = commands.add_parser(name, help=text, description=description)
    tool.add_argument(
        "--backend",
        default=PI,
        metavar="NAME",
        help="pi (a board on the pins of this Raspberry Pi), coprocessor (a board on a Pico), sim"
        " (a simulated one to try it on), or one that a package adds (%(default)s)",
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
        "find out how the board is wired, and write its profile",
        "Light one pixel after the other and ask for the glowing cell to be touched, then for each"
        " cell by its name; write the profile of the board from that. It can be stopped and resumed"
        " at any time.",
    )
    learn.add_argument(
        "cells", nargs="*", metavar="CELL", help="learn only these cells again, of a learned board"
    )
    learn.add_argument(
        "--like",
        metavar="NAME|FILE",
        help="the board with the same cells, lights, keys and wiring of a Pico (hexagon-61;"
        " hexagon-61-pico on a Pico)",
    )
    learn.add_argument(
        "--sensing",
        choices=("touch", "presence"),
        help="what the board senses in play: touches, or stones while they stand (as the board of"
        " --like)",
    )
    learn.add_argument("--out", type=Path, metavar="FILE", help="the profile to write")
    learn.add_argument("--pixels", type=whole, metavar="N", help="pixels on the strip")
    learn.add_argument("--fresh", action="store_true", help="discard the draft of an earlier call")
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
    monitor.add_argument("--seconds", type=seconds, metavar="N", help="end after N seconds")
    monitor.set_defaults(run=_monitor)


def _add_boards(commands: Commands) -> None:
    board = commands.add_parser(
        "board",
        help="check or show the profile of a board",
        description="Check or show a profile: which electrode, pixel and pin belongs to what.",
    )
    actions = board.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    for action, text in (
        ("check", "check a profile, and report the first error"),
        ("show", "draw the board, and list its wiring"),
    ):
        parser = actions.add_parser(action, help=text, description=text[0].upper() + text[1:] + ".")
        parser.add_argument(
            "board", metavar="NAME|FILE", help="the name of a built-in board, or a profile"
        )
        parser.set_defaults(run=_board)


def _doctor(options: argparse.Namespace) -> int:
    from game.maker.doctor import DoctorOptions, run

    return run(DoctorOptions(options.board, options.data, options.json, options.serial))


def _flash(options: argparse.Namespace) -> int:
    from game.maker.flash import FlashOptions, flash

    return flash(FlashOptions(options.serial, options.check, options.yes))


def _tool(options: argparse.Namespace) -> "ToolOptions":
    from game.maker.measured_board import ToolOptions

    return _filled(ToolOptions, options)


def _learn(options: argparse.Namespace) -> int:
    from game.maker.learn import LearnOptions, learn

    options.cells = tuple(options.cells)
    return learn(_filled(LearnOptions, options))


def _calibrate(options: argparse.Namespace) -> int:
    from game.maker.calibrate import CalibrateOptions, calibrate

    return calibrate(CalibrateOptions(_tool(options), options.quick))


def _monitor(options: argparse.Namespace) -> int:
    from game.maker.monitor import MonitorOptions, monitor

    return monitor(MonitorOptions(_tool(options), options.record, options.seconds))


def _filled(kind: Callable[..., T], options: argparse.Namespace) -> T:
    """Make a record of the options that have the names of its fields."""
    given = vars(options) | {"browser": not options.no_browser}
    return kind(**{name: given[name] for name in inspect.signature(kind).parameters})


def _board(options: argparse.Namespace) -> int:
    from game.maker import board_report

    told = {"check": board_report.check, "show": board_report.show}[options.action]
    print(escaped(told(options.board)))
    return 0
