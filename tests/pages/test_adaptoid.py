"""Adaptoid on the page: its pieces with their limbs, and the keys for them.

A table of the test tells the page; whole games are played elsewhere.
"""

from playwright.sync_api import Page, expect

from game.rules.base.registry import find_game
from tests.helpers.pages.scripted_page import Board

ADAPTOID = find_game("adaptoid")
START = ("d4", "e4", "d4")
"""White on d4, black on e4, and the second player takes White."""


def limbs(page: Page, piece: str) -> tuple[int, int, int]:
    """Count the legs, pincers and free sockets that a piece's picture has."""
    picture = page.locator(f"#stone-{piece}")
    expect(picture).to_have_count(1)
    legs, pincers, free = (picture.locator(f".{kind}") for kind in ("leg", "pincer", "socket"))
    return legs.count(), pincers.count(), free.count()


def test_pieces_have_their_limbs_which_keys_add_once_a_body_is_touched(page: Page):
    board = Board(page, game=ADAPTOID)
    leg, pincer = (board.key(f"choice{n}") for n in (1, 2))
    board.tap(*START)
    assert limbs(page, "W0L0P") == (0, 0, 6)
    expect(leg).to_be_hidden()
    board.tap("d4")
    expect(board.cell("d4")).to_have_attribute("data-cue", "chosen")
    expect(leg).to_have_text("leg")
    expect(pincer).to_have_text("pincer")
    expect(page.locator("#choices-said")).to_contain_text("pincer")
    pincer.focus()
    page.keyboard.press("Space")
    assert board.heard(1) == [{"do": "key", "name": "choice2"}]
    board.tap("choice1", "e4", "choice2", "d4", "choice2")
    expect(board.cell("d4").locator(".stone")).to_have_attribute("href", "#stone-W1L1P")
    assert limbs(page, "W1L1P") == (1, 1, 4)
    assert limbs(page, "B0L1P") == (0, 1, 5)
