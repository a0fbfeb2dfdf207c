"""Choosing another game or a past game on the page of a running board, in one process."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import expect

from game.rules.circle_of_life import GAME
from game.store import BOARD, Record, Store, lines_of
from tests.helpers.pages.hosted import Hosted, hosted

STARTED = "2026-11-21T12:00:00.000+00:00"
PATIENCE_MS = 20_000


@contextmanager
def hosted_with_past(folder: Path) -> Iterator[Hosted]:
    record = Record(GAME.name, {}, ("Anna", "Beat"), computers=("", "3"), moves=("e5", "e4"))
    with Store(folder) as store:
        for _ in range(2):
            store.begin(GAME.name, BOARD, lines_of(record, STARTED), record.result)
    with hosted(folder, watching=True) as board:
        yield board


@pytest.fixture
def board(tmp_path):
    with hosted_with_past(tmp_path) as board:
        yield board


def test_another_game_is_chosen_by_keyboard_and_the_one_that_was_left_goes_on(page, board):
    page.goto(board.address)
    expect(page.locator("#moves li")).to_have_count(2)
    page.get_by_role("button", name="New game").first.press("Enter")
    dialog = page.get_by_role("dialog", name="New game")
    change = dialog.locator(".game-chosen summary")
    expect(change).to_be_focused()
    expect(change).to_contain_text("Circle of Life")
    expect(dialog).to_contain_text("is not over, and ends here.")
    expect(dialog.get_by_role("radio")).to_have_count(0)
    change.press("Enter")
    expect(dialog.locator(".offer .picture")).to_have_count(10)
    page.get_by_role("radio", name="Azteka for three").focus()
    page.keyboard.press("Space")
    expect(change).to_contain_text("Azteka for three")
    expect(dialog).to_contain_text("waits until you choose it again.")
    expect(dialog.get_by_role("textbox")).to_have_count(3)
    expect(dialog.get_by_role("combobox", name="Who begins")).to_have_count(0)
    page.get_by_role("textbox", name="Second player").fill("Cleo")
    dialog.get_by_role("combobox", name="Third player", exact=True).select_option(
        label="Computer: Chick"
    )
    dialog.get_by_role("button", name="Start").press("Enter")
    expect(page.locator("#title")).to_have_text("Azteka for three", timeout=PATIENCE_MS)
    expect(page.locator("[data-cell]")).to_have_count(32)
    expect(page.locator("#players .who")).to_have_text(["Anna", "Cleo", "Mummies"])
    page.get_by_role("button", name="New game").first.click()
    change.click()
    page.get_by_role("radio", name="Circle of Life").click()
    expect(dialog).to_contain_text("An unfinished game waits.")
    dialog.get_by_role("button", name="Continue").click()
    expect(page.locator("#title")).to_have_text("Circle of Life", timeout=PATIENCE_MS)
    expect(page.locator("#moves li")).to_have_count(2)
    expect(page.locator("#players .who")).to_have_text(["Anna", "Beat"])


def test_past_games_are_listed_looked_at_saved_and_deleted(page, board):
    page.goto(board.address)
    page.get_by_role("button", name="Past games").click()
    dialog = page.get_by_role("dialog", name="Past games")
    games = dialog.get_by_role("listitem")
    expect(games).to_have_count(2)
    expect(games.first).to_contain_text("On the board now")
    expect(games.first.get_by_role("button", name="Delete")).to_have_count(0)
    older = games.last
    expect(older.get_by_role("heading")).to_have_text("Anna \u2013 Beat (computer, Fox)")
    expect(older.get_by_role("link", name="Look back")).to_have_attribute("href", "/?game=1")
    with page.expect_download() as saved:
        older.get_by_role("link", name="Save as a file").click()
    assert saved.value.suggested_filename == "lifeboard-1.json"
    older.get_by_role("button", name="Delete").click()
    older.get_by_role("button", name="Delete game 1 for good?").click()
    expect(games).to_have_count(1)
    page.goto(board.elsewhere)
    page.get_by_role("button", name="Past games").click()
    expect(games).to_have_count(1)
    expect(page.get_by_role("button", name="Play with another board")).to_have_count(0)
    expect(dialog.get_by_role("button", name="Delete")).to_have_count(0)
