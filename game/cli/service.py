"""The `lifeboard service` commands and `lifeboard pin`: options and help.

Each command's work is in a module of its own, imported when it is called.
"""

import argparse
import sys
from contextlib import suppress
from pathlib import Path

from game.cli.arguments import Commands, add_data, whole
from game.service.paths import PROGRAM, ServicePaths

_TOOLS = {
    "learn": "find out how the service's board is wired",
    "calibrate": "measure every cell of the service's board",
    "monitor": "watch what the service's board measures",
    "doctor": "find out what keeps the service's board from working",
    "flash": "install the firmware on the Pico under the service's board",
    "history": "list the games of the service",
    "show": "show one of them",
    "export": "write records of them",
    "import": "read records into them",
}
_VERBS = {
    "start": "start it now",
    "stop": "stop it until it is started, or the computer is",
    "restart": "stop and start it; the game goes on",
    "reload": "let it read its settings again; the game goes on",
}


def add_commands(commands: Commands) -> None:
    """Add `service` and `pin` to the command line."""
    service = commands.add_parser(
        "service",
        help="run lifeboard as a service that starts with the computer",
        description="Watch, control and run lifeboard as a systemd service."
        " `make service` installs it.",
    )
    actions = service.add_subparsers(
        title="actions", metavar="ACTION", dest="action", required=True
    )
    status = actions.add_parser("status", help="show how it is", description="Show how it is.")
    status.add_argument("--json", action="store_true", help="print one JSON object")
    status.set_defaults(run=_status)
    logs = actions.add_parser("logs", help="show its log", description="Show its log.")
    logs.add_argument("--follow", "-f", action="store_true", help="also show new lines")
    logs.add_argument(
        "--lines", "-n", type=whole, default=50, metavar="N", help="how many (%(default)s)"
    )
    logs.set_defaults(run=_logs)
    for verb, text in _VERBS.items():
        parser = actions.add_parser(verb, help=text, description=text.capitalize() + ".")
        parser.set_defaults(run=_control)
    check = actions.add_parser(
        "check", help="say what is wrong with its settings", description="Check its settings."
    )
    check.add_argument(
        "file", nargs="?", type=Path, default=ServicePaths().settings, metavar="FILE"
    )
    check.set_defaults(run=_check)
    text = "go back to the version from before the last upgrade"
    rollback = actions.add_parser("rollback", help=text, description=text.capitalize() + ".")
    rollback.set_defaults(run=_rollback)
    for name, text in _TOOLS.items():
        tool = actions.add_parser(name, help=text, add_help=False, prefix_chars="\0")
        tool.add_argument("arguments", nargs="*")
        tool.set_defaults(run=_board_command)
    for name in ("install", "uninstall"):
        # Earlier versions had these; they are not in the list of actions.
        old = actions.add_parser(name, add_help=False, prefix_chars="\0")
        old.add_argument("arguments", nargs="*")
        old.set_defaults(run=_apt)
    run = actions.add_parser(
        "run",
        help="run the service; for its unit",
        description="Play, or wait until a board is there, until a signal.",
    )
    run.add_argument("--settings", type=Path, default=ServicePaths().settings, metavar="FILE")
    add_data(run)
    run.set_defaults(run=_run)
    pin = commands.add_parser(
        "pin",
        help="show the PIN with which other devices play on the page",
        description="Show the PIN that the page asks for on other devices of the network, and where"
        " HTTPS is used the fingerprint of the certificate, which browsers show too.",
    )
    what = pin.add_mutually_exclusive_group()
    what.add_argument("--new", action="store_true", help="make a new one; the old one is void")
    what.add_argument("--devices", action="store_true", help="list the devices that entered it")
    what.add_argument(
        "--remove", type=whole, metavar="N", help="remove one of them, which must enter it again"
    )
    add_data(pin)
    pin.set_defaults(run=_pin)


def _status(options: argparse.Namespace) -> int:
    from game.service.status import print_status

    return print_status(as_json=options.json)


def _logs(options: argparse.Namespace) -> int:
    from game.service.unit import show_log

    return show_log(options.lines, follow=options.follow)


def _control(options: argparse.Namespace) -> int:
    from game.service.unit import control

    return control(options.action)


def _check(options: argparse.Namespace) -> int:
    from game.service.settings import check_visible, read_checked

    check_visible(read_checked(options.file), options.file)
    exists = "is right" if options.file.exists() else "does not exist, and need not"
    print(f"{options.file} {exists}")
    return 0


def _rollback(_: argparse.Namespace) -> int:
    from game.service.unit import roll_back

    return roll_back(PROGRAM / "rollback")


def _board_command(options: argparse.Namespace) -> int:
    from game.service.board_commands import run_command

    return run_command(options.action, tuple(options.arguments), ServicePaths())


def _apt(options: argparse.Namespace) -> int:
    by = {
        "install": "`make service` in a checkout, or `sudo apt install ./lifeboard_*.deb`, does so",
        "uninstall": "`sudo apt remove lifeboard` does so, and `sudo apt purge lifeboard` also"
        " removes the settings",
    }
    print(f"lifeboard: lifeboard is a Debian package: {by[options.action]}", file=sys.stderr)
    return 2


def _run(options: argparse.Namespace) -> int:
    from game.service.run import run

    return run(ServicePaths(options.settings, options.data or ServicePaths().data))


def _pin(options: argparse.Namespace) -> int:
    from game.service import pin_command

    where = options.data, ServicePaths().data
    if options.devices or options.remove is not None:
        print("\n".join(pin_command.devices(*where, options.remove)))
        return 0
    print(pin_command.shown(*where, new=options.new))
    with suppress(OSError, ValueError):
        print("certificate for HTTPS, SHA-256:", pin_command.fingerprint(*where))
    return 0
