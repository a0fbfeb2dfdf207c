"""The page's keys, *Back*, and how it looks by its settings."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.helpers.pages.hosted import hosted

NO_DIALOG = """new Promise((done) => {
  const look = () => (history.state === null ? done() : setTimeout(look, 10));
  look();
})"""


@pytest.fixture
def opened(page: Page, tmp_path: Path) -> Iterator[Page]:
    with hosted(tmp_path) as running:
        page.goto(running.address)
        expect(page.locator('[data-cell="e5"][data-cue="legal"]')).to_be_visible()
        yield page


def test_keys_press_buttons_and_are_listed(opened: Page):
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


def test_back_closes_a_dialog_and_leaves_the_page_only_without_one(opened: Page):
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


def test_a_look_is_worn_until_another_is_chosen(opened: Page):
    paper = "getComputedStyle(document.body).backgroundColor"
    light = opened.evaluate(paper)
    opened.get_by_role("button", name="Settings").click()
    opened.get_by_role("combobox", name="Look").select_option("dark")
    dark = opened.evaluate(paper)
    assert dark != light
    opened.reload()
    expect(opened.locator('[data-cell="e5"]')).to_be_visible()
    assert opened.evaluate(paper) == dark
    opened.emulate_media(color_scheme="dark")
    opened.get_by_role("button", name="Settings").click()
    opened.get_by_role("combobox", name="Look").select_option("light")
    assert opened.evaluate(paper) == light


def test_names_of_cells_are_switched_off(opened: Page):
    name = opened.locator('[data-cell="e5"] .name')
    expect(name).to_be_visible()
    opened.get_by_role("button", name="Settings").click()
    opened.get_by_role("checkbox", name="Names of the cells").uncheck()
    expect(name).to_be_hidden()
