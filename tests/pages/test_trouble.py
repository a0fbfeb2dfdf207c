"""What the page shows of a board with faults and of stones, by a table without a server."""

from playwright.sync_api import expect

from game.rules.base.message import say
from game.rules.circle_of_life import GAME
from game.table.inputs import FaultsChanged, MaskChanged, Touched
from tests.helpers.pages.scripted_page import Board, lost

SOUND = FaultsChanged(frozenset(), ())


def test_a_pause_is_said_once_and_the_lost_cells_are_marked_and_left_out(page):
    board = Board(page)
    alert, strong = page.get_by_role("alert"), page.locator("#message strong")
    colour = "element => getComputedStyle(element).color"
    ink = page.locator("body").evaluate(colour)
    board.give(lost("e5", "e6"))
    expect(alert).to_have_text("Sensor chip B does not answer.")
    expect(page.get_by_role("status")).to_contain_text("The game is paused")
    expect(page.get_by_role("status")).not_to_contain_text("Sensor chip")
    expect(page.locator('[data-trouble="missing"]')).to_have_count(2)
    expect(board.cell("e5").locator(".hatch")).to_have_attribute("fill", "url(#hatch-missing)")
    board.give(SOUND)
    expect(alert).to_have_count(0)
    expect(page.locator("#message .good")).to_have_text("The game goes on.")
    assert strong.evaluate(colour) == ink
    board.give(lost("e5"), Touched("a1"))
    expect(strong).to_contain_text("did not count")
    assert strong.evaluate(colour) != ink
    # While the cable is unplugged, the game goes on on the page.
    everything = frozenset(GAME.board.cells)
    board.give(SOUND, FaultsChanged(everything, (say("fault.link"),)))
    expect(alert).to_contain_text("Plug the board in again")
    board.button("Play without these cells").click()
    (message,) = board.heard(1)
    assert (message["do"], sorted(message["cells"])) == ("mask", sorted(everything))
    board.give(MaskChanged(everything), SOUND, Touched("e5"))
    expect(board.cell("e5")).to_have_attribute("data-cue", "placed")


def test_a_connection_that_dies_silently_is_noticed_and_made_again(page):
    page.clock.install()
    board = Board(page)
    link = page.locator("#link")
    expect(link).to_be_empty()
    board.silent = True
    board.cell("e5").click()
    page.clock.run_for(6_000)
    expect(link).to_contain_text("Connection lost")
    board.table.handle(Touched("d4"), board.now)
    board.silent = False
    page.clock.run_for(11_000)
    expect(link).to_be_empty()
    expect(board.cell("d4")).to_have_attribute("data-cue", "placed")
    assert board.sent == []
    # A network that comes back is tried at once.
    board.silent = True
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.clock.run_for(4_500)
    expect(link).to_contain_text("Connection lost")


def test_masked_cells_are_named_touched_on_the_page_and_felt_again(page):
    board = Board(page)
    board.give(MaskChanged(frozenset({"e5", "a1"})))
    expect(page.get_by_text("Switched off, so tap these here: a1, e5")).to_be_visible()
    expect(board.cell("a1")).to_have_attribute("data-cue", "cursor")
    expect(board.cell("e5").locator(".hatch")).to_have_attribute("fill", "url(#hatch-masked)")
    board.cell("e5").click()
    board.cell("e5").focus()
    page.keyboard.press("Enter")
    board.cell("i5").click()
    board.button("Switch these cells on again").click()
    assert board.sent[:2] == [{"do": "touch", "spot": "e5"}] * 2
    assert [message["do"] for message in board.sent[2:]] == ["press", "lift", "mask"]
    assert board.sent[-1] == {"do": "mask", "cells": []}


def test_cell_of_a_real_board_that_feels_nothing_can_be_left_out(page):
    board = Board(page, simulated=False)
    leave_out = board.button("Play without e5")
    board.cell("e5").click()
    expect(page.get_by_text("Tap e5 on the board itself.")).to_be_visible()
    board.show()
    expect(leave_out).to_be_visible()
    board.give(Touched("a1"))
    expect(leave_out).to_be_hidden()
    board.cell("e5").click()
    leave_out.click()
    assert board.heard(1) == [{"do": "mask", "cells": ["e5"]}]
    board.give(MaskChanged(frozenset({"e5"})))
    expect(leave_out).to_be_hidden()
    stones = Board(page, presence=True, simulated=False)
    stones.cell("e5").click()
    expect(page.get_by_text("Place pieces on the board itself. If e5 does")).to_be_visible()
