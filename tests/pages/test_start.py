"""The first screen: a newcomer chooses how to play."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from game.rules.base.registry import find_game
from game.web import game_runtime
from tests.helpers.pages.accessibility import violations
from tests.helpers.pages.hosted import hosted
from tests.helpers.pages.layout import at_sizes, overflow


@pytest.fixture
def newcomer(browser: Browser) -> Iterator[Page]:
    """Open a tab in which nothing was chosen yet."""
    with Browser.new_context(
        browser, locale="en-GB", reduced_motion="reduce", bypass_csp=True
    ) as context:
        yield context.new_page()


def test_one_tap_begins_a_game_with_an_easy_computer(newcomer: Page, tmp_path: Path):
    with hosted(tmp_path) as running:
        newcomer.goto(running.address)
        start = newcomer.get_by_role("region", name="How do you want to play?")
        for size in at_sizes(newcomer, ((320, 640), (390, 844), (768, 1024), (1280, 800))):
            expect(start.get_by_role("button", name="Learn in three minutes")).to_be_in_viewport()
            assert overflow(newcomer) <= 0, size
        assert violations(newcomer) == []
        expect(start.get_by_role("radio", name="Mouse")).to_be_checked()
        start.get_by_role("radio", name="Owl").check()
        start.get_by_role("button", name="Play the computer").click()
        expect(start).to_be_hidden()
        expect(newcomer.locator(".player.computer .kind")).to_contain_text("Owl")
        expect(newcomer.get_by_role("button", name="New game")).to_be_visible()


def test_two_people_are_asked_once_in_a_tab(newcomer: Page, tmp_path: Path):
    with hosted(tmp_path) as running:
        newcomer.goto(running.address)
        newcomer.get_by_role("button", name="Two people").click()
        expect(newcomer.get_by_role("status")).to_contain_text("tap a lit cell")
        newcomer.reload()
        expect(newcomer.get_by_role("status")).to_contain_text("tap a lit cell")
        expect(newcomer.locator("#start")).to_be_hidden()


def test_game_begun_with_other_terms_asks_no_more(newcomer: Page, tmp_path: Path):
    with hosted(tmp_path) as running:
        newcomer.set_viewport_size({"width": 390, "height": 844})
        newcomer.goto(running.address)
        newcomer.get_by_role("button", name="Another game or other terms").click()
        level = newcomer.get_by_role("combobox", name="Blue", exact=True)
        width = level.evaluate("e => [e.offsetWidth, e.style.width = 'max-content', e.offsetWidth]")
        assert width[0] >= width[2]
        newcomer.get_by_role("button", name="Start", exact=True).click()
        expect(newcomer.locator("#message")).to_contain_text("tap a lit cell")
        expect(newcomer.locator("#start")).to_be_hidden()


def test_a_stone_is_an_answer_too(newcomer: Page, tmp_path: Path):
    with hosted(tmp_path) as running:
        newcomer.goto(running.address)
        newcomer.locator('[data-cell="e5"][data-cue="legal"]').click()
        expect(newcomer.locator("#start")).to_be_hidden()


def test_three_people_are_offered_where_three_play_and_the_tutorial(newcomer: Page, tmp_path: Path):
    with hosted(tmp_path, find_game("azteka-three")) as running:
        newcomer.goto(running.address)
        expect(newcomer.get_by_role("button", name="Three people")).to_be_visible()
        newcomer.get_by_role("button", name="Learn in three minutes").click()
        expect(newcomer.locator("#lesson-step")).to_contain_text("Step 1 of")
        expect(newcomer.locator("#start")).to_be_hidden()


@pytest.mark.parametrize("button", ["Two people", "Play the computer"])
def test_an_answer_closes_the_menu_of_a_real_board(
    button: str, newcomer: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    # No board here has virtual hands.
    monkeypatch.setattr(game_runtime, "Hands", ())
    with hosted(tmp_path) as running:
        newcomer.goto(running.address)
        learn = newcomer.get_by_role("button", name="choice: learn the game, step by step")
        expect(learn).to_be_visible()
        newcomer.get_by_role("button", name=button).click()
        expect(learn).to_be_hidden()
        expect(newcomer.get_by_role("button", name="New game")).to_be_visible()
