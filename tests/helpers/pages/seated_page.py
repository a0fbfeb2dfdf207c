"""A page of a game with hidden pieces, with seats, for the tests of these: no table, no board."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from game.play import Decision, Snapshot
from game.rules.base.situation import Situation
from game.table.inputs import SeatsChanged
from game.table.phases import Phase
from game.table.scene import PlayerView, scene_of
from game.table.state import State
from game.web.seats import Seats
from tests.helpers.games.toy_hidden import HiddenToy, ToyHidden
from tests.helpers.pages.network_page import Network, Wishes, network
from tests.helpers.programs.running import Talk

GAME = ToyHidden()


@dataclass
class Seated:
    """A running page, and the true state; each page is shown only what it may see."""

    network: Network
    seats: Seats
    lags: bool = False
    """Whether pages see no changes."""
    state: State = field(
        default_factory=lambda: State(Phase.ARRANGE, Situation(GAME, HiddenToy()), {})
    )

    def show(self, **fields: Any) -> None:
        """Change the state, and let the pages see it."""
        self.state = replace(self.state, **fields)
        if self.lags:
            return
        public, *private = (self._snapshot(viewer) for viewer in (None, 1, 2))
        shown = dict(enumerate(private, start=1))
        self.network.broadcaster.see(replace(public, private=shown))

    def _decide(self, wish: Decision) -> None:
        """Decide by the state, as the board's thread does."""
        given = wish(self.state)
        if isinstance(given, SeatsChanged):
            self.show()
        elif given is not None:
            self.wishes.given.append(given)

    def _snapshot(self, viewer: int | None) -> Snapshot:
        now = PlayerView().seen(self.state, viewer)
        return Snapshot(GAME, now, scene_of(now, frozenset()))

    @property
    def wishes(self) -> Wishes:
        return self.network.wishes

    @contextmanager
    def here(self) -> Iterator[Talk]:
        """Connect as this computer's own page does, which has control."""
        with self.network.page(address="127.0.0.1") as socket:
            yield Talk(socket)

    @contextmanager
    def phone(self, code: str | None = None, watch: str = "") -> Iterator[Talk]:
        """Connect as a phone does that has not given the PIN; with a `code` it has asked to sit."""
        with self.network.page(watch=watch) as socket:
            talk = Talk(socket)
            if code is not None:
                sit(talk, code)
            yield talk


@contextmanager
def seated(folder: Path) -> Iterator[Seated]:
    """Serve the page, to the network too."""
    seats = Seats(folder, GAME.name, 2)
    with network(folder, game=GAME, seats=seats) as served:
        running = Seated(served, seats)
        served.wishes.decide = running._decide  # type: ignore[method-assign]
        running.show()
        yield running


def sit(talk: Talk, code: str) -> Talk:
    """Ask for a seat by an invitation, and wait for the answer."""
    talk.send(do="sit", invite=code)
    talk.until(lambda t: t.seat)
    return talk


def code_of(talk: Talk, player: int) -> str:
    """Return a player's invitation as a page sees it; "" for none."""
    link = talk.seats[player - 1]["link"] or ""
    return str(link.partition("invite=")[2])


def knows(talk: Talk) -> bool:
    """Return whether anything that a page knows now contains one of Green's faces."""
    shown = json.dumps([talk.hello, talk.state, talk.seat, talk.seats, talk.errors])
    return re.search(r"\bG[abc]\b", shown) is not None
