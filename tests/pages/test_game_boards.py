"""Games on the page by a table of the test: Adaptoid, the disc of Azteka, and a made-up game."""

import re

import pytest
from playwright.sync_api import Page, expect

from game.rules.base.registry import find_game
from game.table.inputs import Command
from tests.helpers.games.small_games import Middle
from tests.helpers.pages.layout import box, moved
from tests.helpers.pages.scripted_page import Board

BIRTH = ("c3", "a1", "c4", "b1", "c2", "a2", "c1")
REIGN = ("a1", "c1", "a2", "c2", "a3", "c3", "a4", "-", "c4")
"""The whole first round: Death completes segment c."""
SLOW = """() => {
  const { animate } = Element.prototype;
  Element.prototype.animate = function (path) { return animate.call(this, path, 60_000); };
}"""
MOVING = """stone => stone.getAnimations().filter((each) => {
  each.finish();
  return each.effect.getKeyframes().length > 9;
}).length"""
FAR_PX = 9


@pytest.fixture
def board(page):
    return Board(page, game=find_game("azteka"))


def moving(board: Board, cell: str) -> int:
    return board.cell(cell).locator(".stone").evaluate(MOVING)


def test_cells_are_sectors_of_a_disc_walked_by_keys_and_rings_have_keys_of_their_own(board):
    page = board.page
    assert page.locator(".edge").evaluate_all("all => all.map(e => e.tagName)") == ["path"] * 32
    middle = box(page)
    for cell, (right, down) in (("a4", (0, -1)), ("c1", (1, 0)), ("e2", (0, 1)), ("g3", (-1, 0))):
        edge = box(page, f'[data-cell="{cell}"] .edge')
        x = edge["x"] + edge["width"] / 2 - middle["x"] - middle["width"] / 2
        y = edge["y"] + edge["height"] / 2 - middle["y"] - middle["height"] / 2
        assert (abs(x) > FAR_PX and x * right > 0) if right else abs(x) < FAR_PX
        assert (abs(y) > FAR_PX and y * down > 0) if down else abs(y) < FAR_PX
    edge = box(page, '[data-cell="a4"] .edge')
    page.mouse.click(edge["x"] + edge["width"] * 0.08, edge["y"] + edge["height"] * 0.45)
    assert board.heard(1)[0]["spot"] == "a4"
    board.cell("h2").focus()
    for pressed, reached in (
        ("ArrowRight", "a2"),
        ("ArrowDown", "a1"),
        ("ArrowDown", "a1"),
        ("ArrowUp", "a2"),
        ("ArrowLeft", "h2"),
        ("Home", "a2"),
        ("End", "h2"),
    ):
        page.keyboard.press(pressed)
        assert page.evaluate("document.activeElement.dataset.cell") == reached
    board.sent.clear()
    # Rings, and a birth, have keys that are lit while they can be pressed.
    expect(page.locator('[data-key^="ring"][data-cue="legal"]')).to_have_count(4)
    expect(board.key("ring2")).to_have_attribute("aria-label", re.compile("urn ring 2"))
    board.key("ring2").focus()
    expect(page.locator(".traced")).to_have_count(8)
    page.keyboard.press("Enter")
    expect(board.key("choice1")).to_be_hidden()
    before = box(page)
    board.play(*BIRTH)
    expect(page.locator('[data-key^="ring"][data-cue=""]')).to_have_count(4)
    expect(board.key("choice1")).to_have_text(re.compile("birth"))
    expect(page.locator("#choices-said")).to_contain_text("birth")
    assert not moved(before, box(page))
    board.key("choice1").click()
    assert board.heard(2) == [{"do": "key", "name": name} for name in ("ring2", "choice1")]
    board.play("-")
    expect(board.key("choice1")).to_be_hidden()
    expect(page.locator("#choices-said")).to_have_text("")


def test_what_stands_on_a_turned_ring_travels_there_and_back_and_a_draw_is_agreed(board):
    page = board.page
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(SLOW)
    board.play("c3", "a1", "c4", "b1", "T3")
    expect(board.cell("d3")).to_have_attribute("data-standing", "L")
    expect(board.cell("d3")).to_have_attribute("data-cue", "turned")
    assert (moving(board, "d3"), moving(board, "c4")) == (1, 0)
    board.ask(Command.TAKE_BACK)
    expect(page.locator("#todo li")).to_have_text(["turn ring 3 back by one segment"])
    expect(board.cell("d3")).to_have_attribute("data-edit", "turn")
    expect(board.cell("d3")).to_have_attribute("data-standing", "L")
    board.tap("ring3")
    expect(board.cell("c3")).to_have_attribute("data-standing", "L")
    expect(page.locator("#todo")).to_be_hidden()
    assert moving(board, "c3") == 1
    page.emulate_media(reduced_motion="reduce")
    board.play("T3")
    expect(board.cell("d3")).to_have_attribute("data-standing", "L")
    assert moving(board, "d3") == 0
    # A draw is agreed by a button that asks twice.
    board.button("Agree on a draw").click()
    assert board.heard(1) == [{"do": "command", "name": "draw"}]
    board.ask(Command.DRAW)
    expect(board.button("Press again to confirm")).to_have_count(1)
    board.ask(Command.DRAW)
    expect(board.page.locator("#outcome")).to_contain_text("A draw")
    expect(board.page.locator("#outcome .mark")).to_be_hidden()


def test_cards_tell_roles_scores_and_goals_and_follow_an_exchange_of_roles(board):
    page, cards = board.page, board.page.locator("#players .player")
    board.play(*REIGN[:3])
    expect(cards.locator("h2")).to_have_text(["Life", "Death"])
    expect(cards.locator(".count")).to_have_text(["2", "1"])
    expect(cards.first.locator(".goals .of")).to_have_text(["3/12", "2/14", "0/2"])
    expect(cards.last.locator(".goals .what")).to_have_text(["reign", "all placed", "rounds"])
    expect(page.get_by_text("Death, reign: 1 of 4")).to_be_attached()
    expect(page.get_by_text("Life: 2 pieces on the board")).to_be_attached()
    expect(cards.first.locator(".mark use")).to_have_attribute("href", "#stone-L")
    board.play(*REIGN[3:])
    expect(cards.locator("h2")).to_have_text(["Death", "Life"])
    expect(cards.first).to_have_attribute("data-side", "2")
    expect(cards.first.locator(".mark use")).to_have_attribute("href", "#stone-D")
    expect(page.locator("#moves li").last).to_have_attribute("data-side", "2")
    expect(page.locator("#moves li").first).to_have_attribute("data-side", "1")


ADAPTOID = find_game("adaptoid")
START = ("d4", "e4", "d4")
"""White on d4, black on e4, and the second player takes White."""


def limbs(page: Page, piece: str) -> tuple[int, int, int]:
    """Count the legs, pincers and free sockets that a piece's picture has."""
    picture = page.locator(f"#stone-{piece}")
    expect(picture).to_have_count(1)
    legs, pincers, free = (picture.locator(f".{kind}") for kind in ("leg", "pincer", "socket"))
    return legs.count(), pincers.count(), free.count()


def test_pieces_have_their_limbs_which_keys_add_once_a_body_is_touched(page):
    board = Board(page, game=ADAPTOID)
    leg, pincer = (board.key(f"choice{n}") for n in (1, 2))
    board.tap(*START)
    assert limbs(page, "W0L0P") == (0, 0, 6)
    expect(leg).to_be_hidden()
    board.tap("d4")
    expect(board.cell("d4")).to_have_attribute("data-cue", "chosen")
    expect(leg).to_have_text("leg")
    expect(pincer).to_have_text("pincer")
    expect(page.locator("#choices-said")).to_contain_text("pincer")
    pincer.focus()
    page.keyboard.press("Space")
    assert board.heard(1) == [{"do": "key", "name": "choice2"}]
    board.tap("choice1", "e4", "choice2", "d4", "choice2")
    expect(board.cell("d4").locator(".stone")).to_have_attribute("href", "#stone-W1L1P")
    assert limbs(page, "W1L1P") == (1, 1, 4)
    assert limbs(page, "B0L1P") == (0, 1, 5)


def test_pieces_without_drawings_are_discs_in_their_hue(page):
    board = Board(page, game=Middle())
    board.key("choice1").click()
    assert board.heard(1) == [{"do": "key", "name": "choice1"}]
    board.tap("d4")
    expect(board.cell("d4").locator(".stone")).to_have_attribute("href", "#stone-1")
    for code, hue in zip("12", board.game.hues, strict=False):
        expect(page.locator(f"#stone-{code} text")).to_have_text(code)
        expect(page.locator(f'#stone-{code} circle[fill="{hue}"]')).to_have_count(1)
