"""The page of a running board in Chromium: clicks, touch, keyboard, losing the connection."""

from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from game.rules.circle_of_life import GAME
from tests.helpers.pages.hosted import Hosted
from tests.helpers.pages.real_page import People
from tests.helpers.programs.running import Lifeboard

STONES = '[data-piece="1"], [data-piece="2"]'


@pytest.fixture
def page(page: Page, board: Hosted) -> Page:
    page.goto(board.address)
    expect(page.locator('[data-cue="legal"]')).to_have_count(61)
    return page


def cell(page: Page, name: str):
    return page.locator(f'[data-cell="{name}"]')


def status(page: Page):
    return page.get_by_role("status")


def place(page: Page, name: str) -> None:
    cell(page, name).click()
    expect(cell(page, name)).to_have_attribute("data-cue", "placed")


def test_whole_game_by_clicking_ends_with_the_right_winner(browser: Browser, tmp_path: Path):
    options = {"target": "6", "first": "1"}
    asked = (f"--option={key}={value}" for key, value in options.items())
    position, rng = GAME.initial(options), Random(11)
    with Lifeboard(tmp_path, *asked) as running, People(browser, running) as people:
        people.counts('body[data-phase="tap"]', 1)
        while (outcome := GAME.outcome(position)) is None:
            moves = list(GAME.legal_moves(position))
            # Eating where possible, so that stones are taken away in most turns of a short game.
            meals = [move for move in moves if GAME.result(position, move).removed]
            move, player = rng.choice(meals or moves), GAME.to_move(position)
            position = GAME.play(position, move)
            people.place(move, player)
            assert people.pieces == GAME.pieces(position)
        name = ("Orange", "Blue")[outcome.winner - 1]
        eaten = position.eaten[outcome.winner - 1]
        expect(people.message).to_contain_text(f"{name} wins with {eaten} stones eaten.")
        expect(people.page.locator('[data-cue="win"]').first).to_be_visible()
        assert running.stop() == (0, "")


def test_touches_inspect_take_back_and_are_refused_with_a_reason(page: Page):
    place(page, "e5")
    cell(page, "e5").hover()
    page.mouse.down()
    expect(status(page)).to_contain_text("Species: singleton. It eats four-lines")
    expect(cell(page, "e5")).to_have_attribute("data-cue", "critter")
    page.mouse.up()
    expect(status(page)).not_to_contain_text("Species")
    page.get_by_role("button", name="Take back").click()
    expect(cell(page, "e5")).to_have_attribute("data-cue", "remove")
    expect(page.locator(STONES)).to_have_count(0)
    cell(page, "a1").click()
    expect(cell(page, "a1")).to_have_attribute("data-cue", "wrong")
    expect(status(page)).to_contain_text("Not a1 yet. First take off")
    expect(page.locator(STONES)).to_have_count(0)
    cell(page, "e5").click()
    # A mouse that rests on a cell shows there what it would make.
    page.mouse.move(0, 0)
    expect(page.locator('[data-cue="legal"]')).to_have_count(61)


def test_keyboard_alone_plays_cells_that_are_named(page: Page):
    page.locator('[data-cell][tabindex="0"]').focus()
    start = page.evaluate("document.activeElement.dataset.cell")
    page.keyboard.press("ArrowRight")
    here = page.evaluate("document.activeElement.dataset.cell")
    assert here in GAME.board.neighbours[start]
    page.keyboard.press("Enter")
    expect(cell(page, here)).to_have_attribute("data-cue", "placed")
    label = cell(page, here).get_attribute("aria-label")
    assert label in (f"{here}, orange stone, just placed", f"{here}, blue stone, just placed")
    assert cell(page, here).get_attribute("role") == "button"
    assert cell(page, "a1").get_attribute("aria-label") == "a1, empty, you can tap here"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    expect(page.locator(STONES)).to_have_count(2)
    assert page.locator('[data-cell][tabindex="0"]').count() == 1
