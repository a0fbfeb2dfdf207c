"""A page of a running lifeboard in a browser, with people who do what it asks of them."""

from contextlib import suppress
from typing import Any, Self

from playwright.sync_api import Browser, Locator, Page, expect

from game.rules.base.game import Game
from game.rules.circle_of_life import GAME
from tests.helpers.pages.browser import complaints
from tests.helpers.pages.hosted import Hosted
from tests.helpers.programs.running import Lifeboard

PATIENCE_MS = 60_000
"""Longest wait, for a small busy machine."""
AGAIN_MS = 10_000
"""Press a cell again if it has not answered after this long."""
TAKE, PUT = '[data-edit="take"]', '[data-edit="put"]'


class People:
    """The people at a page; each of their presses waits for its effect."""

    game: Game[Any, Any] = GAME

    def __init__(self, browser: Browser, running: Lifeboard | Hosted, **options: Any) -> None:
        # Lights that breathe cost a seventh of all that a game on the page takes.
        settings = {"locale": "en-GB", "reduced_motion": "reduce", **options}
        self._context = browser.new_context(**settings)
        self.page: Page = self._context.new_page()
        self.problems = complaints(self.page)
        self.open(running)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._context.close()
        if kind is None:
            assert [each for each in self.problems if "WebSocket" not in each] == []

    def open(self, running: Lifeboard | Hosted) -> None:
        self.page.goto(running.address)
        self.wait(self.page.locator("[data-cell]").first)

    def reload(self) -> None:
        self.page.reload()

    def cell(self, name: str) -> Locator:
        return self.page.locator(f'[data-cell="{name}"]')

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    @property
    def message(self) -> Locator:
        return self.page.get_by_role("status")

    def wait(self, located: Locator) -> None:
        expect(located).to_be_visible(timeout=PATIENCE_MS)

    def counts(self, selector: str, count: int) -> None:
        expect(self.page.locator(selector)).to_have_count(count, timeout=PATIENCE_MS)

    def touch(self, name: str, effect: str) -> None:
        """Press a cell until it takes effect: a press soon after a neighbour's is refused."""
        here = f'[data-cell="{name}"]'
        refused = f'{here}[data-cue="wrong"]'
        while True:
            self.cell(name).click()
            # A refusal shows for a while only: a slow browser can be asked too late.
            with suppress(AssertionError):
                answer = self.page.locator(f"{here}{effect}, {refused}")
                expect(answer).to_have_count(1, timeout=AGAIN_MS)
            if self.page.locator(f"{here}{effect}").count():
                return
            self.counts(refused, 0)

    def place(self, name: str, player: int) -> None:
        """Set a stone and take away what it eats."""
        before = self.moves
        self.touch(name, f'[data-piece="{player}"]')
        self.counts("#moves li", before + 1)
        self.tidy()

    def tidy(self) -> None:
        """Take away and put back what the page asks for."""
        while self.page.locator(f"{TAKE}, {PUT}").count():
            task = self.page.locator(f"{TAKE}, {PUT}").first
            name = str(task.get_attribute("data-cell"))
            # A cell that is right has no edit.
            self.touch(name, '[data-edit=""]')

    def choose(self, level: str, seat: int, how: str) -> None:
        """Choose in the dialog who plays."""
        self.button("Players").click()
        self.page.locator("dialog [name=level]").nth(seat).select_option(label=level)
        self.page.get_by_role("dialog").get_by_role("button", name=how).click()
        expect(self.page.get_by_role("dialog")).to_be_hidden()

    @property
    def moves(self) -> int:
        return self.page.locator("#moves li").count()

    @property
    def pieces(self) -> dict[str, str]:
        """Read from the page what should stand where."""
        shown = self.page.evaluate(
            "Object.fromEntries([...document.querySelectorAll('[data-cell]')]"
            ".map(e => [e.dataset.cell, e.dataset.piece]))"
        )
        assert set(shown) == set(self.game.board.cells)
        return {name: piece for name, piece in shown.items() if piece}
