"""Azteka on the page, in a real Chromium: the disc, its keys, turning rings, goals, three players.

A table of the test tells the page; whole games are played elsewhere.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from game.app.words import LANGUAGES
from game.rules.catalogue import find_game
from game.table.inputs import Asked, Command
from tests.helpers.pages.told_page import Board

pytestmark = pytest.mark.browser

AZTEKA = find_game("azteka")
THREE = find_game("azteka-three")
RINGS = ("ring1", "ring2", "ring3", "ring4")
BIRTH = ("c3", "a1", "c4", "b1", "c2", "a2", "c1")
REIGN = ("a1", "c1", "a2", "c2", "a3", "c3", "a4", "-", "c4")
"""The whole first round: Death completes segment c."""
MOVING = (
    "stone => stone.getAnimations().filter(each => each.effect.getKeyframes().length > 9).length"
)
BOX = "document.getElementById('board').getBoundingClientRect().toJSON()"
FAR = 9


def play(board: Board, *moves: str) -> None:
    for text in moves:
        position = board.table.state.position
        board.tap(*board.game.taps(position, board.game.parse_move(position, text)))


def key(board: Board, name: str):
    return board.page.locator(f'[data-key="{name}"]')


def moving(board: Board, cell: str) -> int:
    return board.cell(cell).locator(".stone").evaluate(MOVING)


def test_cells_are_sectors_of_a_disc_each_where_the_board_has_it(page: Page):
    board = Board(page, game=AZTEKA)
    assert page.locator(".edge").evaluate_all("all => all.map(e => e.tagName)") == ["path"] * 32
    middle = page.evaluate(BOX)
    for cell, (right, down) in (("a4", (0, -1)), ("c1", (1, 0)), ("e2", (0, 1)), ("g3", (-1, 0))):
        box = board.cell(cell).locator(".edge").bounding_box()
        x = box["x"] + box["width"] / 2 - middle["x"] - middle["width"] / 2
        y = box["y"] + box["height"] / 2 - middle["y"] - middle["height"] / 2
        assert (abs(x) > FAR and x * right > 0) if right else abs(x) < FAR
        assert (abs(y) > FAR and y * down > 0) if down else abs(y) < FAR


def test_a_cell_is_felt_all_over_its_sector(page: Page):
    board = Board(page, game=AZTEKA)
    box = board.cell("a4").locator(".edge").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.08, box["y"] + box["height"] * 0.45)
    assert board.heard(1)[0]["spot"] == "a4"


def test_arrow_keys_go_round_the_ring_and_out_and_in(page: Page):
    board = Board(page, game=AZTEKA)
    board.cell("h2").focus()
    focus = "document.activeElement.dataset.cell"
    for pressed, reached in (
        ("ArrowRight", "a2"),
        ("ArrowUp", "a3"),
        ("ArrowLeft", "h3"),
        ("ArrowDown", "h2"),
        ("ArrowDown", "h1"),
        ("ArrowDown", "h1"),
        ("Home", "a1"),
        ("End", "h1"),
    ):
        page.keyboard.press(pressed)
        assert page.evaluate(focus) == reached


def test_every_ring_has_a_key_that_is_lit_and_named_while_it_can_be_pressed(page: Page):
    board = Board(page, game=AZTEKA)
    for ring in RINGS:
        expect(key(board, ring)).to_have_attribute("data-cue", "legal")
    expect(key(board, "ring2")).to_have_attribute("aria-label", re.compile("urn ring 2"))
    key(board, "ring2").focus()
    expect(page.locator(".traced")).to_have_count(8)
    page.keyboard.press("Enter")
    assert board.heard(1) == [{"do": "key", "name": "ring2"}]
    key(board, "ring4").click()
    assert board.heard(2)[1] == {"do": "key", "name": "ring4"}
    play(board, *BIRTH)
    for ring in RINGS:
        expect(key(board, ring)).to_have_attribute("data-cue", "")


def test_what_stands_on_a_turned_ring_is_seen_to_travel(page: Page):
    board = Board(page, game=AZTEKA)
    play(board, "c3", "a1", "c4", "b1", "T3")
    expect(board.cell("d3")).to_have_attribute("data-standing", "L")
    expect(board.cell("d3")).to_have_attribute("data-cue", "turned")
    assert moving(board, "d3") == 1
    assert moving(board, "c4") == 0


def test_nothing_travels_where_people_want_no_motion(browser: Browser):
    with browser.new_context(reduced_motion="reduce") as context:
        board = Board(context.new_page(), game=AZTEKA)
        play(board, "c3", "a1", "T3")
        expect(board.cell("d3")).to_have_attribute("data-standing", "L")
        assert moving(board, "d3") == 0


def test_a_ring_to_be_turned_back_is_one_task_and_travels_when_it_is_done(page: Page):
    board = Board(page, game=AZTEKA)
    play(board, "c3", "a1", "T3")
    board.ask(Command.TAKE_BACK)
    expect(page.locator("#todo li")).to_have_text(["turn ring 3 back by one segment"])
    expect(board.cell("d3")).to_have_attribute("data-edit", "turn")
    expect(board.cell("d3")).to_have_attribute("data-standing", "L")
    board.tap("ring3")
    expect(board.cell("c3")).to_have_attribute("data-standing", "L")
    expect(page.locator("#todo")).to_be_hidden()
    assert moving(board, "c3") == 1


def test_a_birth_is_offered_by_a_key_that_is_there_only_then(page: Page):
    board = Board(page, game=AZTEKA)
    expect(key(board, "choice1")).to_be_hidden()
    before = page.evaluate(BOX)
    play(board, *BIRTH)
    expect(key(board, "choice1")).to_be_visible()
    expect(key(board, "choice1")).to_have_text(re.compile("birth"))
    expect(page.locator("#choices-said")).to_contain_text("birth")
    assert page.evaluate(BOX) == before
    key(board, "choice1").click()
    assert board.heard(1) == [{"do": "key", "name": "choice1"}]
    play(board, "-")
    expect(key(board, "choice1")).to_be_hidden()
    expect(page.locator("#choices-said")).to_have_text("")


def test_cards_tell_roles_scores_and_how_near_the_ends_are(page: Page):
    board = Board(page, game=AZTEKA)
    play(board, "c3", "a1", "c4")
    cards = page.locator("#players .player")
    expect(cards.locator("h2")).to_have_text(["Life", "Death"])
    expect(cards.locator(".count")).to_have_text(["2", "1"])
    expect(cards.first.locator(".goals .of")).to_have_text(["3/12", "2/14", "0/2"])
    expect(cards.last.locator(".goals .what")).to_have_text(["reign", "all placed", "rounds"])
    expect(page.get_by_text("Death, reign: 1 of 4")).to_be_attached()
    expect(page.get_by_text("Life: 2 pieces on the board")).to_be_attached()
    expect(cards.first.locator(".mark use")).to_have_attribute("href", "#stone-L")


def test_after_the_first_round_roles_colours_and_tokens_are_exchanged(page: Page):
    board = Board(page, game=AZTEKA)
    play(board, *REIGN)
    cards = page.locator("#players .player")
    expect(cards.locator("h2")).to_have_text(["Death", "Life"])
    expect(cards.first).to_have_attribute("data-side", "2")
    expect(cards.first.locator(".mark use")).to_have_attribute("href", "#stone-D")
    expect(page.locator("#moves li").last).to_have_attribute("data-side", "2")
    expect(page.locator("#moves li").first).to_have_attribute("data-side", "1")


def test_a_draw_is_agreed_by_a_button_that_asks_twice(page: Page):
    board = Board(page, game=AZTEKA)
    play(board, "c3", "a1")
    button = board.button("Agree on a draw")
    button.click()
    assert board.heard(1) == [{"do": "command", "name": "draw"}]
    board.ask(Command.DRAW)
    expect(board.button("Press again to confirm")).to_have_count(1)
    board.ask(Command.DRAW)
    expect(page.locator("#outcome")).to_contain_text("A draw")
    expect(page.locator("#outcome .mark")).to_be_hidden()


def test_games_without_agreed_draws_offer_none(page: Page):
    board = Board(page)
    board.tap("e5")
    expect(board.button("Resign")).to_be_visible()
    expect(page.locator('[data-command="draw"]')).to_be_hidden()
    expect(page.locator("#board-keys")).to_be_hidden()


@pytest.fixture(params=[(320, 640), (390, 844), (1280, 900)], ids=str)
def three(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Board]:
    width, height = request.param
    with browser.new_context(viewport={"width": width, "height": height}) as context:
        yield Board(context.new_page(), game=THREE)


STICKING_OUT = """() => [...document.querySelectorAll("#players .player")].flatMap((card) => {
  const { left, right, bottom } = card.getBoundingClientRect();
  return [...card.querySelectorAll("h2, .mark, .count, .to-move, .goals, .lamps")]
    .filter((part) => {
      const box = part.getBoundingClientRect();
      return box.width > 0 && (box.left < left || box.right > right || box.bottom > bottom);
    }).map((part) => part.outerHTML);
})"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_three_players_fit_side_by_side(three: Board, language: str):
    three.language = language
    three.page.reload()
    play(three, "c3", "a1", "d4")
    page = three.page
    expect(page.locator("#players .player .count")).to_have_text(["1", "1", "1"])
    tops = page.locator("#players .player").evaluate_all(
        "all => [...new Set(all.map(e => e.getBoundingClientRect().top))]"
    )
    assert len(tops) == 1
    assert page.evaluate(STICKING_OUT) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(three.cell("d4").locator(".stone")).to_have_attribute("href", "#stone-M")


def test_the_board_does_not_move_when_setting_up_begins(three: Board):
    play(three, "c3")
    expect(three.cell("c3")).to_have_attribute("data-standing", "L")
    before = three.page.evaluate(BOX)
    three.give(Asked(Command.SET_UP))
    expect(three.page.locator("#set-up")).to_be_visible()
    expect(three.page.locator("#set-up .brush")).to_have_count(3)
    assert three.page.evaluate(BOX) == before
