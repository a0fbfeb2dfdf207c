"""The commands of the service, and `lifeboard pin`.

Owns their options and help. Each command's work stands in a module of its own, imported when it is
called; errors and exit statuses are those of `game.app.cli`.
"""

import argparse
import logging
from pathlib import Path

from game.app.arguments import Commands, add_data, folder, whole
from game.app.service.places import Places

_TOOLS = {
    "learn": "let the service's board find out how it is wired",
    "calibrate": "measure every cell of the service's board",
    "monitor": "watch what the service's board measures",
    "doctor": "find out what keeps the service's board from working",
    "flash": "bring the firmware onto the Pico under the service's board",
    "history": "list the games that the service has kept",
    "show": "show one of them",
    "export": "write records of them",
    "import": "take in records",
}


def add_commands(commands: Commands) -> None:
    """Add `service` and `pin` to the command line."""
    service = commands.add_parser(
        "service",
        help="run lifeboard as a service that starts with the computer",
        description="Install, watch and run lifeboard as a systemd service.",
    )
    actions = service.add_subparsers(
        title="actions", metavar="ACTION", dest="action", required=True
    )
    _add_install(actions)
    _add_watching(actions)
    _add_run(actions)
    for name, text in _TOOLS.items():
        tool = actions.add_parser(name, help=text, add_help=False, prefix_chars="\0")
        tool.add_argument("arguments", nargs="*")
        tool.set_defaults(run=_as_service)
    _add_pin(commands)


def _add_install(actions: Commands) -> None:
    install = actions.add_parser(
        "install",
        help="install the service, or bring a new version of it; games and settings stay",
        description="Install lifeboard under /opt/lifeboard and start it with the computer. Where"
        " it is installed already, the new version takes its place, and the old one comes back by"
        " itself if the new one does not come up.",
    )
    install.add_argument(
        "source",
        nargs="?",
        metavar="SOURCE",
        help="a wheel or a folder of lifeboard's source (where this lifeboard came from)",
    )
    install.add_argument(
        "--wheels", type=folder, metavar="DIR", help="take all packages from here, not from PyPI"
    )
    install.add_argument(
        "--python",
        type=Path,
        default=Path("/usr/bin/python3"),
        metavar="FILE",
        help="the Python that it is to run on (%(default)s)",
    )
    install.add_argument(
        "--pwm",
        action="store_true",
        help="also what drives pixels on PWM and PCM pins; later installations keep it",
    )
    install.add_argument(
        "--no-start",
        dest="start",
        action="store_false",
        help="start nothing now, only with the computer; for making images",
    )
    install.set_defaults(run=_install)
    uninstall = actions.add_parser(
        "uninstall",
        help="remove the service and all that belongs to it, but not the games",
        description="Stop the service and remove it, its settings and its user. Games stay.",
    )
    kept = uninstall.add_mutually_exclusive_group()
    kept.add_argument("--games", action="store_true", help="remove the games too")
    kept.add_argument(
        "--keep-settings", action="store_true", help="leave settings, data and user for a return"
    )
    uninstall.set_defaults(run=_uninstall)
    rollback = actions.add_parser(
        "rollback",
        help="go back to the version that ran before",
        description="Go back to the version that ran before the last install.",
    )
    rollback.add_argument(
        "--if-on-trial",
        action="store_true",
        help="only if a new version has not come up yet; used by the service itself",
    )
    rollback.set_defaults(run=_rollback)


def _add_watching(actions: Commands) -> None:
    status = actions.add_parser("status", help="how the service is", description="Say how it is.")
    status.add_argument("--json", action="store_true", help="print one JSON object")
    status.set_defaults(run=_status)
    logs = actions.add_parser("logs", help="what it has logged", description="Show its log.")
    logs.add_argument("--follow", "-f", action="store_true", help="go on with what comes")
    logs.add_argument(
        "--lines", "-n", type=whole, default=50, metavar="N", help="how many (%(default)s)"
    )
    logs.set_defaults(run=_logs)
    for verb, text in (
        ("start", "start it now"),
        ("stop", "stop it until it is started, or the computer is"),
        ("restart", "stop and start it; the game goes on"),
        ("reload", "let it read its settings again; the game goes on"),
    ):
        parser = actions.add_parser(verb, help=text, description=text.capitalize() + ".")
        parser.set_defaults(run=_systemctl)


def _add_run(actions: Commands) -> None:
    check = actions.add_parser(
        "check", help="say what is wrong with its settings", description="Check its settings."
    )
    check.add_argument("file", nargs="?", type=Path, default=Places().settings, metavar="FILE")
    check.set_defaults(run=_check)
    run = actions.add_parser(
        "run",
        help="be the service; what its unit runs",
        description="Play, or wait until a board is there, until told to stop by a signal.",
    )
    run.add_argument("--settings", type=Path, default=Places().settings, metavar="FILE")
    add_data(run)
    run.set_defaults(run=_run)
    pixels = actions.add_parser(
        "pixels",
        help="drive a strip on a PWM pin for the service; needs root",
        description="Take frames from the service and send them to a strip that needs root.",
    )
    pixels.add_argument("--socket", type=Path, metavar="FILE", help="where to listen (systemd's)")
    pixels.set_defaults(run=_pixels)


def _add_pin(commands: Commands) -> None:
    pin = commands.add_parser(
        "pin",
        help="show the PIN with which other devices play on the page",
        description="Show the PIN that the page asks for on other devices of the network.",
    )
    pin.add_argument("--new", action="store_true", help="make a new one; the old one is void")
    add_data(pin)
    pin.set_defaults(run=_pin)


def _run(options: argparse.Namespace) -> int:
    from game.app.service.run import RunOptions, run

    data = options.data or Places().state
    return run(RunOptions(options.settings, data, data / Places().board.name))


def _check(options: argparse.Namespace) -> int:
    from game.app.service import journald
    from game.app.service.settings import SettingsError, check_seen, checked, log_refusal

    journald.set_up(logging.INFO)
    try:
        check_seen(checked(options.file), options.file)
    except SettingsError as error:
        return log_refusal(error, options.file)
    there = "is right" if options.file.exists() else "is not there, and need not be"
    print(f"{options.file} {there}")
    return 0


def _as_service(options: argparse.Namespace) -> int:
    from game.app.service.as_service import AsService, run_as_service

    return run_as_service(AsService(options.action, tuple(options.arguments)), Places())


def _install(options: argparse.Namespace) -> int:
    from game.app.service.setup.install import InstallOptions, install

    return install(
        InstallOptions(
            options.source,
            options.wheels,
            options.python,
            extras=("pwm",) if options.pwm else (),
            start=options.start,
        )
    )


def _uninstall(options: argparse.Namespace) -> int:
    from game.app.service.setup.uninstall import UninstallOptions, uninstall

    return uninstall(UninstallOptions(options.games, options.keep_settings))


def _rollback(options: argparse.Namespace) -> int:
    from game.app.service.setup.install import roll_back

    return roll_back(only_on_trial=options.if_on_trial)


def _status(options: argparse.Namespace) -> int:
    from game.app.service.status import status

    return status(as_json=options.json)


def _logs(options: argparse.Namespace) -> int:
    from game.app.service.status import logs

    return logs(lines=options.lines, follow=options.follow)


def _systemctl(options: argparse.Namespace) -> int:
    from game.app.service.control import control

    return control(options.action)


def _pixels(options: argparse.Namespace) -> int:
    from game.app.service.pixels import serve_pixels

    return serve_pixels(options.socket)


def _pin(options: argparse.Namespace) -> int:
    from game.app.gate.pin import shown

    print(shown(options.data, Places().state, new=options.new))
    return 0
