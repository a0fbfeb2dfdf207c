"""People at a page who play any game tap by tap, and compare what they see with the rules."""

from contextlib import suppress
from typing import Any, Self

from playwright.sync_api import Browser, Locator, Page, TimeoutError, expect
from running import Lifeboard

from game.app.words import words
from game.rules.game import Game

PATIENCE_MS = 60_000
"""So long anything may take, on a small machine that has other things to do."""
AGAIN_MS = 10_000
"""After so long a spot that has not answered is pressed again."""
EDITS = '[data-edit="take"], [data-edit="put"], [data-edit="swap"]'


class PageHands:
    """Play one game on its page; `position` is what the rules make of the moves so far."""

    def __init__(
        self, browser: Browser, running: Lifeboard, game: Game[Any, Any], **options: str
    ) -> None:
        self.game = game
        self._context = browser.new_context(locale="en-GB")
        self.page: Page = self._context.new_page()
        self.problems: list[str] = []
        self.page.on("console", lambda message: self.problems.append(message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.goto(running.address)
        self.counts("[data-cell]", len(game.board.cells))
        # While it is drawn who begins nothing can be touched.
        expect(self.page.locator("body")).to_have_attribute(
            "data-phase", "tap", timeout=PATIENCE_MS
        )
        self.position = game.initial({**options, "first": str(self.mover)})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._context.close()
        if kind is None:
            assert [each for each in self.problems if "WebSocket" not in each] == []

    @property
    def message(self) -> Locator:
        return self.page.get_by_role("status")

    @property
    def phase(self) -> str:
        return str(self.page.locator("body").get_attribute("data-phase"))

    @property
    def mover(self) -> int:
        """Read off the cards whose turn it is."""
        return int(str(self.page.locator(".player.on").get_attribute("data-player")))

    @property
    def moves(self) -> int:
        return self.page.locator("#moves li").count()

    @property
    def shown(self) -> dict[str, str]:
        """Read off the page what should stand where."""
        pieces = self.page.evaluate(
            "Object.fromEntries([...document.querySelectorAll('[data-cell]')]"
            ".map(e => [e.dataset.cell, e.dataset.piece]))"
        )
        return {name: piece for name, piece in pieces.items() if piece}

    def counts(self, selector: str, count: int) -> None:
        expect(self.page.locator(selector)).to_have_count(count, timeout=PATIENCE_MS)

    def play(self, text: str) -> None:
        """Enter a move tap by tap, do what the page then asks for, and compare the board."""
        move = self.game.parse_move(self.position, text)
        taps, before = self.game.taps(self.position, move), self.moves
        for count in range(1, len(taps) + 1):
            said = self._said(taps[:count]) if count < len(taps) else None
            self._tap(taps[count - 1], said, before)
        self.position = self.game.play(self.position, move)
        self.tidy()
        assert self.shown == self.game.pieces(self.position)

    def tidy(self) -> None:
        """Take, put and exchange what the page asks for, and say that a board is as it is shown."""
        while self.page.locator(EDITS).count() and self.phase != "over":
            cell = self.page.locator(EDITS).first.get_attribute("data-cell")
            here = f'[data-cell="{cell}"]'
            self._press(here, f'{here}[data-edit=""]')
        if self.phase == "confirm":
            cell = self.page.locator("[data-cell]").first
            cell.click()
            expect(self.page.locator("body")).not_to_have_attribute(
                "data-phase", "confirm", timeout=PATIENCE_MS
            )

    def _said(self, taps: tuple[str, ...]) -> str:
        """Say the taps made as the message line does: a key by what it means."""
        said = ", ".join(
            words("en").text(self.game.key_word(self.position, taps[:n], tap))
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

    def _press(self, here: str, effect: str) -> None:
        while True:
            self.page.locator(here).click()
            with suppress(AssertionError):
                expect(self.page.locator(effect)).to_have_count(1, timeout=AGAIN_MS / 4)
            if self.page.locator(effect).count():
                return
            self.counts(f'{here}[data-cue="wrong"]', 0)
