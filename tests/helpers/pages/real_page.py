"""A page of a running lifeboard in a browser, with people who do what it asks of them."""

from contextlib import suppress
from typing import Self

from playwright.sync_api import Browser, Locator, Page, expect

from tests.helpers.pages.browser import complaints
from tests.helpers.programs.running import Lifeboard

PATIENCE_MS = 60_000
"""Longest wait, for a small busy machine."""
AGAIN_MS = 10_000
"""Press a cell again if it has not answered after this long."""
TAKE = '[data-edit="take"]'


class People:
    """The people at a page; each of their presses waits for its effect."""

    def __init__(self, browser: Browser, running: Lifeboard) -> None:
        # Lights that breathe cost a seventh of all that a game on the page takes.
        self._context = browser.new_context(locale="en-GB", reduced_motion="reduce")
        self.page: Page = self._context.new_page()
        self.problems = complaints(self.page)
        self.page.goto(running.address)
        self.counts("[data-cell]", 61)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._context.close()
        if kind is None:
            assert [each for each in self.problems if "WebSocket" not in each] == []

    def cell(self, name: str) -> Locator:
        return self.page.locator(f'[data-cell="{name}"]')

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

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
        before = self.page.locator("#moves li").count()
        self.touch(name, f'[data-piece="{player}"]')
        self.counts("#moves li", before + 1)
        while (task := self.page.locator(TAKE).first).count():
            # A cell that is right has no edit.
            self.touch(str(task.get_attribute("data-cell")), '[data-edit=""]')

    @property
    def pieces(self) -> dict[str, str]:
        """Read from the page what should stand where."""
        shown = self.page.evaluate(
            "Object.fromEntries([...document.querySelectorAll('[data-cell]')]"
            ".map(e => [e.dataset.cell, e.dataset.piece]))"
        )
        return {name: piece for name, piece in shown.items() if piece}
