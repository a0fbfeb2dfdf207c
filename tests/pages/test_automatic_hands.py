"""Hands of the board's own and of people, redo, clocks and strict games, as the page shows them."""

from playwright.sync_api import Page, expect

from game.table.inputs import Command
from tests.helpers.pages.hosted import hosted
from tests.helpers.pages.scripted_page import NAMES, Board
from tests.table.random_game import TWO_MEALS


def choose(page: Page, hands: str) -> None:
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name=hands).check()
    page.keyboard.press("Escape")


def test_the_board_plays_its_own_hands_while_people_want_that(browser, page, tmp_path):
    with hosted(tmp_path, first="1") as running:
        page.goto(running.address)
        choose(page, "automatic")
        for count, cell in enumerate(TWO_MEALS, start=1):
            page.locator(f'[data-cell="{cell}"][data-cue="legal"]').click()
            expect(page.locator("#moves li")).to_have_count(count)
        # Two stones are eaten, and are removed automatically.
        expect(page.locator('[data-cue="remove"]')).to_have_count(2)
        expect(page.locator("#todo")).to_be_hidden()
        eaten = page.locator('[data-cell="d4"]')
        expect(eaten).to_have_attribute("data-standing", "")
        expect(page.locator(".leaving")).to_have_count(0)
        page.get_by_role("button", name="Take back").click()
        expect(eaten).to_have_attribute("data-standing", "2")
        page.get_by_role("button", name="Redo").click()
        expect(eaten).to_have_attribute("data-standing", "")
        choose(page, "mine")
        page.get_by_role("button", name="Take back").click()
        expect(page.locator('[data-edit="take"]')).to_have_count(1)
        # Another page chooses differently; this one restores its own choice on reload.
        with browser.new_context() as context:
            other = context.new_page()
            other.goto(running.address)
            choose(other, "automatic")
            expect(page.locator('body[data-hands="automatic"]')).to_be_visible()
        page.reload()
        expect(page.locator('body[data-hands="mine"]')).to_be_visible()


def test_clocks_count_down_between_the_messages_of_the_server(page):
    page.clock.install(time=0)
    board = Board(page, clock="fischer:65+5")
    page.clock.pause_at(60_000)
    clocks = page.locator(".clock")
    expect(clocks).to_have_text(["1:05", "1:05"])
    page.clock.run_for(5_000)
    # Before the first move no clock runs.
    expect(clocks).to_have_text(["1:05", "1:05"])
    board.tap("e5")
    board.now += 40
    board.table.tick(board.now)
    board.show()
    expect(clocks).to_have_text(["1:10", "0:25"])
    # Pings of the page meanwhile take no time from its clock.
    for _ in range(8):
        page.clock.run_for(2_000)
    expect(clocks).to_have_text(["1:10", "0:09"])
    expect(clocks.nth(1)).to_have_class("clock running short")
    expect(clocks.nth(1)).to_have_accessible_name("Blue: 0:09 left")
    for _ in range(15):
        page.clock.run_for(2_000)
    # Only the server reports that time is up.
    expect(clocks.nth(1)).to_have_text("0:00")
    expect(page.locator("#outcome")).to_be_hidden()
    board.now += 40
    board.table.tick(board.now)
    board.show()
    expect(page.locator("#verdict")).to_have_text("Blue has no time left. Orange wins.")
    written = page.evaluate(
        "async (times) => times.map((await import('/page/clock.js')).written)",
        [0, 0.04, 0.5, 59.9, 60, 600, 3599.9, 3661],
    )
    assert written == ["0:00", "0:00", "0:01", "1:00", "1:00", "10:00", "1:00:00", "1:01:01"]


def test_a_strict_game_has_no_buttons_for_help(page):
    board = Board(page, levels=NAMES, assistance="strict")
    board.tap("e5")
    for name in ("Hint", "Coach", "Take back", "Redo"):
        expect(board.button(name)).to_be_hidden()
    expect(board.button("Resign")).to_be_visible()
    board.ask(Command.HINT)
    expect(page.get_by_role("status")).to_contain_text("No hints and no taking back")
    board.button("Settings").click()
    expect(page.locator("#hands")).to_be_hidden()
