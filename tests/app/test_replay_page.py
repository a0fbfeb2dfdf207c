"""The page of a kept game that is shown again, in a real Chromium."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from game.app.history.record import Record, checked, lines_of, outcome_of
from game.app.journal.store import BOARD, Store
from game.rules.circle_of_life import GAME
from tests.helpers.programs.running import Lifeboard

pytestmark = pytest.mark.browser

STARTED = "2026-11-21T12:00:00.000+00:00"


RECORD = checked(
    Record(GAME.name, {}, ("Anna", "Beat"), moves=("e5", "e4", "e6", "d1")), said=False
)


@pytest.fixture(params=[RECORD], ids=["people"])
def replay(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Lifeboard]:
    record = request.param
    with Store(tmp_path) as store:
        store.begin(GAME.name, BOARD, lines_of(record, STARTED), outcome_of(record))
    with Lifeboard(tmp_path, "last", "--speed", "20", command="replay") as running:
        yield running


@pytest.fixture
def page(browser: Browser, replay: Lifeboard) -> Iterator[Page]:
    with browser.new_context(locale="en-GB") as context:
        page = context.new_page()
        problems: list[str] = []
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(replay.address)
        expect(page.get_by_role("status")).to_contain_text("That was the game")
        yield page
    assert [each for each in problems if "WebSocket" not in each] == []


def test_page_says_that_a_game_is_shown_again_and_which(page: Page):
    expect(page.locator("#replay")).to_have_text("Replay of game 1 (November 21, 2026)")
    expect(page).to_have_title("Replay of game 1 (November 21, 2026) · Circle of Life · lifeboard")
    page.get_by_label("Language").select_option("de")
    expect(page.locator("#replay")).to_have_text("Wiedergabe von Spiel 1 (21. November 2026)")


def test_page_offers_nothing_that_a_show_cannot_do(page: Page):
    expect(page.locator("#players .who")).to_have_text(["Anna", "Beat"])
    expect(page.locator("#moves li")).to_have_count(4)
    expect(page.locator("#moves button")).to_have_count(0)
    for name in ("Resign", "Set up a position", "Check the board", "Anna: change the name"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    for name in ("Hint", "Teach", "Who plays", "How did it go?"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    page.get_by_text("How to play").click()
    expect(page.locator("#keys")).to_be_hidden()
    expect(page.locator("#menu-key")).to_be_hidden()


@pytest.mark.parametrize("replay", [replace(RECORD, computers=("", "3"))], indirect=True)
def test_page_says_who_was_a_computer_and_offers_no_other(page: Page):
    expect(page.locator("#players")).to_contain_text("Beat")
    expect(page.locator("#players")).to_contain_text("computer, level 3")
    for name in ("Hint", "Teach", "Who plays", "How did it go?"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    expect(page.locator("#menu-key")).to_be_hidden()


def test_page_goes_back_and_on(page: Page):
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_role("status")).to_contain_text("Paused at move 3 of 4")
    expect(page.locator("#moves li")).to_have_count(3)
    page.locator('[data-cell="a1"]').click()
    expect(page.get_by_role("status")).to_contain_text("That was the game")


def test_page_of_a_game_that_is_played_says_nothing_of_a_show(browser: Browser, tmp_path: Path):
    with Lifeboard(tmp_path, "--seed", "1") as running, browser.new_context() as context:
        page = context.new_page()
        page.goto(running.address)
        expect(page.get_by_role("button", name="Resign")).to_be_visible()
        expect(page.locator("#replay")).to_be_hidden()
        expect(page.locator(".rename").first).to_be_visible()
