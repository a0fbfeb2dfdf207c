"""The first screen, links for others, and the page's keys, *Back* and look."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from game.rules.base.registry import find_game
from game.table import DRAW_S, players
from game.web import game_runtime
from tests.helpers.pages.accessibility import violations
from tests.helpers.pages.browser import new_context
from tests.helpers.pages.hosted import hosted
from tests.helpers.pages.layout import at_sizes, overflow


@pytest.fixture
def newcomer(browser):
    """Open a tab in which nothing was chosen yet."""
    with new_context(browser, bypass_csp=True) as context:
        yield context.new_page()


def test_one_tap_begins_a_game_with_an_easy_computer(newcomer, board):
    newcomer.goto(board.address)
    start = newcomer.get_by_role("region", name="How do you want to play?")
    for size in at_sizes(newcomer, ((320, 640), (1280, 800))):
        expect(start.get_by_role("button", name="Learn in three minutes")).to_be_in_viewport()
        assert overflow(newcomer) <= 0, size
    assert violations(newcomer) == []
    expect(start.get_by_role("radio", name="Mouse")).to_be_checked()
    start.get_by_role("radio", name="Owl").check()
    start.get_by_role("button", name="Play the computer").click()
    expect(start).to_be_hidden()
    expect(newcomer.locator(".player.computer .kind")).to_contain_text("Owl")


def test_an_answer_or_a_stone_asks_no_more_in_this_tab(browser, newcomer, board, monkeypatch):
    monkeypatch.setattr(players, "DRAW_S", DRAW_S)
    newcomer.goto(board.address)
    newcomer.get_by_role("button", name="Two people").click()
    expect(newcomer.get_by_role("status")).to_contain_text("tap a lit cell")
    newcomer.reload()
    expect(newcomer.get_by_role("status")).to_contain_text("tap a lit cell")
    expect(newcomer.locator("#start")).to_be_hidden()
    with new_context(browser) as others:
        other = others.new_page()
        other.goto(board.address)
        other.get_by_role("button", name="Another game or other terms").click()
        other.get_by_role("button", name="Start", exact=True).click()
        expect(other.locator('[data-cue="draw"]').first).to_be_visible()
        expect(other.locator("#message")).to_contain_text("tap a lit cell")
        expect(other.locator("#start")).to_be_hidden()
        third = others.new_page()
        third.goto(board.address)
        expect(third.locator("#start")).to_be_visible()
        third.locator('[data-cell="e5"][data-cue="legal"]').click()
        expect(third.locator("#start")).to_be_hidden()


def test_three_people_are_offered_where_three_play_and_the_tutorial(newcomer, tmp_path):
    with hosted(tmp_path, find_game("azteka-three")) as running:
        newcomer.goto(running.address)
        expect(newcomer.get_by_role("button", name="Three people")).to_be_visible()
        newcomer.get_by_role("button", name="Learn in three minutes").click()
        expect(newcomer.locator("#lesson-step")).to_contain_text("Step 1 of")


def test_after_the_tutorial_it_is_asked_again_how_to_play(newcomer, board):
    newcomer.goto(board.address)
    newcomer.get_by_role("button", name="Learn in three minutes").click()
    sentence, leave = newcomer.get_by_role("status"), newcomer.locator("#to-game")
    expect(sentence).to_contain_text("Welcome!")
    for size in at_sizes(newcomer, ((390, 664), (360, 640), (375, 553))):
        expect(sentence, str(size)).to_be_in_viewport(ratio=1)
        assert overflow(newcomer) <= 0, size
    for _ in at_sizes(newcomer, ((390, 664),)):
        expect(leave).to_be_in_viewport(ratio=0.8)
    newcomer.locator('[data-cell="e5"][data-cue="legal"]').click()
    expect(newcomer.locator("#lesson-step")).to_contain_text("Step 2 of")
    leave.click()
    expect(newcomer.get_by_role("button", name="Play the computer")).to_be_visible()
    newcomer.get_by_role("button", name="Two people").click()
    expect(sentence).to_contain_text("tap a lit cell")
    for _ in at_sizes(newcomer, ((390, 664),)):
        expect(sentence).to_be_in_viewport(ratio=0.95)


def test_an_answer_closes_the_menu_of_a_real_board(newcomer, tmp_path, monkeypatch):
    # No board here has virtual hands.
    monkeypatch.setattr(game_runtime, "Hands", ())
    with hosted(tmp_path) as running:
        newcomer.goto(running.address)
        learn = newcomer.get_by_role("button", name="choice: learn the game, step by step")
        expect(learn).to_be_visible()
        newcomer.get_by_role("button", name="Two people").click()
        expect(learn).to_be_hidden()
        expect(newcomer.get_by_role("button", name="New game")).to_be_visible()


def links(page: Page) -> list[str]:
    page.get_by_role("button", name="Settings").click()
    found = page.locator("#settings a[target=_blank]").all()
    return [each.get_attribute("href") or "" for each in found]


def test_a_scanned_code_plays_and_the_other_link_only_watches(browser, tmp_path):
    with (
        hosted(tmp_path) as board,
        new_context(browser, bypass_csp=True) as here,
    ):
        own = here.new_page()
        own.goto(board.address)
        start = own.locator("#start")
        expect(start).to_contain_text(f"open {board.elsewhere} and enter the PIN {board.pins.pin}")
        for size in at_sizes(own, ((390, 844), (1280, 800))):
            expect(start.get_by_role("img", name="QR code of the link")).to_be_visible()
            assert overflow(own) <= 0, size
        play, watch = links(own)
        assert violations(own, "dialog[open]") == []
        # Only a service can update itself.
        expect(own.get_by_role("button", name="Update")).to_be_hidden()
        with new_context(browser) as device:
            watcher = device.new_page()
            watcher.goto(watch)
            expect(watcher.get_by_text("You are watching.")).to_be_visible()
            expect(watcher.get_by_role("button", name="Enter the PIN to play")).to_be_hidden()
            assert links(watcher) == [watch]
            watcher.keyboard.press("Escape")
            watcher.get_by_role("button", name="Past games").click()
            expect(watcher.get_by_text("No game was played yet")).to_be_visible()
            phone = device.new_page()
            phone.goto(play)
            expect(phone.get_by_role("button", name="Play the computer")).to_be_visible()
            assert urlsplit(phone.url).fragment == ""
            assert board.pins.pin not in phone.content()


NO_DIALOG = """new Promise((done) => {
  const look = () => (history.state === null ? done() : setTimeout(look, 10));
  look();
})"""


@pytest.fixture
def opened(page, board):
    page.goto(board.address)
    expect(page.locator('[data-cell="e5"][data-cue="legal"]')).to_be_visible()
    return page


def test_keys_press_buttons_and_are_listed(opened):
    opened.keyboard.press("?")
    keys = opened.get_by_role("dialog", name="Keys of the keyboard").get_by_role("listitem")
    expect(keys).to_contain_text(["How to play", "Look back and forward", "Close"])
    expect(keys.filter(has_text="New game")).to_have_count(1)
    opened.keyboard.press("n")
    expect(opened.get_by_role("dialog", name="New game")).to_have_count(0)
    opened.keyboard.press("Escape")
    opened.keyboard.press("n")
    expect(opened.get_by_role("dialog", name="New game")).to_be_visible()
    opened.get_by_role("textbox", name="Orange").press_sequentially("hector")
    expect(opened.get_by_role("textbox", name="Orange")).to_have_value("hector")
    # A longer name would be refused, and all that was entered with it.
    opened.get_by_role("textbox", name="Orange").press_sequentially("x" * 40)
    expect(opened.get_by_role("textbox", name="Orange")).to_have_value(f"hector{'x' * 34}")


def test_back_closes_a_dialog_and_leaves_the_page_only_without_one(opened):
    address = opened.url
    opened.get_by_role("button", name="How to play").click()
    rules = opened.get_by_role("dialog", name="How to play")
    expect(rules).to_be_visible()
    opened.go_back()
    expect(rules).to_be_hidden()
    assert opened.url == address
    opened.get_by_role("button", name="How to play").click()
    rules.get_by_role("button", name="Close").click()
    opened.evaluate(NO_DIALOG)
    opened.go_back()
    expect(opened).not_to_have_url(address)


def test_a_look_is_worn_until_another_is_chosen_and_names_of_cells_are_switched_off(opened):
    paper = "getComputedStyle(document.body).backgroundColor"
    light = opened.evaluate(paper)
    opened.emulate_media(color_scheme="dark")
    assert opened.evaluate(paper) != light
    opened.get_by_role("button", name="Settings").click()
    opened.get_by_role("combobox", name="Look").select_option("light")
    opened.reload()
    expect(opened.locator('[data-cell="e5"]')).to_be_visible()
    assert opened.evaluate(paper) == light
    opened.get_by_role("button", name="Settings").click()
    name = opened.locator('[data-cell="e5"] .name')
    expect(name).to_be_visible()
    opened.get_by_role("checkbox", name="Names of the cells").uncheck()
    expect(name).to_be_hidden()
