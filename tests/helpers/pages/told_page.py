"""A page in a browser that is told by a table of the test, without server, session or store."""

import json
from mimetypes import guess_type
from random import Random
from typing import Any

from playwright.sync_api import Page, Route, WebSocketRoute, expect

from game.app import view
from game.app.gate.access import Level
from game.app.serve import page_folder
from game.app.session import Snapshot
from game.app.web import page_words
from game.app.words import words
from game.rules.circle_of_life import GAME
from game.rules.game import Game
from game.rules.message import say
from game.table.inputs import Asked, Command, Disturbed, Lifted, Touched
from game.table.table import DRAW_S, Table
from hal import profile as profiles

ADDRESS = "http://board.invalid/"
PACE_S = 1.0
PATIENCE = 120
"""So many pictures a page has time to send what it was made to send."""


class Board:
    """A table whose states go straight to a page; what the page sends is kept."""

    def __init__(
        self,
        page: Page,
        presence: bool = False,
        simulated: bool = True,
        language: str = "en",
        levels: tuple[str, ...] = (),
        target: int = 20,
        level: Level = Level.CONTROL,
        game: Game[Any, Any] = GAME,
    ) -> None:
        self.page = page
        self.language = language
        self.level = level
        self.simulated = simulated
        self.presence = presence
        self.sent: list[dict[str, Any]] = []
        self.now = DRAW_S + 0.1
        self.game = game
        options = {"first": "1", "target": str(target)} if game is GAME else {"first": "1"}
        self.table = Table(game, options, Random(1), presence, levels)
        self.table.start(0.0)
        self.table.tick(DRAW_S)
        self._socket: WebSocketRoute | None = None
        page.route(f"{ADDRESS}**", self._file)
        page.route_web_socket(f"{ADDRESS.replace('http', 'ws')}**", self._talk)
        page.goto(ADDRESS)
        expect(page.locator("[data-cell]")).to_have_count(len(game.board.cells))

    def _file(self, route: Route) -> None:
        name = route.request.url.removeprefix(ADDRESS).removeprefix("page/") or "index.html"
        body = (page_folder() / name).read_bytes()
        route.fulfill(body=body, content_type=guess_type(name)[0])

    def _talk(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        socket.on_message(lambda text: self.sent.append(json.loads(text)))
        profile = profiles.built_in()
        language = self.language
        fixed = (self.game, profile, words(language), page_words(language), self.simulated)
        levels = self.table.state.levels
        hello = view.hello(*fixed, level=self.level, levels=levels)
        hello |= {"pin_command": "lifeboard pin", "pin_changed": False}
        hello["sensing"] = "presence" if self.presence else "touch"
        socket.send(json.dumps(hello))
        self.show()

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message as the server does."""
        self._socket.send(json.dumps(message))

    def show(self) -> None:
        snapshot = Snapshot(self.game, self.table.state, self.table.scene())
        self._socket.send(json.dumps(view.state(snapshot, words(self.language))))

    def give(self, *events: Any) -> None:
        """Give inputs to the table, all at the same moment, and show what comes of them."""
        for event in events:
            self.table.handle(event, self.now)
        self.show()

    def tap(self, *cells: str) -> None:
        """Let an unhurried finger touch cells one after the other, and show what comes of it."""
        for cell in cells:
            self.now += PACE_S
            self.table.handle(Touched(cell), self.now)
            self.table.handle(Lifted(cell), self.now + 0.1)
        self.show()

    def ask(self, command: Command) -> None:
        """Press a key of the board."""
        self.now += PACE_S
        self.give(Asked(command))

    def heard(self, count: int) -> list[dict[str, Any]]:
        """Return what the page has sent, once that is so many messages or nothing more comes."""
        for _ in range(PATIENCE):
            if len(self.sent) >= count:
                break
            self.page.evaluate("() => new Promise(requestAnimationFrame)")
        return self.sent

    def cell(self, name: str):
        return self.page.locator(f'[data-cell="{name}"]')

    def button(self, name: str):
        return self.page.get_by_role("button", name=name)


def lost(*cells: str) -> Disturbed:
    return Disturbed(frozenset(cells), (say("fault.chip", part="B", cells=cells),))
