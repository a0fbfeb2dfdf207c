"""Two boards whose pages enter one room, talk and leave."""

import re
from contextlib import ExitStack

from playwright.sync_api import expect

from tests.helpers.pages.hosted import hosted
from tests.helpers.programs.manager import free_port

PATIENCE_MS = 20_000
ROOM = "Play with another board"


def test_one_page_offers_a_game_and_another_joins_it_by_its_address(page, browser, tmp_path):
    with ExitStack() as stack:
        other = stack.enter_context(browser.new_context(locale="de-DE"))
        one, two = pages = page, other.new_page()
        for number, each in enumerate(pages, start=1):
            each.goto(stack.enter_context(hosted(tmp_path / str(number))).address)
        one.get_by_role("button", name=ROOM).press("Enter")
        dialog = one.get_by_role("dialog", name=ROOM)
        wrong, link = dialog.get_by_role("alert"), one.get_by_label("Link or code")
        expect(link).to_be_focused()
        one.keyboard.press("Enter")
        expect(wrong).to_have_text(re.compile("^Enter the link or the code"))
        nowhere, broker = f"127.0.0.1:{free_port()}", one.get_by_label("Broker: name or address")
        for code, answer in (
            ("abc", "This room cannot be"),
            (f"http://{nowhere}/room#abcdef", "No board answers"),
            (f"mqtt://{nowhere}/abcdef", "Connection refused"),
        ):
            link.fill(code)
            expect(broker).to_have_value(nowhere if "mqtt" in code else "")
            one.keyboard.press("Enter")
            expect(wrong).to_contain_text(answer, timeout=PATIENCE_MS)
        broker.fill("")
        one.get_by_label("Your name").fill("Ann")
        dialog.get_by_role("button", name="Offer a game").click()
        code = dialog.locator(".room-code")
        expect(code).to_be_visible(timeout=PATIENCE_MS)
        expect(dialog.get_by_role("img", name=re.compile("QR code of the room"))).to_be_visible()
        address = dialog.locator(".address").inner_text()
        assert address.startswith("http://")
        assert address.endswith(f"#{code.inner_text().lower()}")
        dialog.get_by_role("button", name="Close").click()

        two.get_by_role("button", name="Mit einem anderen Brett spielen").click()
        joining = two.get_by_role("dialog")
        joining.get_by_label("Link oder Code").fill(address)
        joining.get_by_label("Dein Name").fill("Bo")
        joining.get_by_role("button", name="Beitreten").click()
        for each in pages:
            expect(each.locator("#players .who")).to_have_text(["Ann", "Bo"], timeout=PATIENCE_MS)
        one.get_by_role("button", name="Well played").click()
        expect(two.locator("#message")).to_contain_text("Gut gespielt", timeout=PATIENCE_MS)
        for each in pages:
            expect(each.get_by_role("button", name="Players")).to_have_count(0)

        one.get_by_role("button", name=ROOM).click()
        dialog.get_by_role("button", name="Leave the room").click()
        dialog.get_by_role("button", name="Leave? The game waits in the room.").click()
        expect(one.locator("#players .who")).to_have_text(["Orange", "Blue"], timeout=PATIENCE_MS)
