"""A board that plays in a thread of this process, with the server of its page."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from game.play import Session, default_board, loop
from game.rules.base.game import Game
from game.rules.circle_of_life import GAME
from game.table import players
from game.web import GameConfig, Host, Server, Site, listen
from game.web.access import Access, Pins
from tests.helpers.pages.network_page import HELP
from tests.helpers.programs.running import Talk


def held_steps(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Return an event; clearing it holds a board's thread, as a slow disk does."""
    moves, step = threading.Event(), Session.step
    moves.set()

    def held(session: Session, now: float) -> None:
        moves.wait(20)
        step(session, now)

    monkeypatch.setattr(Session, "step", held)
    return moves


@dataclass(frozen=True)
class Hosted:
    """The addresses at which the page is found: on this computer and from the network."""

    address: str
    elsewhere: str
    pins: Pins

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2].strip("/"))

    @property
    def wrong_pin(self) -> str:
        return f"{(int(self.pins.pin) + 1) % 1_000_000:06}"

    def page(self, language: str = "en") -> ClientConnection:
        """Connect as this computer's own page does."""
        return connect(f"ws://127.0.0.1:{self.port}/ws?lang={language}", max_queue=None)

    @contextmanager
    def talk(self, language: str = "en") -> Iterator[Talk]:
        """Connect as `page` does, and read until the game is shown."""
        with self.page(language) as socket:
            talk = Talk(socket)
            talk.until(lambda t: t.state)
            yield talk


@contextmanager
def hosted(
    folder: Path,
    game: Game[Any, Any] = GAME,
    watching: bool = False,
    port: int = 0,
    command: str = "",
    around: Callable[[Site], Site] = lambda page: page,
    kind: str = "game",
    **options: str,
) -> Iterator[Hosted]:
    """Play a game; `around` puts its site into another one."""
    stop, pins = threading.Event(), Pins(folder)
    profile = default_board("sim", game)
    plan = GameConfig(game, profile, "sim", folder, lambda: 1.0, seed=1, options=options)
    with ExitStack() as stack:
        # A page that shows how lots are drawn keeps a processor busy.
        quick = stack.enter_context(pytest.MonkeyPatch.context())
        quick.setattr(players, "DRAW_S", 0.1)
        listening = stack.enter_context(listen(port, network=True))
        host = stack.enter_context(Host(plan, kind))
        access = Access(pins, watching, pin_command=command)
        server = stack.enter_context(Server(around(host), listening, access))
        playing = threading.Thread(target=loop.run_loop, args=(host, stop))
        playing.start()
        stack.callback(playing.join)
        stack.callback(stop.set)
        assert server.addresses, HELP
        yield Hosted(server.address, server.addresses[0], pins)
