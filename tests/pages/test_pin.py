"""The page on another device: locked, watching, unlocked, and given up."""

import re
from collections.abc import Callable
from contextlib import ExitStack

import pytest
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

from tests.helpers.pages.browser import complaints
from tests.helpers.pages.hosted import hosted
from tests.helpers.pages.layout import box, overflow

WAIT = "Wait a little, then try again: too many wrong PINs."
HELD_UP = {"text": WAIT, "wait_s": 30}
BEGUN_S = 1_800_000_000
OF_THE_GAME = "[data-cell], [data-ply], .player, .species, #message:not(:empty), #rules > *"
STONES = '[data-piece="1"], [data-piece="2"]'


@pytest.fixture
def locked(tmp_path):
    with hosted(tmp_path, command="sudo lifeboard pin") as board:
        yield board


@pytest.fixture
def watched(tmp_path):
    with hosted(tmp_path, watching=True) as board:
        yield board


Device = Callable[..., BrowserContext]


@pytest.fixture
def device(browser):
    """Make devices, each a browser with cookies of its own, whose pages have no errors."""
    problems: list[list[str]] = []
    with ExitStack() as stack:

        def make(**options: object) -> BrowserContext:
            context = stack.enter_context(browser.new_context(**options))
            context.on("page", lambda page: problems.append(complaints(page)))
            return context

        yield make
    # Chromium itself writes down every answer that is a refusal, and every connection that is lost.
    shown = ("Failed to load resource", "WebSocket")
    said = [each for page in problems for each in page]
    assert [each for each in said if not any(words in each for words in shown)] == []


def visit(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    return page


def field(page: Page):
    return page.get_by_role("textbox", name="PIN, six digits")


def cell(page: Page, name: str):
    return page.locator(f'[data-cell="{name}"]')


def enter(page: Page, pin: str) -> None:
    """Type digits; the sixth one submits."""
    expect(field(page)).to_be_editable()
    field(page).press_sequentially(pin)


def expect_to_play(page: Page) -> None:
    expect(page.locator("body")).to_have_attribute("data-access", "control")
    expect(page.locator('[data-cue="legal"]').first).to_be_visible()


def expect_locked(page: Page) -> None:
    expect(page.get_by_role("heading", name="page is locked")).to_be_visible()
    expect(page.locator(OF_THE_GAME)).to_have_count(0)


def place(page: Page, name: str) -> None:
    cell(page, name).click()
    expect(cell(page, name)).to_have_attribute("data-cue", "placed")


def test_a_locked_page_shows_only_the_card_until_the_pin_is_right(locked, device):
    mine = device()
    page = visit(mine, locked.elsewhere)
    alert = page.get_by_role("alert")
    expect_locked(page)
    expect(page).to_have_title(re.compile("page is locked · lifeboard$"))
    expect(page.get_by_role("button")).to_have_text(["Unlock"])
    expect(page.locator("#pin-where code")).to_have_text("sudo lifeboard pin")
    expect(field(page)).to_be_focused()
    page.keyboard.type(locked.pins.pin[:3])
    page.keyboard.press("Enter")
    expect(alert).to_have_text("The PIN has six digits.")
    field(page).fill("")
    enter(page, locked.wrong_pin)
    # Enter after the sixth digit leaves the answer as it is.
    page.keyboard.press("Enter")
    expect(alert).to_have_text("That is not the PIN.")
    expect(field(page)).to_have_value("")
    expect(field(page)).to_be_focused()
    pin = locked.pins.pin
    field(page).fill(f" {pin[:3]} {pin[3:]} ")
    expect_to_play(page)
    expect(page.locator("#title")).to_be_focused()
    while not page.evaluate("'cell' in document.activeElement.dataset"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(STONES)).to_have_count(1)
    # Control stays with the device.
    expect_to_play(visit(mine, locked.elsewhere))


def seconds_are_counted_and_no_key_ends_them(page: Page, address: str) -> None:
    # The date stands still, so that a slow machine counts the same seconds; timers still run.
    page.clock.set_fixed_time(BEGUN_S)
    asked: list[Request] = []

    def refuse(route: Route) -> None:
        asked.append(route.request)
        route.fulfill(status=429, json=HELD_UP)

    page.route("**/pin?*", refuse)
    page.goto(address)
    enter(page, "123456")
    expect(page.get_by_role("alert")).to_have_text(WAIT)
    for key in ("Enter", "1", "Tab", "Enter"):
        page.keyboard.press(key)
    page.clock.set_fixed_time(BEGUN_S + 20)
    expect(page.get_by_role("button", name="Again in 10 s")).to_be_disabled()
    expect(page.get_by_role("alert")).to_have_text(WAIT)
    expect(field(page)).to_be_disabled()
    page.clock.set_fixed_time(BEGUN_S + 30.5)
    expect(page.get_by_role("button", name="Unlock")).to_be_enabled()
    expect(field(page)).to_be_focused()
    expect(page.get_by_role("alert")).to_be_empty()
    assert [request.post_data_json for request in asked] == [{"pin": "123456"}]


def test_why_a_pin_does_not_unlock_is_told(locked, device):
    page = visit(device(), locked.elsewhere)
    page.route("**/pin?*", lambda route: route.fulfill(status=204))
    enter(page, locked.pins.pin)
    expect(page.get_by_role("alert")).to_contain_text("Allow cookies")
    expect_locked(page)
    page.unroute("**/pin?*")
    page.reload()
    page.route("**/pin?*", lambda route: route.abort())
    enter(page, locked.pins.pin)
    expect(page.get_by_role("alert")).to_have_text("The board does not answer. Try again.")
    page.unroute("**/pin?*")
    page.get_by_role("button", name="Unlock").click()
    expect_to_play(page)
    page.get_by_role("button", name="Stop playing from this device").click()
    expect_locked(page)
    seconds_are_counted_and_no_key_ends_them(page, locked.elsewhere)


def test_who_watches_plays_with_the_pin_and_sees_the_game_without_it(watched, device):
    page = visit(device(), watched.elsewhere)
    page.get_by_role("button", name="Enter the PIN to play").click()
    dialog = page.get_by_role("dialog", name="Play from this device")
    expect(field(page)).to_be_focused()
    enter(page, watched.wrong_pin)
    expect(dialog.get_by_role("alert")).not_to_be_empty()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Enter the PIN to play").click()
    expect(dialog.get_by_role("alert")).to_be_empty()
    enter(page, watched.pins.pin)
    expect(dialog).to_be_hidden()
    expect_to_play(page)
    expect(page.get_by_text("You are watching.").first).to_be_hidden()
    place(page, "e5")
    page.get_by_role("button", name="Stop playing from this device").click()
    expect(page.get_by_text("You are watching.").first).to_be_visible()
    expect(page.get_by_role("button", name="Stop playing")).to_be_hidden()
    # Without the PIN it only sees the game.
    here = visit(device(), watched.address)
    expect_to_play(here)
    sent: list[str] = []
    page.on("websocket", lambda link: link.on("framesent", lambda text: sent.append(text)))
    page.reload()
    expect(page.locator('[data-cue="legal"]')).to_have_count(60)
    expect(page.get_by_text("You are watching.").first).to_be_visible()
    expect(page.locator(":is(.actions, .tools, .board-keys) button:visible")).to_have_count(0)
    cell(page, "e5").click()
    expect(page.locator("#watching-said")).to_contain_text("Enter the PIN to play")
    cell(page, "d4").focus()
    page.keyboard.press("Space")
    # A page of this computer always has control.
    expect(here.get_by_text("Stop playing from this device")).to_be_hidden()
    place(here, "a1")
    expect(page.locator(STONES)).to_have_count(2)
    assert sent == []
    here.get_by_role("button", name="Set up a position").click()
    expect(page.locator("#set-up .tally").first).to_be_visible()
    expect(page.locator("#set-up :is(input, button):enabled")).to_have_count(0)


def test_a_device_is_removed_on_another_device_s_page(locked, device):
    phone, own = visit(device(), locked.elsewhere), visit(device(), locked.elsewhere)
    here = visit(device(), locked.address)
    for page in (phone, own):
        enter(page, locked.pins.pin)
        expect_to_play(page)
    own.get_by_role("button", name="Devices with the PIN").click()
    dialog = own.get_by_role("dialog")
    expect(dialog.get_by_text("on Linux")).to_have_count(2)
    expect(dialog.get_by_text("This device")).to_have_count(1)
    dialog.get_by_role("button", name="Remove: Chrome on Linux").click()
    expect(dialog.get_by_text("on Linux")).to_have_count(1)
    expect_locked(phone)
    expect_to_play(own)
    # This computer sees the list too.
    here.get_by_role("button", name="Devices with the PIN").click()
    here.get_by_role("dialog").get_by_role("button", name="Remove: Chrome on Linux").click()
    expect(here.get_by_text("No device has entered the PIN yet.")).to_be_visible()
    expect_locked(own)


def test_a_card_outlives_a_server_that_goes_away(tmp_path, device):
    with hosted(tmp_path) as first:
        page = visit(device(), first.elsewhere)
        expect_locked(page)
        port = first.port
    expect(page.get_by_text("Trying again").last).to_be_visible()
    field(page).press_sequentially(first.pins.pin[:4])
    with hosted(tmp_path, port=port) as second:
        expect(page.get_by_text("Trying again").last).to_be_hidden()
        expect(field(page)).to_have_value(second.pins.pin[:4])
        field(page).press_sequentially(second.pins.pin[4:])
        expect_to_play(page)


def test_small_phones_show_hint_and_dialog_whole(watched, device):
    phone = device(viewport={"width": 320, "height": 568}, has_touch=True, is_mobile=True)
    page = phone.new_page()
    # Those with the longest words.
    for language in ("de", "fr"):
        page.goto(f"{watched.elsewhere}?lang={language}")
        expect(page.locator("[data-cell]")).to_have_count(61)
        assert overflow(page) <= 0, language
        # The notice of a watching page covers nothing at the bottom of the page.
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        assert box(page, "#page > .below")["bottom"] <= box(page, "#watching")["top"]
        page.locator("#enter-pin").tap()
        dialog = box(page, "#pin-dialog")
        assert 0 <= dialog["left"] < dialog["right"] <= 320, language
        assert 0 <= dialog["top"] < dialog["bottom"] <= 568, language
