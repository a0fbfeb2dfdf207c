"""Pages of CirKle Mind in a browser, all served by one table of the test: no server, no store."""

from random import Random
from typing import Any

from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from game.common import words
from game.play import Snapshot
from game.rules.cirkle_mind import GAME
from game.table.inputs import Asked, Command, SubmitSetup
from game.table.phases import Phase
from game.table.state import State
from game.web.access import AccessLevel
from game.web.game_pages import page_words
from game.web.seats import qr_code
from game.web.views import state_view
from tests.helpers.pages.scripted_page import Board

KEYS = {1: "key-of-green", 2: "key-of-mauve"}
INVITES = {"invite-1": 1, "invite-2": 2}


class MindPage(Board):
    """One page of the table; its requests for seats are answered."""

    def __init__(
        self,
        page: Page,
        at: str = "",
        level: AccessLevel = AccessLevel.CONTROL,
        key: int | None = None,
    ) -> None:
        self.player: int | None = None
        self.taken = dict.fromkeys(KEYS, False)
        self.refusal = ""
        self.locked = False
        self.has_seats = True
        if key is not None:
            page.add_init_script(f"localStorage['lifeboard.side.{key}'] = '{KEYS[key]}'")
            at = at or f"#side={key}"
        super().__init__(page, level=level, game=GAME, at=at)
        if key is not None:
            expect(page.locator("#seat")).to_be_visible()

    @property
    def state(self) -> State:
        return self.table.state

    def seal(self, *players: int) -> None:
        """Let players lay out their pieces at random."""
        for player in players:
            pieces = GAME.arranged_at_random(self.state.position, player, Random(player))
            self.give(SubmitSetup(player, pieces))

    def begin(self) -> None:
        """Let both lay out their pieces at random, and confirm the board."""
        self.seal(1, 2)
        if self.state.phase is Phase.CONFIRM:
            self.ask(Command.CONFIRM)
        assert self.state.phase is Phase.TAP

    def _talk(self, socket: WebSocketRoute) -> None:
        self.player = None
        super()._talk(socket)

    def greet(self) -> None:
        if not self.locked:
            super().greet()
            self.tell_seats()
            return
        reported = state_view.greeting(self.language, page_words(self.language), "lifeboard pin")
        self.tell({"type": "locked", "seats": self.has_seats, **reported})

    def hear(self, message: dict[str, Any]) -> None:
        super().hear(message)
        match message:
            case {"do": "sit", "invite": str(code)}:
                player = INVITES.get(code)
                self._sit(player, KEYS.get(player or 0), "This invitation is void.")
            case {"do": "return", "player": int(player), "key": str(key)}:
                good = KEYS.get(player) == key
                self._sit(player if good else None, None, "Void key.", void=player)
            case {"do": "stand"}:
                void, self.player = self.player, None
                self.answer(None, void=void)
                self.show()
            case {"do": "arrange", "pieces": pieces} if self.player is not None:
                if self.refusal:
                    self.tell({"type": "error", "text": self.refusal})
                else:
                    self.give(SubmitSetup(self.player, pieces))
            case {"do": "command", "name": str(name)}:
                self.give(Asked(Command(name), self.player or 0))

    def _sit(
        self, player: int | None, key: str | None, refusal: str, void: int | None = None
    ) -> None:
        if player is None:
            # A player who is refused another seat keeps theirs.
            self.answer(self.player, error=refusal, void=void)
        else:
            self.player = player
            if self.locked:
                self.locked = False
                self.greet()
            self.answer(player, key)
        self.show()

    def answer(
        self,
        player: int | None,
        key: str | None = None,
        error: str | None = None,
        void: int | None = None,
    ) -> None:
        """Tell the page of its seat."""
        self.tell({"type": "seat", "player": player, "key": key, "error": error, "void": void})

    def tell_seats(self) -> None:
        seats = []
        for player, taken in self.taken.items():
            link = f"http://192.168.1.20:8000/#invite=invite-{player}"
            free = self.level is AccessLevel.CONTROL and not taken
            seats.append(
                {
                    "player": player,
                    "taken": taken,
                    "link": link if free else None,
                    "qr": dict(qr_code(link)) if free else None,
                }
            )
        self.tell({"type": "seats", "seats": seats})

    def show(self) -> None:
        state, scene = self.table.seen(self.player), self.table.scene(self.player)
        speak = words(self.language, self.player is not None)
        self.tell(state_view.state(Snapshot(GAME, state, scene), speak, self.player))

    def asked(self, kind: str) -> list[dict[str, Any]]:
        """Return the page's messages of a kind, once there are any or nothing more comes."""
        self.wait_for(lambda: any(each["do"] == kind for each in self.sent))
        return [each for each in self.sent if each["do"] == kind]

    def square(self, cell: str) -> Locator:
        return self.page.locator(f'[data-square="{cell}"]')

    def slot(self, code: str) -> Locator:
        return self.page.locator(f'[data-slot][data-code="{code}"]')

    def laid(self) -> dict[str, str]:
        """Read from the squares what stands there."""
        shown = self.page.evaluate(
            "Object.fromEntries([...document.querySelectorAll('[data-square]')]"
            ".map(e => [e.dataset.square, e.dataset.laid]))"
        )
        return {cell: code for cell, code in shown.items() if code}
