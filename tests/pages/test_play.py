"""The page of a running board in Chromium, played by mouse or keyboard alone."""

from random import Random

from playwright.sync_api import expect

from game.rules.circle_of_life import GAME
from tests.helpers.pages.real_page import People
from tests.helpers.programs.running import Lifeboard


def test_whole_game_by_clicking_ends_with_the_right_winner(browser, tmp_path):
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
        expect(people.page.get_by_role("status")).to_contain_text(
            f"{name} wins with {eaten} stones eaten."
        )
        expect(people.page.locator('[data-cue="win"]').first).to_be_visible()
        assert running.stop() == (0, "")


def test_keyboard_alone_plays_cells_that_are_named(page, board):
    page.goto(board.address)
    expect(page.locator('[data-cue="legal"]')).to_have_count(61)
    page.locator('[data-cell][tabindex="0"]').focus()
    start = page.evaluate("document.activeElement.dataset.cell")
    page.keyboard.press("ArrowRight")
    here = page.evaluate("document.activeElement.dataset.cell")
    assert here in GAME.board.neighbours[start]
    page.keyboard.press("Enter")
    placed = page.get_by_role("button", name=f"{here}, orange stone, just placed")
    expect(placed.or_(page.get_by_role("button", name=f"{here}, blue stone"))).to_be_visible()
    expect(page.get_by_role("button", name="a1, empty, you can tap here")).to_be_visible()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    expect(page.locator('[data-piece="1"], [data-piece="2"]')).to_have_count(2)
    assert page.locator('[data-cell][tabindex="0"]').count() == 1
