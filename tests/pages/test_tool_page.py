"""The tool's page in a browser: notes in cells, buttons, tiles that are held, a table."""

import io

import pytest
from playwright.sync_api import expect

from game.maker.display import Action, CellNote, ToolDisplay, ToolScreen
from game.rules.circle_of_life import GAME
from tests.helpers.pages.browser import complaints
from tests.maker.test_display import ANSWER_S, SCREEN, FakeHands


@pytest.fixture
def hands():
    return FakeHands("new_game")


@pytest.fixture
def display(hands):
    streams = (None, io.StringIO())
    with ToolDisplay(GAME.board, 0, streams, browser=False, hands=hands) as display:
        display.show(SCREEN)
        yield display


@pytest.fixture
def page(browser, display):
    with browser.new_context(viewport={"width": 360, "height": 740}) as context:
        page = context.new_page()
        problems = complaints(page)
        page.goto(display.address)
        expect(page.locator("#board [data-cell]")).to_have_count(61)
        yield page
    assert [each for each in problems if "WebSocket" not in each] == []


def test_page_shows_notes_in_cells_beside_them_and_in_a_table(page, display):
    expect(page.get_by_role("status")).to_have_text("Touch e5")
    cell = page.locator('[data-cell="e5"]')
    expect(cell).to_have_attribute("data-state", "asked")
    expect(cell).to_have_attribute("aria-label", "e5, 612, asked")
    expect(cell.locator(".note")).to_have_text("612")
    expect(page.locator('[data-tile="new_game"]')).to_contain_text("A.11")
    expect(page.get_by_text("3 of 61")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    display.show(ToolScreen("Calibrate", "Done", cells={"e5": CellNote("620", "done")}))
    expect(cell).to_have_attribute("aria-label", "e5, 620, done")
    expect(page.locator('[data-tile="new_game"]')).to_have_count(0)
    columns = ("raw", "baseline", "difference", "state")
    cells = {"e5": CellNote("560", "touched", 0.5, ("560", "608", "48", "touched"))}
    display.show(ToolScreen("Monitor", "Readings", cells, columns=columns))
    row = page.locator('[data-row="e5"]')
    expect(row.get_by_role("cell")).to_have_text(["560", "608", "48", "touched"])
    expect(page.get_by_role("columnheader")).to_have_text(["cell", *columns])
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    display.show(SCREEN)
    expect(page.locator("#readings")).to_be_hidden()


def test_buttons_keep_the_focus_and_cells_are_pressed_while_sheets_come(page, display, hands):
    skip = page.get_by_role("button", name="Skip")
    skip.focus()
    actions = (SCREEN.actions[0], Action("go", "Go on", ""))
    display.show(ToolScreen("Calibrate", "Touch e6", actions=actions))
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    expect(skip).to_be_focused()
    page.keyboard.press("Enter")
    assert display._asked.get(timeout=ANSWER_S) == "skip"
    display.show(SCREEN)
    page.locator('[data-cell="e5"]').click()
    assert [hands.done.get(timeout=ANSWER_S)[1] for _ in range(2)] == ["e5", ""]
    tile = page.locator('[data-tile="new_game"]')
    tile.hover()
    page.mouse.down()
    assert hands.done.get(timeout=ANSWER_S)[1] == "new_game"
    display.show(ToolScreen("Calibrate", "Hold", cells={"new_game": CellNote("580")}))
    expect(tile).to_contain_text("580")
    assert hands.done.empty()
    page.mouse.up()
    assert hands.done.get(timeout=ANSWER_S)[1] == ""
    tile.focus()
    page.keyboard.press("Enter")
    assert hands.done.get(timeout=ANSWER_S)[1] == "new_game"
    expect(page.locator('#board [data-cell][tabindex="0"]')).to_have_count(1)
