"""What the page shows of a disturbed board and of stones, told by a table without a server."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from game.app.words import LANGUAGES, Words
from game.rules.circle_of_life import GAME
from game.rules.message import say
from game.table.inputs import Asked, Command, Disturbed, Masked, Stood, Touched
from tests.helpers.pages.told_page import Board, lost

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with browser.new_context() as context:
        page = context.new_page()
        problems: list[str] = []
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        yield page
    assert problems == []


def test_a_pause_is_said_once_and_the_lost_cells_are_marked(page: Page):
    board = Board(page)
    board.give(lost("e5", "e6"))
    expect(page.get_by_role("alert")).to_have_text("Sensor chip B does not answer.")
    expect(page.get_by_role("status")).to_contain_text("Play is paused")
    expect(page.get_by_role("status")).not_to_contain_text("Sensor chip")
    expect(page.locator('[data-trouble="lost"]')).to_have_count(2)
    expect(board.cell("e5").locator(".hatch")).to_have_attribute("fill", "url(#hatch-lost)")
    expect(board.cell("e5")).to_have_attribute("aria-label", "e5, empty, cannot be felt now")
    board.give(Disturbed(frozenset(), ()))
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator('[data-trouble="lost"]')).to_have_count(0)
    expect(page.get_by_role("status")).to_contain_text("play goes on")
    expect(page.locator("#message .good")).to_have_text("All is well again: play goes on.")
    expect(page.locator("#message .alarm")).to_have_count(0)


def test_good_news_are_not_red_and_refusals_are(page: Page):
    board = Board(page)
    colour = "getComputedStyle(document.querySelector('#message strong')).color"
    ink = page.evaluate("getComputedStyle(document.body).color")
    board.give(lost("e5"), Disturbed(frozenset(), ()))
    expect(page.locator("#message strong")).to_have_text("All is well again: play goes on.")
    assert page.evaluate(colour) == ink
    board.give(lost("e5"), Touched("a1"))
    expect(page.locator("#message strong")).to_contain_text("did not count")
    assert page.evaluate(colour) != ink


def test_a_trouble_without_cells_offers_no_mask(page: Page):
    board = Board(page)
    board.give(Disturbed(frozenset(), (say("fault.strip"),)))
    expect(page.get_by_role("alert")).to_have_text("The strip of lights does not answer.")
    expect(page.locator("#mask")).to_be_hidden()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_cable_that_is_unplugged_says_what_to_do_on_a_phone(browser: Browser, language: str):
    everything = frozenset(GAME.board.cells)
    with browser.new_context(viewport={"width": 320, "height": 640}) as context:
        page = context.new_page()
        board = Board(page, language=language)
        board.give(Disturbed(everything, (say("fault.link"),)))
        alert = page.get_by_role("alert")
        expect(alert).to_have_text(Words(language).text(say("fault.link")))
        expect(page.locator('[data-trouble="lost"]')).to_have_count(len(everything))
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        board.give(Disturbed(frozenset(), ()))
        expect(alert).to_have_count(0)
        expect(page.locator('[data-trouble="lost"]')).to_have_count(0)


def test_a_game_goes_on_on_the_page_while_the_cable_is_unplugged(page: Page):
    board = Board(page)
    everything = frozenset(GAME.board.cells)
    board.give(Disturbed(everything, (say("fault.link"),)))
    expect(page.get_by_role("alert")).to_contain_text("Plug it in again")
    board.button("Play without these cells").click()
    (message,) = board.heard(1)
    assert sorted(message["cells"]) == sorted(everything)
    board.give(Masked(everything), Disturbed(frozenset(), ()), Touched("e5"))
    expect(board.cell("e5")).to_have_attribute("data-cue", "placed")


def test_the_mask_that_is_sent_holds_the_cells_masked_before(page: Page):
    board = Board(page)
    board.give(Masked(frozenset({"a1"})), lost("e5", "e6"))
    board.button("Play without these cells").click()
    (message,) = board.sent
    assert (message["do"], sorted(message["cells"])) == ("mask", ["a1", "e5", "e6"])


def test_masked_cells_are_named_touched_on_the_page_and_felt_again(page: Page):
    board = Board(page)
    board.give(Masked(frozenset({"e5", "a1"})))
    expect(page.get_by_text("Not felt, so touch these here: a1, e5")).to_be_visible()
    expect(board.cell("a1")).to_have_attribute("data-cue", "cursor")
    expect(board.cell("e5").locator(".hatch")).to_have_attribute("fill", "url(#hatch-masked)")
    board.cell("e5").click()
    board.cell("e5").focus()
    page.keyboard.press("Enter")
    board.cell("i5").click()
    board.button("Feel these cells again").click()
    assert board.sent[:2] == [{"do": "touch", "cell": "e5"}] * 2
    assert [message["do"] for message in board.sent[2:]] == ["press", "lift", "mask"]
    assert board.sent[-1] == {"do": "mask", "cells": []}


def test_cell_of_a_real_board_that_feels_nothing_can_be_left_out(page: Page):
    board = Board(page, simulated=False)
    board.give(Masked(frozenset({"a1"})))
    board.cell("e5").click()
    expect(page.get_by_text("e5 is touched on the board itself.")).to_be_visible()
    board.button("Play without e5").click()
    assert board.sent == [{"do": "mask", "cells": ["a1", "e5"]}]
    board.give(Masked(frozenset({"a1", "e5"})))
    expect(board.button("Play without e5")).to_be_hidden()


def test_the_offer_to_leave_a_cell_out_ends_when_play_has_gone_on(page: Page):
    board = Board(page, simulated=False)
    board.cell("e5").click()
    expect(board.button("Play without e5")).to_be_visible()
    board.show()
    expect(board.button("Play without e5")).to_be_visible()
    board.give(Touched("a1"))
    expect(board.cell("a1")).to_have_attribute("data-cue", "placed")
    expect(board.button("Play without e5")).to_be_hidden()


def test_a_real_board_that_feels_stones_asks_for_a_stone_and_for_no_touch(page: Page):
    board = Board(page, presence=True, simulated=False)
    board.cell("e5").click()
    expect(page.get_by_text("Pieces are set on the board itself. If e5 feels")).to_be_visible()


def test_an_eaten_stone_under_the_cursor_still_shows_what_to_do(page: Page):
    board = Board(page)
    board.give(Masked(frozenset({"e5"})), Touched("e5"), Asked(Command.TAKE_BACK))
    expect(board.cell("e5")).to_have_attribute("data-cue", "cursor")
    expect(board.cell("e5").locator("use.cue")).to_have_attribute("href", "#cue-remove")


def test_stones_that_stand_wrongly_are_shown_and_the_page_speaks_of_stones(page: Page):
    board = Board(page, presence=True)
    expect(page.locator("#simulated")).to_contain_text("sets a piece there")
    board.give(Stood(frozenset()), Stood(frozenset({"e5", "a1"})))
    stone = board.cell("e5").locator("use.stone")
    expect(stone).to_have_attribute("href", "#stone-unknown")
    expect(board.cell("e5")).to_have_attribute("aria-label", "e5, piece, take this away")
    board.give(Stood(frozenset()), Stood(frozenset({"e5"})))
    expect(stone).to_have_attribute("href", "#stone-1")


def test_on_a_narrow_phone_the_trouble_fits(browser: Browser):
    with browser.new_context(viewport={"width": 320, "height": 640}) as context:
        page = context.new_page()
        board = Board(page)
        board.give(Masked(frozenset(GAME.board.cells[:20])), lost("i4", "i5"))
        expect(page.get_by_role("alert")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320


STICKING_OUT = """() => [...document.querySelectorAll(".player")].flatMap((card) => {
  const { left, right } = card.getBoundingClientRect();
  return [...card.querySelectorAll("h2, .to-move, .count, .lamps, .lamp")].filter((part) => {
    const box = part.getBoundingClientRect();
    return box.left < left || box.right > right
      || (part.matches("h2") && part.scrollWidth > part.clientWidth);
  }).map((part) => part.textContent || part.className);
})"""
CUT_NAMES = """() => {
  const { left, right } = document.getElementById("board").getBoundingClientRect();
  return [...document.querySelectorAll(".species")].filter((name) => {
    const box = name.getBoundingClientRect();
    return box.left < left || box.right > right;
  }).map((name) => name.textContent);
}"""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(320, 640), (360, 740), (390, 800), (700, 500)], ids=str)
def test_on_narrow_pages_cards_and_names_of_species_are_whole(
    browser: Browser, size: tuple[int, int], language: str
):
    with browser.new_context(viewport={"width": size[0], "height": size[1]}) as context:
        page = context.new_page()
        Board(page, language=language)
        expect(page.locator(".player.on")).to_have_count(1)
        assert page.evaluate(STICKING_OUT) == []
        assert page.evaluate(CUT_NAMES) == []
