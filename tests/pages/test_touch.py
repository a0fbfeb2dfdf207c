"""Fingers on a touch screen: a tap plays, a swipe scrolls, a finger that rests inspects."""

import pytest
from playwright.sync_api import CDPSession, expect

from game.table.inputs import Held, Touched
from tests.helpers.pages.layout import middle
from tests.helpers.pages.scripted_page import Board

STEPS = 8
PRESSED = [
    {"do": "press", "pointer": "tap", "spot": "e5"},
    {"do": "lift", "pointer": "tap"},
]


class Screen:
    """A phone's screen under true touches, and the table that its page belongs to."""

    def __init__(self, board: Board, devtools: CDPSession) -> None:
        self.board = board
        self.page = board.page
        self._devtools = devtools

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._devtools.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": at})

    def middle(self, cell: str) -> tuple[float, float]:
        return middle(self.board.cell(cell))

    def tap(self, cell: str) -> None:
        self.touch("Start", self.middle(cell))
        self.touch("End")


@pytest.fixture
def screen(browser):
    phone = {"width": 390, "height": 600}
    with browser.new_context(
        viewport=phone, has_touch=True, is_mobile=True, locale="en-GB"
    ) as context:
        page = context.new_page()
        yield Screen(Board(page), context.new_cdp_session(page))


def test_swipe_scrolls_a_tap_plays_and_a_finger_that_rests_inspects(screen):
    x, y = screen.middle("e5")
    screen.touch("Start", (x, y))
    for step in range(1, STEPS + 1):
        screen.touch("Move", (x, y - 25 * step))
    screen.touch("End")
    screen.page.wait_for_function("scrollY > 40")
    # Two fingers zoom, also where both come down on cells.
    pair = [(190.0, 250.0), (230.0, 260.0)]
    screen.touch("Start", *pair)
    screen.touch("Move", (150.0, 200.0), (270.0, 300.0))
    screen.touch("End")
    screen.page.wait_for_function("visualViewport.scale > 1")
    assert screen.board.sent == []
    screen.page.reload()
    expect(screen.board.cell("e5")).to_be_visible()
    screen.tap("e5")
    assert screen.board.heard(2) == PRESSED
    expect(screen.page.locator(".pressed")).to_have_count(0)
    screen.board.sent.clear()
    card = screen.page.locator(".inspection")
    screen.touch("Start", screen.middle("e5"))
    expect(card).to_contain_text("e5, empty, you can tap here")
    expect(card).to_be_in_viewport()
    screen.touch("End")
    expect(card).to_be_hidden()
    assert screen.board.sent == []
    screen.board.tap("e5")
    expect(screen.board.cell("e5")).to_have_attribute("data-piece", "1")
    screen.touch("Start", screen.middle("e5"))
    assert screen.board.heard(1) == PRESSED[:1]
    screen.board.give(Touched("e5"), Held("e5"))
    expect(card).to_contain_text("e5, orange stone")
    expect(card).to_contain_text("It eats four-lines")
    screen.touch("End")
    assert screen.board.heard(2) == PRESSED
    expect(card).to_be_hidden()
