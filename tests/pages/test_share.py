"""Links for others: to play, which enters the PIN on a phone, and only to watch."""

from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, expect

from game.rules.cirkle_mind import GAME as CIRKLE_MIND
from tests.helpers.pages.accessibility import violations
from tests.helpers.pages.hosted import hosted
from tests.helpers.pages.layout import at_sizes, overflow


def links(page: Page) -> list[str]:
    page.get_by_role("button", name="Settings").click()
    found = page.locator("#settings a[target=_blank]").all()
    return [each.get_attribute("href") or "" for each in found]


def test_a_scanned_code_plays_and_the_other_link_only_watches(browser: Browser, tmp_path: Path):
    with (
        hosted(tmp_path) as board,
        Browser.new_context(browser, locale="en-GB", bypass_csp=True) as here,
    ):
        own = here.new_page()
        own.goto(board.address)
        start = own.locator("#start")
        expect(start).to_contain_text(f"open {board.elsewhere} and enter the PIN {board.pins.pin}")
        for size in at_sizes(own, ((390, 844), (768, 1024), (1280, 800))):
            expect(start.get_by_role("img", name="QR code of the link")).to_be_visible()
            assert overflow(own) <= 0, size
        assert violations(own) == []
        play, watch = links(own)
        assert violations(own) == []
        with Browser.new_context(browser, locale="en-GB") as device:
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


def test_the_code_of_a_seat_plays(browser: Browser, tmp_path: Path):
    with (
        hosted(tmp_path, CIRKLE_MIND) as board,
        Browser.new_context(browser, locale="en-GB") as here,
        Browser.new_context(browser, locale="en-GB") as device,
    ):
        own = here.new_page()
        own.goto(board.address)
        seat = own.locator("#sides a").last
        expect(seat).not_to_contain_text(board.pins.pin)
        phone = device.new_page()
        phone.goto(seat.get_attribute("href") or "")
        expect(phone.get_by_text("Only for Mauve")).to_be_visible()
        expect(phone.get_by_role("button", name="Enter the PIN to play")).to_be_hidden()
        expect(own.locator("#sides").get_by_text("Taken by a device.")).to_have_count(1)
        assert urlsplit(phone.url).fragment == "side=2"
