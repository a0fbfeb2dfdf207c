"""People at a page who play any game tap by tap, and compare what they see with the rules."""

from contextlib import suppress
from typing import Any

from playwright.sync_api import Browser, TimeoutError, expect

from game.common.translation import words
from game.rules.base.game import Game
from tests.helpers.pages.hosted import Hosted
from tests.helpers.pages.real_page import AGAIN_MS, PATIENCE_MS, People
from tests.helpers.programs.running import Lifeboard

EDITS = '[data-edit="take"], [data-edit="put"], [data-edit="swap"]'


class PageHands(People):
    """Play one game on its page; `position` is what the rules make of the moves so far."""

    def __init__(
        self, browser: Browser, running: Lifeboard | Hosted, game: Game[Any, Any], **options: str
    ) -> None:
        self.game = game
        super().__init__(browser, running)
        self.counts("[data-cell]", len(game.board.cells))
        # While it is drawn who begins nothing can be touched.
        expect(self.page.locator("body")).to_have_attribute(
            "data-phase", "tap", timeout=PATIENCE_MS
        )
        self.position = game.initial({**options, "first": str(self.mover)})

    @property
    def phase(self) -> str:
        return str(self.page.locator("body").get_attribute("data-phase"))

    @property
    def mover(self) -> int:
        """Read off the cards whose turn it is."""
        return int(str(self.page.locator(".player.on").get_attribute("data-player")))

    def play(self, text: str) -> None:
        """Enter a move tap by tap, do what the page then asks for, and compare the board."""
        move = self.game.parse_move(self.position, text)
        taps, before = self.game.taps(self.position, move), self.moves
        for count in range(1, len(taps) + 1):
            said = self._said(taps[:count]) if count < len(taps) else None
            self._tap(taps[count - 1], said, before)
        self.position = self.game.play(self.position, move)
        self.tidy()
        assert self.pieces == self.game.pieces(self.position)

    def tidy(self) -> None:
        """Take, put and exchange what the page asks for, and say that a board is as it is shown."""
        while self.page.locator(EDITS).count() and self.phase != "over":
            cell = str(self.page.locator(EDITS).first.get_attribute("data-cell"))
            self.touch(cell, '[data-edit=""]')
        if self.phase == "confirm":
            cell = self.page.locator("[data-cell]").first
            cell.click()
            expect(self.page.locator("body")).not_to_have_attribute(
                "data-phase", "confirm", timeout=PATIENCE_MS
            )

    def _said(self, taps: tuple[str, ...]) -> str:
        """Say the taps made as the message line does: a key by what it means."""
        said = ", ".join(
            words("en").text(self.game.presentation.key_word(self.position, taps[:n], tap))
            if tap in self.game.keys
            else tap
            for n, tap in enumerate(taps)
        )
        return f"{said} …"

    def _tap(self, spot: str, said: str | None, before: int) -> None:
        """Press a cell or a key until it is taken for part of the move, or has made it."""
        is_key = spot in self.game.keys
        here = f'[data-key="{spot}"]' if is_key else f'[data-cell="{spot}"]'
        while True:
            # A key that has had its effect late can be gone, or mean another thing, by then.
            with suppress(AssertionError, TimeoutError):
                self.page.locator(here).click(timeout=AGAIN_MS)
                if said is None:
                    expect(self.page.locator("#moves li")).to_have_count(
                        before + 1, timeout=AGAIN_MS if is_key else AGAIN_MS / 4
                    )
                else:
                    expect(self.message).to_contain_text(said, timeout=AGAIN_MS / 4)
                return
            if said is None and self.moves == before + 1:
                return
            self.counts(f'{here}[data-cue="wrong"]', 0)
