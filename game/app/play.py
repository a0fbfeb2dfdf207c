"""Play: opens board, store and page, and runs the table until told to stop.

Owns the putting together and taking apart of a whole running lifeboard.
"""

import os
import sys
import threading
import time
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from game.app import boards, loop, night
from game.app.data import board_lock, board_memory, data_folder
from game.app.errors import AppError
from game.app.hub import Hub
from game.app.journal.journal import Journal
from game.app.night import NightMode
from game.app.serve import Server, listen, show_in_browser
from game.app.session import Session
from game.app.web import Page
from game.app.words import choose, words
from game.rules.catalogue import find_game
from game.rules.message import say
from game.table.inputs import Named
from game.table.table import Table
from hal.backend import Hands, open_backend
from hal.device import Device
from hal.errors import HalError


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
    names: tuple[str, ...] = ()


def play(options: PlayOptions) -> None:
    """Run a game until SIGINT or SIGTERM; raises AppError, HalError or RulesError."""
    game = find_game(options.game)
    profile = boards.choose(options.board, options.backend)
    boards.check_fit(profile, game)
    if options.names and len(options.names) != len(game.players):
        raise AppError(
            f"--players is {','.join(options.names)!r}: {game.title} wants"
            f" {len(game.players)} names, with commas between them"
        )
    speak = words(choose(_system_languages()))
    stop = threading.Event()
    loop.stop_on_signals(stop)
    with ExitStack() as opened:
        folder = options.data or data_folder()
        journal = opened.enter_context(closing(Journal(folder, game.name)))
        listening = opened.enter_context(listen(options.port))
        opened.enter_context(board_lock(folder, profile, options.backend))
        memory = board_memory(folder, profile, options.backend)
        backend = open_backend(options.backend, profile, memory=memory)

        def wake() -> None:
            # The journal may still be at work when the board is closed.
            with suppress(HalError):
                backend.wake()

        journal.wake = wake
        device = opened.enter_context(closing(Device(profile, backend)))
        hub = Hub()
        presence = profile.sensing.mode == "presence"
        table = Table(game, {}, Random(options.seed), presence=presence)
        bright = night.brightness(profile, options.night)
        session = Session(table, device, journal, hub, memory, bright)
        session.begin(time.monotonic())
        if options.names:
            session.give(Named(options.names))
        for note in (*journal.notes, *session.notes):
            print(f"lifeboard: {note}", file=sys.stderr, flush=True)
        hands = backend if isinstance(backend, Hands) else None
        if hands is not None:
            hands.let_stand(_left_standing(table))
        page = Page(game, profile, hub, hands, session)
        server = opened.enter_context(Server(page, listening))
        session.step(time.monotonic())
        print(speak.text(say("play.ready", title=game.title, address=server.address)), flush=True)
        if options.browser:
            show_in_browser(server.address)
        loop.run(session, stop)
    if journal.loses_moves:
        ended = say("play.ended_unkept")
    else:
        ended = say("play.ended_empty") if journal.unsaved else say("play.ended")
    print(speak.text(ended), flush=True)


def _left_standing(table: Table) -> frozenset[str]:
    """Return where stones of a simulated board stand on from before.

    That is where they should, and where the last move ate some that nobody was seen to take.
    """
    state = table.state
    eaten = state.history[-1].removed if state.history else ()
    return frozenset({*state.expected(table.game), *(set(eaten) & state.standing.keys())})


def _system_languages() -> list[str]:
    """Return the tags of the languages that the system asks for, in gettext's order."""
    names = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    asked = next((os.environ[name] for name in names if os.environ.get(name)), "")
    return [tag.partition(".")[0].replace("_", "-") for tag in asked.split(":")]
