"""Hands of the board's own and of people, redo, clocks and strict games, as the page shows them."""

from playwright.sync_api import expect

from game.table.inputs import Command
from tests.helpers.pages.real_page import People
from tests.helpers.pages.scripted_page import NAMES, Board
from tests.helpers.programs.running import Lifeboard
from tests.table.random_game import TWO_MEALS

TAP = 'body[data-phase="tap"]'


def test_the_board_plays_its_own_hands_until_people_want_to(browser, tmp_path):
    options = ("--hands", "auto", "--seed", "1", "--option", "first=1")
    with Lifeboard(tmp_path, *options) as running, People(browser, running) as people:
        page = people.page
        people.counts(TAP, 1)
        for count, cell in enumerate(TWO_MEALS, start=1):
            people.cell(cell).click()
            people.counts("#moves li", count)
        # Two stones are eaten, and are removed automatically.
        people.counts('[data-cue="remove"]', 2)
        expect(page.locator("#todo")).to_be_hidden()
        people.counts(TAP, 1)
        people.counts(".leaving", 0)
        assert len(people.pieces) == 5
        assert people.cell("d4").get_attribute("data-standing") == ""
        expect(people.button("Redo")).to_be_hidden()
        people.button("Take back").click()
        people.counts('[data-cell="d4"][data-edit=""][data-standing="2"]', 1)
        people.button("Redo").click()
        people.counts(f'{TAP} [data-cell="d4"][data-standing=""]', 1)
        # A computer's stones are set automatically.
        people.button("Players").click()
        page.locator("dialog [name=level]").nth(1).select_option(label="Computer: Mouse (1)")
        people.button("Apply to this game").click()
        people.counts("#moves li", len(TWO_MEALS) + 1)
        people.counts(TAP, 1)
        people.button("Settings").click()
        page.get_by_role("radio", name="mine").check()
        page.keyboard.press("Escape")
        expect(page.locator("body")).to_have_attribute("data-hands", "mine")
        people.button("Take back").click()
        people.counts('[data-edit="take"]', 2)
        # Another page chooses differently; this one restores its own choice on reload.
        with People(browser, running) as others:
            others.button("Settings").click()
            others.page.get_by_role("radio", name="automatic").check()
            people.counts('body[data-hands="automatic"]', 1)
        page.reload()
        people.counts('body[data-hands="mine"]', 1)


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
    board.tell(board.message | {"hands": "automatic"})
    expect(page.get_by_role("radio", name="automatic")).to_be_checked()
    page.get_by_role("radio", name="mine").check()
    assert board.heard(1) == [{"do": "hands", "automatic": False}]
    assert page.evaluate("localStorage['lifeboard.hands']") == "mine"
