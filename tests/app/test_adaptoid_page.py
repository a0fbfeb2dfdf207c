"""Adaptoid on the page, in a real Chromium: its pieces with their limbs, and the keys for them.

A table of the test tells the page; whole games are played elsewhere.
"""

import pytest
from playwright.sync_api import Browser, Page, expect

from game.rules.catalogue import find_game
from tests.helpers.pages.told_page import Board

pytestmark = pytest.mark.browser

ADAPTOID = find_game("adaptoid")
START = ("d4", "e4", "d4")
"""White on d4, black on e4, and the second player takes White."""
THUMB_PX = 44


def limbs(page: Page, piece: str) -> tuple[int, int, int]:
    """Count the legs, pincers and free sockets that a piece's picture has."""
    picture = page.locator(f"#stone-{piece}")
    expect(picture).to_have_count(1)
    legs, pincers, free = (picture.locator(f".{kind}") for kind in ("leg", "pincer", "socket"))
    return legs.count(), pincers.count(), free.count()


def test_every_piece_has_the_limbs_that_its_code_says(page: Page):
    board = Board(page, game=ADAPTOID)
    board.tap(*START)
    assert limbs(page, "W0L0P") == (0, 0, 6)
    board.tap("d4", "choice1", "e4", "choice2", "d4", "choice2")
    expect(board.cell("d4")).to_have_attribute("data-standing", "W1L1P")
    expect(board.cell("d4").locator(".stone")).to_have_attribute("href", "#stone-W1L1P")
    assert limbs(page, "W1L1P") == (1, 1, 4)
    assert limbs(page, "B0L1P") == (0, 1, 5)


def test_leg_and_pincer_are_asked_for_once_a_body_is_touched(page: Page):
    board = Board(page, game=ADAPTOID)
    leg, pincer = (page.locator(f'[data-key="choice{n}"]') for n in (1, 2))
    board.tap(*START)
    expect(leg).to_be_hidden()
    board.tap("d4")
    expect(board.cell("d4")).to_have_attribute("data-cue", "chosen")
    expect(leg).to_be_visible()
    expect(leg).to_have_text("leg")
    expect(pincer).to_have_text("pincer")
    expect(page.locator("#choices-said")).to_contain_text("pincer")
    pincer.focus()
    page.keyboard.press("Space")
    assert board.heard(1) == [{"do": "key", "name": "choice2"}]


def test_keys_are_as_large_as_a_thumb_on_a_phone(browser: Browser):
    with browser.new_context(viewport={"width": 375, "height": 667}) as context:
        board = Board(context.new_page(), game=ADAPTOID)
        board.tap(*START, "d4")
        for name in ("choice1", "choice2"):
            key = board.page.locator(f'[data-key="{name}"]')
            expect(key).to_be_visible()
            box = key.bounding_box()
            assert min(box["width"], box["height"]) >= THUMB_PX
        assert board.page.evaluate("document.documentElement.scrollWidth") <= 375


def test_cards_follow_the_colour_that_the_second_player_chooses(page: Page):
    board = Board(page, game=ADAPTOID)
    cards = page.locator("#players .player")
    expect(cards.locator("h2")).to_have_text(["First player", "Second player"])
    board.tap(*START)
    expect(cards.locator("h2")).to_have_text(["Black", "White"])
    expect(cards.last.locator(".mark use")).to_have_attribute("href", "#stone-W2L2P")
    expect(cards.last.locator(".count")).to_have_text("0 / 5")
    expect(cards.locator(".goals li")).to_have_count(0)
    expect(page.get_by_text("White: 0 of 5 adaptoids captured")).to_be_attached()
    expect(page.locator("#moves li").last).to_have_attribute("data-side", "1")
