"""A page in a browser, served by a table of the test without board, session or store."""

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from game.common import words
from game.rules.base.game import Game
from game.rules.base.message import say
from game.rules.circle_of_life import GAME
from game.table.inputs import FaultsChanged
from game.web.access import AccessLevel
from game.web.game_pages import page_words
from game.web.views import state_view
from hal import profile as profiles
from tests.helpers.pages.scripted_table import NAMES, ScriptedTable
from tests.helpers.pages.site import ADDRESS

FRAMES = 120
"""How many frames a page may take to send its message."""


class Board(ScriptedTable):
    """A table whose states go straight to a page in a browser; `sent` is what the page sends.

    While it is `silent` its connections stay open, but nothing comes through.
    """

    silent = False

    def __init__(
        self,
        page: Page,
        presence: bool = False,
        simulated: bool = True,
        levels: tuple[str, ...] = (),
        level: AccessLevel = AccessLevel.CONTROL,
        game: Game[Any, Any] = GAME,
        at: str = "",
        **options: str,
    ) -> None:
        super().__init__(game, presence, levels, **options)
        self.page = page
        self.sent: list[dict[str, Any]] = []
        self.level = level
        self.simulated = simulated
        self.presence = presence
        self._socket: WebSocketRoute | None = None
        page.route_web_socket(f"{ADDRESS.replace('http', 'ws')}**", self._talk)
        page.goto(ADDRESS + at)
        expect(page.locator("[data-cell]")).to_have_count(len(game.board.cells))

    def _talk(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        socket.on_message(self._receive)
        if not self.silent:
            self.greet()

    def _receive(self, text: str | bytes) -> None:
        message = json.loads(text)
        if self.silent:
            return
        if message == {"do": "ping"}:
            self.tell({"type": "pong"})
        else:
            self.hear(message)

    def hear(self, message: dict[str, Any]) -> None:
        # A mouse asks for previews wherever it comes to rest.
        if message["do"] != "preview":
            self.sent.append(message)
        if message["do"] == "look":
            self.tell(self.looked(message["ply"]))

    def greet(self) -> None:
        language = self.language
        greeting = state_view.greeting(language, page_words(language), "lifeboard pin")
        fixed = (self.game, profiles.built_in(), words(language), greeting)
        levels = self.table.state.engine.levels
        hello = state_view.hello(*fixed, self.simulated, level=self.level, levels=levels)
        hello["sensing"] = "presence" if self.presence else "touch"
        self.tell(hello)
        self.shown = None
        self.show()

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message as the server does."""
        assert self._socket is not None
        self._socket.send(json.dumps(message))

    def lose_link(self) -> None:
        """Cut the socket; the page opens another by itself."""
        assert self._socket is not None
        self._socket.close()

    def speak(self, language: str) -> None:
        """Send the page everything again in a chosen language, as the server does."""
        self.language = language
        self.greet()
        expect(self.page.locator("html")).to_have_attribute("lang", language)

    def show(self) -> None:
        self.tell(self.message)
        self.shown = self.table.state

    def wait_for(self, sent: Callable[[], object]) -> None:
        """Wait until the page has sent something, or nothing more comes."""
        for _ in range(FRAMES):
            if sent():
                return
            self.page.evaluate("() => new Promise(requestAnimationFrame)")

    def heard(self, count: int) -> list[dict[str, Any]]:
        """Return the page's messages, once there are this many or nothing more comes."""
        self.wait_for(lambda: len(self.sent) >= count)
        return self.sent

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def cell(self, name: str) -> Locator:
        return self.page.locator(f'[data-cell="{name}"]')

    def key(self, name: str) -> Locator:
        return self.page.locator(f'[data-key="{name}"]')


def lost(*cells: str) -> FaultsChanged:
    return FaultsChanged(frozenset(cells), (say("fault.chip", part="B", cells=cells),))


__all__ = ["ADDRESS", "NAMES", "Board", "lost"]
