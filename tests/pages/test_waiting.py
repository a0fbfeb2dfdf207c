"""The page of a service that waits for a board, in a real Chromium."""

import io

from playwright.sync_api import expect

from game.common import LANGUAGES
from game.maker.display import ToolDisplay, ToolScreen
from game.rules.circle_of_life import GAME
from game.service.activity import WaitingPage
from game.web import Server, listen
from tests.helpers.pages.hosted import hosted
from tests.helpers.pages.layout import at_sizes, overflow


def test_page_says_why_and_what_to_do_on_any_screen(page):
    for number, language in enumerate(LANGUAGES):
        detail = ("", "board.toml: <strip> pixels is 0")[number % 2]
        with Server(WaitingPage(detail), listen(0)) as server:
            page.goto(f"{server.address}?lang={language}")
            expect(page.locator(".detail")).to_have_text(detail)
            for size in at_sizes(page, ((360, 740),)):
                assert overflow(page) <= 0, (detail, size, language)


def test_page_becomes_whatever_is_served_in_its_place(page, tmp_path):
    waiting = WaitingPage()
    with Server(waiting, listen(0)) as server:
        page.goto(server.address)
        expect(page.get_by_role("status")).to_contain_text("Teach your board first")
        page.wait_for_load_state()
        port = int(server.address.rsplit(":", 1)[1].strip("/"))
    with hosted(tmp_path / "data", port=port):
        expect(page.locator('[data-cue="legal"]')).to_have_count(61)
    with Server(waiting, listen(port)):
        expect(page.get_by_role("status")).to_contain_text("Teach your board first")
        page.wait_for_load_state()
    terminal = (None, io.StringIO())
    with ToolDisplay(GAME.board, port, terminal, browser=False) as display:
        display.show(ToolScreen("Learn", "Touch e5"))
        expect(page.get_by_role("status")).to_have_text("Touch e5")
