"""What the page says while the Pico under a board is waited for."""

from contextlib import closing
from pathlib import Path

from playwright.sync_api import Page, expect

from game.service.waiting import CHECK_S
from game.web.server import Server, listen
from tests.service.test_waiting_pico import OTHER, UNPLUGGED, Sockets, waiting_for

DOCTOR, LOGS = "sudo lifeboard service doctor", "sudo lifeboard service logs"


def test_page_says_what_to_do_about_a_pico_that_is_not_plugged_in(page: Page, tmp_path: Path):
    sockets = Sockets(tmp_path / "dev")
    page.set_viewport_size({"width": 360, "height": 740})
    with (
        closing(waiting_for(UNPLUGGED, sockets, tmp_path)) as waiting,
        Server(waiting.page, listen(0)) as server,
    ):
        waiting.step(0.0)
        page.goto(server.address)
        expect(page.locator("#title")).to_have_text("The board cannot be reached")
        expect(page.locator("#detail [lang=en]")).to_have_text(str(UNPLUGGED))
        expect(page.locator("#steps code:visible")).to_have_text([DOCTOR, LOGS])
        for row in ("#strip-row", "#buses-row", "#chips-row", "#lights"):
            expect(page.locator(row)).to_be_hidden()
        port = sockets.plug()
        waiting.step(CHECK_S)
        expect(page.locator("#ports")).to_have_text(str(port))
        expect(page.locator("#ports-row")).to_have_attribute("data-state", "good")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_page_says_how_another_firmware_is_exchanged(page: Page, tmp_path: Path):
    sockets = Sockets(tmp_path / "dev")
    with closing(waiting_for(OTHER, sockets, tmp_path)) as waiting:
        waiting.step(0.0)
        with Server(waiting.page, listen(0)) as server:
            page.goto(server.address)
            expect(page.locator("#title")).to_have_text("The board has another firmware")
            expect(page.locator("#steps code:visible")).to_have_text(
                ["sudo lifeboard service flash", LOGS]
            )
