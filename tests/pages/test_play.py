"""A whole game on the page of a running board in Chromium, played by mouse."""

from contextlib import suppress
from random import Random

from playwright.sync_api import Page, expect

from game.rules.circle_of_life import GAME
from tests.helpers.pages.hosted import hosted

PIECES = """() => Object.fromEntries([...document.querySelectorAll("[data-cell]")]
  .filter(({ dataset }) => dataset.piece).map(({ dataset }) => [dataset.cell, dataset.piece]))"""


def touch(page: Page, name: str, effect: str) -> None:
    """Press a cell until it takes effect: a press soon after a neighbour's is refused."""
    here = f'[data-cell="{name}"]'
    done, refused = page.locator(f"{here}{effect}"), page.locator(f'{here}[data-cue="wrong"]')
    while not done.count():
        expect(refused).to_have_count(0)
        page.locator(here).click()
        # A refusal shows for a while only: a slow browser can be asked too late.
        with suppress(AssertionError):
            expect(done.or_(refused)).to_have_count(1)


def test_whole_game_by_clicking_ends_with_the_right_winner(page, tmp_path):
    options = {"target": "3", "first": "1"}
    position, rng = GAME.initial(options), Random(4)
    with hosted(tmp_path, **options) as running:
        page.goto(running.address)
        expect(page.locator('[data-cue="legal"]')).to_have_count(61)
        while (outcome := GAME.outcome(position)) is None:
            moves = list(GAME.legal_moves(position))
            # Eating where possible, so that stones are taken away in most turns of a short game.
            meals = [move for move in moves if GAME.result(position, move).removed]
            move, player = rng.choice(meals or moves), GAME.to_move(position)
            position = GAME.play(position, move)
            before = page.locator("#moves li").count()
            touch(page, move, f'[data-piece="{player}"]')
            expect(page.locator("#moves li")).to_have_count(before + 1)
            while (task := page.locator('[data-edit="take"]').first).count():
                # A cell that is right has no edit.
                touch(page, str(task.get_attribute("data-cell")), '[data-edit=""]')
            assert page.evaluate(PIECES) == GAME.pieces(position)
        name = ("Orange", "Blue")[outcome.winner - 1]
        eaten = position.eaten[outcome.winner - 1]
        expect(page.get_by_role("status")).to_contain_text(f"{name} wins with {eaten} stones eaten")
        expect(page.locator('[data-cue="win"]').first).to_be_visible()
