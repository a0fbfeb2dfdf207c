"""The page in a real Chromium: whole games by clicking, touch, keyboard, losing the connection."""

import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from game.rules.circle_of_life import GAME
from tests.helpers.pages.page_hands import PageHands
from tests.helpers.pages.real_page import People
from tests.helpers.programs.running import Lifeboard

pytestmark = pytest.mark.browser

FELT_MS = 10_000
expect.set_options(timeout=FELT_MS)


@pytest.fixture
def page(browser: Browser, lifeboard: Lifeboard) -> Iterator[Page]:
    with browser.new_context(locale="en-GB") as context:
        page = context.new_page()
        problems: list[str] = []
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(lifeboard.address)
        expect(page.locator('[data-cue="legal"]')).to_have_count(61)
        yield page
        page.unroute_all(behavior="ignoreErrors")
    assert [each for each in problems if "WebSocket" not in each] == []


def cell(page: Page, name: str):
    return page.locator(f'[data-cell="{name}"]')


def status(page: Page):
    return page.get_by_role("status")


def shown(page: Page) -> dict[str, str]:
    """Read every cell's piece off the page."""
    pieces = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('[data-cell]')]"
        ".map(e => [e.dataset.cell, e.dataset.piece]))"
    )
    assert len(pieces) == 61
    return {name: piece for name, piece in pieces.items() if piece}


def mover(page: Page) -> int:
    return 1 if "Orange" in status(page).inner_text() else 2


def touch(page: Page, name: str, effect: str) -> None:
    """Click a cell until it has its effect: clicks come faster than fingers, and some that follow
    one beside them are refused as the same finger's sliding on.
    """
    here = f'[data-cell="{name}"]'
    while True:
        cell(page, name).click()
        expect(page.locator(f'{here}{effect}, {here}[data-cue="wrong"]')).to_have_count(1)
        if page.locator(f"{here}{effect}").count():
            return
        expect(page.locator('[data-cue="wrong"]')).to_have_count(0)


def test_whole_game_by_clicking_ends_with_the_right_winner(browser: Browser, tmp_path: Path):
    running, rng = Lifeboard(tmp_path, "--option", "target=6"), Random(11)
    with PageHands(browser, running, GAME, target="6") as hands:
        while GAME.outcome(hands.position) is None:
            moves = list(GAME.legal_moves(hands.position))
            # Eating where possible, so that stones are taken away in most turns of a short game.
            meals = [move for move in moves if GAME.removed(hands.position, move)]
            hands.play(GAME.move_text(hands.position, rng.choice(meals or moves)))
        outcome = GAME.outcome(hands.position)
        name = "Orange" if outcome.winner == 1 else "Blue"
        assert outcome.reason == "stones eaten"
        eaten = hands.position.eaten[outcome.winner - 1]
        expect(status(hands.page)).to_contain_text(f"{name} wins with {eaten} stones eaten.")
        expect(hands.page.locator('[data-cue="win"]').first).to_be_visible()
    assert running.stop() == (0, "")


def test_refused_click_is_flagged_explained_and_changes_nothing(page: Page):
    cell(page, "e5").click()
    expect(cell(page, "e5")).to_have_attribute("data-cue", "placed")
    page.get_by_role("button", name="Take back").click()
    expect(cell(page, "e5")).to_have_attribute("data-cue", "remove")
    before = shown(page)
    cell(page, "a1").click()
    expect(cell(page, "a1")).to_have_attribute("data-cue", "wrong")
    expect(status(page)).to_contain_text("a1: not yet. First take away")
    assert shown(page) == before


def test_pressing_and_holding_a_stone_inspects_it(page: Page):
    cell(page, "e5").click()
    expect(cell(page, "e5")).to_have_attribute("data-cue", "placed")
    cell(page, "e5").hover()
    page.mouse.down()
    expect(status(page)).to_contain_text("Species: singleton. It eats four-lines")
    expect(cell(page, "e5")).to_have_attribute("data-cue", "critter")
    page.mouse.up()
    expect(status(page)).not_to_contain_text("Species")


def test_keyboard_alone_plays(page: Page):
    page.locator('[data-cell][tabindex="0"]').focus()
    start = page.evaluate("document.activeElement.dataset.cell")
    page.keyboard.press("ArrowRight")
    here = page.evaluate("document.activeElement.dataset.cell")
    assert here in GAME.board.neighbours[start]
    page.keyboard.press("Enter")
    expect(cell(page, here)).to_have_attribute("data-cue", "placed")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    expect(page.locator('[data-piece="1"], [data-piece="2"]')).to_have_count(2)
    assert page.locator('[data-cell][tabindex="0"]').count() == 1


def test_cells_tell_a_screen_reader_what_they_show(page: Page):
    cell(page, "e5").click()
    expect(cell(page, "e5")).to_have_attribute("data-cue", "placed")
    label = cell(page, "e5").get_attribute("aria-label")
    assert label in ("e5, orange stone, just placed", "e5, blue stone, just placed")
    assert cell(page, "e5").get_attribute("role") == "button"
    assert cell(page, "a1").get_attribute("aria-label") == "a1, empty, can be touched"


def test_commands_are_confirmed_in_the_middle_of_a_game(page: Page):
    cell(page, "e5").click()
    expect(cell(page, "e5")).to_have_attribute("data-cue", "placed")
    page.get_by_role("button", name="Resign").click()
    expect(status(page)).to_contain_text("resigns?")
    page.get_by_role("button", name="Press again to confirm").click()
    expect(status(page)).to_contain_text("wins")
    page.get_by_role("button", name="New game").first.click()
    expect(page.locator('[data-cue="legal"]')).to_have_count(61)
    assert shown(page) == {}


def test_takeback_from_the_page_is_carried_out_by_hand(page: Page):
    cell(page, "e5").click()
    expect(cell(page, "e5")).to_have_attribute("data-cue", "placed")
    page.get_by_role("button", name="Take back").click()
    expect(cell(page, "e5")).to_have_attribute("data-cue", "remove")
    assert shown(page) == {}
    cell(page, "e5").click()
    expect(page.locator('[data-cue="legal"]')).to_have_count(61)


def test_language_is_changed_on_the_page(page: Page):
    page.get_by_role("combobox").select_option("it")
    expect(status(page)).to_contain_text("comincia")
    expect(page.get_by_role("button", name="Nuova partita")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "it"


def test_page_reconnects_by_itself_to_the_same_game(browser: Browser, tmp_path: Path):
    with Lifeboard(tmp_path, "--seed", "1") as first, browser.new_page() as page:
        page.goto(first.address)
        expect(page.locator('[data-cue="legal"]')).to_have_count(61)
        cell(page, "e5").click()
        expect(cell(page, "e5")).to_have_attribute("data-cue", "placed")
        first.stop(signal.SIGKILL)
        expect(page.get_by_text("trying again").first).to_be_visible()
        with Lifeboard(tmp_path, "--port", str(first.port)):
            expect(page.get_by_text("trying again").first).to_be_hidden()
            expect(cell(page, "e5")).to_have_attribute("data-cue", "stands")
            expect(status(page)).to_contain_text("Compare it with the lights")
            page.get_by_role("button", name="The board stands so").click()
            expect(cell(page, "e5")).to_have_attribute("data-cue", "placed")
            cell(page, "a1").click()
            expect(page.locator('[data-piece="1"], [data-piece="2"]')).to_have_count(2)


@pytest.mark.parametrize("wrong", ["console.error(2 * 21)", "setTimeout(() => { throw 2 * 21; })"])
def test_people_at_a_page_tell_what_it_complained_of(
    browser: Browser, lifeboard: Lifeboard, wrong: str
):
    with pytest.raises(AssertionError, match="42"), People(browser, lifeboard) as people:
        people.page.evaluate(f"void {wrong}")


def test_phone_shows_all_and_feels_a_finger(browser: Browser, lifeboard: Lifeboard):
    with browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, locale="en-GB"
    ) as context:
        page = context.new_page()
        page.goto(lifeboard.address)
        expect(page.locator('[data-cue="legal"]')).to_have_count(61)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        cell(page, "c4").tap()
        expect(cell(page, "c4")).to_have_attribute("data-cue", "placed")
        box = cell(page, "c4").bounding_box()
        assert box["width"] >= 24
