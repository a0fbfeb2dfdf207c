"""Fingers on a touch screen: a tap plays, a swipe scrolls, a finger that rests inspects."""

from playwright.sync_api import expect

from game.table.inputs import Held, Touched
from tests.helpers.pages.fingers import Finger, phone
from tests.helpers.pages.layout import middle
from tests.helpers.pages.scripted_page import Board

PRESSED = [
    {"do": "press", "pointer": "tap", "spot": "e5"},
    {"do": "lift", "pointer": "tap"},
]


def test_swipe_scrolls_a_tap_plays_and_a_finger_that_rests_inspects(browser):
    with phone(browser, height=600) as page:
        board, finger = Board(page), Finger(page)
        x, y = middle(board.cell("e5"))
        finger.touch("Start", (x, y))
        for step in range(1, 9):
            finger.touch("Move", (x, y - 25 * step))
        finger.touch("End")
        page.wait_for_function("scrollY > 40")
        # Two fingers zoom, also where both come down on cells.
        finger.touch("Start", (190.0, 250.0), (230.0, 260.0))
        finger.touch("Move", (150.0, 200.0), (270.0, 300.0))
        finger.touch("End")
        page.wait_for_function("visualViewport.scale > 1")
        assert board.sent == []
        page.reload()
        expect(board.cell("e5")).to_be_visible()
        finger.touch("Start", middle(board.cell("e5")))
        finger.touch("End")
        assert board.heard(2) == PRESSED
        expect(page.locator(".pressed")).to_have_count(0)
        board.sent.clear()
        card = page.locator(".inspection")
        finger.touch("Start", middle(board.cell("e5")))
        expect(card).to_contain_text("e5, empty, you can tap here")
        expect(card).to_be_in_viewport()
        finger.touch("End")
        expect(card).to_be_hidden()
        assert board.sent == []
        board.tap("e5")
        expect(board.cell("e5")).to_have_attribute("data-piece", "1")
        finger.touch("Start", middle(board.cell("e5")))
        assert board.heard(1) == PRESSED[:1]
        board.give(Touched("e5"), Held("e5"))
        expect(card).to_contain_text("e5, orange stone")
        expect(card).to_contain_text("It eats four-lines")
        finger.touch("End")
        assert board.heard(2) == PRESSED
        expect(card).to_be_hidden()
