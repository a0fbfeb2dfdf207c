"""Play: opens board, store and page, and runs the table until told to stop.

Owns the putting together and taking apart of a whole running lifeboard.
"""

import os
import sys
import threading
import time
import webbrowser
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

from platformdirs import user_data_path

from game.app import loop
from game.app.errors import AppError
from game.app.hub import Hub
from game.app.session import Session
from game.app.store import Store
from game.app.web import Page, Server, listen
from game.app.words import choose, words
from game.rules.catalogue import find_game
from game.rules.errors import RulesError
from game.rules.message import say
from game.table.table import Table
from hal import profile as profiles
from hal.backend import Hands, open_backend
from hal.device import Device


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """What the command line says; None where it says nothing."""

    game: str
    backend: str
    board: Path | None
    port: int
    browser: bool
    seed: int | None
    data: Path | None


def play(options: PlayOptions) -> None:
    """Run a game until SIGINT or SIGTERM; raises AppError, HalError or RulesError."""
    game = find_game(options.game)
    profile = profiles.load(options.board) if options.board else profiles.built_in()
    lacking = [cell for cell in game.board.cells if cell not in profile.cells]
    if lacking:
        some = ", ".join(lacking[:3]) + (" ..." if len(lacking) > 3 else "")
        raise AppError(
            f"board {profile.name!r} lacks cells of {game.name}: {some};"
            " choose another with --board"
        )
    speak = words(choose(_system_languages()))
    stop = threading.Event()
    loop.stop_on_signals(stop)
    with ExitStack() as opened:
        store = opened.enter_context(Store(options.data or _data_folder(), game.name))
        listening = opened.enter_context(listen(options.port))
        backend = open_backend(options.backend, profile, seed=options.seed or 0)
        device = opened.enter_context(closing(Device(profile, backend)))
        hub = Hub()
        session = Session(Table(game, {}, Random(options.seed)), device, store, hub)
        try:
            session.begin(time.monotonic())
        except RulesError as error:
            raise AppError(
                f"games file {store.file} holds a game that does not fit the rules"
                f" ({words('en').text(error.message)}); move it aside, or choose another folder"
                " with --data"
            ) from error
        hands = backend if isinstance(backend, Hands) else None
        page = Page(game, profile, hub, hands, session.ask)
        server = opened.enter_context(Server(page, listening))
        session.step(time.monotonic())
        print(speak.text(say("play.ready", title=game.title, address=server.address)), flush=True)
        if options.browser and _has_screen():
            # On a thread of its own: some browsers are waited for until they are closed.
            threading.Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
        loop.run(session, stop)
    print(speak.text(say("play.ended")), flush=True)


def _data_folder() -> Path:
    try:
        return user_data_path("lifeboard")
    except RuntimeError as error:
        raise AppError(
            f"your data folder is not known ({error}); choose one with --data"
        ) from error


def _system_languages() -> list[str]:
    """Return the tags of the languages that the system asks for, in gettext's order."""
    names = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    asked = next((os.environ[name] for name in names if os.environ.get(name)), "")
    return [tag.partition(".")[0].replace("_", "-") for tag in asked.split(":")]


def _has_screen() -> bool:
    """Tell whether a browser would open a window rather than take over the terminal."""
    return sys.platform == "darwin" or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
