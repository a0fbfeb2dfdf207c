"""Puzzles on the page: opened from How to play, solved, listed by grade, in another language."""

from pathlib import Path

from playwright.sync_api import Page, expect

from game.rules.base.puzzles import puzzles
from game.rules.circle_of_life import GAME
from tests.helpers.pages.accessibility import violations
from tests.helpers.programs.running import Lifeboard

NUMBER, PUZZLE = next((n, p) for n, p in enumerate(puzzles(GAME), start=1) if len(p.line) == 1)
RIGHT = GAME.parse_move(PUZZLE.position, PUZZLE.line[0])
WRONG = next(cell for cell in GAME.legal_moves(PUZZLE.position) if cell != RIGHT)


def test_puzzles_are_opened_solved_and_kept(page: Page, tmp_path: Path):
    with Lifeboard(tmp_path) as running:
        page.goto(running.address)
        page.get_by_role("button", name="How to play").click()
        page.get_by_role("button", name="Puzzles").click()
        expect(page).to_have_title(f"Puzzles of {GAME.title} · {GAME.title} · lifeboard")
        opener, message = page.locator("#puzzle-list"), page.locator("#message")
        opener.click()
        listed = page.get_by_role("dialog", name="Puzzles")
        expect(listed).to_contain_text(f"Solved: 0 of {len(puzzles(GAME))}")
        assert violations(page) == []
        listed.get_by_role("button", name=f"Puzzle {NUMBER}", exact=True).click()
        expect(opener).to_contain_text(f"No. {NUMBER} ({PUZZLE.rating})")
        expect(message).to_contain_text(PUZZLE.texts[0]["en"])
        occupied = next(iter(GAME.pieces(PUZZLE.position)))
        page.locator(f'[data-cell="{occupied}"]').click()
        expect(message.locator(".alarm")).to_contain_text(occupied)
        wrong = page.locator(f'[data-cell="{WRONG}"]')
        wrong.click()
        expect(message.locator(".alarm")).to_contain_text("Not this one: ")
        expect(wrong).not_to_have_attribute("data-piece", "")
        wrong.click()
        expect(wrong).to_have_attribute("data-piece", "")
        page.get_by_role("button", name="Hint").click()
        expect(page.locator('[data-cue="hint"]')).to_have_count(3)
        page.get_by_role("button", name="Hint").click()
        expect(page.locator('[data-cue="hint"]')).to_have_count(1)
        expect(page.locator('[data-cue="hint"]')).to_have_attribute("data-cell", RIGHT)
        assert violations(page) == []
        page.locator(f'[data-cell="{RIGHT}"]').click()
        expect(message).to_contain_text("Solved!")
        # A finished game is told elsewhere, a puzzle only here.
        expect(page.locator(".say")).not_to_have_css("position", "absolute")
        expect(page.locator('[data-cue="win"]').first).to_be_visible()
        page.get_by_label("Language").select_option("de")
        expect(message).to_contain_text("Gelöst!")
        opener.click()
        solved = page.get_by_role("button", name=f"Rätsel {NUMBER}, gelöst")
        expect(solved).to_have_attribute("aria-current", "true")
        page.keyboard.press("Escape")
        # The wrong try was the first, and counted. Another person begins again.
        heading = page.locator("#replay")
        expect(heading).to_contain_text("Wertung: ")
        page.get_by_role("button", name="Namen ändern").first.click()
        page.keyboard.type("Ada")
        page.keyboard.press("Enter")
        expect(page.locator("#players")).to_contain_text("Ada")
        expect(heading).not_to_contain_text("Wertung: ")
        page.get_by_role("button", name="Weiter").click()
        expect(opener).not_to_contain_text(f"Nr. {NUMBER} (")
        page.get_by_role("button", name="Zum Spiel").click()
        expect(opener).to_have_count(0)
        expect(page).to_have_title(f"{GAME.title} · lifeboard")
