"""A page of a game that hides things, with seats, for the tests of these: no table, no board."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from game.app.gate.access import Access
from game.app.gate.addresses import own_addresses
from game.app.gate.pin import Pins
from game.app.hub import Hub
from game.app.seats.seats import Seats
from game.app.seats.seats_file import SeatsFile
from game.app.serve import Server, listen
from game.app.session import Snapshot
from game.app.web import Page
from game.table.scene import scene
from game.table.secrecy import seen
from game.table.state import Phase, State
from hal import profile as profiles
from tests.helpers.games.veiled_game import GAME, Masks
from tests.helpers.pages.network_page import HELP, Wishes
from tests.helpers.programs.running import Talk


@dataclass
class Seated:
    """A running page, and the true state of which it is shown what each may see."""

    hub: Hub
    wishes: Wishes
    address: str
    port: int
    state: State = field(default_factory=lambda: State(Phase.ARRANGE, Masks(), {}))

    def show(self, **fields: Any) -> None:
        """Change the state, and let the pages see it."""
        self.state = replace(self.state, **fields)
        public, *private = (self._snapshot(viewer) for viewer in (None, 1, 2))
        told = dict(enumerate(private, start=1))
        self.hub.see(replace(public, private=told))

    def _snapshot(self, viewer: int | None) -> Snapshot:
        now = seen(GAME, self.state, viewer)
        return Snapshot(GAME, now, scene(GAME, now, frozenset()))

    def here(self, language: str = "en") -> ClientConnection:
        """Connect as this computer's own page does, which controls."""
        return connect(f"ws://127.0.0.1:{self.port}/ws?lang={language}", max_queue=None)

    def phone(self) -> ClientConnection:
        """Connect as a phone does that has not given the PIN."""
        host = f"{self.address}:{self.port}"
        plain = socket.create_connection((self.address, self.port), timeout=10)
        return connect(f"ws://{host}/ws?lang=en", sock=plain, origin=f"http://{host}")


@contextmanager
def seated(folder: Path, watching_open: bool = False, network: bool = True) -> Iterator[Seated]:
    """Serve the page, to the network too unless told otherwise."""
    found = own_addresses()
    assert found, HELP
    hub, wishes = Hub(), Wishes()
    seats = Seats(SeatsFile(folder, GAME.name), 2, hub.ring)
    profile = profiles.built_in("rectangle-88")
    page = Page(GAME, profile, hub, None, wishes, seats=seats)
    access = Access(Pins(folder) if network else None, watching_open)
    with Server(page, listen(0, network=network), access) as server:
        port = int(server.address.rpartition(":")[2].strip("/"))
        running = Seated(hub, wishes, found[0], port)
        running.show()
        yield running


def code_of(talk: Talk, player: int) -> str:
    """Return the invitation that a page is told of a player's seat; "" for none."""
    link = talk.seats[player - 1]["link"] or ""
    return str(link.partition("#invite=")[2])


def told(talk: Talk) -> str:
    """Return all that a page knows now, as text."""
    return json.dumps([talk.hello, talk.state, talk.seat, talk.seats, talk.errors])
