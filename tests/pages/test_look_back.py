"""Looking back at a game on its page, while it goes on."""

from playwright.sync_api import Page, expect

from game.table.inputs import Command
from tests.helpers.pages.scripted_page import Board

APART = ("e5", "a1", "i5", "a5", "e9", "e1", "c3", "g3")
BACK = {"do": "command", "name": "take_back"}


def shows(page: Page, ply: int, of: int = len(APART)) -> None:
    """Expect the position after this many moves, with the next move not shown."""
    if ply < of:
        expect(page.locator(".look-count")).to_have_text(f"{ply} / {of}")
    expect(page.locator('[data-piece="1"], [data-piece="2"]')).to_have_count(ply)
    if ply:
        expect(page.locator("#moves [aria-current]")).to_have_attribute("data-ply", str(ply))


def test_buttons_keys_slider_and_moves_lead_through_the_game(page: Page):
    board = Board(page)
    expect(page.locator("#look")).to_be_hidden()
    board.tap(*APART)
    leave, status = board.button("Back to the game"), page.locator("#message")
    expect(leave).to_be_hidden()
    page.locator('#moves [data-ply="3"]').click()
    shows(page, 3)
    expect(status).to_have_text("Orange placed i5: singleton.")
    expect(board.cell("i5")).to_have_attribute("data-cue", "placed")
    expect(page.locator('[data-cue="legal"]')).to_have_count(0)
    for name, ply in (
        ("One move back", 2),
        ("One move on", 3),
        ("To the beginning", 0),
    ):
        board.button(name).click()
        shows(page, ply)
    expect(status).to_have_text("Start of the game.")
    page.keyboard.press("ArrowRight")
    shows(page, 1)
    page.get_by_role("slider").fill("6")
    shows(page, 6)
    page.locator("#moves [aria-current]").focus()
    page.keyboard.press("ArrowLeft")
    shows(page, 5)
    page.keyboard.press("Home")
    shows(page, 0)
    # A past position accepts no moves and no take-backs.
    board.cell("c5").click()
    expect(status).to_contain_text("Press “Back to the game” to play")
    assert {each["do"] for each in board.sent} == {"look"}
    leave.click()
    shows(page, 8)
    expect(page.locator('[data-cue="legal"]')).to_have_count(61 - 8)
    expect(leave).to_be_hidden()
    for away in ("Escape", "End"):
        page.keyboard.press("ArrowLeft")
        shows(page, 7)
        page.keyboard.press(away)
        shows(page, 8)
        expect(leave).to_be_hidden()
    board.speak("de")
    page.keyboard.press("ArrowLeft")
    shows(page, 7)
    board.speak("en")
    shows(page, 7)
    expect(status).to_have_text("Orange placed c3: singleton.")


def test_moves_after_a_position_are_taken_back_after_a_question(page: Page):
    board = Board(page)
    board.tap(*APART)
    dialog, here = page.get_by_role("dialog"), board.button("Take back to here")
    page.locator('#moves [data-ply="5"]').click()
    here.click()
    expect(dialog).to_contain_text("Take back e1 and all after it?")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    shows(page, 5)
    here.click()
    # The question is dropped when the game has gone on.
    board.tap("i1")
    expect(dialog).to_be_hidden()
    for key in ("ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    expect(page.locator(".look-news")).to_have_text("New moves: 1")
    here.click()
    dialog.get_by_role("button", name="Take back").click()
    board.wait_for(lambda: board.sent.count(BACK) == 4)
    assert board.sent.count(BACK) == 4
    expect(board.button("Back to the game")).to_be_hidden()
    # Others may take back the move that is being looked at.
    page.locator('#moves [data-ply="8"]').click()
    shows(page, 8, 9)
    board.ask(Command.TAKE_BACK, Command.TAKE_BACK)
    expect(board.button("Back to the game")).to_be_hidden()
    expect(page.locator("#moves li")).to_have_count(7)
