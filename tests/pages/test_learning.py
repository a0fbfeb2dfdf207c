"""Learning a game on the page: tutorial, How to play, numbers, previews, and puzzles."""

from dataclasses import asdict

from playwright.sync_api import expect

from game.rules.base.lessons import puzzles, tutorial
from game.rules.base.registry import all_games
from game.rules.circle_of_life import GAME
from game.rules.cirkle_mind import GAME as CIRKLE_MIND
from game.web import lesson
from game.web.host import PUZZLES, TUTORIAL
from game.web.views.state_view import Replayed
from tests.helpers.pages.accessibility import violations
from tests.helpers.pages.hosted import hosted
from tests.helpers.pages.scripted_page import Board

BENDS = ("e4", "f5", "a1", "f6", "a3", "e7", "e5", "i1")
"""Orange gets a pair, Blue a bend beside it; clicks on neighbours in a row would be a slide."""


def test_tutorial_is_played_from_start_to_end(page, tmp_path, monkeypatch):
    # tests/web/test_lessons.py plays those of all games.
    monkeypatch.setattr(lesson, "MOVE_S", 0.1)
    steps = tutorial(GAME)
    with hosted(tmp_path, kind=TUTORIAL) as running:
        page.goto(running.address)
        message, cells = page.locator("#message"), page.locator("[data-cell]")
        expect(page).to_have_title(f"Learn {GAME.title} · {GAME.title} · lifeboard")
        for number, step in enumerate(steps, start=1):
            expect(page.locator("#lesson-step")).to_have_text(f"Step {number} of {len(steps)}")
            expect(message).to_contain_text(step.texts["en"])
            if number == 1:
                assert violations(page) == []
            if not step.expected() and number < len(steps):
                page.get_by_role("button", name="Next").click()
            for cell in step.taps if step.move else step.taps[:1]:
                page.locator(f'[data-cell="{cell}"][data-cue="legal"]').press("Enter")
        expect(page.get_by_role("button", name="Next")).to_be_hidden()
        page.get_by_label("Language").select_option("fr")
        expect(message).to_contain_text(steps[-1].texts["fr"])
        page.get_by_role("button", name="Encore").click()
        expect(message).to_contain_text(steps[0].texts["fr"])
        cells.and_(page.locator(':not([data-cue="legal"])')).first.click()
        expect(message.locator(".alarm")).to_contain_text("touchez la case marquée")
        page.get_by_role("button", name="Montrer").click()
        expect(page.locator("#lesson-step")).to_have_text(f"Étape 2 sur {len(steps)}")
        page.get_by_role("button", name="Retour").click()
        expect(message).to_contain_text(steps[0].texts["fr"])


def test_how_to_play_has_pictures_notation_and_signs_at_any_time(page, tmp_path):
    with hosted(tmp_path, CIRKLE_MIND, level="medium") as running:
        page.goto(running.address)
        expect(page.locator(".head .level")).to_have_text("Level: Medium: shields")
        page.get_by_role("button", name="How to play").click()
        guide = page.get_by_role("dialog", name="How to play")
        expect(guide.locator("#rules")).to_contain_text("Medium: a piece has a shield")
        expect(guide.locator(".rule-picture").first).to_be_visible()
        missing = "uses => uses.filter(use => !document.querySelector(use.getAttribute('href')))"
        drawn = guide.locator(".rule-picture use")
        assert drawn.count() > 10
        assert drawn.evaluate_all(missing + ".length") == 0
        expect(guide).to_contain_text("B4-B5*C5 then attacks C5")


def test_numbers_explain_themselves_by_keyboard(page, tmp_path):
    with hosted(tmp_path, all_games()["azteka"]) as running, running.page() as socket:
        socket.send('{"do": "opponents", "computers": ["", "2"]}')
        page.goto(running.address)
        for name, said in (
            ("spread: what is this?", "a piece in each of the 8 segments"),
            ("computer, Hare: what is this?", "6 is hard to beat"),
            ("How moves are written: what is this?", "TT4 turns ring 4 by two"),
        ):
            button = page.get_by_role("button", name=name).first
            button.press("Enter")
            expect(page.locator("dialog.about")).to_contain_text(said)
            page.keyboard.press("Escape")
            expect(page.locator("dialog.about")).to_have_count(0)
            expect(button).to_be_focused()


def test_stone_is_previewed_by_mouse_and_focus_unless_switched_off(page, tmp_path):
    with hosted(tmp_path, first="1") as running:
        page.goto(running.address)
        for cell in BENDS:
            page.locator(f'[data-cell="{cell}"][data-cue="legal"]').click()
            expect(page.locator(f'[data-cell="{cell}"]')).not_to_have_attribute("data-piece", "")
        message, eater = page.locator("#message"), page.locator('[data-cell="e3"]')
        prey = page.locator('[data-cue="prey"]')
        eater.hover()
        expect(message).to_have_text("e3 would be: line. It eats 3 stones (bend).")
        expect(prey).to_have_count(3)
        expect(eater.locator(".ghost")).to_have_attribute("href", "#stone-1")
        page.mouse.move(5, 5)
        expect(prey).to_have_count(0)
        expect(message).to_contain_text("Blue placed i1")
        page.locator('[data-cell="e4"]').focus()
        page.keyboard.press("ArrowLeft")
        expect(prey).to_have_count(3)
        page.get_by_role("button", name="How to play").click()
        page.get_by_label("Show what a stone would do").uncheck()
        page.keyboard.press("Escape")
        eater.hover()
        page.reload()
        expect(page.locator("#previews")).not_to_be_checked()
        eater.hover()
        eater.click()
        expect(message).to_contain_text("Orange placed e3: line, which eats 3 stones")
        expect(page.locator(".ghost")).to_have_count(0)


class Unshown(Board):
    """Puzzles of which the page knows nothing yet but that they are coming."""

    def tell(self, message):
        super().tell({**message, "replay": asdict(Replayed(lesson=PUZZLES))})

    def show(self):
        pass


def test_puzzles_cannot_be_listed_before_one_is_shown(page):
    Unshown(page)
    expect(page.locator("#puzzle-list")).to_be_disabled()


NUMBER, PUZZLE = next((n, p) for n, p in enumerate(puzzles(GAME), start=1) if len(p.line) == 1)
RIGHT = GAME.parse_move(PUZZLE.position, PUZZLE.line[0])
WRONG = next(cell for cell in GAME.legal_moves(PUZZLE.position) if cell != RIGHT)


def test_tutorial_is_left_for_the_game_that_waits_and_puzzles_are_opened_solved_and_kept(
    page, tmp_path
):
    with hosted(tmp_path, first="1") as running:
        page.goto(running.address)
        page.locator('[data-cell="a1"][data-cue="legal"]').click()
        expect(page.locator('[data-cell="a1"]')).to_have_attribute("data-piece", "1")
        page.get_by_role("button", name="How to play").click()
        page.get_by_role("button", name="Learn the game").click()
        expect(page.locator("#message")).to_contain_text("Welcome!")
        expect(page.locator("#replay")).to_contain_text("your game waits")
        page.keyboard.press("Escape")
        expect(page.locator('[data-cell="a1"]')).to_have_attribute("data-piece", "1")
        page.get_by_role("button", name="How to play").click()
        page.get_by_role("button", name="Puzzles").click()
        expect(page).to_have_title(f"Puzzles of {GAME.title} · {GAME.title} · lifeboard")
        opener, message = page.locator("#puzzle-list"), page.locator("#message")
        opener.click()
        listed = page.get_by_role("dialog", name="Puzzles")
        expect(listed).to_contain_text(f"Solved: 0 of {len(puzzles(GAME))}")
        assert violations(page, "dialog[open]") == []
        listed.get_by_role("button", name=f"Puzzle {NUMBER}", exact=True).click()
        expect(opener).to_contain_text(f"No. {NUMBER} ({PUZZLE.rating})")
        expect(message).to_contain_text(PUZZLE.texts[0]["en"])
        occupied = next(iter(GAME.pieces(PUZZLE.position)))
        page.locator(f'[data-cell="{occupied}"]').click()
        expect(message.locator(".alarm")).to_contain_text(occupied)
        wrong = page.locator(f'[data-cell="{WRONG}"]')
        wrong.click()
        expect(message.locator(".alarm")).to_contain_text("Not this one: ")
        wrong.click()
        expect(wrong).to_have_attribute("data-piece", "")
        page.get_by_role("button", name="Hint").click()
        expect(page.locator('[data-cue="hint"]')).to_have_count(3)
        page.locator(f'[data-cell="{RIGHT}"]').click()
        expect(message).to_contain_text("Solved!")
        # A finished game is told elsewhere, a puzzle only here.
        expect(page.locator(".say")).not_to_have_css("position", "absolute")
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
