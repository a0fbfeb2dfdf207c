"""Play: opens board, store and page, and runs the table until told to stop.

Owns the putting together and taking apart of a whole running lifeboard.
"""

import os
import threading
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

from platformdirs import user_data_path

from game.app import boards, loop, night
from game.app.errors import AppError
from game.app.hub import Hub
from game.app.lock import Lock
from game.app.night import NightMode
from game.app.serve import Server, listen, show_in_browser
from game.app.session import Session
from game.app.store import Store
from game.app.web import Page
from game.app.words import choose, words
from game.rules.catalogue import find_game
from game.rules.errors import RulesError
from game.rules.message import say
from game.table.table import Table
from hal.backend import Hands, open_backend
from hal.device import Device
from hal.memory import BoardMemory
from hal.profile import Profile


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """What the command line says; None where it says nothing."""

    game: str
    backend: str
    board: str | None
    port: int
    browser: bool
    seed: int | None
    data: Path | None
    night: NightMode = NightMode.AUTO


def play(options: PlayOptions) -> None:
    """Run a game until SIGINT or SIGTERM; raises AppError, HalError or RulesError."""
    game = find_game(options.game)
    profile = boards.choose(options.board, options.backend)
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
        folder = options.data or data_folder()
        store = opened.enter_context(Store(folder, game.name))
        listening = opened.enter_context(listen(options.port))
        opened.enter_context(board_lock(folder, profile, options.backend))
        memory = board_memory(folder, profile, options.backend)
        backend = open_backend(options.backend, profile, memory=memory)
        device = opened.enter_context(closing(Device(profile, backend)))
        hub = Hub()
        presence = profile.sensing.mode == "presence"
        table = Table(game, {}, Random(options.seed), presence=presence)
        bright = night.brightness(profile, options.night)
        session = Session(table, device, store, hub, memory, bright)
        try:
            session.begin(time.monotonic())
        except RulesError as error:
            raise AppError(
                f"games file {store.file} holds a game that does not fit the rules"
                f" ({words('en').text(error.message)}); move it aside, or choose another folder"
                " with --data"
            ) from error
        hands = backend if isinstance(backend, Hands) else None
        if hands is not None:
            hands.let_stand(frozenset(table.state.standing))
        page = Page(game, profile, hub, hands, session)
        server = opened.enter_context(Server(page, listening))
        session.step(time.monotonic())
        print(speak.text(say("play.ready", title=game.title, address=server.address)), flush=True)
        if options.browser:
            show_in_browser(server.address)
        loop.run(session, stop)
    print(speak.text(say("play.ended")), flush=True)


def board_lock(folder: Path, profile: Profile, backend: str) -> Lock:
    """Take a board for this process alone; raise StoreError while another one has it.

    There is one real board on a computer, but a simulated one of every kind.
    """
    board = backend if backend == "pi" else f"{backend}-{profile.name}"
    return Lock(folder / f"board-{board}.lock", f"board {board}", "end that one first")


def board_memory(folder: Path, profile: Profile, backend: str) -> BoardMemory:
    """Return what a board has taught; an emulated one is another board than the real one."""
    return BoardMemory(folder / f"board-{backend}-{profile.name}.json")


def data_folder() -> Path:
    """Return the user's data folder; raises AppError where the system knows none."""
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
