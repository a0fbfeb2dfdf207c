"""The tool's page in a browser: notes in cells, buttons, tiles that are held, a table."""

import io

import pytest
from playwright.sync_api import expect

from game.maker.display import Action, CellNote, ToolDisplay, ToolScreen
from game.rules.circle_of_life import GAME
from tests.helpers.programs.odd_rig import wait_until
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
def tool(page, display):
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(display.address)
    expect(page.locator("#board [data-cell]")).to_have_count(61)
    return page


def test_page_shows_notes_in_cells_beside_them_and_in_a_table(tool, display):
    expect(tool.get_by_role("status")).to_have_text("Touch e5")
    cell = tool.locator('[data-cell="e5"]')
    expect(cell).to_have_attribute("data-state", "asked")
    expect(cell).to_have_attribute("aria-label", "e5, 612, asked")
    expect(cell.locator(".note")).to_have_text("612")
    expect(tool.locator('[data-tile="new_game"]')).to_contain_text("A.11")
    expect(tool.get_by_text("3 of 61")).to_be_visible()
    display.show(ToolScreen("Calibrate", "Done", cells={"e5": CellNote("620", "done")}))
    expect(cell).to_have_attribute("aria-label", "e5, 620, done")
    expect(tool.locator('[data-tile="new_game"]')).to_have_count(0)
    columns = ("raw", "baseline", "difference", "state")
    cells = {"e5": CellNote("560", "touched", 0.5, ("560", "608", "48", "touched"))}
    display.show(ToolScreen("Monitor", "Readings", cells, columns=columns))
    row = tool.locator('[data-row="e5"]')
    expect(row.get_by_role("cell")).to_have_text(["560", "608", "48", "touched"])
    expect(tool.get_by_role("columnheader")).to_have_text(["cell", *columns])
    assert tool.evaluate("document.documentElement.scrollWidth") <= 360


def test_buttons_keep_the_focus_and_cells_are_pressed_while_sheets_come(tool, display, hands):
    skip = tool.get_by_role("button", name="Skip")
    skip.focus()
    actions = (SCREEN.actions[0], Action("go", "Go on", ""))
    display.show(ToolScreen("Calibrate", "Touch e6", actions=actions))
    expect(tool.get_by_role("button", name="Stop")).to_have_count(0)
    tool.keyboard.press("Enter")
    wait_until(lambda: display.asked() == "skip")
    display.show(SCREEN)
    tool.locator('[data-cell="e5"]').click()
    assert [hands.done.get(timeout=ANSWER_S)[1] for _ in range(2)] == ["e5", ""]
    tile = tool.locator('[data-tile="new_game"]')
    tile.hover()
    tool.mouse.down()
    assert hands.done.get(timeout=ANSWER_S)[1] == "new_game"
    display.show(ToolScreen("Calibrate", "Hold", cells={"new_game": CellNote("580")}))
    expect(tile).to_contain_text("580")
    assert hands.done.empty()
    tool.mouse.up()
    assert hands.done.get(timeout=ANSWER_S)[1] == ""
