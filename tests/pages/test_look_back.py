"""Looking back on the page: at a game that goes on, and at a saved one."""

from dataclasses import replace

from playwright.sync_api import Page, expect

from game.rules.circle_of_life import GAME
from game.store import BOARD, Record, Result, Store, lines_of
from game.store.record import checked
from game.table.entries import RESIGNED
from game.table.inputs import Command
from tests.helpers.pages.hosted import hosted
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


def test_buttons_keys_slider_and_moves_lead_through_the_game(page):
    board = Board(page)
    board.tap(*APART)
    leave, status = board.button("Back to the game"), page.locator("#message")
    expect(leave).to_be_hidden()
    page.locator('#moves [data-ply="3"]').click()
    shows(page, 3)
    expect(status).to_have_text("Orange placed i5: singleton.")
    expect(board.cell("i5")).to_have_attribute("data-cue", "placed")
    expect(page.locator('[data-cue="legal"]')).to_have_count(0)
    for name, ply in (("One move back", 2), ("One move on", 3), ("To the beginning", 0)):
        board.button(name).click()
        shows(page, ply)
    expect(status).to_have_text("Start of the game.")
    page.keyboard.press("ArrowRight")
    shows(page, 1)
    page.get_by_role("slider").fill("6")
    shows(page, 6)
    page.keyboard.press("Home")
    shows(page, 0)
    # A past position accepts no moves and no take-backs.
    board.cell("c5").click()
    expect(status).to_contain_text("Press “Back to the game” to play")
    assert {each["do"] for each in board.sent} == {"look"}
    leave.click()
    shows(page, 8)
    expect(page.locator('[data-cue="legal"]')).to_have_count(61 - 8)
    for away in ("Escape", "End"):
        page.keyboard.press("ArrowLeft")
        shows(page, 7)
        page.keyboard.press(away)
        shows(page, 8)
        expect(leave).to_be_hidden()


def test_moves_after_a_position_are_taken_back_after_a_question(page):
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


STARTED = "2026-11-21T12:00:00.000+00:00"
MOVES = ("e5", "e4", "e6", "d1")
RECORD = checked(Record(GAME.name, {}, ("Anna", "Beat"), computers=("", "3"), moves=MOVES))


def test_a_past_game_is_looked_at_and_judged_on_a_page_of_its_own(page, tmp_path):
    resigned = checked(replace(RECORD, result=Result(1, RESIGNED)))
    with Store(tmp_path) as store:
        store.begin(GAME.name, BOARD, lines_of(resigned, STARTED), resigned.result)
    with hosted(tmp_path) as running:
        page.goto(f"{running.address}?game=1")
        expect(page.locator("#replay")).to_have_text("Replay of game 1 (November 21, 2026)")
        expect(page.locator("#verdict")).to_have_text("Beat resigns. Anna wins.")
        others = ("Set up a position", "Check the board", "Hint")
        for name in ("Take back", "New game", "Resign", *others):
            expect(page.get_by_role("button", name=name)).to_have_count(0)
        page.keyboard.press("ArrowLeft")
        expect(page.get_by_role("status").first).to_contain_text("Orange placed e6")
        page.get_by_role("button", name="How did it go?").click()
        expect(page.locator("#course")).to_be_visible()
        chart = page.get_by_role("slider", name="Who was ahead")
        expect(chart).to_have_attribute("aria-valuenow", "3")
        chart.focus()
        page.keyboard.press("Home")
        expect(page.locator('[data-piece="1"], [data-piece="2"]')).to_have_count(0)
        page.get_by_role("button", name="Back to the game").click()
        expect(page).to_have_title("Circle of Life · lifeboard")
